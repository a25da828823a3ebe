/** Something that must be done within a time. */
export interface Timed {
  /** Called once when the time is over. */
  late(ms: number): void
}

/**
 * Calls what is late. Thousands of requests have the same time each, so they wait in one queue, the oldest in front, and
 * one timer looks at its head: a timer for each request would be among the dearest parts of sending it.
 */
export class DeadlineLine {
  readonly #ms: number
  /** When the time of each is over; in order, for each gets the same time. */
  readonly #ends = new Map<Timed, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(ms: number) {
    this.#ms = ms
  }

  enter(one: Timed): void {
    this.#ends.set(one, performance.now() + this.#ms)
    if (this.#timer === null) this.#arm(this.#ms)
  }

  leave(one: Timed): void {
    this.#ends.delete(one)
  }

  #arm(ms: number): void {
    // What is waited for keeps the process alive on its own.
    this.#timer = setTimeout(() => this.#check(), Math.max(1, Math.ceil(ms))).unref()
  }

  #check(): void {
    this.#timer = null
    for (const [one, end] of this.#ends) {
      const left = end - performance.now()
      if (left > 0) {
        if (this.#timer === null) this.#arm(left)
        return
      }
      this.#ends.delete(one)
      one.late(this.#ms)
    }
  }
}
