import type { RequestDraft } from '../attempts/index.ts'
import type { ObjectState } from './object-state.ts'

/** A write that is to be undone, as it is kept before its request is sent. Plain data. */
export type PendingWrite = PendingCreation | PendingChange | PendingPassword

/** A request as it is kept, with the role that signs in to send such ones; absent: its credentials are not renewed. */
export interface Caller extends RequestDraft {
  readonly role?: string | undefined
}

interface Write {
  readonly id: string
  /** Of the list that something is added to, or of the object that is changed; without a query. */
  readonly url: string
  /** Requests whose credentials may undo it, the likeliest first; the first one is as recorded. */
  readonly callers: readonly Caller[]
  /** Milliseconds. */
  readonly sentAtMs: number
  /** Where roles sign in whose logins name no host; absent or null: nowhere. */
  readonly loginOrigin?: string | null
}

/** A POST that makes something. */
export interface PendingCreation extends Write {
  readonly kind: 'CREATE'
  /** Of what it made; null while its answer is not known. */
  readonly created: readonly string[] | null
  /** Identifiers that the list had before; null when it cannot be read. */
  readonly listed: readonly string[] | null
}

/** A request that changes an object. */
export interface PendingChange extends Write {
  readonly kind: 'CHANGE'
  readonly before: ObjectState
  /** Where its state can be read, when not at its own URL. */
  readonly readUrl?: string
}

/** A request that gives a user another password: the recorded one sets it back. */
export interface PendingPassword extends Write {
  readonly kind: 'PASSWORD'
  /** The user's sign-in with the recorded password. */
  readonly signIn: RequestDraft
}

/** Keeps what must be undone, so that it outlives this process. */
export interface WriteKeeper {
  /** Resolves when it is durable: only then the request may be sent. */
  keep(write: PendingWrite): Promise<void>
  /** It is undone, or nothing was done. */
  done(id: string): Promise<void>
  /** It could not be undone now; others try again later. */
  postpone(id: string, reason: string): Promise<void>
}

/** Longest body that is kept to recognise what a request made, in characters. */
const MAX_KEPT_BODY = 64 * 1024

/** A draft without what undoing does not need. */
export function keptDraft(draft: RequestDraft): RequestDraft {
  const { body } = draft
  const isLong = body.text.length > MAX_KEPT_BODY || body.recorded.text.length > MAX_KEPT_BODY
  if (!isLong) return { ...draft, files: [] }
  const recorded = { ...body.recorded, text: '', isBase64: false, jsonForm: '' }
  return { ...draft, files: [], body: { text: '', recorded } }
}
