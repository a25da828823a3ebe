import { resultErrors } from '../../contract/vocabulary.ts'
import type { ResultSelection } from '../../store/index.ts'
import type { Obstacle, Outcome } from '../run/outcome.ts'
import type { PairResult } from '../run/pair-result.ts'

/** Obstacles that a setting would remove. */
const NEEDS_CONFIGURATION: readonly Outcome[] = ['NO_AUTH_MECHANISM', 'NO_AUTH_TOKEN_FOUND', 'ROLE_NOT_FOUND']
/** Obstacles in which nothing usable came back. */
const WITHOUT_ANSWER: readonly Outcome[] = [
  'API_REQUEST_FAILED',
  'EXECUTION_FAILED',
  'ATTACK_NOT_PROCESSED',
  'BASELINE_CHANGED',
  'WRITE_NOT_REVERSIBLE',
]

const UNCONFIRMED = 'The control request behaved alike, so nothing is proven'

/**
 * The list that a result is in. Only a test that really ran and found nothing is SECURED: everything else without
 * a verdict is distinguished by what is missing.
 */
export function selectionOf(outcome: Outcome): ResultSelection {
  if (outcome === 'VULNERABLE') return 'VULNERABLE'
  if (outcome === 'SECURE') return 'SECURED'
  if (NEEDS_CONFIGURATION.includes(outcome)) return 'SKIPPED_EXEC_NEED_CONFIG'
  return WITHOUT_ANSWER.includes(outcome) ? 'SKIPPED_EXEC_API_REQUEST_FAILED' : 'SKIPPED_EXEC'
}

/** Sentences about what kept a test from a verdict; none for those that have one. A missing role or setting is named. */
export function errorsOf({ outcome, explanation }: Pick<PairResult, 'outcome' | 'explanation'>): string[] {
  if (outcome === 'VULNERABLE' || outcome === 'SECURE') return []
  if (outcome === 'UNCONFIRMED') return [UNCONFIRMED]
  const { text } = resultErrors[outcome as Obstacle]
  return outcome === 'ROLE_NOT_FOUND' && explanation !== '' ? [text, explanation] : [text]
}
