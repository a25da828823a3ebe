import { resultErrors } from '../../contract/vocabulary.ts'
import { Failure } from '../../kit/index.ts'

/** Why a test came to no verdict; the names are those of the interface. */
export type Obstacle = keyof typeof resultErrors

/**
 * What became of one test on one endpoint. `VULNERABLE` was proven and its control differed; `UNCONFIRMED` validated,
 * but so did the control; `SECURE` was really tried and did not validate; an {@link Obstacle} says why it was not tried
 * to the end.
 */
export type Outcome = 'VULNERABLE' | 'UNCONFIRMED' | 'SECURE' | Obstacle

/** Whether an outcome is a verdict about the endpoint; only these may fix an issue or count as tested. */
export function isConclusive(outcome: Outcome): boolean {
  return outcome === 'VULNERABLE' || outcome === 'SECURE'
}

/** Whether the outcome counts among the skipped ones. */
export function isSkipped(outcome: Outcome): boolean {
  return outcome in resultErrors && resultErrors[outcome as Obstacle].isSkip
}

/** Why a test was given up when a pattern of it ran over its budget, as a sentence; null for every other error. */
export function overBudgetSentence(error: unknown): string | null {
  if (!(error instanceof Failure) || error.code !== 'PATTERN_OVER_BUDGET') return null
  return `Not tested: the pattern ${error.details['pattern']} ${error.details['reason']}.`
}
