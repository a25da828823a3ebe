import { withWorkContext } from './tracing.ts'

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
}

/** Makes passes over waiting work: at fixed times and when asked, one at a time, until closed. */
export class PollLoop {
  readonly #options: PollOptions
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #current: Promise<void> | null = null
  #isWanted = false

  constructor(options: PollOptions) {
    this.#options = options
  }

  /** Aborted when the loop is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Makes the first pass, and one after each interval; a pass under way is not followed by one that fell due. */
  begin(): void {
    this.#timer = setInterval(() => {
      if (this.#current === null) void this.poll()
    }, this.#options.everyMs)
    if (this.#options.isUnref === true) this.#timer.unref()
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
    this.#closing.abort()
    await this.#current
  }

  async #passes(): Promise<void> {
    const { pass, onError } = this.#options
    while (this.#isWanted && !this.#closing.signal.aborted) {
      this.#isWanted = false
      try {
        await pass(this.#closing.signal)
      } catch (error) {
        if (!this.#closing.signal.aborted) onError(error)
      }
    }
  }
}
