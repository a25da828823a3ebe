/** What waits for a signal, and whether it was aborted. */
interface Watched {
  readonly stops: Set<() => void>
  isAborted: boolean
}

/**
 * Calls back when a signal is aborted. Thousands of requests share the few signals of a run, and a listener for each
 * request would be the dearest part of sending it, so each signal gets one listener for all of them. Asking a signal
 * that was made of others whether it was aborted is dear too, so the listener remembers it.
 */
export class AbortWatch {
  readonly #watched = new WeakMap<AbortSignal, Watched>()

  isAborted(signal: AbortSignal): boolean {
    return this.#of(signal).isAborted
  }

  /** Whether the signal was aborted already; otherwise `stop` is called when it is, until {@link leave}. */
  watch(signal: AbortSignal, stop: () => void): boolean {
    const watched = this.#of(signal)
    if (watched.isAborted) return true
    watched.stops.add(stop)
    return false
  }

  leave(signal: AbortSignal, stop: () => void): void {
    this.#watched.get(signal)?.stops.delete(stop)
  }

  #of(signal: AbortSignal): Watched {
    const known = this.#watched.get(signal)
    if (known !== undefined) return known
    const made: Watched = { stops: new Set(), isAborted: signal.aborted }
    this.#watched.set(signal, made)
    if (!made.isAborted)
      signal.addEventListener(
        'abort',
        () => {
          made.isAborted = true
          for (const stop of made.stops) stop()
          made.stops.clear()
        },
        { once: true },
      )
    return made
  }
}
