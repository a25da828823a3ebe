import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  type CrawlPlace,
  type CrawlRun,
  claimCrawl,
  closeCrawls,
  crawlsInSpool,
  deliverSpool,
  dropFrames,
  findCrawl,
  hasEnded,
  isHelper,
  joinCrawl,
  releaseBuiltIn,
  resumableLeaseSeconds,
  StoreLink,
  spoolFolder,
} from '../../crawler/index.ts'
import { inSpan, nowMs, nowSeconds, PollLoop, reportError, restoredContext } from '../../kit/index.ts'
import type { Imports } from '../imports.ts'
import { urlMask } from '../shown-urls.ts'
import { AuditWriter } from '../test-runs/audit-writer.ts'
import { workOffCrawl } from './built-in-crawl.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { helpWithCrawl } from './crawl-helper.ts'
import { FoundSpecifications } from './found-specifications.ts'
import { startDueTests } from './tests-after-crawl.ts'

const POLL_EVERY_MS = 2_000
const TIDY_EVERY_MS = 10_000
const MOST_TABS = 4
/** Other processes have their chance first: a second machine is worth more than a second browser. */
const OTHERS_FIRST_SECONDS = 5

interface Helper {
  readonly crawlId: string
  readonly leave: AbortController
  readonly done: Promise<void>
}

/** What became of captured messages. */
interface TakenMessages {
  /** Not rejected; repetitions and static files among them. */
  readonly accepted: number
  readonly rejected: readonly { readonly index: number; readonly reason: string }[]
}

/**
 * Takes crawls that wait for the built-in crawler and works on each in a separate process; ends crawls that will not
 * end on their own; starts the tests that follow. Any process of the store may do each of these.
 */
export class CrawlService {
  readonly deps: CrawlDeps & { readonly audit: AuditWriter['add'] }
  readonly #leaseOwner = randomUUID()
  readonly #audit: AuditWriter
  readonly #specifications: FoundSpecifications
  readonly #passes: PollLoop
  #hasBegun = false
  readonly #running = new Map<string, Promise<void>>()
  /** By their identifiers. */
  readonly #helpers = new Map<string, Helper>()
  /** Crawls on which a helper got nothing done. */
  readonly #inVain = new Set<string>()
  #hasTakenBack = false
  #tidyAtMs = 0

