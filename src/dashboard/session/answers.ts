import { errorCodeHeader } from '../../contract/browser.ts'

/** How people sign in: with a password, and with the provider of this name (null: none). */
export interface SignInWays {
  readonly password: boolean
  readonly provider: string | null
  /** Whether a forgotten password is reset by mail. */
  readonly mail: boolean
}

/** Until the server says otherwise. */
export const PASSWORD_ONLY: SignInWays = { password: true, provider: null, mail: false }

/** What GET /health says; the status is 503 with the same body while a part of the server fails. */
export async function readHealth(
  answer: Response,
): Promise<{ setup: string; needsSetupCode: boolean; failedParts: string[]; ways: SignInWays }> {
  const body: unknown = await answer.json()
  if (typeof body !== 'object' || body === null || !('setup' in body))
    throw new Error('This is not a Vigil server')
  const parts = 'parts' in body && typeof body.parts === 'object' && body.parts !== null ? body.parts : {}
  const failedParts = Object.entries(parts).flatMap(([part, state]) => (state === 'failed' ? [part] : []))
  const needsSetupCode = 'needsSetupCode' in body && body.needsSetupCode === true
  const ways = 'signIn' in body ? waysOf(body.signIn) : PASSWORD_ONLY
  return { setup: String(body.setup), needsSetupCode, failedParts, ways }
}

function waysOf(told: unknown): SignInWays {
  if (typeof told !== 'object' || told === null) return PASSWORD_ONLY
  const provider = 'provider' in told && typeof told.provider === 'string' ? told.provider : null
  const mail = 'mail' in told && told.mail === true
  return { password: !('password' in told && told.password === false), provider, mail }
}

/** First sentence of `actionErrors`, or `otherwise` when the answer has none. */
export async function refusal(answer: Response, otherwise: string): Promise<string> {
  const text = await answer.text()
  try {
    const body: unknown = JSON.parse(text)
    if (
      typeof body === 'object' &&
      body !== null &&
      'actionErrors' in body &&
      Array.isArray(body.actionErrors)
    ) {
      return String(body.actionErrors[0] ?? otherwise)
    }
  } catch (error) {
    // Some refusals have no body at all; the status then says it.
    if (!(error instanceof SyntaxError)) throw error
  }
  return `${otherwise} (status ${answer.status})`
}

/** True for a 403 that a fresh token may fix. */
export function isAboutSession(answer: Response): boolean {
  const code = answer.headers.get(errorCodeHeader)
  return code === null || code === 'SESSION_EXPIRED' || code === 'INVALID_KEY'
}

/** The sign-in name inside an access token (RFC 7519); the server checks the token, this only reads it. */
export function loginOf(token: string): string {
  const payload = token.split('.')[1]
  if (payload === undefined) return ''
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) =>
    char.charCodeAt(0),
  )
  const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return typeof claims === 'object' && claims !== null && 'username' in claims ? String(claims.username) : ''
}
