import { statesOf } from '../../kit/short-pattern.ts'

/** Most states of a pattern. Patterns in use have some hundred; each one is tried at every character of a text. */
const MAX_PATTERN_STATES = 10_000

/** Most states of all patterns of one condition: they take about a second to make. */
export const MAX_CONDITION_STATES = 30_000

/** Why a pattern is too large to be used, as a sentence; null when it is not. */
export function tooManyStates(source: string): string | null {
  const states = statesOf(source)
  if (states <= MAX_PATTERN_STATES) return null
  return `the pattern has about ${states} states, and at most ${MAX_PATTERN_STATES} can be searched for: repeat less by count`
}
