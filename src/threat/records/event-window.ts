import { nowSeconds } from '../../kit/index.ts'

export const HOUR = 3_600
export const DAY = 86_400
/** Largest number that the store keeps as a time. */
const MAX_TIME = 0x7fffffff

/** A span of epoch seconds, both ends included. */
export interface EventWindow {
  readonly from: number
  /** At or behind the present there is no bound. */
  readonly to: number
}

/** Clocks of clients may be behind by so much: an end that is as close to the present means the present. */
const NEARLY_NOW = 5

/** Everything that is kept. */
export const ALWAYS: EventWindow = { from: 0, to: MAX_TIME }

/** The span that a client means: 0 or less for no lower bound, and for now as the upper one. */
export function readWindow(start: number, end: number, now = nowSeconds()): EventWindow {
  const from = Math.max(start, 0)
  return { from, to: end <= 0 || end >= now - NEARLY_NOW ? MAX_TIME : end }
}

/** Whether a span ends with the present. */
export function isOpen({ to }: EventWindow): boolean {
  return to === MAX_TIME
}

/** A span in whole days, whole hours and the rest; each list disjoint, ends included, in its own unit. */
interface WindowPieces {
  readonly days: readonly (readonly [number, number])[]
  readonly hours: readonly (readonly [number, number])[]
  readonly seconds: readonly (readonly [number, number])[]
}

/**
 * Cuts a span so that counts of days and hours serve for most of it.
 *
 * @param usesHours false where only counts of days exist: then the rest is not cut into hours
 */
export function cutWindow({ from, to }: EventWindow, usesHours = true): WindowPieces {
  const seconds: [number, number][] = []
  const hours: [number, number][] = []
  const { whole: days, rest } = wholeUnits(from, to, DAY)
  for (const [start, end] of rest) {
    if (!usesHours) {
      seconds.push([start, end])
      continue
    }
    const inner = wholeUnits(start, end, HOUR)
    hours.push(...inner.whole)
    seconds.push(...inner.rest)
  }
  return { days, hours, seconds }
}

function wholeUnits(
  from: number,
  to: number,
  unit: number,
): { whole: [number, number][]; rest: [number, number][] } {
  const first = Math.ceil(from / unit)
  const last = to === MAX_TIME ? Math.floor(MAX_TIME / unit) : Math.floor((to + 1) / unit) - 1
  if (first > last) return { whole: [], rest: from <= to ? [[from, to]] : [] }
  const rest: [number, number][] = []
  if (from < first * unit) rest.push([from, first * unit - 1])
  if (to !== MAX_TIME && (last + 1) * unit <= to) rest.push([(last + 1) * unit, to])
  return { whole: [[first, last]], rest }
}
