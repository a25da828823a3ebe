import type { DataSource } from '../../../http/index.ts'
import type { CallOutcome } from './call-outcome.ts'
import type { TypeList } from './type-list.ts'

/** In what calls of an endpoint are alike: what they say beside their parameters. */
export interface CallTraits {
  readonly status: number
  /** What the answer says of the credentials. */
  readonly outcome: CallOutcome
  /** Combination of credentials; null when nothing tells it. */
  readonly credential: string | null
  /** Access class; null when nothing tells it. */
  readonly access: string | null
  readonly source: DataSource
  /** Sensitive types, in the order they were met. */
  readonly sensitiveInRequest: TypeList
  readonly sensitiveInResponse: TypeList
}
