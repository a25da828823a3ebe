/** A host that is left alone is tried again with one request after so long. */
const PROBE_MS = 30_000

/**
 * Remembers hosts that do not answer, so that a run does not wait for each of a thousand requests. After this many
 * failures in a row a host is left alone for the rest of the run; one request each half minute finds out whether it
 * is back, and an answer to it ends the rest.
 */
export class HostBudget {
  readonly #limit: number
  readonly #failures = new Map<string, { count: number; probeAt: number }>()

  /** @param limit failures in a row */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether a request may go to the host now. True to one caller only when it is time to try again. */
  admits(host: string, nowMs: number): boolean {
    const known = this.#failures.get(host)
    if (known === undefined || known.count < this.#limit) return true
    if (nowMs < known.probeAt) return false
    known.probeAt = nowMs + PROBE_MS
    return true
  }

  succeeded(host: string): void {
    this.#failures.delete(host)
  }

  failed(host: string, nowMs: number): void {
    const count = (this.#failures.get(host)?.count ?? 0) + 1
    this.#failures.set(host, { count, probeAt: nowMs + PROBE_MS })
  }
}
