import type { CapturedExchange, CaptureSink } from '../browser/capture.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import { BoundedSet } from './bounded-set.ts'
import { Budget } from './budget.ts'
import type { CrawlContext, CrawlCounts } from './crawl-context.ts'
import type { CrawlEnd, CrawlOptions, CrawlOutcome } from './crawl-options.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { EntryDocuments } from './entry-documents.ts'
import { explorePage } from './explore-page.ts'
import { Faces } from './faces.ts'
import { FirstAnswer } from './first-answer.ts'
import { personaOf } from './forms/persona.ts'
import type { LeasedItem } from './frontier.ts'
import { type Candidate, Harvest, type LoadPayload, type ProbePayload } from './harvest.ts'
import { isWrite, Knowledge } from './knowledge.ts'
import { outsideCandidate, readKnownPlaces } from './known-places.ts'
import { LightRoutes } from './light-routes.ts'
import { type ExplorePayload, loadPage, pause } from './load-page.ts'
import { locationKey, pathTemplate } from './locations.ts'
import { Looks } from './looks.ts'
import type { PageView } from './page-view.ts'
import { Prober } from './probe-endpoint.ts'
import { type AnswerReader, readAnswer, takeRoutes } from './read-answer.ts'
import { Revisits } from './revisits.ts'
import { SessionWatch } from './session-watch.ts'
import { SharedMemory } from './shared-memory.ts'
import { SiblingPages } from './sibling-pages.ts'
import { SignatureMemory } from './signature-memory.ts'
import { States } from './states.ts'
import { Analyser } from './static/analyser.ts'
import { CrawlWindow, Tab } from './tab.ts'
import { takeLearned, type WhatIsKnown } from './take-learned.ts'
import { UnknownRoutes } from './unknown-routes.ts'
import { Yields } from './yields.ts'

/** Answers being read at once; beyond that pages wait. */
const MAX_READING = 200
/** Share of the budget after which endpoints that write are probed, in mode `full`. */
const WRITES_FROM = 0.6
/** How often what was learned is told and heard, in milliseconds. */
const SHARE_MS = 4_000
/** End of the key of work that is done when nothing else is left. */
const LAST = ' last'
/** Longest time a timer can wait for. */
const MAX_TIMER = 2 ** 31 - 1
/** Calls remembered for edges. */
const RECENT_CALLS = 2_000

interface Call {
  readonly pageId: string
  readonly isRefused: boolean
  readonly startedMs: number
  readonly text: string
}

/** One crawl from begin to end. */
export class CrawlRun implements CrawlContext, CaptureSink {
  readonly options: CrawlOptions
  readonly ports: CrawlPorts
  readonly scope: CrawlScope
  readonly harvest: Harvest
  readonly knowledge: Knowledge
  readonly signatures: SignatureMemory
  readonly states = new States()
  readonly budget: Budget
  readonly persona = personaOf(Date.now().toString(36).slice(-5))
  readonly counts: CrawlCounts = { loads: 0, actions: 0, probes: 0, avoided: 0, uploads: 0 }
  readonly closedRoots = new BoundedSet(1_000)
  readonly uploads = new BoundedSet(1_000)
  readonly filters = new BoundedSet(1_000)
  readonly looks: Looks
  readonly shared: SharedMemory
  readonly faces = new Faces()
  readonly routes = new LightRoutes()
  readonly unknownRoutes = new UnknownRoutes()
  readonly firstAnswer: FirstAnswer
  readonly revisits: Revisits
  allowsHarm: boolean
  readonly #documents = new EntryDocuments()
  readonly #yields = new Yields()
  readonly #siblings: SiblingPages
  readonly #session: SessionWatch
  readonly #analyser: Analyser
  readonly #prober: Prober
  readonly #reader: AnswerReader
  readonly #window: CrawlWindow
  readonly #warnings: string[] = []
  readonly #calls: Call[] = []
  readonly #reading = new Set<Promise<void>>()
  readonly #avoided = new BoundedSet(10_000)
  readonly #avoidedPages = new Map<string, string>()
  #busy = 0
  #isSignedIn = false
  #end: CrawlEnd | null = null
  #problem: string | null = null
  /** What a companion said last of being idle; one call after the other. */
  #isIdle = false
  /** Nothing was to be done since the last piece of work. */
  #hasWaited = false
  #idling: Promise<void> = Promise.resolve()

