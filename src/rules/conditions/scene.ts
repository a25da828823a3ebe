import type { ConditionEndpoint, Lookups } from '../lookups.ts'
import type { MessageView } from '../messages/message-view.ts'
import type { Variables } from '../variables/variables.ts'

/** What a condition is judged on. */
export interface Scene {
  /** `filter`: does the test apply to the sample? `validate`: does the attempt prove it? */
  readonly phase: 'filter' | 'validate'
  readonly endpoint: ConditionEndpoint
  /** The recorded exchange. */
  readonly sample: MessageView
  /** Null in selections; in the final check of a flow as well, where every term is false. */
  readonly attempt: MessageView | null
  /** Captures are written here. */
  readonly variables: Variables
  readonly lookups: Lookups
}