  constructor(deps: CrawlDeps, imports: Imports) {
    this.#specifications = new FoundSpecifications(imports, deps.log)
    this.#audit = new AuditWriter(deps.store, deps.log)
    this.deps = { ...deps, audit: (entry) => this.#audit.add(entry) }
    const onError = (error: unknown): void => this.#logError(error)
    this.#passes = new PollLoop({
      everyMs: POLL_EVERY_MS,
      pass: (closing) => this.#pass(closing),
      onError,
      news: { from: deps.store.news, topics: ['crawls'], isTimed: true },
    })
  }

  begin(): void {
    this.#audit.begin()
    this.#passes.begin()
    this.#hasBegun = true
  }

  /** Looks for work now instead of at the next interval. */
  wake(): void {
    if (this.#hasBegun) void this.#passes.poll()
  }

  /**
   * Feeds captured messages (JSON texts of sample messages) into a collection; resolves once they are committed.
   * Descriptions of APIs among them are taken for what they are, in the background, in the name of `login`.
   */
  async take(collectionId: number, messages: readonly string[], login: string): Promise<TakenMessages> {
    const batch = Buffer.from(`[${messages.join(',')}]`)
    const outcome = await this.deps.inventory.ingest(batch, { collectionId }, 'CRAWLER')
    this.#specifications.search(collectionId, messages, login)
    return { accepted: messages.length - outcome.rejected.length, rejected: outcome.rejected }
  }

  /** Ends the workers; their crawls continue with the next process that looks. */
  async close(): Promise<void> {
    await this.#passes.close()
    await Promise.all([...this.#running.values(), ...[...this.#helpers.values()].map(({ done }) => done)])
    await this.#audit.close()
  }

  async #pass(closing: AbortSignal): Promise<void> {
    if (!this.#hasTakenBack) await this.#takeBack()
    if (nowMs() >= this.#tidyAtMs) await this.#tidy()
    await startDueTests(this.deps)
    while (this.#running.size < this.deps.settings.crawlsAtOnce && !closing.aborted) {
      const crawl = await claimCrawl(this.deps.store, {
        moduleName: null,
        leaseOwner: this.#leaseOwner,
        leaseSeconds: resumableLeaseSeconds,
        visible: null,
      })
      if (crawl === null) break
      this.#start(crawl)
    }
    await this.#joinIn()
  }

  /** Helpers for crawls of this process, and for those of others while there is room for more crawls. */
  async #joinIn(): Promise<void> {
    const { crawlWorkers, crawlsAtOnce } = this.deps.settings
    const afterSeconds = this.deps.store.kind === 'embedded' ? 0 : OTHERS_FIRST_SECONDS
    for (let isSure = true; crawlWorkers > 1 && isSure && !this.#passes.closing.aborted; ) {
      const own = this.#running.size === 0 ? null : await this.#join({ isOther: false, afterSeconds })
      const isRoom = this.#running.size + this.#guests.length < crawlsAtOnce
      const joined = own ?? (isRoom ? await this.#join({ isOther: true, afterSeconds: 0 }) : null)
      isSure = joined !== null
    }
    // A crawl that waited comes first.
    for (const guest of this.#guests.slice(
      0,
      Math.max(0, this.#running.size + this.#guests.length - crawlsAtOnce),
    ))
      guest.leave.abort()
  }

  /** Helpers on crawls that other processes have. */
  get #guests(): readonly Helper[] {
    return [...this.#helpers.values()].filter(({ crawlId }) => !this.#running.has(crawlId))
  }

  async #join({ isOther, afterSeconds }: { isOther: boolean; afterSeconds: number }): Promise<string | null> {
    const worker = randomUUID()
    const joined = await joinCrawl(this.deps.store, {
      moduleName: null,
      worker,
      leaseSeconds: resumableLeaseSeconds,
      most: this.deps.settings.crawlWorkers,
      visible: null,
      leaseOwner: { name: this.#leaseOwner, isOther },
      afterSeconds,
      exceptFor: [...this.#inVain],
    })
    if (joined === null) return null
    const { crawl } = joined
    const leave = new AbortController()
    const place = this.#placeOf(crawl, worker)
    const take = (messages: readonly string[]) => this.take(crawl.collectionId, messages, crawl.startedBy)
    const context = restoredContext(crawl.requestContext)
    const attributes = { 'vigil.crawl.id': crawl.id }
    const done = inSpan('crawl helper', { context, mayBegin: true, attributes }, () =>
      helpWithCrawl({ ...this.deps, place, worker, take, leave: leave.signal }, joined, this.#passes.closing),
    )
      .then((mayReturn) => void (mayReturn || this.#inVain.add(crawl.id)))
      .catch((error: unknown) => {
        this.#inVain.add(crawl.id)
        this.#logError(error)
      })
      .finally(() => {
        this.#helpers.delete(worker)
        this.wake()
      })
    this.#helpers.set(worker, { crawlId: crawl.id, leave, done })
    this.deps.log.info('crawl.joined', { crawlId: crawl.id })
    return worker
  }

  #start(crawl: CrawlRun): void {
    const running = workOffCrawl(
      {
        ...this.deps,
        place: this.#placeOf(crawl, null),
        leaseOwner: this.#leaseOwner,
        take: (messages) => this.take(crawl.collectionId, messages, crawl.startedBy),
      },
      crawl,
      this.#passes.closing,
    )
      .catch((error: unknown) => this.#logError(error))
      .finally(() => {
        this.#running.delete(crawl.id)
        this.wake()
      })
    this.#running.set(crawl.id, running)
    this.deps.log.info('crawl.taken', { crawlId: crawl.id })
  }

  #placeOf(crawl: CrawlRun, helper: string | null): CrawlPlace {
    const { settings, own, allowed } = this.deps
    return {
      browser: settings.browser,
      browserFolder: join(settings.dataDir, 'browser'),
      spoolFolder: spoolFolder(this.#spools, crawl.id, helper),
      allowed,
      own,
      requestsPerMinute: settings.targetRequestsPerMinute,
      requestsPerSecond: settings.crawlRequestsPerSecond,
      locale: { language: settings.browserLanguage, timeZone: settings.browserTimeZone },
      verifiesTls: settings.verifyTargets,
      tabs: Math.min(MOST_TABS, Math.max(2, availableParallelism())),
    }
  }

  get #spools(): string {
    return join(this.deps.settings.dataDir, 'crawls')
  }

  /** Where no other process can have crawls, those under way at the death of the last one are free at once. */
  async #takeBack(): Promise<void> {
    if (this.deps.store.kind === 'embedded') await releaseBuiltIn(this.deps.store)
    this.#hasTakenBack = true
  }

  async #tidy(): Promise<void> {
    this.#tidyAtMs = nowMs() + TIDY_EVERY_MS
    await closeCrawls(this.deps.store)
    await dropFrames(this.deps.store)
    for (const { crawlId, helper } of crawlsInSpool(this.#spools))
      await this.#deliverLeftovers(crawlId, helper)
  }

  /** Brings in what a process that died here had captured last, unless another one is at it. */
  async #deliverLeftovers(id: string, helper: string | null): Promise<void> {
    const { store } = this.deps
    const folder = spoolFolder(this.#spools, id, helper)
    const crawl = await findCrawl(store, id)
    if (crawl === undefined) return rm(folder, { recursive: true, force: true })
    if (helper !== null) {
      if (this.#helpers.has(helper) || (await isHelper(store, id, helper))) return
    } else if (!hasEnded(crawl) && crawl.leaseUntil > nowSeconds()) return
    const link = new StoreLink(store, id, this.#leaseOwner, {
      take: (messages) => this.take(crawl.collectionId, messages, crawl.startedBy),
      urlMask: () => urlMask(store),
    })
    await deliverSpool(folder, link, this.#passes.closing)
  }

  #logError(error: unknown): void {
    if (this.#passes.closing.aborted) return
    this.deps.log.warn('part.failed', { part: 'crawls', error: reportError(error) })
  }
}
