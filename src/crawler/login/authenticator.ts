import type { DriverContext } from '../browser/driver.ts'
import type { BrowserSession } from '../browser/session.ts'

/** How a login ended. Sentences are for people and hold no secret. */
export type LoginResult =
  | {
      readonly kind: 'logged in'
      readonly session: BrowserSession
      /** Headers that every request in scope carries from now on (API key, bearer token). */
      readonly headers: Readonly<Record<string, string>>
      /** URL on which the login ended; null when no page was opened. */
      readonly landedOn: string | null
      /** URL of the page with the form, whose sight means that the session is lost; null when there is none. */
      readonly loginUrl: string | null
    }
  | { readonly kind: 'failed'; readonly text: string; readonly mayRetry: boolean }

/** One way to become somebody: form, API key, recorded flow, or the credentials of a test role. */
export interface Authenticator {
  /** For people and logs: `form login as ada@example.org`. */
  readonly name: string
  /** Signs in within the context, at most twice with one password. Leaves the context logged in, without pages. */
  authenticate(context: DriverContext, signal: AbortSignal): Promise<LoginResult>
}
