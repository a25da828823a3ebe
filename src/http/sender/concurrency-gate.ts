/** Lets at most this many requests be under way at once; the others wait in order of arrival. */
export class ConcurrencyGate {
  readonly #wholeLimit: number
  #limit: number
  #inside = 0
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#wholeLimit = limit
    this.#limit = limit
  }

  /** Leaves an equal part of the limit, at least one, to each of this many that send for the same purpose. */
  divide(among: number): void {
    this.#limit = Math.max(1, Math.floor(this.#wholeLimit / Math.max(1, among)))
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
