import type { News, NewsTopic } from './news.ts'
import { withWorkContext } from './tracing.ts'

/** Changes that follow each other within this time are one pass. */
const GATHER_MS = 50
const LEAST_MS = 200

/** What makes passes before they fall due. */
export interface PollNews {
  readonly from: News
  readonly topics: readonly NewsTopic[]
  /** Work falls due by the clock, too: passes are as frequent while changes are notified. */
  readonly isTimed?: boolean
  /** Least time between passes that news makes, in milliseconds. The first after a pause is answered at once. */
  readonly leastMs?: number
}

/** When passes are made, and what they do. */
export interface PollOptions {
  /** Time between passes, in milliseconds. */
  readonly everyMs: number
  /** One pass; takes all the work there is, or as much as it has room for. @param closing aborted when the loop is closed */
  readonly pass: (closing: AbortSignal) => Promise<unknown>
  /** Hears of passes that failed; the next one is made as usual. Not called after the loop was closed. */
  readonly onError: (error: unknown) => void
  /** The loop does not keep the process alive. */
  readonly isUnref?: boolean
  readonly news?: PollNews
}

/** Makes passes over waiting work: at fixed times, when asked and on news, one at a time, until closed. */
export class PollLoop {
  readonly #options: PollOptions
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #ignoreNews: () => void = () => {}
  #current: Promise<void> | null = null
  #isWanted = false
  #begunMs = 0
  #newsMs = Number.NEGATIVE_INFINITY
  #hasFailed = false

  constructor(options: PollOptions) {
    this.#options = options
  }

  /** Aborted when the loop is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Makes the first pass, and one after each interval; a pass under way is not followed by one that fell due. */
  begin(): void {
    const { everyMs, isUnref, news } = this.#options
    this.#timer = setInterval(() => {
      if (this.#current === null && !this.#isQuiet()) void this.poll()
    }, everyMs)
    if (isUnref === true) this.#timer.unref()
    if (news !== undefined) this.#ignoreNews = news.from.on(news.topics, () => this.#pollSoon())
    void this.poll()
  }

  /** Makes a pass now, or another one after that under way; resolves, never rejects, when both are done. */
  poll(): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve()
    this.#isWanted = true
    // The work that a pass takes is not done for the caller that asked for the pass.
    this.#current ??= withWorkContext(null, () => this.#passes()).finally(() => {
      this.#current = null
    })
    return this.#current
  }

  /** Makes no further pass; resolves when the one under way is done. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#gathering)
    this.#ignoreNews()
    this.#closing.abort()
    await this.#current
  }

  #pollSoon(): void {
    if (this.#gathering !== undefined) return
    const leastMs = this.#options.news?.leastMs ?? LEAST_MS
    const waitMs = Math.max(GATHER_MS, this.#newsMs + leastMs - performance.now())
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      this.#newsMs = performance.now()
      void this.poll()
    }, waitMs).unref()
  }

  /** Changes are notified, and it is not long since the last pass. */
  #isQuiet(): boolean {
    const { news } = this.#options
    if (news === undefined || news.isTimed === true || this.#hasFailed) return false
    return performance.now() - this.#begunMs < news.from.quietMs
  }

  async #passes(): Promise<void> {
    const { pass, onError } = this.#options
    while (this.#isWanted && !this.#closing.signal.aborted) {
      this.#isWanted = false
      this.#begunMs = performance.now()
      try {
        await pass(this.#closing.signal)
        this.#hasFailed = false
      } catch (error) {
        if (!this.#closing.signal.aborted) onError(error)
        this.#hasFailed = true // what it was to see is still to be seen
      }
    }
  }
}
