import { delay } from '../../http/index.ts'

/** Pause between requests that a first sign of overload brings, where there is no limit. */
const FIRST_GAP_MS = 200
const MAX_GAP_MS = 10_000
/** So many good answers in a row halve the pause again. */
const GOOD_ANSWERS = 20
/** Statuses by which a server says that it has enough (RFC 6585 section 4, RFC 9110 section 15.6.4). */
const OVERLOAD = new Set([429, 503])

interface Host {
  gapMs: number
  nextAt: number
  good: number
}

/** How fast each host is asked: at most at a limit, and slower while it says that it has enough. */
export class TargetPace {
  readonly #wholeGapMs: number
  #leastGapMs: number
  readonly #hosts = new Map<string, Host>()

  /** @param perMinute requests a minute and host; 0 sets no limit */
  constructor(perMinute: number) {
    this.#wholeGapMs = perMinute > 0 ? 60_000 / perMinute : 0
    this.#leastGapMs = this.#wholeGapMs
  }

  /** So many processes have the limit in common from now on. */
  shareAmong(processes: number): void {
    const gapMs = this.#wholeGapMs * Math.max(1, processes)
    if (gapMs === this.#leastGapMs) return
    for (const host of this.#hosts.values())
      if (host.gapMs === this.#leastGapMs || host.gapMs < gapMs) host.gapMs = gapMs
    this.#leastGapMs = gapMs
  }

  /** Resolves when the next request to the host may go; rejects when the signal is aborted meanwhile. */
  async pass(host: string, signal: AbortSignal): Promise<void> {
    const state = this.#of(host)
    if (state.gapMs === 0) return
    const now = performance.now()
    const at = Math.max(state.nextAt, now)
    state.nextAt = at + state.gapMs
    if (at > now) await delay(at - now, signal)
  }

  /** An answer of the host. */
  heard(host: string, status: number): void {
    const state = this.#of(host)
    if (OVERLOAD.has(status)) {
      state.good = 0
      state.gapMs = Math.min(MAX_GAP_MS, Math.max(FIRST_GAP_MS, state.gapMs * 2))
    } else if (state.gapMs > this.#leastGapMs && ++state.good >= GOOD_ANSWERS) {
      state.good = 0
      const gapMs = state.gapMs / 2
      state.gapMs = gapMs < FIRST_GAP_MS ? this.#leastGapMs : Math.max(this.#leastGapMs, gapMs)
    }
  }

  /** Pause between requests to a host, in milliseconds. */
  gapMs(host: string): number {
    return this.#of(host).gapMs
  }

  #of(host: string): Host {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const made: Host = { gapMs: this.#leastGapMs, nextAt: 0, good: 0 }
    this.#hosts.set(host, made)
    return made
  }
}
