import type { SessionCookie } from './session.ts'

/** A cookie as the protocol has it (CDP `Network.Cookie`). */
export interface WireCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly session?: boolean
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
}

/** A cookie of the browser in our terms. */
export function sessionCookie(cookie: WireCookie): SessionCookie {
  const { name, value, domain, path, expires, httpOnly, secure, session, sameSite = null } = cookie
  return { name, value, domain, path, expires: session ? -1 : expires, httpOnly, secure, sameSite }
}

/** A cookie for the browser (CDP `Network.CookieParam`). */
export function wireCookie({ expires, sameSite, ...cookie }: SessionCookie): Record<string, unknown> {
  return { ...cookie, ...(expires > 0 ? { expires } : {}), ...(sameSite === null ? {} : { sameSite }) }
}
