/** How long a request is open before it may be a long poll; a request that waits to be sent is then not waited for. */
const LONG_POLL_MS = 3000
const MAX_PATHS = 1000
/** Number of slow answers after which a path counts as a long poll. */
const LONG_ANSWERS = 2
const SOON_FOR_LONG = 3

/**
 * Requests that servers keep open on purpose; shared by the pages of a context. One slow answer may be due to a slow
 * machine, and a long poll is answered quickly when there is news.
 */
export class LongPolls {
  readonly #paths = new Map<string, { long: number; soon: number }>()

  has(key: string): boolean {
    const { long, soon } = this.#paths.get(key) ?? { long: 0, soon: 0 }
    return long >= LONG_ANSWERS && soon < long * SOON_FOR_LONG
  }

  /** Notes that a request was open for a long time, or was answered soon. */
  note(key: string, isLong: boolean): void {
    const known = this.#paths.get(key)
    if (known === undefined && this.#paths.size >= MAX_PATHS) return
    const { long, soon } = known ?? { long: 0, soon: 0 }
    this.#paths.set(key, isLong ? { long: long + 1, soon } : { long, soon: soon + 1 })
  }
}

interface Open {
  readonly key: string
  sinceMs: number
  /** It has been open for long, or is of those that are: nobody waits for it. */
  isLong: boolean
}

/** Which requests of a page are under way. */
export class InFlight {
  readonly #open = new Map<string, Open>()
  /** Requests that wait to be sent; the browser may tell of them before or after. */
  readonly #held = new Set<string>()
  readonly #longPolls: LongPolls
  readonly #waiting = new Set<() => void>()
  #lastChangeMs = 0

  constructor(longPolls: LongPolls) {
    this.#longPolls = longPolls
  }

  begin(id: string, url: string): void {
    const key = keyOf(url)
    const isLong = this.#longPolls.has(key)
    this.#open.set(id, { key, sinceMs: performance.now(), isLong })
    if (!isLong) this.#changed()
  }

  /** A request waits to be sent: what that takes says nothing of its answer. */
  hold(id: string): void {
    this.#held.add(id)
  }

  /** A request that waited is sent now. */
  release(id: string): void {
    this.#held.delete(id)
    const open = this.#open.get(id)
    if (open === undefined) return
    open.sinceMs = performance.now()
    open.isLong = this.#longPolls.has(open.key)
    if (!open.isLong) this.#changed()
  }

  end(id: string): void {
    this.#held.delete(id)
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    if (performance.now() - open.sinceMs < LONG_POLL_MS) this.#longPolls.note(open.key, false)
    if (!open.isLong) this.#changed()
  }

  /** Forgets everything: the page shows something else now. */
  clear(): void {
    this.#open.clear()
    this.#held.clear()
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
    for (const [id, open] of this.#open) {
      if (open.isLong) continue
      if (now - open.sinceMs >= LONG_POLL_MS) {
        open.isLong = true
        if (!this.#held.has(id)) this.#longPolls.note(open.key, true)
      } else if (open.sinceMs >= sinceMs) longest = Math.max(longest ?? 0, now - open.sinceMs)
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
