import { accessTokenHeader as tokenHeader } from '../../contract/browser.ts'
import { isAboutSession, loginOf, readHealth, refusal } from './answers.ts'

/** Where the visitor stands. */
export type SessionState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'unreachable'; readonly reason: string }
  | { readonly phase: 'needs-first-user' }
  | { readonly phase: 'signed-out'; readonly expired: boolean }
  | { readonly phase: 'signed-in'; readonly login: string }

/** A refusal at sign-in or sign-up, in the server's words. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}

/**
 * Holds the access token of the browser session, in memory only, and renews it with the refresh cookie. `fetch` is
 * what the operations' client sends through.
 */
export class SessionStore {
  readonly #send: typeof globalThis.fetch
  readonly #listeners = new Set<() => void>()
  #state: SessionState = { phase: 'starting' }
  #token: string | null = null
  #renewal: Promise<boolean> | null = null

  constructor(send: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)) {
    this.#send = send
  }

  /** The state now; the same object until it changes. */
  readonly state = (): SessionState => this.#state

  /** Calls back after every change; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Asks the server how far it is set up and resumes the session of the cookie, if there is one. */
  async start(): Promise<void> {
    this.#become({ phase: 'starting' })
    try {
      const health = await this.#send('/health', { headers: { accept: 'application/json' } })
      const { setup, failedParts } = await readHealth(health)
      if (failedParts.length > 0) {
        return this.#become({
          phase: 'unreachable',
          reason: `these parts of it fail: ${failedParts.join(', ')}`,
        })
      }
      if (setup === 'needs-first-user') return this.#become({ phase: 'needs-first-user' })
      if (!(await this.#renew())) this.#become({ phase: 'signed-out', expired: false })
    } catch (error) {
      this.#become({ phase: 'unreachable', reason: error instanceof Error ? error.message : String(error) })
    }
  }

  /** @throws SignInError when the server refuses */
  async signIn(login: string, password: string): Promise<void> {
    const answer = await this.#post('/auth/login', { username: login, password })
    if (!answer.ok) throw new SignInError(await refusal(answer, 'Wrong e-mail or password'))
    this.#accept(answer)
  }

  /** Creates the first user, or one with an invitation, and signs in. @throws SignInError when the server refuses */
  async signUp(email: string, password: string, invitationCode?: string): Promise<void> {
    const answer = await this.#post('/signup-email', {
      email,
      password,
      ...(invitationCode ? { invitationCode } : {}),
    })
    if (!answer.ok) throw new SignInError(await refusal(answer, 'The account could not be created'))
    if (answer.headers.has(tokenHeader)) this.#accept(answer)
    else await this.signIn(email, password)
  }

  /** Ends the session here and on the server. */
  async signOut(): Promise<void> {
    await this.fetch('/api/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    this.#token = null
    this.#become({ phase: 'signed-out', expired: false })
  }

  /** Sends with the access token; a 403 about the session renews the token once and sends again. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await this.#sendWithToken(input, init)
    if (answer.status !== 403 || !isAboutSession(answer)) return answer
    if (!(await this.#renew())) {
      this.#become({ phase: 'signed-out', expired: true })
      return answer
    }
    return this.#sendWithToken(input, init)
  }

  async #sendWithToken(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const headers = new Headers(init?.headers)
    if (this.#token !== null) headers.set(tokenHeader, this.#token)
    const answer = await this.#send(input, { ...init, headers })
    this.#token = answer.headers.get(tokenHeader) ?? this.#token
    return answer
  }

  /** Calls that expire together share one renewal. */
  #renew(): Promise<boolean> {
    this.#renewal ??= this.#askForToken().finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #askForToken(): Promise<boolean> {
    const answer = await this.#send('/dashboard/accessToken', { headers: { accept: 'application/json' } })
    // Only a refusal means that there is no session; a server in trouble says nothing about it.
    if (answer.status >= 500 || answer.status === 429) throw new TypeError(`status ${answer.status}`)
    if (!answer.ok || !answer.headers.has(tokenHeader)) return false
    this.#accept(answer)
    return true
  }

  #accept(answer: Response): void {
    this.#token = answer.headers.get(tokenHeader)
    if (this.#token === null) throw new SignInError('The server sent no access token')
    const login = loginOf(this.#token)
    if (this.#state.phase !== 'signed-in' || this.#state.login !== login)
      this.#become({ phase: 'signed-in', login })
  }

  #post(path: string, body: Record<string, string>): Promise<Response> {
    return this.#send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
  }

  #become(state: SessionState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
