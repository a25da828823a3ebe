import { availableParallelism } from 'node:os'
import {
  Failure,
  type Log,
  nowSeconds,
  PollLoop,
  reportError,
  type Sealer,
  type Settings,
} from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  configurationRevision,
  type DetectionFigures,
  type DetectionInput,
  DetectionPool,
  type DetectionSetup,
  tidyWindows,
} from '../../threat/index.ts'
import { ownMark } from '../self-traffic-marker.ts'
import { actorSetup } from './actor-setup.ts'
import { activeFilters, collectionRevision, filterRevision, hostCollections } from './filter-source.ts'

/** Changes of other processes are noticed so soon where the store does not notify of them. */
const WATCH_EVERY_MS = 2000
const TIDY_EVERY_MS = 60_000
const MAX_THREADS = 4
/** Threads that had nothing to look at for so long are ended: compiled filters take much memory. */
const IDLE_MS = 120_000
const IDLE_LOOK_MS = 15_000

/** What detection stands on. */
interface DetectionDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly sealer: Sealer
}

/**
 * Detection of threats in traffic: keeps the threads that look at messages going by the filters in the store, and the
 * counters of rules few. Costs nothing while it is switched off or no filter is on.
 */
export class Detection {
  readonly #deps: DetectionDeps
  readonly #timers: NodeJS.Timeout[] = []
  #pool: DetectionPool | null = null
  /** What is looked for; null when nothing is. */
  #setup: DetectionSetup | null = null
  /** Counts of pools that were ended. */
  #past: DetectionFigures | null = null
  #lastUse = 0
  #revision: string | null = null
  /** Some filter looks at the collection of messages. */
  #asksCollections = false
  #line: Promise<unknown> = Promise.resolve()
  #isClosed = false
  readonly #watch: PollLoop

  constructor(deps: DetectionDeps) {
    this.#deps = deps
    this.#watch = new PollLoop({
      everyMs: WATCH_EVERY_MS,
      pass: () => this.refresh(),
      onError: (error) => deps.log.warn('part.failed', { part: 'filters', error: reportError(error) }),
      news: { from: deps.store.news, topics: ['filters', 'settings'] },
    })
  }

  /** Takes over the filters and begins to watch them. */
  async begin(): Promise<void> {
    if (!this.#deps.settings.threatDetection) return
    await this.refresh()
    this.#watch.begin()
    this.#timers.push(setInterval(() => this.#restWhenIdle(), IDLE_LOOK_MS))
    this.#every(TIDY_EVERY_MS, 'threat counters', () => tidyWindows(this.#deps.store, nowSeconds()))
  }

  /**
   * What detection finds in the messages of a call, packed for the inventory; null when nothing, or nothing is
   * looked for.
   *
   * @throws Failure OVERLOADED when too much is waiting, SHUTTING_DOWN
   */
  async find(input: DetectionInput): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#setup === null) return null
    if (this.#isClosed) throw new Failure('SHUTTING_DOWN', {})
    this.#lastUse = performance.now()
    if (this.#pool === null) {
      this.#pool = this.#newPool()
      // Not waited for: threads take their orders in turn.
      void this.#pool.setUp(this.#setup)
    }
    return this.#pool.detect(input)
  }

  /** Goes by the filters as they are in the store now; settles when every later message is judged by them. */
  refresh(): Promise<void> {
    const refreshed = this.#line.then(() => this.#refresh())
    this.#line = refreshed.catch(() => {}) // the caller hears of it
    return refreshed
  }

  /** Counts since start; null before anything was looked at. */
  figures(): DetectionFigures | null {
    return addUp(this.#past, this.#pool?.figures() ?? null)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#watch.close()
    await this.#line
    await this.#pool?.close()
  }

  async #refresh(): Promise<void> {
    if (this.#isClosed || !this.#deps.settings.threatDetection) return
    const { pool } = this.#deps.store
    const asked = this.#asksCollections ? await collectionRevision(pool) : ''
    const revision = `${await filterRevision(pool)} ${await configurationRevision(pool)} ${asked}`
    if (revision === this.#revision) return
    const filters = await activeFilters(pool)
    this.#asksCollections = filters.some(({ content }) => content.includes('api_collection_id'))
    const setup = {
      filters,
      actors: await actorSetup(pool, this.#deps.settings, this.#deps.sealer),
      ownMark: ownMark(this.#deps.sealer),
      collections: this.#asksCollections ? await hostCollections(pool) : [],
    }
    this.#setup = filters.length > 0 ? setup : null
    if (this.#setup !== null) await this.#pool?.setUp(this.#setup)
    this.#revision = revision
    this.#deps.log.info('threats.filters', { filters: filters.length })
  }

  #newPool(): DetectionPool {
    const threads =
      this.#deps.settings.detectionThreads || Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1))
    return new DetectionPool(threads, {
      onProblems: (problems) => this.#deps.log.warn('threats.unusable', { problems }),
      onReplaced: (reason, message) => this.#deps.log.warn('threats.thread', { reason, message }),
    })
  }

  #restWhenIdle(): void {
    const pool = this.#pool
    if (pool === null || performance.now() - this.#lastUse < IDLE_MS) return
    const figures = pool.figures()
    if (figures.isBusy) return
    this.#past = addUp(this.#past, { ...figures, threads: 0, waitingBytes: 0 })
    this.#pool = null
    void pool.close()
  }

  #every(ms: number, part: string, work: () => Promise<unknown>): void {
    const run = (): void => {
      work().catch((error: unknown) =>
        this.#deps.log.warn('part.failed', { part, error: reportError(error) }),
      )
    }
    this.#timers.push(setInterval(run, ms))
  }
}

function addUp(a: DetectionFigures | null, b: DetectionFigures | null): DetectionFigures | null {
  if (a === null || b === null) return a ?? b
  return {
    threads: b.threads,
    filters: b.filters,
    waitingBytes: b.waitingBytes,
    isBusy: b.isBusy,
    messages: a.messages + b.messages,
    found: a.found + b.found,
    truncated: a.truncated + b.truncated,
    passedOver: a.passedOver + b.passedOver,
    replacedThreads: a.replacedThreads + b.replacedThreads,
    microseconds: a.microseconds + b.microseconds,
  }
}
