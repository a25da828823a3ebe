import { type ResourceLimits, Worker } from 'node:worker_threads'
import { Failure } from './failure.ts'
import { ThreadCalls, type ThreadMethods } from './thread-calls.ts'

/** What an on-demand thread runs, and within which limits. */
export interface OnDemandThreadOptions {
  readonly module: URL
  /** Only a thread that needs more memory ends: its calls are refused with ERR_WORKER_OUT_OF_MEMORY. */
  readonly limits: ResourceLimits
  /** A thread that nobody used for this time is ended. */
  readonly idleMs: number
}

/**
 * A thread that starts when it is needed and ends when idle. When it dies, what waits for it is refused, and the next
 * use starts another. It does not keep the process alive.
 */
export class OnDemandThread<Theirs extends ThreadMethods> {
  readonly #options: OnDemandThreadOptions
  #thread: { readonly worker: Worker; readonly calls: ThreadCalls<Theirs> } | null = null
  #uses = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: OnDemandThreadOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#thread !== null
  }

  /** Work with the thread, which stays until the work is done. @throws what the work throws */
  async use<T>(work: (calls: ThreadCalls<Theirs>) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle)
    this.#uses++
    this.#thread ??= this.#start()
    try {
      return await work(this.#thread.calls)
    } finally {
      this.#uses--
      if (this.#uses === 0 && this.#thread !== null) {
        clearTimeout(this.#idle)
        this.#idle = setTimeout(() => void this.end(), this.#options.idleMs).unref()
      }
    }
  }

  /** Ends the thread; what waits for it is refused with `reason`. */
  async end(reason: Error = new Failure('SHUTTING_DOWN')): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = null
    thread?.calls.end(reason)
    await thread?.worker.terminate()
  }

  #start(): { worker: Worker; calls: ThreadCalls<Theirs> } {
    const worker = new Worker(this.#options.module, { resourceLimits: this.#options.limits })
    const thread = { worker, calls: new ThreadCalls<Theirs>(worker, {}) }
    const died = (error: Error): void => {
      if (this.#thread === thread) this.#thread = null
      thread.calls.end(error)
    }
    worker.on('error', (error) => died(error as Error))
    worker.on('exit', () => died(new Failure('SHUTTING_DOWN')))
    worker.unref()
    return thread
  }
}
