import type { Store } from '../../store/index.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'
import { countCaptured, loadMemory, saveFrame, saveMemory } from '../records/crawl-leftovers.ts'
import { saveLog } from '../records/crawl-log.ts'
import { keepCrawl, noteLogin } from '../records/crawl-states.ts'
import { saveSteps } from '../records/crawl-steps.ts'
import { saveUrls } from '../records/crawl-urls.ts'
import { StoredFrontier } from '../records/stored-frontier.ts'
import type { CrawlBatch, CrawlLink, LinkSignal } from './crawl-link.ts'

/** Lease of a crawl whose process resumes where it was. */
export const resumableLeaseSeconds = 60

/** Takes captured exchanges into the inventory; resolves once they are committed. */
export type TakeMessages = (messages: readonly string[]) => Promise<{ readonly accepted: number }>

/** The link of the process that owns the store. */
export class StoreLink implements CrawlLink {
  readonly frontier: StoredFrontier
  readonly #store: Store
  readonly #crawlId: string
  readonly #holder: string
  readonly #take: TakeMessages

  /** @param holder who has the crawl; signs of life of anybody else find it gone */
  constructor(store: Store, crawlId: string, holder: string, take: TakeMessages) {
    this.#store = store
    this.#crawlId = crawlId
    this.#holder = holder
    this.#take = take
    this.frontier = new StoredFrontier(store, crawlId, holder)
  }

  async deliver({ urls, messages, steps, logs }: CrawlBatch): Promise<void> {
    await saveUrls(this.#store, this.#crawlId, urls)
    await saveSteps(this.#store, this.#crawlId, steps)
    await saveLog(this.#store, this.#crawlId, logs)
    if (messages.length === 0) return
    const { accepted } = await this.#take(messages)
    await countCaptured(this.#store, this.#crawlId, accepted)
  }

  loadMemory(): Promise<string | null> {
    return loadMemory(this.#store, this.#crawlId)
  }

  saveMemory(text: string): Promise<void> {
    return saveMemory(this.#store, this.#crawlId, text)
  }

  beat(activeMs: number): Promise<LinkSignal | null> {
    return keepCrawl(this.#store, this.#crawlId, {
      holder: this.#holder,
      leaseSeconds: resumableLeaseSeconds,
      activeMs,
    })
  }

  frame(frame: CrawlFrame): Promise<void> {
    return saveFrame(this.#store, this.#crawlId, frame)
  }

  loggedIn(error: string | null): Promise<void> {
    return noteLogin(this.#store, this.#crawlId, error)
  }
}
