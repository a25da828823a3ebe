/** Lets at most so many requests be under way at once; the others wait in order of arrival. */
export class ConcurrencyGate {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#free = limit
  }

  /** Takes an entrance if one is free; every entrance ends with {@link leave}. */
  tryEnter(): boolean {
    if (this.#free === 0) return false
    this.#free--
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
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
