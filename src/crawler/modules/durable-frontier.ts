import { setTimeout as pause } from 'node:timers/promises'
import type { Frontier, FrontierCounts, LeasedItem, WorkItem, WorkKind } from '../explore/frontier.ts'
import type { CrawlLink } from './crawl-link.ts'
import type { Outbox } from './outbox.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'

/** Within this time the death of a browser is noticed; what ends sooner may have ended by it. */
const NOTICE_MS = 30
/** A piece of work under which the browser died so often has failed. */
const MAX_CRASHES = 3

interface Taken {
  readonly item: LeasedItem
  readonly atMs: number
}

/**
 * The frontier of the link, in which a piece of work ends only once all that was captured up to then is committed: work
 * of a process that dies before is done again. So is work under which the browser died, however it seemed to end.
 */
export class DurableFrontier implements Frontier {
  readonly #frontier: Frontier
  readonly #outbox: Outbox
  readonly #crashedAt: () => number
  readonly #signal: AbortSignal
  readonly #taken = new Map<string, Taken>()
  readonly #crashes = new Map<string, number>()

  /** @param crashedAt when the browser died last, by `performance.now()`; -1 when it never did */
  constructor({ frontier }: CrawlLink, outbox: Outbox, crashedAt: () => number, signal: AbortSignal) {
    this.#frontier = frontier
    this.#outbox = outbox
    this.#crashedAt = crashedAt
    this.#signal = signal
  }

  add(items: readonly WorkItem[]): Promise<number> {
    return this.#persist(() => this.#frontier.add(items))
  }

  async take(kind: WorkKind): Promise<LeasedItem | null> {
    const item = await this.#persist(() => this.#frontier.take(kind))
    if (item !== null) this.#taken.set(item.id, { item, atMs: performance.now() })
    return item
  }

  renew(id: string): Promise<void> {
    return this.#persist(() => this.#frontier.renew(id))
  }

  async done(id: string): Promise<void> {
    if (await this.#isCutOff(id)) return
    await this.#persist(() => this.#frontier.done(id))
  }

  async putBack(id: string, change: { readonly priority: number; readonly payload: string }): Promise<void> {
    if (await this.#isCutOff(id)) return
    await this.#persist(() => this.#frontier.putBack(id, change))
  }

  async fail(id: string, reason: string): Promise<boolean> {
    if (await this.#isCutOff(id)) return true
    return this.#persist(() => this.#frontier.fail(id, reason))
  }

  counts(): Promise<FrontierCounts> {
    return this.#persist(() => this.#frontier.counts())
  }

  /** Brings in what was captured; work that the death of the browser cut off is put back as it was taken. */
  async #isCutOff(id: string): Promise<boolean> {
    const [taken] = await Promise.all([this.#taken.get(id), this.#outbox.flushed(), pause(NOTICE_MS)])
    this.#taken.delete(id)
    if (taken === undefined || this.#crashedAt() < taken.atMs) return false
    const crashes = (this.#crashes.get(id) ?? 0) + 1
    this.#crashes.set(id, crashes)
    if (crashes > MAX_CRASHES) return false
    const { priority, payload } = taken.item
    await this.#persist(() => this.#frontier.putBack(id, { priority, payload }))
    return true
  }

  #persist<T>(call: () => Promise<T>): Promise<T> {
    return retryWithBackoff(call, this.#signal)
  }
}