  constructor(options: CrawlOptions, ports: CrawlPorts, scope: CrawlScope) {
    this.options = options
    this.ports = ports
    this.scope = scope
    this.allowsHarm = options.mode === 'full'
    this.shared = new SharedMemory(ports.memory, (fact) => takeLearned(fact, this.#known))
    const { learn } = this.shared
    this.signatures = new SignatureMemory(undefined, learn)
    this.looks = new Looks(learn)
    this.revisits = new Revisits(learn)
    this.#siblings = new SiblingPages(learn)
    this.knowledge = new Knowledge(scope, learn)
    this.firstAnswer = new FirstAnswer(scope, ports.clockMs)
    this.harvest = new Harvest(scope, ports, this.allowsHarm, learn)
    this.budget = new Budget(options.budget, ports.clockMs ?? (() => performance.now()))
    this.#analyser = new Analyser(options.staticAnalysis)
    this.#prober = new Prober(this)
    this.#window = new CrawlWindow(ports.browser, this)
    this.#session = new SessionWatch(ports, this.knowledge, this.signatures, this.#window)
    this.#reader = {
      scope,
      harvest: this.harvest,
      analyser: this.#analyser,
      routes: [],
      alike: (url) => this.#documents.alike(url),
      valueOf: (name) => this.knowledge.valueOf(name),
    }
  }

  get #known(): WhatIsKnown {
    const { knowledge, signatures, states, harvest, revisits, looks } = this
    const [siblings, avoided] = [this.#siblings, this.#avoidedPages]
    return { knowledge, signatures, states, harvest, revisits, looks, siblings, avoided }
  }

  /** Works until an end is reached. */
  async run(): Promise<CrawlOutcome> {
    const sharing = setInterval(() => void this.#remember(), SHARE_MS)
    // Whatever is still in hand at the hard end is broken off.
    const hardEnd = setTimeout(() => void this.#window.close(), Math.min(MAX_TIMER, this.budget.left * 1000))
    try {
      await this.#remember()
      if (this.#isCompanion) this.firstAnswer.begin(true)
      else {
        await this.#seed()
        await this.#hearFirst()
        await this.#readKnownPlaces()
      }
      const tabs = Math.max(1, Math.min(16, this.options.tabs))
      await Promise.all([...Array(tabs).keys()].map(() => this.#work()))
      await Promise.all(this.#reading)
    } finally {
      clearInterval(sharing)
      clearTimeout(hardEnd)
      await this.#window.close()
      await this.#analyser.close()
      await this.#remember()
    }
    return this.#outcome()
  }

  isEnding(): boolean {
    if (this.#end !== null) return true
    if (this.ports.stop.aborted) this.#end = 'stopped'
    else this.#end = this.budget.ended(performance.now() - this.knowledge.lastFindMs)
    return this.#end !== null
  }

  isAlias(url: string): boolean {
    if (!URL.canParse(url) || new URL(url).pathname === new URL(this.options.start).pathname) return false
    return this.#documents.alike(url).some((other) => this.harvest.usesHashRoutes(new URL(other)))
  }

  callsSince(pageId: string, sinceMs: number): string[] {
    return this.#calls
      .filter((call) => call.pageId === pageId && call.startedMs >= sinceMs)
      .slice(0, 50)
      .map((call) => call.text)
  }

  wasRefusedSince(pageId: string, sinceMs: number): boolean {
    return this.#calls.some((call) => call.isRefused && call.pageId === pageId && call.startedMs >= sinceMs)
  }

  noteAction(signature: string): void {
    this.#session.lastAction = signature
  }

  avoid(location: string, action: string, url: string): void {
    if (!this.#avoided.add(`${location} ${action}`)) return
    this.counts.avoided++
    if (this.#avoidedPages.size >= 500 || this.#avoidedPages.has(location)) return
    this.#avoidedPages.set(location, url)
    this.shared.learn('avoided', location, 1, url)
  }

  captured(captured: CapturedExchange): void {
    this.ports.sink.exchange(captured)
    this.firstAnswer.note(captured)
    this.knowledge.note(captured)
    if (captured.kind === 'Document') this.#documents.note(captured)
    if (/^(XHR|Fetch|Document|WebSocket|EventSource)$/.test(captured.kind)) {
      const text = `${captured.exchange.request.method} ${captured.url}`
      const { status } = captured.exchange.response
      const isRefused = status >= 400 && status < 500 && status !== 404
      this.#calls.push({ pageId: captured.pageId, isRefused, startedMs: captured.startedMs, text })
      if (this.#calls.length > RECENT_CALLS) this.#calls.splice(0, RECENT_CALLS / 2)
      this.#noteUse(captured)
    }
    if (this.#reading.size > MAX_READING) return
    const reading = readAnswer(captured, this.#reader).catch((error: unknown) =>
      this.#warn('an answer', error),
    )
    this.#reading.add(reading)
    void reading.finally(() => this.#reading.delete(reading))
  }

  /** Which pages read what, and what was written: pages that show it are worth another visit. */
  #noteUse(captured: CapturedExchange): void {
    const { exchange, cause, url, pageUrl } = captured
    if (cause === 'probe' || !URL.canParse(url) || !this.scope.hasHost(new URL(url))) return
    const path = pathTemplate(new URL(url).pathname)
    const { status } = exchange.response
    if (isWrite(exchange.request.method)) {
      if (status >= 200 && status < 300) this.revisits.noteWrite(path)
    } else if (URL.canParse(pageUrl)) this.revisits.noteRead(locationKey(new URL(pageUrl), this.scope), path)
  }

  /** Loads the first pages one by one until the application answers anything; else the crawl has failed. */
  async #hearFirst(): Promise<void> {
    const { firstAnswer } = this
    // A crawl that goes on was answered before.
    firstAnswer.begin(this.knowledge.kindCount > 0)
    const tab = new Tab(this.#window, (url, from) => this.#popup(url, from))
    try {
      while (!firstAnswer.isHeard && !this.isEnding()) {
        const item = firstAnswer.isLate ? null : await this.ports.frontier.take('load')
        if (item !== null) await this.#do(item, tab)
        else {
          if (this.#problem !== null) this.#end = 'failed'
          return
        }
      }
    } finally {
      await tab.close()
    }
  }

  /** One tab: takes what promises most, until there is nothing left for anybody. */
  async #work(): Promise<void> {
    const tab = new Tab(this.#window, (url, from) => this.#popup(url, from))
    try {
      while (!this.isEnding()) {
        await this.#session.guard()
        await this.#shareSignIn()
        const item = await this.#take()
        if (item) {
          if (this.#hasWaited) await this.#checkAfterWait()
          await this.#do(item, tab)
        } else if (this.#busy === 0 && this.#reading.size === 0) {
          if (!(await this.#lastChance())) return
        } else await pause(100)
      }
    } finally {
      await tab.close()
    }
  }

  async #take(): Promise<LeasedItem | null> {
    if (this.options.mode === 'full' && this.budget.share > WRITES_FROM) await this.harvest.releaseWrites()
    const due = this.revisits.due(this.knowledge.writes)
    if (due.length > 0) await this.ports.frontier.add(due)
    for (const kind of this.#yields.order()) {
      const item = await this.ports.frontier.take(kind)
      if (item) return item
    }
    return null
  }

  async #do(item: LeasedItem, tab: Tab): Promise<void> {
    this.#busy++
    if (this.#isIdle) await this.#tellIdle(false)
    // Queued when nothing else was left, by whoever noticed it.
    if (item.key.endsWith(LAST)) this.allowsHarm = true
    const started = performance.now()
    let pageId = ''
    const renewal = setInterval(() => void this.#renew(item), 15_000)
    try {
      const view = await tab.view()
      pageId = view.page.id
      this.knowledge.takeFinds(pageId)
      const finds = await this.#perform(item, view, started)
      this.shared.release(pageId)
      this.#yields.note(item.kind, (performance.now() - started) / 1000, finds)
    } catch (error) {
      this.shared.drop(pageId)
      await tab.close()
      const isRetried = await this.ports.frontier.fail(item.id, textOf(error))
      if (!isRetried) this.#warn(item.key, error)
      if (this.counts.loads <= 1 && item.priority >= 100) this.#problem = textOf(error)
    } finally {
      clearInterval(renewal)
      this.#busy--
    }
  }

  async #renew(item: LeasedItem): Promise<void> {
    try {
      await this.ports.frontier.renew(item.id)
    } catch (error) {
      this.#warn(item.key, error)
    }
  }

  /** @returns what it found */
  async #perform(item: LeasedItem, view: PageView, startedMs: number): Promise<number> {
    const { frontier } = this.ports
    const payload: unknown = JSON.parse(item.payload)
    if (item.kind === 'load') return this.#load(item, payload as LoadPayload, view, startedMs)
    if (item.kind === 'probe') {
      const isFind = await this.#prober.probe(view.page, payload as ProbePayload)
      await view.page.quiet({ quietMs: 20, capMs: 500 })
      await this.#settle(item, view, startedMs)
      return isFind ? 1 : 0
    }
    const { rest, finds } = await explorePage(view, payload as ExplorePayload, this)
    if (rest && rest.round <= 20 && (finds > 0 || rest.round <= 2)) {
      // Every page has its turn before one has its second.
      const priority = item.priority - 8 + Math.min(3, finds)
      await view.page.told()
      await frontier.putBack(item.id, { priority, payload: JSON.stringify(rest) })
    } else await this.#settle(item, view, startedMs)
    return finds
  }

  async #load(item: LeasedItem, payload: LoadPayload, view: PageView, startedMs: number): Promise<number> {
    const url = new URL(payload.url)
    const loaded = this.#siblings.isEnough(url) ? null : await loadPage(view, payload, this)
    await takeRoutes(this.#reader)
    const finds = this.knowledge.takeFinds(view.page.id)
    // The first page of a location is new anyway; a later one that calls something new tells that more are worth it.
    if (finds > 0 && loaded?.isFirst === false) this.harvest.markFruitful(item.location)
    await this.#settle(item, view, startedMs)
    if (!loaded) return finds
    const template = this.#siblings.note(url, loaded.fingerprint.rough, loaded.elements, finds > 1)
    if (template !== null) {
      const message = `Pages below ${template} are alike; the rest is left out. Add it to urlTemplatePatterns if it is one page.`
      this.ports.sink.log({ level: 'info', message, atMs: Date.now() })
    }
    return finds
  }

  async #settle(item: LeasedItem, view: PageView, startedMs: number): Promise<void> {
    // Its answers, and what they speak of, have to be there first: a process that dies now would not find them again.
    await view.page.told()
    await Promise.all(this.#reading)
    await this.ports.frontier.done(item.id)
    await this.#session.noteDone(item, startedMs)
  }

  /** Nothing waits. In mode `last` that is the time for what was avoided. @returns whether there is more to do */
  async #lastChance(): Promise<boolean> {
    if (this.isEnding()) return false
    if ((await takeRoutes(this.#reader, true)) > 0) return true
    // What others wrote may have made pages worth another look.
    await this.#remember()
    if ((await this.ports.frontier.add(this.revisits.due(this.knowledge.writes))) > 0) return true
    const { waiting, leased, companions } = await this.ports.frontier.counts()
    // Another process has work in hand, or had it: what comes of it is ours as well.
    if (leased > 0 || (companions > 0 && !this.#isCompanion)) return this.#wait()
    // It has become free since it was looked for.
    if (waiting.load + waiting.explore + waiting.probe > 0) return true
    if (this.options.mode === 'full' && (await this.harvest.releaseWrites()) > 0) return true
    if (this.#isCompanion) {
      if (this.#busy === 0 && !this.#isIdle) await this.#tellIdle(true)
      return this.#wait()
    }
    if (this.options.mode === 'last' && !this.allowsHarm) {
      this.allowsHarm = true
      const items = [...this.#avoidedPages].map(([location, url]) => ({
        kind: 'explore' as const,
        key: `explore ${location}${LAST}`,
        location,
        priority: 0,
        payload: JSON.stringify({ url, path: [], round: 0 } satisfies ExplorePayload),
      }))
      if ((await this.ports.frontier.add(items)) > 0) return true
    }
    this.#end ??= 'finished'
    return false
  }

  /** An account of the crawl's own making is signed in where its form was sent; the other pages join. */
  async #shareSignIn(): Promise<void> {
    if (this.#isSignedIn || this.knowledge.authorization === null) return
    this.#isSignedIn = true
    if (this.ports.session === null) await this.#window.shareStorage()
  }

  #popup(url: string, from: string): void {
    const candidate: Candidate = {
      url,
      origin: 'action',
      use: 'page',
      sourceUrl: from,
      sourceXpath: '',
      text: '',
    }
    void this.harvest.take([candidate]).catch((error: unknown) => this.#warn(url, error))
  }

  async #seed(): Promise<void> {
    const { start, seeds } = this.options
    const pages = [...seeds, start].filter((seed) => URL.canParse(seed, start))
    await this.harvest.take(pages.map((seed) => outsideCandidate(new URL(seed, start).href, 'start', 'page')))
  }

  async #readKnownPlaces(): Promise<void> {
    if (this.isEnding()) return
    const { start } = this.options
    const tab = new Tab(this.#window, () => {})
    try {
      await this.harvest.take(await readKnownPlaces((await tab.view()).page, start, this.scope))
    } catch (error) {
      this.#warn('robots.txt and sitemaps', error)
    } finally {
      await tab.close()
    }
  }

  /** Tells other processes of the crawl what was learned, and takes in what they did. */
  async #remember(): Promise<void> {
    try {
      await this.shared.exchange()
    } catch (error) {
      this.#warn('the memory of the crawl', error)
    }
  }

  get #isCompanion(): boolean {
    return (this.ports.companion ?? null) !== null
  }

  /** Nobody used the session meanwhile: it may have ended, and pages would be done without it. */
  async #checkAfterWait(): Promise<void> {
    this.#hasWaited = false
    this.knowledge.suspect('nothing was to be done for a while')
    await this.#session.guard()
  }

  async #wait(): Promise<true> {
    this.#hasWaited = true
    await pause(1000)
    return true
  }

  #tellIdle(isIdle: boolean): Promise<void> {
    this.#isIdle = isIdle
    this.#idling = this.#idling.then(() => this.ports.companion?.idle(isIdle))
    return this.#idling
  }

  #warn(about: string, error: unknown): void {
    const message = `${about}: ${textOf(error)}`.slice(0, 500)
    if (this.#warnings.length < 100) this.#warnings.push(message)
    this.ports.sink.log({ level: 'warning', message, atMs: Date.now() })
  }

  #outcome(): CrawlOutcome {
    const isNothing = this.#end === 'failed' || (this.knowledge.kindCount === 0 && this.#problem !== null)
    return {
      end: isNothing ? 'failed' : (this.#end ?? 'finished'),
      problem: isNothing ? this.#problem : null,
      seconds: this.budget.seconds,
      loads: this.counts.loads,
      actions: this.counts.actions,
      probes: this.counts.probes,
      states: this.states.count,
      requestKinds: this.knowledge.kindCount,
      avoided: this.counts.avoided,
      warnings: this.#warnings,
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300)
}
