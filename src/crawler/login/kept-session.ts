import { Failure, nowMs } from '../../kit/index.ts'
import type { CapturedExchange } from '../browser/capture.ts'
import type { CrawlGuard } from '../browser/crawl-guard.ts'
import type { DriverContext } from '../browser/driver.ts'
import type { BrowserSession } from '../browser/session.ts'
import type { SessionKeeper } from '../explore/crawl-ports.ts'
import type { Authenticator, LoginResult } from './authenticator.ts'
import { askSessionProbe, chooseSessionProbe, type SessionProbe } from './session-probe.ts'

/** How a session is kept. */
interface KeptSessionOptions {
  readonly authenticator: Authenticator
  readonly guard: CrawlGuard
  /** Origin of the application. */
  readonly origin: string
  /** Name that a page shows to the one who is signed in; '' when there is none. */
  readonly username: string
  readonly signal: AbortSignal
  /** Hears that a session did not hold for ten seconds: somebody else may have signed in in its place. */
  readonly ousted?: () => void
  /** Milliseconds that only grow; the clock unless given. */
  readonly clockMs?: () => number
}

/** Logins within the window whose sessions did not hold: what lets nobody stay is not tried for ever. */
const MAX_LOGINS = 3
const LOGIN_WINDOW_MS = 10 * 60_000
const HELD_MS = 10_000
const MAX_URLS = 50

/** The session of a crawl's identity: begun once, watched by its probe, begun again when it is lost. */
export class KeptSession implements SessionKeeper {
  readonly #options: KeptSessionOptions
  readonly #logins: number[] = []
  readonly #urls: string[] = []
  #session: BrowserSession | null = null
  #probe: SessionProbe | null = null
  #loginUrl: string | null = null
  #isLost = false
  #flight: Promise<'alive' | 'renewed' | 'lost'> | null = null

  constructor(options: KeptSessionOptions) {
    this.#options = options
  }

  get loginUrl(): string | null {
    return this.#loginUrl
  }

  /** What a new context begins with; null before the first login. */
  get session(): BrowserSession | null {
    return this.#session
  }

  /** Hears what the context does on the network: candidates for the probe. */
  captured({ kind, outcome, exchange, url }: CapturedExchange): void {
    const isCandidate =
      outcome === 'answered' &&
      exchange.request.method === 'GET' &&
      (kind === 'XHR' || kind === 'Fetch' || kind === 'Document') &&
      exchange.response.status < 300
    if (isCandidate && this.#probe === null && this.#urls.length < MAX_URLS) this.#urls.push(url)
  }

  /**
   * Signs in for the first time, and chooses the probe.
   *
   * @throws Failure BROWSER_GONE
   */
  async begin(context: DriverContext): Promise<LoginResult> {
    const result = await this.#login(context)
    if (result.kind === 'failed') return result
    const { origin, username } = this.#options
    const urls = [
      ...this.#urls.toReversed(),
      ...(result.landedOn === null ? [] : [withoutHash(result.landedOn)]),
    ]
    this.#probe = await chooseSessionProbe(context, origin, urls, username)
    if (this.#probe === null) await this.#throwIfGone(context)
    return result
  }

  /**
   * One question at a time: everybody who asks meanwhile gets the same answer.
   *
   * @throws Failure BROWSER_GONE
   */
  check(context: DriverContext, _suspicion: string): Promise<'alive' | 'renewed' | 'lost'> {
    this.#flight ??= this.#check(context).finally(() => {
      this.#flight = null
    })
    return this.#flight
  }

  async #check(context: DriverContext): Promise<'alive' | 'renewed' | 'lost'> {
    if (this.#isLost) return 'lost'
    // Without a probe nothing can be said, and a login for every 403 would do harm.
    if (this.#probe === null) return 'alive'
    if ((await askSessionProbe(context, this.#probe)) !== false) return 'alive'
    // Sessions that end after a time are the application's way, and no sign that logins fail.
    if (this.#now - (this.#logins.at(-1) ?? this.#now) >= HELD_MS) this.#logins.pop()
    else this.#options.ousted?.()
    await context.clear()
    for (;;) {
      const result = await this.#login(context)
      if (result.kind === 'logged in') return 'renewed'
      await this.#throwIfGone(context)
      if (result.mayRetry && !this.#options.signal.aborted && this.#mayLogin()) continue
      this.#isLost = true
      return 'lost'
    }
  }

  /** A login that the death of the browser cut off says nothing about credentials or probe, and does not count. */
  async #throwIfGone(context: DriverContext): Promise<void> {
    try {
      await context.session()
    } catch (error) {
      this.#logins.pop()
      throw error
    }
  }

  async #login(context: DriverContext): Promise<LoginResult> {
    const { authenticator, guard, signal } = this.#options
    if (!this.#mayLogin())
      return {
        kind: 'failed',
        text: `The session was lost ${MAX_LOGINS} times within ten minutes.`,
        mayRetry: false,
      }
    this.#logins.push(this.#now)
    let result: LoginResult
    try {
      result = await authenticator.authenticate(context, signal)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { kind: 'failed', text: `The login broke off (${error.code}).`, mayRetry: false }
    }
    if (result.kind === 'failed') return result
    guard.addHeaders(result.headers)
    this.#session = result.session
    this.#loginUrl = result.loginUrl ?? this.#loginUrl
    return result
  }

  get #now(): number {
    return (this.#options.clockMs ?? nowMs)()
  }

  #mayLogin(): boolean {
    const sinceMs = this.#now - LOGIN_WINDOW_MS
    return this.#logins.filter((at) => at > sinceMs).length < MAX_LOGINS
  }
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? url
}
