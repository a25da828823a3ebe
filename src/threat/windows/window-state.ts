import type { WindowSpan } from './window-rule.ts'
import { MAX_REFERENCES } from './window-rule.ts'

/** What is kept of one counter. Flat lists, as they are stored. */
export interface WindowState {
  /** step, matches, first second, last second; ascending by step */
  bins: number[]
  /** mark of a distinct value, latest step it was seen in; only where the rule counts values */
  values: number[]
  /** Steps of the messages that are kept for the next event. */
  references: number[]
  /** Newest step when the rule fired last; null when it never did. */
  firedStep: number | null
}

/** A counter that has seen nothing. */
export function emptyWindow(): WindowState {
  return { bins: [], values: [], references: [], firedStep: null }
}

/** One matching message as a counter sees it. */
export interface WindowMatch {
  readonly step: number
  /** Epoch seconds. */
  readonly at: number
  /** It is counted. */
  readonly counts: boolean
  /** The rule may fire on it. */
  readonly mayFire: boolean
  /** Mark of its distinct value; null where the rule counts messages, or it has none. */
  readonly value: number | null
}

/** What a rule asks of its window. */
export interface WindowLimit {
  readonly span: WindowSpan
  /** Fires at this many matches, or distinct values. */
  readonly limit: number
  readonly countsValues: boolean
}

/** The window of a rule that fired: what is in it, the message on which it fired included. */
export interface WindowFiring {
  /** Messages. */
  readonly count: number
  /** Distinct values; null where the rule counts messages. */
  readonly values: number | null
  readonly firstAt: number
  readonly lastAt: number
}

/** What became of one match. */
export interface WindowStep {
  readonly firing: WindowFiring | null
  /** The message is worth keeping: an event that fires later refers to it. */
  readonly isReference: boolean
  /** Its window is over; it changed nothing. */
  readonly isLate: boolean
}

const BIN = 4
/** Below it every match may belong to an event. */
const LOW_LIMIT = 20
const NOTHING: WindowStep = { firing: null, isReference: false, isLate: false }
const LATE: WindowStep = { firing: null, isReference: false, isLate: true }

/**
 * Takes one match into a counter, in place. A match counts in the step of its time, as long as that lies in the
 * window that ends at the newest step; then every window that holds it may fire. After a firing the rule rests until
 * no window can hold the step of the firing any more.
 */
export function takeMatch(state: WindowState, match: WindowMatch, rule: WindowLimit): WindowStep {
  const { steps } = rule.span
  const before = newestStep(state)
  const newest = Math.max(before, match.step)
  if (match.step <= newest - steps) return LATE
  const isCounted = match.counts && (!rule.countsValues || match.value !== null)
  if (isCounted) {
    addMatch(state, match)
    if (match.value !== null) addValue(state, match.value, match.step, rule.limit)
  }
  if (newest > before) prune(state, newest, steps)
  if (match.mayFire && !isResting(state, match.step, steps)) {
    const firing = firingOf(state, match.step, newest, rule)
    if (firing !== null) {
      state.firedStep = newest
      state.references = []
      return { firing, isReference: false, isLate: false }
    }
  }
  if (!isCounted || !wantsReference(state, match.step, rule)) return NOTHING
  state.references.push(match.step)
  return { firing: null, isReference: true, isLate: false }
}

/** The last step at which the counter still means something; afterwards it may be removed. */
export function lastUsefulStep(state: WindowState, span: WindowSpan): number {
  return Math.max(newestStep(state), state.firedStep ?? 0) + 2 * span.steps
}

/** Matches that the counter holds, over all its steps. */
export function matchesOf(state: WindowState): number {
  let sum = 0
  for (let i = 1; i < state.bins.length; i += BIN) sum += state.bins[i]!
  return sum
}

function newestStep({ bins }: WindowState): number {
  return bins.length === 0 ? 0 : bins[bins.length - BIN]!
}

function isResting(state: WindowState, step: number, steps: number): boolean {
  return state.firedStep !== null && step < state.firedStep + steps
}

