/** Open for so long a request counts as a long poll, and so does its like from then on. */
const LONG_POLL_MS = 3000
const MAX_LONG_POLLS = 500

/** Requests that are known to stay open; shared by the pages of a context. */
export class LongPolls {
  readonly #known = new Set<string>()

  has(key: string): boolean {
    return this.#known.has(key)
  }

  add(key: string): void {
    if (this.#known.size < MAX_LONG_POLLS) this.#known.add(key)
  }
}

/** Which requests of a page are under way. */
export class InFlight {
  readonly #open = new Map<string, { key: string; sinceMs: number }>()
  readonly #longPolls: LongPolls
  readonly #waiting = new Set<() => void>()
  #lastChangeMs = 0

  constructor(longPolls: LongPolls) {
    this.#longPolls = longPolls
  }

  begin(id: string, url: string): void {
    const key = keyOf(url)
    if (this.#longPolls.has(key)) return
    this.#open.set(id, { key, sinceMs: performance.now() })
    this.#changed()
  }

  end(id: string): void {
    if (this.#open.delete(id)) this.#changed()
  }

  /** Forgets everything: the page shows something else now. */
  clear(): void {
    this.#open.clear()
    this.#changed()
  }

  /**
   * Resolves when nothing has been under way for a time, or at the cap.
   * @returns whether it is quiet
   */
  async quiet(options: { quietMs: number; capMs: number; sinceMs: number }): Promise<boolean> {
    const begunMs = performance.now()
    for (;;) {
      const now = performance.now()
      const openMs = this.#openSince(options.sinceMs, now)
      const quietFromMs = Math.max(this.#lastChangeMs, options.sinceMs, begunMs)
      if (openMs === null && now - quietFromMs >= options.quietMs) return true
      const leftMs = begunMs + options.capMs - now
      if (leftMs <= 0) return false
      const nextMs =
        openMs === null ? quietFromMs + options.quietMs - now : Math.max(10, LONG_POLL_MS - openMs)
      await this.#changeWithin(Math.min(leftMs, nextMs))
    }
  }

  /** How long the longest request is open that counts; null when none is. */
  #openSince(sinceMs: number, now: number): number | null {
    let longest: number | null = null
    for (const [id, { key, sinceMs: begun }] of this.#open) {
      if (now - begun >= LONG_POLL_MS) {
        this.#longPolls.add(key)
        this.#open.delete(id)
      } else if (begun >= sinceMs) longest = Math.max(longest ?? 0, now - begun)
    }
    return longest
  }

  #changed(): void {
    this.#lastChangeMs = performance.now()
    for (const wake of this.#waiting) wake()
  }

  #changeWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.max(1, ms))
      this.#waiting.add(wake)
    })
  }
}

/** Requests to one path are alike, whatever their query says. */
function keyOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}
