import type { Store } from '../../store/index.ts'
import type { LearnedFact, LearnedNews } from '../explore/learned.ts'
import { takeCodeStep } from '../records/code-steps.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'
import { countCaptured, saveFrame } from '../records/crawl-leftovers.ts'
import { saveLog } from '../records/crawl-log.ts'
import { keepCrawl, noteLogin } from '../records/crawl-states.ts'
import { saveSteps } from '../records/crawl-steps.ts'
import { saveUrls } from '../records/crawl-urls.ts'
import { keepWorker, noteIdle, stopSharing } from '../records/crawl-workers.ts'
import { shareLearned } from '../records/learned-facts.ts'
import { StoredFrontier } from '../records/stored-frontier.ts'
import type { CrawlBatch, CrawlLink, LinkSignal } from './crawl-link.ts'

/** Lease of a crawl whose process resumes where it was. */
export const resumableLeaseSeconds = 60

/** Takes captured exchanges into the inventory; resolves once they are committed. */
export type TakeMessages = (messages: readonly string[]) => Promise<{ readonly accepted: number }>

/** What becomes of what a crawl tells. */
interface CrawlIntake {
  readonly take: TakeMessages
  /** Gives what masks the URLs in a text that lists and logs show. */
  readonly urlMask: () => Promise<(text: string) => string>
}

/** The link of the process that owns the store. */
export class StoreLink implements CrawlLink {
  readonly frontier: StoredFrontier
  readonly #store: Store
  readonly #crawlId: string
  readonly #leaseOwner: string
  readonly #intake: CrawlIntake
  readonly #helper: { readonly leave: AbortSignal } | null

  /**
   * @param leaseOwner who has the crawl, or the helper; heartbeats of anybody else find it gone
   * @param helper works on the crawl of somebody else, until that ends or the signal comes; null has it
   */
  constructor(
    store: Store,
    crawlId: string,
    leaseOwner: string,
    intake: CrawlIntake,
    helper: { readonly leave: AbortSignal } | null = null,
  ) {
    this.#helper = helper
    this.#store = store
    this.#crawlId = crawlId
    this.#leaseOwner = leaseOwner
    this.#intake = intake
    this.frontier = new StoredFrontier(store, crawlId, leaseOwner)
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
    return noteIdle(this.#store, this.#crawlId, this.#leaseOwner, isIdle)
  }

  async beat(activeMs: number): Promise<LinkSignal | null> {
    if (this.#helper !== null) {
      const signs = await keepWorker(this.#store, this.#crawlId, this.#leaseOwner, resumableLeaseSeconds)
      return signs && { ...signs, isStopRequested: signs.isStopRequested || this.#helper.leave.aborted }
    }
    return keepCrawl(this.#store, this.#crawlId, {
      leaseOwner: this.#leaseOwner,
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
    return stopSharing(this.#store, this.#crawlId)
  }

  async loggedIn(error: string | null): Promise<void> {
    if (this.#helper === null) return noteLogin(this.#store, this.#crawlId, error)
    if (error !== null) await stopSharing(this.#store, this.#crawlId)
  }
}
