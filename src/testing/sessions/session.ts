import type { Exchange } from '../../http/index.ts'
import type { CredentialParameter } from '../attempts/environment.ts'

/** What a role acts with, and until when. */
export interface Session {
  readonly parameters: readonly CredentialParameter[]
  /** Epoch seconds. */
  readonly expiresAt: number
  /** When it began, in milliseconds. */
  readonly beganMs: number
  /** It can be had anew by signing in again. */
  readonly isRenewable: boolean
}

/** Why somebody cannot act. */
export interface LoginFailure {
  readonly kind: 'needs configuration' | 'login lost'
  /** A sentence for people, without secrets. */
  readonly text: string
}

/** A session, or why there is none. */
export type SessionState = Session | LoginFailure

/** Whether there is no session. */
export function isLoginFailure(state: SessionState): state is LoginFailure {
  return 'kind' in state
}

/** The endpoint whose newest sample holds a token. */
export interface SampleOrigin {
  readonly collectionId: number
  readonly method: string
  readonly url: string
}

/** Finds the newest sample of an endpoint for a credential of an author; null without one that may be used. */
export type SampleFinder = (origin: SampleOrigin, author: string) => Promise<Exchange | null>

/** What a played login yields: values by name, and cookies as a `Cookie` header has them. */
export interface PlayedFlow {
  readonly token: string
  /** Entries of the local storage and further values, by name. */
  readonly values: Readonly<Record<string, string>>
  readonly cookieHeader: string
}

/**
 * A one-time code (RFC 6238) that nothing has sent before; waits for the next one where it must.
 *
 * @param secret base32, or an `otpauth://totp/` URI
 * @throws Failure FLOW_INVALID when it is neither; the reason of the signal
 */
export type OneTimeCodes = (secret: string, signal: AbortSignal) => Promise<string>

/** Plays a recorded login in a browser. */
export interface FlowPlayer {
  /** @throws Error with a sentence for people when a step fails */
  play(
    flow: { readonly content: string; readonly tokenFetchCommand: string },
    signal: AbortSignal,
  ): Promise<PlayedFlow>
}
