import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { AuditEntry } from '../../http/sender/index.ts'
import { Failure, nowMs, type Settings } from '../../kit/index.ts'
import { providerFetch } from './provider-fetch.ts'

/** How long the description of the provider counts. */
const KEPT_MS = 3_600_000
const TIMEOUT_SECONDS = 15
const MAX_REASON = 300

/** What the provider says about a person: the claims of user info and ID token, the latter first. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** What must be known again when the person is back from the provider. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The OpenID Connect provider of the settings: authorization code flow with PKCE, state and nonce. */
export class Provider {
  readonly #settings: Settings
  readonly #issuer: string
  readonly #audit: (entry: AuditEntry) => void
  #known: { readonly until: number; readonly configuration: Configuration } | null = null

  constructor(settings: Settings, issuer: string, audit: (entry: AuditEntry) => void) {
    this.#settings = settings
    this.#issuer = issuer
    this.#audit = audit
  }

  /**
   * Where a person signs in.
   *
   * @param redirectUri where the provider sends the person back to
   * @throws Failure OIDC_UNREACHABLE
   */
  async begin(redirectUri: string): Promise<{ url: string; checks: SignInChecks }> {
    const configuration = await this.#configuration()
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.oidcScopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, checks }
  }

  /**
   * Who came back from the provider.
   *
   * @param address URL of the redirect, with its query
   * @throws Failure OIDC_UNREACHABLE, OIDC_REFUSED
   */
  async finish(address: string, checks: SignInChecks): Promise<Claims> {
    const configuration = await this.#configuration()
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(address), {
        pkceCodeVerifier: checks.verifier,
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Failure('OIDC_REFUSED', { reason: 'it sent no ID token' })
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const info = hasUserInfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      return { ...info, ...claims }
    } catch (error) {
      if (error instanceof Failure && error.code === 'OIDC_REFUSED') throw error
      throw new Failure('OIDC_REFUSED', { reason: reasonOf(error) }, { cause: error })
    }
  }

  async #configuration(): Promise<Configuration> {
    if (this.#known !== null && nowMs() < this.#known.until) return this.#known.configuration
    const { oidcClientId, oidcClientSecret } = this.#settings
    const issuer = new URL(this.#issuer)
    try {
      const configuration = await discovery(
        issuer,
        oidcClientId ?? '',
        oidcClientSecret ?? undefined,
        oidcClientSecret === null ? None() : undefined,
        {
          [customFetch]: providerFetch(this.#issuer, this.#audit),
          timeout: TIMEOUT_SECONDS,
          execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
        },
      )
      this.#known = { until: nowMs() + KEPT_MS, configuration }
      return configuration
    } catch (error) {
      throw new Failure('OIDC_UNREACHABLE', { reason: reasonOf(error) }, { cause: error })
    }
  }
}

/** The innermost sentence of an error: the library wraps those of its transport. */
function reasonOf(error: unknown): string {
  let inner = error as { message?: unknown; cause?: unknown; error_description?: unknown; error?: unknown }
  while (inner.cause instanceof Error) inner = inner.cause as typeof inner
  const told = inner.error_description ?? inner.error ?? inner.message
  if (error instanceof Failure || inner instanceof Failure) {
    const { code, details } = inner as unknown as Failure
    return String(details['reason'] ?? code)
  }
  return String(told)
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, MAX_REASON)
}
