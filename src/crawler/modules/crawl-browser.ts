import type { TargetScope } from '../../http/sender/index.ts'
import { endsWithin, Failure } from '../../kit/index.ts'
import { allowedHosts } from '../browser/allowed-hosts.ts'
import type { CapturedExchange, CaptureSink } from '../browser/capture.ts'
import type { CrawlGuard } from '../browser/crawl-guard.ts'
import type { BrowserDriver, ContextOptions, DriverContext } from '../browser/driver.ts'
import { type FoundBrowser, findBrowser, readyBrowser } from '../browser/find-browser.ts'
import { launchBrowser } from '../browser/running-browser.ts'
import type { CrawlBrowser, OpenContext } from '../explore/crawl-ports.ts'
import type { KeptSession } from '../login/kept-session.ts'
import type { LiveView } from './live-view.ts'
import type { CrawlPlace } from './worker-protocol.ts'

/** A browser that dies while it is made ready is followed by another, so often. */
const MAX_OPENINGS = 3
/** How the death of a browser shows, also while it starts: the one that cannot start at all is tried as often. */
const DEATHS = new Set(['BROWSER_GONE', 'BROWSER_UNUSABLE'])
/** Within this time the death of a browser is noticed. */
const NOTICE_MS = 1_000

/** What the browser of a crawl goes by. */
interface CrawlBrowserOptions {
  readonly place: CrawlPlace
  /** One URL for each host that may be reached, that of the crawl first. */
  readonly hosts: readonly URL[]
  readonly targets: TargetScope
  readonly guard: CrawlGuard
  /** Null for an anonymous crawl. */
  readonly session: KeptSession | null
  readonly view: LiveView
  /** Answers dialogs of pages: true accepts. */
  readonly answerDialog: NonNullable<ContextOptions['answerDialog']>
  /** Hears how each login ended; null when it went well. */
  readonly loggedIn: (error: string | null) => Promise<void>
  /** Hears that the browser died and another one took its place, as a sentence with how long each step took. */
  readonly resumed: (sentence: string) => void
}

/** The browser of one crawl: started when it is needed and again when it is gone, signed in as the crawl's identity. */
export class CrawlingBrowser implements CrawlBrowser {
  readonly #options: CrawlBrowserOptions
  #found: FoundBrowser | null = null
  #driver: BrowserDriver | null = null
  #isLoginTried = false
  #loginProblem: string | null = null
  #crashedAtMs = -1
  #startedAtMs = 0
  #isResuming = false
  #refusal: string | null = null
  /** Browsers that died and whose profiles are being removed. */
  readonly #leaving = new Set<Promise<void>>()

  constructor(options: CrawlBrowserOptions) {
    this.#options = options
  }

  /** When the browser died last, by `performance.now()`; -1 when it never did. */
  get crashedAtMs(): number {
    return this.#crashedAtMs
  }

  /** Why the target cannot be reached, for people; null when it can, as far as is known. */
  get refusal(): string | null {
    return this.#refusal
  }

  async openContext(capture: CaptureSink): Promise<OpenContext> {
    const askedMs = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        const opened = await this.#open(capture)
        this.#tellResumed(askedMs, attempt)
        return opened
      } catch (error) {
        this.#refusal = refusalOf(error) ?? this.#refusal
        const isGone = error instanceof Failure && DEATHS.has(error.code)
        if (!isGone || attempt >= MAX_OPENINGS) throw error
        if (this.#driver !== null) await endsWithin(NOTICE_MS, this.#driver.gone)
      }
    }
  }

  /** Signs in before there is any work, for whom being let in decides whether there is. @returns whether it was let in */
  async isLetIn(sink: { exchange(captured: CapturedExchange): void }): Promise<boolean> {
    const { context } = await this.openContext({ captured: (exchange) => sink.exchange(exchange) })
    await context.close()
    return this.#loginProblem === null
  }

  async #open(capture: CaptureSink): Promise<OpenContext> {
    const { guard, session, view, answerDialog } = this.#options
    const driver = await this.#running()
    const sink: CaptureSink = {
      captured(exchange) {
        session?.captured(exchange)
        capture.captured(exchange)
      },
    }
    const begun = session?.session ?? null
    const context = view.over(
      await driver.newContext({ guard, sink, answerDialog, ...(begun === null ? {} : { session: begun }) }),
    )
    if (session !== null && !this.#isLoginTried) await this.#signIn(session, driver, context)
    return { driver, context }
  }

  async #signIn(session: KeptSession, driver: BrowserDriver, context: DriverContext): Promise<void> {
    const result = await session.begin(context)
    // A login that the death of the browser cut off says nothing about the credentials.
    const isCutOff =
      result.kind === 'failed' &&
      (result.text.includes('BROWSER_GONE') || (await endsWithin(NOTICE_MS, driver.gone)))
    if (isCutOff) throw new Failure('BROWSER_GONE', { call: 'login' })
    this.#isLoginTried = true
    this.#loginProblem = result.kind === 'failed' ? result.text : null
    await this.#options.loggedIn(this.#loginProblem)
  }

  async close(): Promise<void> {
    await this.#driver?.close()
    await Promise.all(this.#leaving)
  }

  /** What the death of the browser cost, step by step. */
  #tellResumed(askedMs: number, attempt: number): void {
    if (!this.#isResuming) return
    this.#isResuming = false
    const now = performance.now()
    const seconds = (from: number, to: number): string => `${(Math.max(0, to - from) / 1000).toFixed(1)} s`
    const died = this.#crashedAtMs
    const begun = Math.max(askedMs, died)
    const steps = [
      `work in hand ended after ${seconds(died, begun)}`,
      `started after ${seconds(begun, this.#startedAtMs)}`,
      `ready after ${seconds(this.#startedAtMs, now)}`,
    ]
    const attempts = attempt > 1 ? `, ${attempt} attempts` : ''
    this.#options.resumed(
      `The browser died; another one took its place within ${seconds(died, now)} (${steps.join(', ')}${attempts})`,
    )
  }

  async #running(): Promise<BrowserDriver> {
    if (this.#driver !== null && this.#driver.processId !== null) return this.#driver
    if (this.#driver !== null) {
      // Nobody waits for what is left of it.
      const leaving = this.#driver.close()
      this.#leaving.add(leaving)
      void leaving.finally(() => this.#leaving.delete(leaving))
    }
    const { place, hosts, targets } = this.#options
    const { urls, endings } = allowedHosts(place.allowed)
    this.#found ??= await this.#find()
    this.#driver = await launchBrowser({
      found: this.#found,
      hosts: [...hosts, ...urls],
      endings,
      scope: targets,
      verifiesTls: place.verifiesTls,
      locale: place.locale,
      lifeline: place.lifeline ?? null,
    })
    this.#startedAtMs = performance.now()
    void this.#driver.gone.then((how) => {
      if (how !== 'crashed') return
      this.#crashedAtMs = performance.now()
      this.#isResuming = true
    })
    return this.#driver
  }

  async #find(): Promise<FoundBrowser> {
    const supply = findBrowser(this.#options.place.browser)
    if (supply === null) throw new Failure('BROWSER_MISSING', {})
    return readyBrowser(supply, this.#options.place.browserFolder)
  }
}

/** A target that is refused or has no address, as a sentence with what to do. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Failure)) return null
  const { host, reason } = error.details
  if (error.code === 'TARGET_OUT_OF_SCOPE') return `${host} may not be crawled: ${reason}.`
  if (error.code !== 'TARGET_UNREACHABLE') return null
  return `${host} cannot be reached: ${reason}. Check the URL, and that the machine that crawls can reach it.`
}
