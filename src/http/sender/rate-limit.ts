import { delay } from './delay.ts'

/** A burst is at most what a tenth of a second brings: enough to make up for a late timer, too little to be felt. */
const BURST_MS = 100

/**
 * Lets this many requests a minute pass to each host: a token bucket that fills evenly and is kept as the time when the
 * next token is due. In no minute do more pass than the limit and the small burst.
 */
export class RateLimit {
  readonly #wholeGapMs: number
  #gapMs: number
  readonly #nextAt = new Map<string, number>()

  /** @param perMinute requests a minute and host; 0 sets no limit */
  constructor(perMinute: number) {
    this.#wholeGapMs = perMinute > 0 ? 60_000 / perMinute : 0
    this.#gapMs = this.#wholeGapMs
  }

  /** Leaves an equal part of the limit to each of this many that send to the same hosts. */
  divide(among: number): void {
    this.#gapMs = this.#wholeGapMs * Math.max(1, among)
  }

  /** True when no request ever waits. */
  get isOff(): boolean {
    return this.#gapMs === 0
  }

  /** Resolves when the next request to the host may go; rejects when the signal is aborted meanwhile. */
  async pass(host: string, signal: AbortSignal): Promise<void> {
    if (this.#gapMs === 0) return
    const now = performance.now()
    const at = Math.max(this.#nextAt.get(host) ?? 0, now - BURST_MS)
    this.#nextAt.set(host, at + this.#gapMs)
    if (at > now) await delay(at - now, signal)
  }
}
