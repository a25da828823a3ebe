import { asksTerm } from './asks-stored.ts'
import type { Condition } from './node.ts'

/** Whether a condition asks if an answer took long, so that a slow one must be measured twice. */
export function asksSlowed(condition: Condition): boolean {
  return asksTerm(condition.root, 'slowed')
}
