import type { Template } from '../template/index.ts'
import type { QueuedPair } from './pair-queue.ts'

/** Methods whose requests change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * What a test does to its endpoint decides when it runs. Sending a recorded order once more is an order too: a test
 * that on its own only looks changes something where the endpoint does.
 *
 * @param method of the endpoint
 */
export function phaseOf(
  template: Template | undefined,
  method: string,
): Pick<QueuedPair, 'isIntrusive' | 'phase'> {
  const sendsNothing = template?.execute.type === 'passive'
  const looksOnly = template?.attributes.nature === 'NON_INTRUSIVE' && SAFE_METHODS.has(method)
  const isIntrusive = !sendsNothing && !looksOnly
  const isSlow = template?.attributes.duration === 'SLOW'
  return { isIntrusive, phase: isSlow ? 2 : isIntrusive ? 1 : 0 }
}
