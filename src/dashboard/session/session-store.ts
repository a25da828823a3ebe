import { errorCodeHeader, accessTokenHeader as tokenHeader } from '../../contract/browser.ts'
import { isAboutSession, loginOf, PASSWORD_ONLY, readHealth, refusal, type SignInWays } from './answers.ts'

/** Where the visitor stands. */
export type SessionState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'unreachable'; readonly reason: string }
  | { readonly phase: 'needs-first-user'; readonly needsSetupCode: boolean }
  | { readonly phase: 'signed-out'; readonly expired: boolean }
  | { readonly phase: 'signed-in'; readonly login: string }

/** Milliseconds before an unreachable server is asked again; doubled each time, up to the greatest. */
const RETRY_MS = 1_000
const MAX_RETRY_MS = 15_000
/** Milliseconds after which a health check counts as not answered. */
const HEALTH_MS = 10_000

/** A refusal at sign-in or sign-up, in the server's words. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}

/** The password was right; the account also needs a one-time code. */
export class CodeRequired extends Error {}

/**
 * Holds the access token of the browser session, in memory only, and renews it with the refresh cookie. `fetch` is
 * what the operations' client sends through.
 */
export class SessionStore {
  readonly #send: typeof globalThis.fetch
  readonly #listeners = new Set<() => void>()
  #state: SessionState = { phase: 'starting' }
  #token: string | null = null
  #ways: SignInWays = PASSWORD_ONLY
  /** What was last asked of the server's health; null after a failure. */
  #health: ReturnType<typeof readHealth> | null = null
  #renewal: Promise<boolean> | null = null
  readonly #wait: (ms: number) => Promise<void>
  #starts = 0

  constructor(
    send: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
    wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  ) {
    this.#send = send
    this.#wait = wait
  }

  /** The state now; the same object until it changes. */
  readonly state = (): SessionState => this.#state

  /** How people sign in here, as the server last said. */
  readonly ways = (): SignInWays => this.#ways

  /** Calls back after every change; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Asks the server how far it is set up and resumes the session of the cookie, if there is one; again and again until
   * it answers. A part of the server that fails a health check, or a slow one, keeps nobody with a session from the
   * pages.
   */
  async start(): Promise<void> {
    const own = ++this.#starts
    if (this.#state.phase !== 'unreachable') this.#become({ phase: 'starting' })
    for (let tries = 0; own === this.#starts; tries++) {
      const reason = await this.#open()
      if (reason === null || own !== this.#starts) return
      this.#become({ phase: 'unreachable', reason })
      await this.#wait(Math.min(RETRY_MS * 2 ** tries, MAX_RETRY_MS))
    }
  }

  /** @returns why the server cannot be used; null when it can */
  async #open(): Promise<string | null> {
    const health = this.#readHealth()
    // Who has a session does not wait for it: only the sign-in page needs what it says.
    health.catch(() => undefined)
    let failure: unknown = null
    try {
      if (await this.#renew()) return null
    } catch (error) {
      failure = error
    }
    try {
      const { setup, needsSetupCode, failedParts } = await health
      if (setup === 'needs-first-user') this.#become({ phase: 'needs-first-user', needsSetupCode })
      else if (failure === null) this.#become({ phase: 'signed-out', expired: false })
      else
        return failedParts.length > 0 ? `these parts of it fail: ${failedParts.join(', ')}` : textOf(failure)
      return null
    } catch (error) {
      return textOf(error)
    }
  }

  #readHealth(): ReturnType<typeof readHealth> {
    this.#health = this.#askHealth().catch((error: unknown) => {
      this.#health = null
      throw error
    })
    return this.#health
  }

  async #askHealth(): ReturnType<typeof readHealth> {
    const signal = AbortSignal.timeout(HEALTH_MS)
    const read = await readHealth(
      await this.#send('/health', { headers: { accept: 'application/json' }, signal }),
    )
    this.#ways = read.ways
    return read
  }

  /** @throws SignInError when the server refuses, CodeRequired when it asks for the second step */
  async signIn(login: string, password: string, code = ''): Promise<void> {
    const answer = await this.#post('/auth/login', {
      username: login,
      password,
      ...(code === '' ? {} : { code }),
    })
    if (answer.headers.get(errorCodeHeader) === 'CODE_REQUIRED') throw new CodeRequired()
    if (!answer.ok) throw new SignInError(await refusal(answer, 'Wrong e-mail or password'))
    this.#accept(answer)
  }

  /**
   * Creates the first user, with the set-up code where one is needed, or one with an invitation, and signs in.
   *
   * @throws SignInError when the server refuses
   */
  async signUp(
    email: string,
    password: string,
    code: { readonly invitationCode: string } | { readonly setupCode: string },
  ): Promise<void> {
    const answer = await this.#post('/signup-email', { email, password, ...code })
    if (!answer.ok) throw new SignInError(await refusal(answer, 'The account could not be created'))
    if (answer.headers.has(tokenHeader)) this.#accept(answer)
    else await this.signIn(email, password)
  }

  /**
   * Lets the server mail a link for a new password.
   *
   * @throws SignInError when the server refuses
   */
  async askForReset(email: string): Promise<void> {
    const answer = await this.#post('/auth/password-reset', { email })
    if (!answer.ok) throw new SignInError(await refusal(answer, 'The link could not be sent'))
  }

  /**
   * Sets a new password with the code of a mail and signs in, unless the account also needs a one-time code.
   *
   * @returns whether the person is signed in
   * @throws SignInError when the server refuses
   */
  async resetPassword(reset: { code: string; password: string; revokeApiTokens: boolean }): Promise<boolean> {
    const answer = await this.#post('/auth/password-reset/complete', reset)
    if (!answer.ok) throw new SignInError(await refusal(answer, 'The password could not be set'))
    if (!answer.headers.has(tokenHeader)) return false
    this.#accept(answer)
    return true
  }

  /** Ends the session here and on the server. */
  async signOut(): Promise<void> {
    await this.fetch('/api/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    this.#token = null
    await this.#leave(false)
  }

  /** Shows the sign-in page, which needs to know how people sign in: a session may have started without that. */
  async #leave(expired: boolean): Promise<void> {
    // Without an answer, the page offers the password.
    await (this.#health ?? this.#readHealth()).catch(() => undefined)
    // Calls that end at the same time change nothing about why the first one left.
    if (this.#state.phase !== 'signed-out') this.#become({ phase: 'signed-out', expired })
  }

  /** Sends with the access token; a 403 about the session renews the token once and sends again. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await this.#sendWithToken(input, init)
    if (answer.status !== 403 || !isAboutSession(answer)) return answer
    if (!(await this.#renew())) {
      await this.#leave(true)
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
    // Only a refusal means that there is no session; a failing server says nothing about it.
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

  #post(path: string, body: Record<string, string | boolean>): Promise<Response> {
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

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
