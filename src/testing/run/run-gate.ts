/**
 * Lets at most this many pairs of an execution run at once in this process, over all shards that it has. The limit may
 * change at any time: those that run go on, and the next waits until there is room.
 */
export class RunGate {
  #limit: number
  #running = 0
  readonly #waiting = new Set<() => void>()

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  set limit(limit: number) {
    this.#limit = Math.max(1, limit)
    this.#admit()
  }

  /** More could run than do. */
  get hasRoom(): boolean {
    return this.#running < this.#limit
  }

  /** Resolves when one more may run, with its place taken; also when the signal is aborted, for its caller to see. */
  enter(signal: AbortSignal): Promise<void> {
    if (this.hasRoom || signal.aborted) {
      this.#running++
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const go = (): void => {
        this.#waiting.delete(go)
        signal.removeEventListener('abort', go)
        this.#running++
        resolve()
      }
      this.#waiting.add(go)
      signal.addEventListener('abort', go, { once: true })
    })
  }

  leave(): void {
    this.#running--
    this.#admit()
  }

  #admit(): void {
    while (this.hasRoom) {
      const [next] = this.#waiting
      if (next === undefined) return
      next()
    }
  }
}
