import type { Exchange } from '../../http/index.ts'
import type { Reason, StoredState } from '../../rules/index.ts'
import type { Tape } from '../evidence/tape.ts'
import type { Severity } from '../template/index.ts'
import type { FindingCause } from './finding-cause.ts'
import type { Outcome } from './outcome.ts'

/** An endpoint as tests name it: collection, method and path template. */
export interface EndpointKey {
  readonly collectionId: number
  readonly method: string
  readonly url: string
}

/** An endpoint as one text, for maps. */
export function endpointText({ collectionId, method, url }: EndpointKey): string {
  return `${collectionId} ${method} ${url}`
}

/** One request that a test sent, with its answer and how it was judged. */
export interface AttemptRecord {
  /** Name of the step, `x1` onwards. */
  readonly step: string
  readonly exchange: Exchange
  readonly validates: boolean
  /** Every node of the condition with the value that decided. */
  readonly reasons: Reason | null
  /** How much of the answer equals the sample's, in whole percent. */
  readonly percentageMatch: number
  readonly responseTimeMs: number
  /** Characters beyond the limit of a kept answer were cut. */
  readonly isTruncated: boolean
  /** What shows that a limit, a lock or a captcha answered. */
  readonly limit?: string
  /** Not an attack: reads what the one before it stored. */
  readonly isLaterRead?: true
  /** Of a later read: what it shows of the write. */
  readonly storedState?: StoredState
}

/** What kind of request must differ before a positive counts. */
export type ControlKind =
  /** The unchanged sample, sent again: the change must have made the difference. */
  | 'unchanged'
  /** The same request with credentials nobody has: the endpoint must tell callers apart. */
  | 'stranger'
  /** The same request to a path nobody made: the host must not answer everything alike. */
  | 'elsewhere'
  /** The attempt once more: nothing was changed, so the finding must repeat itself. */
  | 'again'
  /** The list of such objects that the other user is shown: the object must not be in it. */
  | 'list'
  /** A field with an invented name in place of the one that was set: it must not be kept. */
  | 'invented'
  /** Who was recorded using the function and who is refused beside it: something must show that it is for administrators. */
  | 'use'
  /** A callback with an id that cannot be guessed needs no other proof. */
  | 'callback'

/** The control of a positive. */
export interface ControlRecord {
  readonly kind: ControlKind
  /** Null where the control sends nothing. */
  readonly attempt: AttemptRecord | null
  /** It differed as it must (or repeated itself, where that is the control). */
  readonly confirms: boolean
  /** A sentence for people. */
  readonly explanation: string
}

/** The result of one test on one endpoint, with its evidence. */
export interface PairResult {
  readonly endpoint: EndpointKey
  readonly testId: string
  readonly category: string
  readonly severity: Severity
  readonly outcome: Outcome
  /** A sentence for people: what proved it, or why there is no verdict. */
  readonly explanation: string
  /** The recorded exchange that the attempts were built from; null when there is none. */
  readonly baseline: Exchange | null
  readonly attempts: readonly AttemptRecord[]
  readonly control: ControlRecord | null
  /** Names of the test roles whose credentials were used; '' stands for those of the sample. */
  readonly identities: readonly string[]
  /** Ids registered for callbacks. */
  readonly callbackIds: readonly string[]
  /** Why the selection did not hold, when that is the outcome. */
  readonly selection: Reason | null
  /** Of a VULNERABLE one. */
  readonly cause?: FindingCause
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** What it takes to judge the result again; missing where nothing was judged. */
  readonly tape?: Tape
}
