/** Pause between requests that a first sign of overload brings, where there is no limit. */
const FIRST_GAP_MS = 200
const MAX_GAP_MS = 10_000
const SECOND_MS = 1000
/** A server that asks for a longer pause gets this one; the crawl would end over it. */
export const longestPauseMs = 120_000
/** Answers of overload within so long of the last that counted are of one burst: they say nothing that the first did not. */
const BURST_MS = 1_000
/** This many good answers in a row halve the pause again; a few between two signs, and the second does not double it. */
const GOOD_ANSWERS = 20
const SOME_GOOD = 5
/** Paths of a host that may each have a pause of their own. */
const MAX_PATHS = 200
/** Statuses by which a server says that it has enough (RFC 6585 section 4, RFC 9110 section 15.6.4). */
const OVERLOAD = new Set([429, 503])

/** Whether a server says by a status that it has enough. */
export function isOverload(status: number): boolean {
  return OVERLOAD.has(status)
}

interface Waiter {
  readonly path: string
  readonly go: () => void
}

interface Host {
  gapMs: number
  good: number
  /** No request goes before: the host asked for a pause. */
  resumeAt: number
  /** The same of single paths: limits often are those of one operation. */
  readonly paused: Map<string, number>
  /** When the last sign of overload counted, and when the last request went; far back at first. */
  slowedAt: number
  wentAt: number
  /** When the last requests went, the oldest first; as many as a second may hold. */
  readonly recent: number[]
  /** Requests that wait, in order. One that is given up leaves: it takes nobody's turn. */
  readonly waiting: Set<Waiter>
  timer: NodeJS.Timeout | undefined
}

/** How fast each host is asked: at most at a limit, and slower while it says that it has enough. */
export class TargetPace {
  readonly #wholeGapMs: number
  readonly #wholePerSecond: number
  #perSecond: number
  #leastGapMs: number
  readonly #hosts = new Map<string, Host>()

  /**
   * @param perMinute requests a minute and host, evenly spread; 0 sets no limit
   * @param perSecond requests in any one second and host; 0 sets no limit
   */
  constructor(perMinute: number, perSecond = 0) {
    this.#wholePerSecond = perSecond
    this.#perSecond = perSecond
    this.#wholeGapMs = perMinute > 0 ? 60_000 / perMinute : 0
    this.#leastGapMs = this.#wholeGapMs
  }

