/** Lets at most this many requests be under way at once; the others wait in order of arrival. */
export class ConcurrencyGate {
  #limit: number
  #inside = 0
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many are inside; more than the limit only for a while after it fell. */
  get inside(): number {
    return this.#inside
  }

  /** Those inside stay; 0 lets nobody in. */
  set limit(limit: number) {
    this.#limit = limit
    this.#admit()
  }

  /** Takes an entrance if one is free; every entrance ends with {@link leave}. */
  tryEnter(): boolean {
    if (this.#inside >= this.#limit) return false
    this.#inside++
    return true
  }

  /** Resolves with the entrance taken; rejects when the signal is aborted. */
  enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.tryEnter()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(go)
        reject(signal.reason)
      }
      const go = (): void => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      this.#waiting.add(go)
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  leave(): void {
    this.#inside--
    this.#admit()
  }

  #admit(): void {
    for (const next of this.#waiting) {
      if (!this.tryEnter()) return
      this.#waiting.delete(next)
      next()
    }
  }
}
