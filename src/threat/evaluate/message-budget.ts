import type { SearchBudget } from '../../rules/index.ts'

/** Longest time in which a message is given up however little of it this thread got, in milliseconds. */
const MAX_WAIT_MS = 2_000

/**
 * The time that one message may take. The clock counts first; when half of the time is over, only what this thread
 * worked itself counts, so that a busy machine cuts no message short.
 */
export class MessageBudget implements SearchBudget {
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
    this.isSpent = left <= 0 || now - this.#begun > MAX_WAIT_MS
  }
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
