import type { KeyKind, Role } from '../contract/index.ts'

/** Who calls: a person with a session, or a program with a key (which acts as the key's owner). */
export interface Caller {
  readonly userId: number
  readonly login: string
  readonly role: Role
  /** Collections this caller may see; null = all. */
  readonly collectionIds: readonly number[] | null
  readonly via: 'SESSION' | KeyKind
  /** Session to end at logout; null for keys. */
  readonly sessionId: string | null
}
