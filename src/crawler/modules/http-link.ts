import type { Client } from '../../contract/client.ts'
import type { Frontier, LeasedItem, WorkItem, WorkKind } from '../explore/frontier.ts'
import type { LearnedFact, LearnedNews } from '../explore/learned.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'
import type { CrawlBatch, CrawlLink, LinkSignal } from './crawl-link.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'

/** The link of a module on another machine: every call is an operation of the server. */
export class HttpLink implements CrawlLink {
  readonly frontier: Frontier
  readonly idle: CrawlLink['idle']
  readonly alone: CrawlLink['alone']
  readonly #client: Client
  readonly #crawlId: string
  readonly #collectionId: number
  readonly #signal: AbortSignal
  readonly #helper: { readonly worker: string; readonly leave: AbortSignal } | null

  /**
   * @param signal ends the attempts to reach a server that is away
   * @param helper works on the crawl of somebody else, until that ends or its signal comes; null has it
   */
  constructor(
    client: Client,
    crawl: { readonly crawlId: string; readonly collectionId: number },
    signal: AbortSignal,
    helper: { readonly worker: string; readonly leave: AbortSignal } | null = null,
  ) {
    this.#helper = helper
    this.#client = client
    this.#crawlId = crawl.crawlId
    this.#collectionId = crawl.collectionId
    this.#signal = signal
    const { crawlId } = crawl
    const worker = helper?.worker ?? null
    const sync = (change: Omit<Parameters<typeof client.op.syncCrawlWork>[0], 'crawlId' | 'worker'>) =>
      this.#persist(() => client.op.syncCrawlWork({ crawlId, worker, ...change }))
    this.alone = async () => void (await sync({ alone: true }))
    this.idle = async (isIdle) => void (await sync({ idle: isIdle }))
    this.frontier = {
      add: async (items: readonly WorkItem[]) => (await sync({ added: [...items] })).added,
      take: async (kind: WorkKind) => (await sync({ take: kind })).taken as LeasedItem | null,
      renew: async (id) => void (await sync({ renewed: [id] })),
      done: async (id) => void (await sync({ done: [id] })),
      putBack: async (id, change) => void (await sync({ putBack: [{ id, ...change }] })),
      fail: async (id, reason) =>
        (await sync({ failed: [{ id, reason: reason.slice(0, 2000) }] })).triedAgain.includes(id),
      counts: async () => {
        const { waiting, leased, helpers } = await sync({})
        return {
          waiting: {
            load: waiting['load'] ?? 0,
            explore: waiting['explore'] ?? 0,
            probe: waiting['probe'] ?? 0,
          },
          leased,
          helpers,
        }
      },
    }
  }

  async deliver({ urls, messages, steps, logs }: CrawlBatch): Promise<void> {
    const { op } = this.#client
    const crawlId = this.#crawlId
    if (urls.length > 0) {
      const sent = urls.map(({ isAccepted, foundAt, ...found }) => ({
        ...found,
        accepted: isAccepted,
        timestamp: foundAt,
      }))
      await op.saveCrawlerUrlsBatch({ crawlId, crawlUrlsBatch: JSON.stringify(sent) })
    }
    if (steps.length > 0) {
      await op.uploadCrawlerGraph({
        crawlId,
        steps: steps.map((step) => ({ ...step, calls: [...step.calls] })),
      })
    }
    for (const { at, level, line } of logs)
      await op.insertDastLog({ crawlId, log: { log: line, key: level, timestamp: at } })
    if (messages.length === 0) return
    await op.uploadCrawlerDataBatch({
      crawlId,
      apiCollectionId: this.#collectionId,
      crawlerDataList: [...messages],
    })
  }

  async exchange(since: number, news: readonly LearnedFact[]): Promise<LearnedNews> {
    return this.#client.op.shareCrawlFacts({ crawlId: this.#crawlId, since, facts: [...news] })
  }

  async beat(activeMs: number): Promise<LinkSignal | null> {
    const { status, isWatched, workers } = await this.#client.op.checkCrawlStatus({
      crawlId: this.#crawlId,
      ...(this.#helper === null ? { activeSeconds: activeMs / 1000 } : { worker: this.#helper.worker }),
    })
    if (status !== 'RUNNING' && status !== 'PENDING' && status !== 'STOP_REQUESTED') return null
    if (this.#helper !== null && workers === 0) return null
    const isStopRequested = status === 'STOP_REQUESTED' || this.#helper?.leave.aborted === true
    return { isStopRequested, isWatched, workers }
  }

  async frame({ frame, url, takenAt }: CrawlFrame): Promise<void> {
    await this.#client.op.uploadCrawlerFrame({
      crawlId: this.#crawlId,
      frameData: frame,
      currentUrl: url,
      timestamp: takenAt,
    })
  }

  async loggedIn(error: string | null): Promise<void> {
    const worker = this.#helper?.worker ?? null
    await this.#persist(() => this.#client.op.reportCrawlLogin({ crawlId: this.#crawlId, error, worker }))
  }

  async takeCodeStep(digest: string, step: number): Promise<number> {
    return (await this.#client.op.takeCrawlCodeStep({ crawlId: this.#crawlId, digest, step })).step
  }

  #persist<T>(call: () => Promise<T>): Promise<T> {
    return retryWithBackoff(call, this.#signal)
  }
}
