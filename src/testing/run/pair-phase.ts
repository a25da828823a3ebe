import type { Template } from '../template/index.ts'
import type { QueuedPair } from './pair-queue.ts'

/** What a test does to its endpoint decides when it runs. */
export function phaseOf(template: Template | undefined): Pick<QueuedPair, 'isIntrusive' | 'phase'> {
  const isIntrusive = template?.attributes.nature !== 'NON_INTRUSIVE'
  const isSlow = template?.attributes.duration === 'SLOW'
  return { isIntrusive, phase: isSlow ? 2 : isIntrusive ? 1 : 0 }
}
