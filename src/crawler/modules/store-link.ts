import type { Store } from '../../store/index.ts'
import type { LearnedFact, LearnedNews } from '../explore/learned.ts'
import { takeCodeStep } from '../records/code-steps.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'
import { countCaptured, saveFrame } from '../records/crawl-leftovers.ts'
import { saveLog } from '../records/crawl-log.ts'
import { keepCrawl, noteLogin } from '../records/crawl-states.ts'
import { saveSteps } from '../records/crawl-steps.ts'
import { saveUrls } from '../records/crawl-urls.ts'
import { goOnAlone, keepWorker, noteIdle } from '../records/crawl-workers.ts'
import { shareLearned } from '../records/learned-facts.ts'
import { StoredFrontier } from '../records/stored-frontier.ts'
import type { CrawlBatch, CrawlLink, LinkSignal } from './crawl-link.ts'

/** Lease of a crawl whose process resumes where it was. */
export const resumableLeaseSeconds = 60

/** Takes captured exchanges into the inventory; resolves once they are committed. */
export type TakeMessages = (messages: readonly string[]) => Promise<{ readonly accepted: number }>

/** What becomes of what a crawl tells. */
export interface CrawlIntake {
  readonly take: TakeMessages
  /** Gives what masks the URLs in a text that lists and logs show. */
  readonly urlMask: () => Promise<(text: string) => string>
}

/** The link of the process that owns the store. */
export class StoreLink implements CrawlLink {
  readonly frontier: StoredFrontier
  readonly #store: Store
  readonly #crawlId: string
  readonly #holder: string
  readonly #intake: CrawlIntake
  readonly #companion: { readonly leave: AbortSignal } | null

  /**
   * @param holder who has the crawl, or the companion; heartbeats of anybody else find it gone
   * @param companion works on the crawl of somebody else, until that ends or the signal comes; null has it
   */
  constructor(
    store: Store,
    crawlId: string,
    holder: string,
    intake: CrawlIntake,
    companion: { readonly leave: AbortSignal } | null = null,
  ) {
    this.#companion = companion
    this.#store = store
    this.#crawlId = crawlId
    this.#holder = holder
    this.#intake = intake
    this.frontier = new StoredFrontier(store, crawlId, holder)
  }

  async deliver({ urls, messages, steps, logs }: CrawlBatch): Promise<void> {
    const mask = await this.#intake.urlMask()
    await saveUrls(this.#store, this.#crawlId, urls, mask)
    await saveSteps(this.#store, this.#crawlId, steps, mask)
    await saveLog(this.#store, this.#crawlId, logs, mask)
    if (messages.length === 0) return
    const { accepted } = await this.#intake.take(messages)
    await countCaptured(this.#store, this.#crawlId, accepted)
  }

  exchange(since: number, news: readonly LearnedFact[]): Promise<LearnedNews> {
    return shareLearned(this.#store, this.#crawlId, since, news)
  }

  idle(isIdle: boolean): Promise<void> {
    return noteIdle(this.#store, this.#crawlId, this.#holder, isIdle)
  }

  async beat(activeMs: number): Promise<LinkSignal | null> {
    if (this.#companion !== null) {
      const signs = await keepWorker(this.#store, this.#crawlId, this.#holder, resumableLeaseSeconds)
      return signs && { ...signs, isStopRequested: signs.isStopRequested || this.#companion.leave.aborted }
    }
    return keepCrawl(this.#store, this.#crawlId, {
      holder: this.#holder,
      leaseSeconds: resumableLeaseSeconds,
      activeMs,
    })
  }

  frame(frame: CrawlFrame): Promise<void> {
    return saveFrame(this.#store, this.#crawlId, frame)
  }

  takeCodeStep(digest: string, step: number): Promise<number> {
    return takeCodeStep(this.#store, digest, step)
  }

  alone(): Promise<void> {
    return goOnAlone(this.#store, this.#crawlId)
  }

  async loggedIn(error: string | null): Promise<void> {
    if (this.#companion === null) return noteLogin(this.#store, this.#crawlId, error)
    if (error !== null) await goOnAlone(this.#store, this.#crawlId)
  }
}
