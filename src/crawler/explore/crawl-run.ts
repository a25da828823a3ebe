import { endsWithin, Failure } from '../../kit/index.ts'
import type { CapturedExchange, CaptureSink } from '../browser/capture.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import { AvoidedPages, isLastWork } from './avoided-pages.ts'
import { BoundedSet } from './bounded-set.ts'
import { Budget } from './budget.ts'
import { CatchAll } from './catch-all.ts'
import { DraftKeeper } from './clean-up.ts'
import { type CrawlContext, freshCounts } from './crawl-context.ts'
import type { CrawlEnd, CrawlOptions, CrawlOutcome, CrawlSummary } from './crawl-options.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { EntryDocuments } from './entry-documents.ts'
import { textOf } from './error-text.ts'
import { Faces } from './faces.ts'
import { FirstAnswer } from './first-answer.ts'
import { personaOf } from './forms/persona.ts'
import type { LeasedItem } from './frontier.ts'
import { Harvest } from './harvest.ts'
import { IdleReport } from './idle-report.ts'
import { Knowledge } from './knowledge.ts'
import { firstPages, lookAgain, outsideCandidate, readKnownPlaces } from './known-places.ts'
import { LightRoutes } from './light-routes.ts'
import { pause } from './load-page.ts'
import { Looks } from './looks.ts'
import { mergeFact, type WhatIsKnown } from './merge-facts.ts'
import { NamedCalls } from './named-calls.ts'
import { type AnswerReader, readAnswer, takeRoutes } from './read-answer.ts'
import { RecentCalls } from './recent-calls.ts'
import { noteUse, Revisits } from './revisits.ts'
import { SessionWatch } from './session-watch.ts'
import { SharedMemory } from './shared-memory.ts'
import { SiblingPages } from './sibling-pages.ts'
import { SignatureMemory } from './signature-memory.ts'
import { SoftNavigation } from './soft-navigation.ts'
import { StallWatch } from './stall-watch.ts'
import { States } from './states.ts'
import { Analyser } from './static/analyser.ts'
import { summarise, summaryLines } from './summarise.ts'
import { CrawlWindow, Tab } from './tab.ts'
import { UnknownRoutes } from './unknown-routes.ts'
import { describeWork, readingMs, WorkDesk } from './work-desk.ts'
import { Yields } from './yields.ts'

