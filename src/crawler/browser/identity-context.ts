import { Failure } from '../../kit/index.ts'
import type { CapturedExchange } from './capture.ts'
import type { TimedSession } from './cdp.ts'
import { sessionCookie, type WireCookie, wireCookie } from './cookies.ts'
import { LOGIN_CAUSE } from './crawl-guard.ts'
import { CredentialWatch } from './credential-watch.ts'
import type { ContextOptions, DriverContext, DriverPage, PageDialog } from './driver.ts'
import { InFlight, LongPolls } from './in-flight.ts'
import { KnownBodies } from './known-bodies.ts'
import { BLANK_PATH, OriginStores } from './origin-stores.ts'
import { PageTraffic, type TrafficPage } from './page-traffic.ts'
import { RequestGate } from './request-gate.ts'
import type { GuardDecision, RequestGuard } from './request-guard.ts'
import type { BrowserSession } from './session.ts'
import { MESSAGE_GUARD, REFUSED_SOCKET, SOCKET_GUARD, SOCKET_QUESTION_PATH } from './socket-guard.ts'
import { Tab } from './tab.ts'
import type { ResponseExtra, WireHeaders } from './wire-facts.ts'

/** What the browser says of a target. */
export interface TargetFacts {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly openerId?: string
  readonly browserContextId?: string
}

/** Stands for the page of workers that belong to none. */
interface WorkerPage extends TrafficPage {
  readonly mainFrameId: string
}

/** What a context may use of its browser. */
interface ContextDeps {
  readonly root: TimedSession
  readonly contextId: string
  /** A session that the browser announced. */
  readonly sessionOf: (sessionId: string) => TimedSession | null
  readonly closed: () => void
}

const CLOSE_MS = 3000
const VIEWPORT = { width: 1280, height: 900 }
const EMPTY: BrowserSession = { cookies: [], storage: [], headers: {} }

/** One identity: what its pages, frames and workers send goes past the guard, and is reported to the sink. */
export class IdentityContext implements DriverContext {
  readonly #deps: ContextDeps
  readonly #options: ContextOptions
  readonly #tabs = new Map<string, Tab>()
  readonly #traffic = new Map<string, PageTraffic>()
  readonly #longPolls = new LongPolls()
  readonly #known = new KnownBodies()
  readonly #credentials = new CredentialWatch()
  readonly #stores = new OriginStores()
  readonly #ended = new AbortController()
  #isMakingPage: Promise<unknown> = Promise.resolve()
  #waitsForPage = false
  #closing: Promise<void> | null = null

  constructor(deps: ContextDeps, options: ContextOptions) {
    this.#deps = deps
    this.#options = options
  }

  /** Cookies and storage to begin with. */
  async begin(): Promise<void> {
    await this.restore(this.#options.session ?? EMPTY)
  }

  async newPage(): Promise<DriverPage> {
    const made = this.#isMakingPage.then(() => this.#makeTab())
    this.#isMakingPage = made.catch(() => {})
    const tab = await made
    try {
      await this.#stores.restoreInto(tab)
    } catch (error) {
      await tab.close()
      throw error
    }
    return tab
  }

  async session(): Promise<BrowserSession> {
    const { cookies } = await this.#deps.root.send<{ cookies: WireCookie[] }>('Storage.getCookies', {
      browserContextId: this.#deps.contextId,
    })
    for (const tab of this.#tabs.values()) if (!tab.isClosed) await this.#stores.read(tab)
    return {
      cookies: cookies.map(sessionCookie),
      storage: this.#stores.all(),
      headers: this.#credentials.headers,
    }
  }

  async restore(session: BrowserSession): Promise<void> {
    const { root, contextId } = this.#deps
    if (session.cookies.length > 0)
      await root.send('Storage.setCookies', {
        browserContextId: contextId,
        cookies: session.cookies.map(wireCookie),
      })
    this.#credentials.begin(session.headers)
    this.#stores.begin(session.storage)
  }

