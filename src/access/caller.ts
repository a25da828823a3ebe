import type { KeyKind, Role } from '../contract/index.ts'
import type { EpochSeconds } from '../kit/index.ts'

/** Who calls: a person with a session, or a program with a key (which acts as the key's owner). */
export interface Caller {
  readonly userId: number
  readonly login: string
  readonly role: Role
  /** Collections this caller may see; null = all. */
  readonly collectionIds: readonly number[] | null
  readonly via: 'SESSION' | KeyKind
  /** The key that calls; null for sessions. */
  readonly keyId: number | null
  /** Session to end at logout; null for keys. */
  readonly sessionId: string | null
  /** Until when the key works; 0 for keys that do not expire, and for sessions. */
  readonly expiresAt: EpochSeconds
}
