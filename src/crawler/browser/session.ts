/** A cookie as the browser keeps it (RFC 6265). */
export interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  /** Epoch seconds; -1 for one that ends with the browser. */
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'Strict' | 'Lax' | 'None' | null
}

/** Storage of one origin: names and values. */
export interface OriginStorage {
  readonly origin: string
  readonly local: readonly (readonly [string, string])[]
  readonly session: readonly (readonly [string, string])[]
}

/** What makes a browser somebody: everything that a login left in it. Holds secrets; kept sealed only, never logged. */
export interface BrowserSession {
  readonly cookies: readonly SessionCookie[]
  readonly storage: readonly OriginStorage[]
  /** Last Authorization and anti-forgery headers of requests in scope, lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}