  async clear(): Promise<void> {
    const { root, contextId } = this.#deps
    await root.send('Storage.clearCookies', { browserContextId: contextId })
    for (const origin of this.#stores.origins()) {
      for (const tab of this.#tabs.values())
        if (!tab.isClosed) await tab.cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    }
    this.#credentials.begin({})
    this.#stores.begin([])
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Takes on a target that the browser announced: it waits until it is released to run. */
  adopt(session: TimedSession, target: TargetFacts): void {
    if (target.type === 'page') this.#adoptPage(session, target)
    else {
      this.#watch(session, this.#workerPage(target))
      session.whenDetached(() => void this.#forget(target.targetId))
    }
    session.post('Runtime.runIfWaitingForDebugger')
  }

  /** Tells the sink what was under way; the browser is gone. */
  async drain(): Promise<void> {
    this.#ended.abort()
    await Promise.all(Array.from(this.#traffic.values(), (traffic) => traffic.drain()))
  }

  async #close(): Promise<void> {
    await Promise.all(Array.from(this.#tabs.values(), (tab) => tab.close()))
    await this.drain()
    try {
      await this.#deps.root.send(
        'Target.disposeBrowserContext',
        { browserContextId: this.#deps.contextId },
        CLOSE_MS,
      )
    } catch (error) {
      // A browser that is gone or hangs has no use for it.
      if (!(error instanceof Failure)) throw error
    }
    this.#deps.closed()
  }

  async #makeTab(): Promise<Tab> {
    this.#waitsForPage = true
    try {
      const { targetId } = await this.#deps.root.send<{ targetId: string }>('Target.createTarget', {
        url: 'about:blank',
        browserContextId: this.#deps.contextId,
      })
      const tab = this.#tabs.get(targetId)
      if (tab === undefined) throw new Failure('BROWSER_GONE', { call: 'Target.createTarget' })
      // Calls to a page are answered in order. A page that moves to another process before it answered forgets them.
      await tab.cdp.send('Page.getFrameTree')
      return tab
    } finally {
      this.#waitsForPage = false
    }
  }

  #adoptPage(session: TimedSession, target: TargetFacts): void {
    const tab = new Tab(session, {
      targetId: target.targetId,
      longPolls: this.#longPolls,
      answerDialog: this.#options.answerDialog ?? answersAlerts,
      told: async () => this.#traffic.get(target.targetId)?.told(),
      close: () => this.#closeTab(target.targetId),
    })
    const isOurs = target.openerId === undefined && this.#waitsForPage
    // Sign-in by somebody else's account often happens in a window.
    const opener = this.#tabs.get(target.openerId ?? '')
    if (opener?.cause === LOGIN_CAUSE) tab.cause = LOGIN_CAUSE
    const mayLive = isOurs || this.#options.popups === 'allow' || tab.cause === LOGIN_CAUSE
    this.#tabs.set(target.targetId, tab)
    session.whenDetached(() => void this.#forget(target.targetId))
    tab.prepare(this.#options.viewport ?? VIEWPORT)
    session.post('Page.addScriptToEvaluateOnNewDocument', { source: this.#socketScript })
    if (mayLive) this.#watch(session, tab)
    else this.#report(session, tab, opener)
  }

  get #socketScript(): string {
    // The second one changes the prototype that the first one's stand-in passes on.
    return this.#options.guard.judgesMessages === true ? `${MESSAGE_GUARD};${SOCKET_GUARD}` : SOCKET_GUARD
  }

  /** Guards a session and captures what it says, and does the same with those below it. */
  #watch(session: TimedSession, tab: Tab | WorkerPage): void {
    const known = this.#traffic.get(tab.id)
    const traffic = known ?? new PageTraffic(tab, (exchange) => this.#captured(exchange), this.#known)
    this.#traffic.set(tab.id, traffic)
    new RequestGate(this.#options.guard, tab, traffic, this.#ended.signal).attach(session)
    traffic.attach(session)
    // Of answers that the gate does not look at, the browser tells the heads before their page gets them.
    session.on('Network.responseReceivedExtraInfo', (event) => {
      const { requestId, statusCode, headers } = event as unknown as ResponseExtra
      this.#answered(traffic.urlOf(requestId), statusCode, headers)
    })
    this.#watchBelow(session, tab)
  }

  #watchBelow(session: TimedSession, tab: Tab | WorkerPage): void {
    session.on('Target.attachedToTarget', (event) => {
      const target = event['targetInfo'] as TargetFacts
      const child = this.#deps.sessionOf(String(event['sessionId']))
      if (child === null) return
      if (tab instanceof Tab) {
        const entry = { cdp: child, type: target.type, url: target.url }
        tab.children.push(entry)
        child.whenDetached(() => {
          const at = tab.children.indexOf(entry)
          if (at >= 0) tab.children.splice(at, 1)
        })
      }
      this.#watch(child, tab)
      if (target.type === 'iframe')
        child.post('Page.addScriptToEvaluateOnNewDocument', {
          source: this.#socketScript,
          runImmediately: true,
        })
      child.post('Runtime.runIfWaitingForDebugger')
    })
    session.post('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
  }

  /** A window that a page opened: its first request tells where to, and does not leave. */
  #report(session: TimedSession, tab: Tab, opener: Tab | undefined): void {
    let isTold = false
    const told = (url: string): void => {
      if (isTold) return
      isTold = true
      for (const listener of opener === undefined ? this.#tabs.values() : [opener])
        listener.emit('popup', url)
      void tab.close()
    }
    const guard: RequestGuard = {
      decide(request): GuardDecision {
        if (request.isNavigation) told(request.url.href)
        return { kind: 'block', reason: 'windows that pages open are not followed' }
      },
    }
    const traffic = new PageTraffic(tab, null, this.#known)
    new RequestGate(guard, tab, traffic, this.#ended.signal).attach(session)
    session.post('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
    // A window that asks for nothing is written by its opener.
    setTimeout(() => told(tab.url), 1000).unref()
  }

  /** Workers that belong to no page. */
  #workerPage({ targetId, url }: TargetFacts): WorkerPage {
    return { id: targetId, url, cause: null, mainFrameId: '', inFlight: new InFlight(this.#longPolls) }
  }

  #answered(url: string, status: number, headers: WireHeaders): void {
    const retryAfter = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
    if (URL.canParse(url)) this.#options.guard.answered?.(new URL(url), status, retryAfter)
  }

  #captured(exchange: CapturedExchange): void {
    if (isOwnQuestion(exchange.url)) return
    this.#credentials.note(exchange)
    this.#options.guard.heard?.(exchange)
    this.#options.sink?.captured(exchange)
  }

  async #closeTab(targetId: string): Promise<void> {
    const traffic = this.#traffic.get(targetId)
    try {
      const tab = this.#tabs.get(targetId)
      if (tab !== undefined) await this.#stores.read(tab)
      await traffic?.drain()
      await this.#deps.root.send('Target.closeTarget', { targetId }, CLOSE_MS)
    } catch (error) {
      // A page that cannot be closed goes with its context.
      if (!(error instanceof Failure)) throw error
    }
    await this.#forget(targetId)
  }

  async #forget(targetId: string): Promise<void> {
    const traffic = this.#traffic.get(targetId)
    this.#tabs.delete(targetId)
    this.#traffic.delete(targetId)
    await traffic?.drain()
  }
}

/** Documents and questions that the gate answered itself. */
function isOwnQuestion(url: string): boolean {
  if (url === REFUSED_SOCKET) return true
  const { pathname } = new URL(url)
  return pathname === BLANK_PATH || pathname === SOCKET_QUESTION_PATH
}

function answersAlerts({ type }: PageDialog): boolean {
  return type === 'alert' || type === 'beforeunload'
}
