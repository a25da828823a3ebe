import { endsWithin, Failure } from '../../kit/index.ts'
import type { TimedSession } from './cdp.ts'
import type {
  ChildTarget,
  DriverPage,
  EvaluateOptions,
  PageDialog,
  PageEvents,
  QuietOptions,
  ScreenshotOptions,
  Visit,
  VisitOptions,
} from './driver.ts'
import { EVALUATE_MS, evaluateIn } from './evaluate-in.ts'
import { InFlight, type LongPolls } from './in-flight.ts'
import { TabInput } from './tab-input.ts'
import { takeScreenshot } from './take-screenshot.ts'
import { Visits } from './visits.ts'
import { withDeadline } from './with-deadline.ts'

/** What a tab may use of its context. */
interface TabDeps {
  readonly targetId: string
  readonly longPolls: LongPolls
  readonly answerDialog: (dialog: PageDialog, cause: string | null) => boolean
  /** Resolves when the exchanges that have ended are reported. */
  readonly told: () => Promise<void>
  /** Tells what is under way, then has the browser close the target. */
  readonly close: () => Promise<void>
}

/** So long a page takes to answer that is computing, and how often it is waited for. */
const BUSY_MS = 100
const COMPUTATIONS = 4

const WEB_URL = /^https?:\/\//i

/** A tab over the Chrome DevTools Protocol. */
export class Tab implements DriverPage {
  readonly id: string
  readonly cdp: TimedSession
  readonly input: TabInput
  readonly inFlight: InFlight
  readonly children: ChildTarget[] = []
  readonly mainFrameId: string
  cause: string | null = null
  readonly #deps: TabDeps
  readonly #visits: Visits
  readonly #listeners: { [E in keyof PageEvents]: Set<PageEvents[E]> } = {
    crash: new Set(),
    popup: new Set(),
    navigated: new Set(),
  }
  #url = 'about:blank'
  #world: Promise<number> | null = null
  #closing: Promise<void> | null = null
  #isGone = false

  constructor(session: TimedSession, deps: TabDeps) {
    this.id = deps.targetId
    // The main frame of a page has the id of its target.
    this.mainFrameId = deps.targetId
    this.cdp = session
    this.#deps = deps
    this.input = new TabInput(session)
    this.inFlight = new InFlight(deps.longPolls)
    this.#visits = new Visits(session, this.mainFrameId)
    this.#listen()
  }

  get url(): string {
    return this.#url
  }

  get isClosed(): boolean {
    return this.#isGone || this.#closing !== null
  }

  get visits(): number {
    return this.#visits.count
  }

  /** Domains the tab needs; to be called before its target runs. */
  prepare(viewport: { width: number; height: number }): void {
    this.cdp.post('Page.enable')
    this.cdp.post('Page.setLifecycleEventsEnabled', { enabled: true })
    this.cdp.post('Inspector.enable')
    this.cdp.post('Emulation.setFocusEmulationEnabled', { enabled: true })
    this.cdp.post('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
  }

  async goto(url: string, options: VisitOptions = {}): Promise<Visit> {
    if (!WEB_URL.test(url) && url !== 'about:blank')
      throw new Failure('BROWSER_URL_REFUSED', {
        url: url.slice(0, 200),
        reason: 'its scheme is neither http nor https',
      })
    const outcome = await this.#visits.visit(url, options)
    return { url: this.#url, ...outcome }
  }

  async evaluate<T = unknown>(expression: string, options: EvaluateOptions = {}): Promise<T> {
    const deadlineMs = options.deadlineMs ?? EVALUATE_MS
    const contextId = options.isolated
      ? await withDeadline(this.#isolatedWorld(), deadlineMs, 'Page.createIsolatedWorld')
      : undefined
    return (await evaluateIn(this.cdp, expression, options, contextId)) as T
  }

  /** A page that is still computing has asked for nothing yet: its next requests come when it is done. */
  async quiet({ quietMs = 300, capMs = 5000, sinceMs = 0 }: QuietOptions = {}): Promise<boolean> {
    const endMs = performance.now() + capMs
    for (let time = 0; time < COMPUTATIONS; time++) {
      const leftMs = endMs - performance.now()
      if (!(await this.inFlight.quiet({ quietMs, capMs: leftMs, sinceMs }))) return false
      if ((await this.#busyMs(endMs - performance.now())) < BUSY_MS) return true
    }
    return true
  }

  /** How long scripts of the page keep it from answering, at most `capMs`, in milliseconds. */
  async #busyMs(capMs: number): Promise<number> {
    const askedMs = performance.now()
    if (capMs <= 0) return 0
    // A page that does not answer has no time; what asks it next finds out what it is up to.
    await endsWithin(
      capMs,
      this.evaluate('0', { isolated: true, deadlineMs: capMs }).catch(() => null),
    )
    return performance.now() - askedMs
  }

  told(): Promise<void> {
    return this.#deps.told()
  }

  screenshot(options: ScreenshotOptions = {}): Promise<Uint8Array> {
    const frames = this.children
      .filter(({ type }) => type === 'iframe')
      .map(
        ({ cdp }) =>
          (expression: string, deadlineMs: number) =>
            evaluateIn(cdp, expression, { deadlineMs }),
      )
    const main = (expression: string, deadlineMs: number) =>
      this.evaluate(expression, { deadlineMs, isolated: true })
    return takeScreenshot(this.cdp, [main, ...frames], options)
  }

  on<E extends keyof PageEvents>(event: E, listener: PageEvents[E]): () => void {
    const listeners = this.#listeners[event] as Set<PageEvents[E]>
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /** Tells a listener of the page. */
  emit<E extends keyof PageEvents>(event: E, ...facts: Parameters<PageEvents[E]>): void {
    for (const listener of this.#listeners[event]) (listener as (...facts: unknown[]) => void)(...facts)
  }

  close(): Promise<void> {
    this.#closing ??= this.#isGone ? Promise.resolve() : this.#deps.close()
    return this.#closing
  }

  #listen(): void {
    const { cdp } = this
    cdp.on('Page.frameNavigated', (event) => {
      const frame = event['frame'] as { id: string; parentId?: string; url: string; urlFragment?: string }
      if (frame.parentId !== undefined) return
      this.#url = frame.url + (frame.urlFragment ?? '')
      this.#world = null
      this.emit('navigated', this.#url, false)
    })
    cdp.on('Page.navigatedWithinDocument', (event) => {
      if (event['frameId'] !== this.mainFrameId) return
      this.#url = String(event['url'])
      this.emit('navigated', this.#url, true)
    })
    cdp.on('Page.javascriptDialogOpening', (event) => {
      const type = String(event['type']) as PageDialog['type']
      const dialog: PageDialog = { type, message: String(event['message'] ?? '') }
      cdp.post('Page.handleJavaScriptDialog', { accept: this.#deps.answerDialog(dialog, this.cause) })
    })
    cdp.on('Inspector.targetCrashed', () => this.#gone('the renderer died'))
    cdp.whenDetached(() => this.#gone('the page was closed'))
  }

  #gone(reason: string): void {
    if (this.#isGone) return
    this.#isGone = true
    this.inFlight.clear()
    if (this.#closing === null) this.emit('crash', reason)
  }

  #isolatedWorld(): Promise<number> {
    if (this.#world !== null) return this.#world
    const made = this.cdp
      .send<{ executionContextId: number }>('Page.createIsolatedWorld', {
        frameId: this.mainFrameId,
        worldName: 'vigil',
      })
      .then(({ executionContextId }) => executionContextId)
    this.#world = made
    made.catch(() => {
      if (this.#world === made) this.#world = null
    })
    return made
  }
}