/** Answers being read at once; beyond that pages wait. */
const MAX_READING = 200
/** How often it is looked whether the crawl stands still, in milliseconds. */
const LOOK_MS = 2_000
/** Longest wait for a page to close, and how often learned facts are exchanged, in milliseconds. */
const CLOSING_MS = 10_000
const SHARE_MS = 4_000
/** Longest time a timer can wait for. */
const MAX_TIMER = 2 ** 31 - 1

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
  readonly counts = freshCounts()
  readonly closedRoots = new BoundedSet(1_000)
  readonly uploads = new BoundedSet(1_000)
  readonly filters = new BoundedSet(1_000)
  readonly vainWaits = new Map<string, number>()
  readonly looks: Looks
  readonly shared: SharedMemory
  readonly faces = new Faces()
  readonly routes = new LightRoutes()
  readonly unknownRoutes = new UnknownRoutes()
  readonly firstAnswer: FirstAnswer
  readonly revisits: Revisits
  allowsHarm: boolean
  readonly documents = new EntryDocuments()
  readonly softly = new SoftNavigation()
  readonly #yields = new Yields()
  readonly #siblings: SiblingPages
  readonly #desk: WorkDesk
  readonly #drafts: DraftKeeper
  readonly #session: SessionWatch
  readonly #stall: StallWatch
  readonly #inHand = new Map<LeasedItem, number>()
  readonly #analyser: Analyser
  readonly #reader: AnswerReader
  readonly #window: CrawlWindow
  readonly #warnings: string[] = []
  readonly #calls = new RecentCalls()
  readonly #reading = new Set<Promise<void>>()
  readonly #avoided: AvoidedPages
  readonly isHelper: boolean
  #busy = 0
  /** Pieces of work that came to their end. */
  #done = 0
  #isSignedIn = false
  #end: CrawlEnd | null = null
  #problem: string | null = null
  #summary: CrawlSummary | null = null
  readonly #idle: IdleReport
  #hasWaited = false

  constructor(options: CrawlOptions, ports: CrawlPorts, scope: CrawlScope) {
    this.options = options
    this.ports = ports
    this.scope = scope
    this.allowsHarm = options.mode === 'full'
    this.isHelper = (ports.helper ?? null) !== null
    this.#idle = new IdleReport(ports.helper)
    this.shared = new SharedMemory(ports.memory, (fact) => mergeFact(fact, this.#known))
    const { learn } = this.shared
    this.signatures = new SignatureMemory(undefined, learn)
    this.looks = new Looks(learn)
    this.revisits = new Revisits(learn)
    this.#siblings = new SiblingPages(learn)
    this.#avoided = new AvoidedPages(learn)
    this.knowledge = new Knowledge(scope, learn, options.identity)
    this.firstAnswer = new FirstAnswer(scope, ports.clockMs)
    const isSignedIn = ports.session !== null || options.identity !== 'anonymous'
    this.harvest = new Harvest(scope, ports, this.allowsHarm, learn, isSignedIn)
    this.budget = new Budget(options.budget, ports.clockMs ?? (() => performance.now()))
    this.#analyser = new Analyser(options.staticAnalysis)
    this.#window = new CrawlWindow(ports.browser, this)
    this.#session = new SessionWatch(ports, this.knowledge, this.signatures, this.#window)
    this.#stall = new StallWatch(
      {
        isOver: () => this.#end !== null,
        excuse: () => ports.delay?.() ?? (this.#session.isChecking ? 'the login is looked after' : null),
        describe: () => describeWork(this.#inHand, this.#reading.size),
        restart: () => this.#window.restart(),
        giveUp: (problem) => {
          this.#problem = problem
          this.#end = 'failed'
        },
        log: (message) => this.#warn('watchdog', new Error(message)),
        clock: () => performance.now(),
      },
      options.patienceMs,
    )
    this.#reader = {
      scope,
      harvest: this.harvest,
      analyser: this.#analyser,
      routes: [],
      alike: (url) => this.documents.alike(url),
      markOf: (url) => this.documents.markOf(url),
      catchAll: new CatchAll(),
      calls: new NamedCalls(),
      valueOf: (name) => this.knowledge.valueOf(name),
    }
    const log = (message: string) => this.#log(message)
    this.#drafts = new DraftKeeper(this, log, (sentence) => this.#warn('clean-up', new Error(sentence)))
    this.#desk = new WorkDesk(this, {
      reader: this.#reader,
      siblings: this.#siblings,
      session: this.#session,
      reading: this.#reading,
      log,
    })
  }

  get #known(): WhatIsKnown {
    const { knowledge, signatures, states, harvest, revisits, looks } = this
    const [siblings, avoided, drafts] = [this.#siblings, this.#avoided, this.ports.changes?.drafts ?? null]
    return { knowledge, signatures, states, harvest, revisits, looks, siblings, avoided, drafts }
  }

  /** Works until an end is reached. */
  async run(): Promise<CrawlOutcome> {
    const sharing = setInterval(() => void this.#remember(), SHARE_MS)
    // Whatever is still in hand at the hard end is broken off.
    const watching = setInterval(
      () => this.#stall.check(),
      Math.min(LOOK_MS, this.options.patienceMs ?? LOOK_MS),
    )
    const hardEnd = setTimeout(
      () => {
        void this.#window.close()
        this.#stall.breakOff()
      },
      Math.min(MAX_TIMER, this.budget.left * 1000),
    )
    try {
      await this.#remember()
      if (this.isHelper) this.firstAnswer.begin(true)
      else {
        await this.harvest.take(firstPages(this.options))
        await this.#hearFirst()
        if (!this.isEnding()) await this.#readKnownPlaces()
      }
      const tabs = Math.max(1, Math.min(16, this.options.tabs))
      await Promise.all(Array.from({ length: tabs }, () => this.#work()))
      if (this.#hasTimeLeft()) await this.#askRest(tabs)
      await endsWithin(readingMs, Promise.all(this.#reading))
      this.#summary = await this.#summarise()
    } finally {
      clearInterval(sharing)
      clearInterval(watching)
      clearTimeout(hardEnd)
      if (!this.isHelper) await this.#drafts.remove(this.#window)
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
    return this.documents.alike(url).some((other) => this.harvest.usesHashRoutes(new URL(other)))
  }

  callsSince(pageId: string, sinceMs: number): string[] {
    return this.#calls.since(pageId, sinceMs)
  }

  readonly refusalSince = (pageId: string, sinceMs: number): string | null =>
    this.#calls.refusalSince(pageId, sinceMs)

  noteAction(signature: string): void {
    this.#stall.note()
    this.#session.lastAction = signature
  }

  readonly noteWait = (): void => this.#stall.note()

  avoid(location: string, action: string, url: string): void {
    if (this.#avoided.note(location, action, url)) this.counts.avoided++
  }

  captured(captured: CapturedExchange): void {
    this.ports.sink.exchange(captured)
    this.firstAnswer.note(captured)
    this.#drafts.note()
    if (captured.kind === 'Document') this.documents.note(captured)
    this.knowledge.note(captured, this.documents.alike(captured.url).length > 0)
    const isWanted =
      captured.outcome === 'held back' && this.ports.changes?.drafts.isWanted(new URL(captured.url))
    if (this.#calls.note(captured, isWanted === true)) noteUse(captured, this.scope, this.revisits)
    if (this.#reading.size > MAX_READING) return
    const reading = readAnswer(captured, this.#reader).catch((error: unknown) =>
      this.#warn('an answer', error),
    )
    this.#reading.add(reading)
    void reading.finally(() => this.#reading.delete(reading))
  }

  /** Loads the first pages one by one until the application answers anything; else the crawl has failed. */
  async #hearFirst(): Promise<void> {
    const { firstAnswer } = this
    // A crawl that continues was answered before.
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
  async #work(mayBegin = () => !this.isEnding(), take = () => this.#take()): Promise<void> {
    const tab = new Tab(this.#window, (url, from) => this.#popup(url, from))
    try {
      while (mayBegin()) {
        if (!(await this.#isSteady())) continue
        const item = await take()
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

  /** Whether a crawl ends before its time, and not because somebody wants it to. */
  #hasTimeLeft(): boolean {
    const isEarly = this.#end === 'saturated' || this.#end === 'budget'
    return isEarly && this.budget.left > this.budget.reserve && !this.ports.stop.aborted
  }

  /** Nothing new for long, or enough pages: calls that scripts name are still asked for, and nothing else is begun. */
  async #askRest(tabs: number): Promise<void> {
    await endsWithin(readingMs, Promise.all(this.#reading))
    const { calls } = this.#reader
    const next = () => calls.takeNext(this.ports.frontier)
    const ask = () => this.#work(() => this.#hasTimeLeft(), next)
    while (this.#hasTimeLeft() && (calls.isQueued || (await calls.askNext(this)) > 0))
      await Promise.all(Array.from({ length: tabs }, ask))
  }

  async #take(): Promise<LeasedItem | null> {
    await this.#reader.calls.ask(this, this.budget.share)
    const due = this.revisits.due(this.knowledge.writes)
    if (due.length > 0) await this.ports.frontier.add(due)
    for (const kind of this.#reader.calls.before(this.#yields.order(), this.#yields.shareOf('probe'))) {
      const item = await this.ports.frontier.take(kind)
      if (item) return item
    }
    return null
  }

  async #do(item: LeasedItem, tab: Tab): Promise<void> {
    this.#busy++
    await this.#idle.say(false)
    // Queued when nothing else was left, by anyone who noticed it.
    if (isLastWork(item.key)) this.allowsHarm = true
    const started = performance.now()
    this.#inHand.set(item, started)
    let pageId = ''
    const renewal = setInterval(() => void this.#renew(item), 15_000)
    try {
      const view = await this.#stall.within(tab.view())
      pageId = view.page.id
      this.knowledge.takeFinds(pageId)
      const finds = await this.#stall.within(this.#desk.perform(item, view, started))
      this.#stall.note()
      this.#done++
      this.shared.release(pageId)
      this.#yields.note(item.kind, (performance.now() - started) / 1000, finds)
    } catch (error) {
      this.shared.drop(pageId)
      // A page that cannot even be closed is left to its browser.
      await endsWithin(CLOSING_MS, tab.close())
      const isRetried = await this.ports.frontier.fail(item.id, textOf(error))
      if (!isRetried) {
        this.#warn(item.key, error)
        this.harvest.leftOut.note('failed twice', `${item.key}: ${textOf(error)}`)
      }
      if (this.counts.loads <= 1 && item.priority >= 100) this.#problem = textOf(error)
    } finally {
      clearInterval(renewal)
      this.#inHand.delete(item)
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

  /** Nothing waits. In mode `last` that is the time for what was avoided. @returns whether there is more to do */
  async #lastChance(): Promise<boolean> {
    if (this.isEnding()) return false
    if ((await takeRoutes(this.#reader, null, true)) > 0) return true
    // What others wrote may have made pages worth another look.
    await this.#remember()
    if ((await this.ports.frontier.add(this.revisits.due(this.knowledge.writes))) > 0) return true
    const { waiting, leased, helpers } = await this.ports.frontier.counts()
    // Another process has work in hand, or had it: what comes of it is ours as well.
    if (leased > 0 || (helpers > 0 && !this.isHelper)) return this.#wait()
    // It has become free since it was looked for.
    if (waiting.load + waiting.explore + waiting.probe > 0) return true
    // Calls that scripts name may change what it shows.
    if (!this.isHelper && (await lookAgain(this)) > 0) return true
    if ((await this.#reader.calls.askNext(this)) > 0) return true
    if (this.isHelper) {
      if (this.#busy === 0) await this.#idle.say(true)
      return this.#wait()
    }
    if (this.options.mode === 'last' && !this.allowsHarm) {
      this.allowsHarm = true
      if ((await this.ports.frontier.add(this.#avoided.work)) > 0) return true
    }
    if (this.#done > 0 || !this.#stall.giveUpIfStuck()) this.#end ??= 'finished'
    return false
  }

  /** An account of the crawl's own making is signed in where its form was sent; the other pages join. */
  async #shareSignIn(): Promise<void> {
    if (this.#isSignedIn || this.knowledge.authorization === null) return
    this.#isSignedIn = true
    if (this.ports.session === null) await this.#window.shareStorage()
  }

  #popup(url: string, from: string): void {
    const candidate = outsideCandidate(url, 'action', 'page', from)
    void this.harvest.take([candidate]).catch((error: unknown) => this.#warn(url, error))
  }

  async #readKnownPlaces(): Promise<void> {
    const tab = new Tab(this.#window, () => {})
    try {
      const { page } = await this.#stall.within(tab.view())
      const found = readKnownPlaces(page, this.options.start, this.scope)
      await this.harvest.take(await this.#stall.within(found))
    } catch (error) {
      this.#warn('robots.txt and sitemaps', error)
    } finally {
      await endsWithin(CLOSING_MS, tab.close())
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

  /** Nobody used the session meanwhile: it may have ended, and pages would be done without it. */
  async #checkAfterWait(): Promise<void> {
    this.#hasWaited = false
    this.knowledge.suspect('nothing was to be done for a while')
    await this.#session.guard()
  }

  async #wait(): Promise<true> {
    if (!this.#stall.isStuck) this.#stall.note()
    this.#hasWaited = true
    await pause(1000)
    return true
  }

  /** Looks after the session. @returns false when that came to no end */
  async #isSteady(): Promise<boolean> {
    try {
      await this.#stall.within(this.#session.guard())
      await this.#stall.within(this.#shareSignIn())
      return true
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'BROWSER_TIMED_OUT') throw error
      this.#warn('the session', error)
      return false
    }
  }

  async #summarise(): Promise<CrawlSummary | null> {
    if (this.isHelper) return null
    // What had no turn is named all the same.
    this.harvest.noteNamed(this.#reader.calls.releaseAll(this.knowledge))
    const summary = summarise({
      end: this.#end ?? 'finished',
      notes: this.harvest.leftOut,
      counts: await this.ports.frontier.counts(),
      changes: this.ports.changes ?? null,
      isSignedIn: this.ports.session !== null || this.options.identity !== 'anonymous',
      seen: this.knowledge.kindCount,
      work: this.counts,
      refused: this.knowledge.refusedCount,
      hasKind: (kind) => this.knowledge.hasKind(kind),
    })
    for (const line of summaryLines(summary)) this.#log(line)
    return summary
  }

  #log(message: string, level: 'info' | 'warning' = 'info'): void {
    this.ports.sink.log({ level, message, atMs: Date.now() })
  }

  #warn(about: string, error: unknown): void {
    const message = `${about}: ${textOf(error)}`.slice(0, 500)
    if (this.#warnings.length < 100) this.#warnings.push(message)
    this.#log(message, 'warning')
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
      summary: this.#summary,
      warnings: this.#warnings,
    }
  }
}
