import type { CrawlPorts } from './crawl-ports.ts'

/** What a helper says of being idle, one call after the other; nothing in a crawl's own process. */
export class IdleReport {
  readonly #helper: CrawlPorts['helper']
  #isIdle = false
  #saying: Promise<void> = Promise.resolve()

  constructor(helper: CrawlPorts['helper']) {
    this.#helper = helper
  }

  /** Says it where it has changed. */
  async say(isIdle: boolean): Promise<void> {
    if (isIdle === this.#isIdle) return
    this.#isIdle = isIdle
    this.#saying = this.#saying.then(() => this.#helper?.idle(isIdle))
    await this.#saying
  }
}
