import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How long the event loop of this thread was held up since the last {@link LoopMonitor.reset}, in milliseconds. */
export interface LoopFigures {
  /** Longest delay by the clock, which other processes of the machine lengthen. */
  readonly delayMs: number
  /** Most work between two looks, by the processor time of this thread: what the program itself did. */
  readonly workMs: number
}

const LOOK_EVERY_MS = 1

/** Watches the event loop of the thread that makes it. */
export class LoopMonitor {
  readonly #delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  #last = workedMs()
  #most = 0
  readonly #looks: NodeJS.Timeout

  constructor() {
    this.#delays.enable()
    this.#looks = setInterval(() => this.#check(), LOOK_EVERY_MS).unref()
  }

  /** Takes a last look. */
  stop(): void {
    this.#check()
    this.#delays.disable()
    clearInterval(this.#looks)
  }

  reset(): void {
    this.#delays.reset()
    this.#most = 0
  }

  read(): LoopFigures {
    return { delayMs: this.#delays.max / 1e6, workMs: this.#most }
  }

  #check(): void {
    const now = workedMs()
    this.#most = Math.max(this.#most, now - this.#last)
    this.#last = now
  }
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
