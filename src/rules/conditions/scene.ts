import type { ConditionEndpoint, Lookups } from '../lookups.ts'
import type { MessageView } from '../messages/message-view.ts'
import type { Variables } from '../variables/variables.ts'

/**
 * What a later read shows of a write: of a deletion `gone` or `shown`, of others `as sent`, `otherwise` or, where a list
 * was read that lacks the object, `not listed`.
 */
export type StoredState = 'gone' | 'shown' | 'as sent' | 'otherwise' | 'not listed' | 'unknown'

/** What a condition is judged on. */
export interface Scene {
  /** `filter`: does the test apply to the sample? `validate`: does the attempt prove it? */
  readonly phase: 'filter' | 'validate'
  readonly endpoint: ConditionEndpoint
  /** The recorded exchange. */
  readonly sample: MessageView
  /** Null in selections; in the final check of a flow as well, where every term is false. */
  readonly attempt: MessageView | null
  /** The answer comes from a limit, a lock or a captcha instead of the function. */
  readonly isLimited?: boolean
  /** The answer took much longer than those to the first attempts, twice. */
  readonly isSlowed?: boolean
  /** A later read of what the attempt wrote, where the condition asks for it and there is one. */
  readonly stored?: MessageView | null
  /** What that read shows of the write. */
  readonly storedState?: StoredState
  /** Captures are written here. */
  readonly variables: Variables
  readonly lookups: Lookups
}
