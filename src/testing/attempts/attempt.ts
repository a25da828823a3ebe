import type { RequestDraft } from './request-draft.ts'

/** Most attempts that one step may lead to. */
export const MAX_ATTEMPTS_PER_STEP = 1000

/** One request to send. */
export interface Attempt {
  /** Position in the step before unchanged attempts are dropped, from 0. */
  readonly index: number
  readonly draft: RequestDraft
}

/** Why a step sends nothing. */
export interface NoAttempt {
  readonly failure: string
}

/**
 * The attempts of one step. Each is built when it is asked for; iterating again builds them again. An operation that
 * failed gives one {@link NoAttempt} and nothing else.
 */
export interface AttemptList extends Iterable<Attempt | NoAttempt> {
  /** Attempts before unchanged ones are dropped; 0 after a failure. */
  readonly count: number
}
