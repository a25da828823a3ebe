/** After so many failures in a row a host is left alone. */
const MAX_FAILURES = 10
const PAUSE_MS = 30_000

/** Remembers hosts that do not answer, so that a run does not wait for each of a thousand requests. */
export class HostBudget {
  readonly #failures = new Map<string, { count: number; until: number }>()

  /** True while the host is left alone. */
  isSpent(host: string, nowMs: number): boolean {
    const known = this.#failures.get(host)
    return known !== undefined && known.count >= MAX_FAILURES && nowMs < known.until
  }

  succeeded(host: string): void {
    this.#failures.delete(host)
  }

  failed(host: string, nowMs: number): void {
    const count = (this.#failures.get(host)?.count ?? 0) + 1
    this.#failures.set(host, { count, until: nowMs + PAUSE_MS })
  }
}
