import type { CrawlBudget, CrawlEnd } from './crawl-options.ts'

/** Time of a crawl: how much is used, and whether anything new may begin. */
export class Budget {
  readonly #limits: CrawlBudget
  readonly #clock: () => number
  readonly #startedMs: number
  loads = 0

  constructor(limits: CrawlBudget, clock: () => number) {
    this.#limits = limits
    this.#clock = clock
    this.#startedMs = clock()
  }

  /** Active seconds of this process. */
  get seconds(): number {
    return (this.#clock() - this.#startedMs) / 1000
  }

  /** Seconds to the hard end. */
  get left(): number {
    return this.#limits.seconds - this.#limits.spentSeconds - this.seconds
  }

  /** Share of the whole budget that is used, 0 to 1. */
  get share(): number {
    return Math.min(1, 1 - this.left / this.#limits.seconds)
  }

  /** Seconds before the hard end in which nothing new begins. */
  get reserve(): number {
    return Math.min(Math.max(30, this.#limits.seconds * 0.02), this.#limits.seconds * 0.05 + 1)
  }

  /** Why nothing new may begin; null while it may. `idleMs` is the time since the last find. */
  ended(idleMs: number): CrawlEnd | null {
    if (this.left <= this.reserve) return 'budget'
    if (this.#limits.loads !== undefined && this.loads >= this.#limits.loads) return 'budget'
    const patience = this.#limits.saturationSeconds ?? Math.max(600, this.#limits.seconds * 0.2)
    return idleMs > patience * 1000 ? 'saturated' : null
  }
}
