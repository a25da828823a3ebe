import { timingSafeEqual } from 'node:crypto'
import type { AuditEntry } from '../../http/sender/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { Access } from '../access.ts'
import type { User } from '../users.ts'
import { accountOfClaims } from './account.ts'
import { Provider, type SignInChecks } from './provider.ts'

/** Cookie of a browser that is at the provider; only the way back carries it. */
export const signInCookieName = 'oidcSignIn'

const PATH = '/auth/oidc'
const LIFE_SECONDS = 600
const PURPOSE = 'oidc-sign-in'

interface Pending extends SignInChecks {
  readonly returnTo: string
  readonly expiresAt: number
}

/** Sign-in with OpenID Connect, as the settings say. */
export class SingleSignOn {
  readonly #access: Access
  readonly #issuer: string
  readonly #provider: Provider

  /** @param audit hears of every request to the provider */
  constructor(access: Access, issuer: string, audit: (entry: AuditEntry) => void) {
    this.#access = access
    this.#issuer = issuer
    this.#provider = new Provider(access.settings, issuer, audit)
  }

  /**
   * Sends a browser to the provider.
   *
   * @param returnTo path of the dashboard to open afterwards; another site's is replaced by the home page
   * @throws Failure OIDC_UNREACHABLE
   */
  async begin(
    redirectUri: string,
    returnTo: string,
    isSecure: boolean,
  ): Promise<{ url: string; cookie: string }> {
    const { url, checks } = await this.#provider.begin(redirectUri)
    const pending: Pending = {
      ...checks,
      returnTo: ownPath(returnTo),
      expiresAt: nowSeconds() + LIFE_SECONDS,
    }
    const sealed = this.#access.sealer.seal(JSON.stringify(pending), PURPOSE)
    return { url, cookie: cookieOf(sealed, LIFE_SECONDS, isSecure) }
  }

  /**
   * Takes a browser back from the provider.
   *
   * @param address URL of the redirect with its query
   * @param cookie value that {@link begin} set; null when the browser has none
   * @throws Failure OIDC_EXPIRED, OIDC_UNREACHABLE, OIDC_REFUSED, and those of {@link accountOfClaims}
   */
  async finish(address: string, cookie: string | null): Promise<{ user: User; returnTo: string }> {
    const pending = this.#open(cookie)
    const state = new URL(address).searchParams.get('state') ?? ''
    if (pending === null || !isSame(state, pending.state)) throw new Failure('OIDC_EXPIRED')
    const claims = await this.#provider.finish(address, pending)
    const user = await accountOfClaims(this.#access, this.#issuer, claims)
    this.#access.log.info('login.succeeded', { userId: user.id })
    return { user, returnTo: pending.returnTo }
  }

  #open(cookie: string | null): Pending | null {
    if (cookie === null) return null
    try {
      const pending = JSON.parse(this.#access.sealer.open(cookie, PURPOSE)) as Pending
      return pending.expiresAt > nowSeconds() ? pending : null
    } catch (error) {
      if (error instanceof Failure || error instanceof SyntaxError) return null
      throw error
    }
  }
}

/** Value of Set-Cookie that removes the cookie. */
export const clearedSignInCookie = cookieOf('', 0, false)

/** The way back is a navigation from the provider's site, so the cookie is not SameSite=Strict. */
function cookieOf(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${signInCookieName}=${value}; Path=${PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** A path of this site, never one that a browser reads as another site's (`//x`, `/\x`). */
function ownPath(path: string): string {
  return /^\/(?![/\\])[\x21-\x7e]{0,1000}$/.test(path) ? path : '/'
}

function isSame(given: string, wanted: string): boolean {
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
}