function addMatch({ bins }: WindowState, { step, at }: WindowMatch): void {
  let i = bins.length
  while (i > 0 && bins[i - BIN]! > step) i -= BIN
  if (i > 0 && bins[i - BIN] === step) {
    bins[i - BIN + 1]!++
    bins[i - BIN + 2] = Math.min(bins[i - BIN + 2]!, at)
    bins[i - BIN + 3] = Math.max(bins[i - BIN + 3]!, at)
  } else bins.splice(i, 0, step, 1, at, at)
}

/** Takes in values that were counted elsewhere; those that are there already change nothing. */
export function mergeValues(
  state: WindowState,
  values: readonly (readonly [mark: number, step: number])[],
  rule: WindowLimit,
): void {
  for (const [mark, step] of values) addValue(state, mark, step, rule.limit)
}

/** Values beyond the limit are not told apart any more: the rule fires before they are needed. */
function addValue({ values }: WindowState, mark: number, step: number, limit: number): void {
  for (let i = 0; i < values.length; i += 2) {
    if (values[i] !== mark) continue
    values[i + 1] = Math.max(values[i + 1]!, step)
    return
  }
  if (values.length / 2 <= limit) {
    values.push(mark, step)
    return
  }
  let oldest = 0
  for (let i = 2; i < values.length; i += 2) if (values[i + 1]! < values[oldest + 1]!) oldest = i
  if (values[oldest + 1]! >= step) return
  values[oldest] = mark
  values[oldest + 1] = step
}

/** Keeps two windows: a late match may complete one that has ended meanwhile. */
function prune(state: WindowState, newest: number, steps: number): void {
  const { bins, values, references } = state
  const from = newest - 2 * steps
  let gone = 0
  while (gone < bins.length && bins[gone]! <= from) gone += BIN
  if (gone > 0) bins.splice(0, gone)
  if (values.length > 0 && values.some((step, i) => i % 2 === 1 && step <= from)) {
    state.values = values.filter((_, i) => values[i | 1]! > from)
  }
  if (references.some((step) => step <= newest - steps)) {
    state.references = references.filter((step) => step > newest - steps)
  }
}

/** Rules with high limits are met by ordinary traffic: what leads to their event is kept from the half on. */
function wantsReference(state: WindowState, step: number, { limit }: WindowLimit): boolean {
  const { references, firedStep } = state
  if (references.length >= MAX_REFERENCES - 1 || (firedStep !== null && step <= firedStep)) return false
  return limit < LOW_LIMIT || matchesOf(state) * 2 >= limit
}

/** The first of the windows that hold a step and are full; windows end at that step or later. */
function firingOf(state: WindowState, step: number, newest: number, rule: WindowLimit): WindowFiring | null {
  const { steps } = rule.span
  for (let end = step; end <= Math.min(step + steps - 1, newest); end++) {
    const from = Math.max(end - steps, state.firedStep ?? 0)
    const values = rule.countsValues ? valuesBetween(state, from, end) : null
    const window = sumBetween(state, from, end)
    // Of values that were counted elsewhere the number of matches is not known.
    if ((values ?? window.count) >= rule.limit)
      return { ...window, count: Math.max(window.count, values ?? 0), values }
  }
  return null
}

function valuesBetween({ values }: WindowState, from: number, end: number): number {
  let count = 0
  for (let i = 1; i < values.length; i += 2) if (values[i]! > from && values[i]! <= end) count++
  return count
}

function sumBetween({ bins }: WindowState, from: number, end: number) {
  let count = 0
  let firstAt = Number.MAX_SAFE_INTEGER
  let lastAt = 0
  for (let i = 0; i < bins.length; i += BIN) {
    if (bins[i]! <= from || bins[i]! > end) continue
    count += bins[i + 1]!
    firstAt = Math.min(firstAt, bins[i + 2]!)
    lastAt = Math.max(lastAt, bins[i + 3]!)
  }
  return { count, firstAt, lastAt }
}
