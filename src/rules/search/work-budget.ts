import type { SearchBudget } from './search-budget.ts'

/** How many times its limit a budget may last by the clock, however little of the machine this thread got. */
const PATIENCE = 40

/**
 * Time for a piece of work. The clock counts first; when half of the time is over, only what this thread worked itself
 * counts, so that a busy machine cuts nothing short.
 */
export class WorkBudget implements SearchBudget {
  isSpent = false
  readonly #begun = performance.now()
  readonly #half: number
  /** When to look again. */
  #next: number
  /** Time that the thread had worked when the first half was over, in milliseconds; -1 before. */
  #worked = -1

  /** @param limit in milliseconds */
  constructor(limit: number) {
    this.#half = limit / 2
    this.#next = this.#begun + this.#half
  }

  check(): void {
    const now = performance.now()
    if (now < this.#next || this.isSpent) return
    const worked = workedMs()
    if (this.#worked < 0) this.#worked = worked
    const left = this.#half - (worked - this.#worked)
    this.#next = now + left
    this.isSpent = left <= 0 || now - this.#begun > PATIENCE * 2 * this.#half
  }
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
