/**
 * Calls back when a signal is aborted. Thousands of requests share the few signals of a run, and a listener for each
 * request would be the dearest part of sending it, so each signal gets one listener for all of them.
 */
export class AbortWatch {
  readonly #watched = new WeakMap<AbortSignal, Set<() => void>>()

  /** Whether the signal was aborted already; otherwise `stop` is called when it is, until {@link leave}. */
  watch(signal: AbortSignal, stop: () => void): boolean {
    if (signal.aborted) return true
    let stops = this.#watched.get(signal)
    if (stops === undefined) {
      const made = new Set<() => void>()
      signal.addEventListener('abort', () => this.#callAll(made), { once: true })
      this.#watched.set(signal, made)
      stops = made
    }
    stops.add(stop)
    return false
  }

  leave(signal: AbortSignal, stop: () => void): void {
    this.#watched.get(signal)?.delete(stop)
  }

  #callAll(stops: Set<() => void>): void {
    for (const stop of stops) stop()
    stops.clear()
  }
}
