import { nowMs } from '../../kit/index.ts'

/** Lets so many requests a minute pass to each host, spread evenly; a short burst is allowed. */
export class RateLimit {
  readonly #perMinute: number
  readonly #nextAt = new Map<string, number>()

  /** @param perMinute requests a minute and host; 0 sets no limit */
  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Resolves when the next request to the host may go; rejects when the signal is aborted meanwhile. */
  async pass(host: string, signal: AbortSignal): Promise<void> {
    if (this.#perMinute <= 0) return
    const gapMs = 60_000 / this.#perMinute
    const now = nowMs()
    const at = Math.max(this.#nextAt.get(host) ?? 0, now - gapMs)
    this.#nextAt.set(host, at + gapMs)
    if (at > now) await delay(at - now, signal)
  }
}

/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const done = (): void => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
