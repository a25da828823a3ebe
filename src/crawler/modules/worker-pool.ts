import { nowSeconds } from '../../kit/index.ts'
import type { CrawlLink } from './crawl-link.ts'
import type { Outbox } from './outbox.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'

/** Those who work on a crawl together. */
export class WorkerPool {
  readonly #link: CrawlLink
  readonly #outbox: Outbox
  readonly #signal: AbortSignal
  #isAlone = false
  /** How many there are, as far as is known. */
  workers: number

  /** @param signal ends the attempts to reach the server */
  constructor(link: CrawlLink, outbox: Outbox, signal: AbortSignal, workers: number) {
    this.#link = link
    this.#outbox = outbox
    this.#signal = signal
    this.workers = workers
  }

  /** Helpers leave, and nobody joins any more. @param why for the log, where there are any */
  stopSharing(why: string): void {
    if (this.#isAlone) return
    this.#isAlone = true
    if (this.workers > 1) {
      const line = `${why}: the crawl continues with one worker`
      this.#outbox.push({ log: { at: nowSeconds(), level: 'info', line } })
    }
    retryWithBackoff(() => this.#link.alone(), this.#signal).catch(() => {
      // The crawl is over, or the server away for long: then it is asked again when there is reason again.
      this.#isAlone = false
    })
  }
}
