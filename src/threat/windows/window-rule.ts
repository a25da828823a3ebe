import { hash } from 'node:crypto'
import { remembered } from '../../kit/index.ts'
import type { AggregationRule } from '../filters/filter.ts'
import { eventTime } from '../records/event-time.ts'

/** Longest window of a rule, in minutes: a day. */
const MAX_WINDOW_MINUTES = 1440
/** Steps of a window at the most: longer windows slide in steps of several minutes. */
const MAX_STEPS = 60
/** Values whose marks, and owners whose keys, are remembered. */
const MAX_REMEMBERED = 8_192
/** Messages that an aggregated event refers to, the one on which it fired among them. */
export const MAX_REFERENCES = 10

/** How a rule cuts time: a window is `steps` steps of `stepMinutes`, the current one included. */
export interface WindowSpan {
  readonly stepMinutes: number
  readonly steps: number
}

/** The span of a rule: minutes up to an hour, coarser steps for longer windows, never more than 60. */
export function spanOf(rule: Pick<AggregationRule, 'windowMinutes'>): WindowSpan {
  const minutes = Math.max(1, Math.min(rule.windowMinutes, MAX_WINDOW_MINUTES))
  const stepMinutes = Math.ceil(minutes / MAX_STEPS)
  return { stepMinutes, steps: Math.ceil(minutes / stepMinutes) }
}

/** The step that a moment (epoch seconds) lies in, as far as it is believed; see {@link eventTime}. */
export function stepOf(at: number, span: WindowSpan, now: number): number {
  return Math.floor(eventTime(at, now) / (60 * span.stepMinutes))
}

/** What a counter is kept for; texts that the scope of the rule leaves out are ''. */
export interface WindowOwner {
  readonly filterId: string
  readonly rule: string
  readonly actor: string
  readonly endpoint: string
}

/**
 * Key of a counter in the store: 16 bytes as hex. A cryptographic hash, because actors choose what goes into it and
 * must not meet on purpose. A rule that cuts time differently counts anew.
 */
export function windowKey(owner: WindowOwner, span: WindowSpan): string {
  const { filterId, rule, actor, endpoint } = owner
  return keyOf(JSON.stringify([filterId, rule, span.stepMinutes, span.steps, actor, endpoint]))
}

/** The same actors are counted by every transaction. */
const keyOf = remembered((text: string) => hash('sha256', text).slice(0, 32), MAX_REMEMBERED)

/** A distinct value as a counter remembers it: 32 bits of its hash, so that no secret is kept. */
export const valueMark = remembered(
  (value: string) => hash('sha256', value, 'buffer').readInt32LE(0),
  MAX_REMEMBERED,
)
