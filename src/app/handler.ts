import type { AnswerOf, OperationName, RequestOf } from '../contract/index.ts'
import type { Role, Store } from '../store/index.ts'
import type { InventoryPort } from '../inventory/index.ts'
import type { Imports } from './imports.ts'
import type { Settings } from '../kit/index.ts'

/** Who calls: a person with a session, or a program with a key (which acts as the key's owner). */
export interface Caller {
  readonly userId: number
  readonly login: string
  readonly role: Role
  /** Collections this caller may see; null = all. */
  readonly collectionIds: readonly number[] | null
  readonly via: 'SESSION' | 'EXTERNAL_API' | 'CICD' | 'BURP'
  /** Session to end at logout; null for keys. */
  readonly sessionId: string | null
}

/** The running product: what a handler may use. */
export interface App {
  readonly settings: Settings
  readonly store: Store
  readonly inventory: InventoryPort
  readonly imports: Imports
}

/** One call of an operation. */
export interface Call {
  readonly app: App
  readonly caller: Caller
  /** Address of the caller; Origin and User-Agent as sent, or null. */
  readonly ip: string
  readonly origin: string | null
  readonly userAgent: string | null
  /** Extra response headers a handler may set, lower-case names. */
  readonly responseHeaders: Map<string, string>
}

/** Behaviour of one operation: reads the checked request, returns the meaningful fields of the answer. */
export type Handler<N extends OperationName> = (input: RequestOf<N>, call: Call) => Promise<AnswerOf<N>>

/** Handlers by operation; an absent one answers 501. */
export type Handlers = { readonly [N in OperationName]?: Handler<N> }