  /** This many processes have the limit in common from now on. */
  shareAmong(processes: number): void {
    if (this.#wholePerSecond > 0)
      this.#perSecond = Math.max(1, Math.floor(this.#wholePerSecond / Math.max(1, processes)))
    const gapMs = this.#wholeGapMs * Math.max(1, processes)
    if (gapMs === this.#leastGapMs) return
    for (const host of this.#hosts.values())
      if (host.gapMs === this.#leastGapMs || host.gapMs < gapMs) host.gapMs = gapMs
    this.#leastGapMs = gapMs
  }

  /** Resolves when the next request to the host, for this path, may go; rejects when the signal is aborted meanwhile. */
  pass(host: string, signal: AbortSignal, path = ''): Promise<void> {
    const state = this.#of(host)
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        state.waiting.delete(waiter)
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      const waiter: Waiter = {
        path,
        go() {
          signal.removeEventListener('abort', refuse)
          resolve()
        },
      }
      if (signal.aborted) return refuse()
      signal.addEventListener('abort', refuse, { once: true })
      state.waiting.add(waiter)
      this.#release(state)
    })
  }

  /** Lets go who may, and returns for the next. */
  #release(state: Host): void {
    clearTimeout(state.timer)
    let next = Number.POSITIVE_INFINITY
    for (const waiter of state.waiting) {
      const now = performance.now()
      const free = this.#freeAt(state)
      const at = Math.max(free, state.paused.get(waiter.path) ?? 0)
      if (at > now) {
        next = Math.min(next, at)
        if (free > now) break
        continue
      }
      state.waiting.delete(waiter)
      state.wentAt = now
      if (this.#perSecond > 0) state.recent.push(now)
      waiter.go()
    }
    if (next === Number.POSITIVE_INFINITY) return
    state.timer = setTimeout(() => this.#release(state), Math.max(0, next - performance.now()))
    state.timer.unref()
  }

  /** When one more request may go. */
  #freeAt(state: Host): number {
    const { recent, resumeAt, wentAt, gapMs } = state
    const free = Math.max(resumeAt, wentAt + gapMs)
    if (this.#perSecond === 0) return free
    while (recent.length > this.#perSecond) recent.shift()
    return recent.length < this.#perSecond ? free : Math.max(free, recent[0]! + SECOND_MS)
  }

  /**
   * An answer of the host.
   *
   * @param retryAfter Value of its Retry-After header (RFC 9110 section 10.2.3): no request goes out before. Of one path
   *   alone, where status 429 was that of a single one.
   */
  heard(host: string, status: number, retryAfter?: string, path = ''): void {
    const state = this.#of(host)
    const now = performance.now()
    if (isOverload(status)) {
      const pauseMs = Math.min(longestPauseMs, retryMs(retryAfter))
      if (pauseMs > 0 && status === 429 && path !== '' && isPausedAlone(state, path, now)) {
        state.paused.set(path, Math.max(state.paused.get(path) ?? 0, now + pauseMs))
        return
      }
      state.resumeAt = Math.max(state.resumeAt, now + pauseMs)
      const factor = state.good >= SOME_GOOD ? 1 : 2
      state.good = 0
      if (now - state.slowedAt < Math.max(BURST_MS, state.gapMs)) return
      state.slowedAt = now
      state.gapMs = Math.min(MAX_GAP_MS, Math.max(FIRST_GAP_MS, state.gapMs * factor))
    } else if (++state.good >= GOOD_ANSWERS && state.gapMs > this.#leastGapMs) {
      state.good = 0
      const gapMs = state.gapMs / 2
      state.gapMs = gapMs < FIRST_GAP_MS ? this.#leastGapMs : Math.max(this.#leastGapMs, gapMs)
    }
  }

  /** Pause between requests to a host, in milliseconds. */
  gapMs(host: string): number {
    return this.#of(host).gapMs
  }

  /** Milliseconds until a request that came now could go, behind those that wait; 0 where it could go at once. */
  waitMs(host: string, path: string): number {
    const state = this.#of(host)
    const at = Math.max(this.#freeAt(state), state.paused.get(path) ?? 0)
    return Math.max(0, at - performance.now() + state.waiting.size * state.gapMs)
  }

  /** The pause that a host asked for and requests wait for, as a sentence; null when none does. */
  get delay(): string | null {
    for (const [host, { waiting, resumeAt }] of this.#hosts) {
      const seconds = Math.ceil((resumeAt - performance.now()) / 1000)
      if (waiting.size > 0 && seconds > 0)
        return `${host} asked for a pause that lasts ${seconds} s more; ${waiting.size} requests wait.`
    }
    return null
  }

  #of(host: string): Host {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const made: Host = {
      gapMs: this.#leastGapMs,
      good: 0,
      resumeAt: 0,
      slowedAt: Number.NEGATIVE_INFINITY,
      wentAt: Number.NEGATIVE_INFINITY,
      recent: [],
      paused: new Map(),
      waiting: new Set(),
      timer: undefined,
    }
    this.#hosts.set(host, made)
    return made
  }
}

/** Whether no other path has a pause: where two have, the limit is that of the host. */
function isPausedAlone({ paused }: Host, path: string, now: number): boolean {
  for (const [other, until] of paused) if (until <= now) paused.delete(other)
  return paused.size < MAX_PATHS && [...paused.keys()].every((other) => other === path)
}

/** Milliseconds that a Retry-After header asks for: seconds, or a date; 0 without one. */
function retryMs(header: string | undefined): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now())
}
