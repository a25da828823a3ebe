import { harmOf } from '../../http/harmful-words.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import type { LeasedItem } from './frontier.ts'
import type { Knowledge } from './knowledge.ts'
import type { ExplorePayload } from './load-page.ts'
import type { SignatureMemory } from './signature-memory.ts'
import type { CrawlWindow } from './tab.ts'

/** Times the session is checked without suspicion, in milliseconds. */
const CHECK_MS = 60_000
/** Checks that tell nothing, one after the other; then the crawl continues as it is. */
const MAX_UNKNOWN = 3
/** Pieces of work that are done again at most, and how often each. */
const MOST_AGAIN = 300
const MOST_TIMES = 3
/** Longest time that a login is waited for, in milliseconds: a recorded one is given up after five minutes. */
const LONGEST_LOGIN_MS = 330_000
/** Ends the key of work that is done again, once for each time. */
const AGAIN = '~'

/** Whether work is done again because the session was lost when it was done before. */
export function isDoneAgain(key: string): boolean {
  return key.endsWith(AGAIN)
}

/** Looks after the session of a crawl, and has work done again that went on without it. */
export class SessionWatch {
  readonly #ports: CrawlPorts
  readonly #knowledge: Knowledge
  readonly #signatures: SignatureMemory
  readonly #window: CrawlWindow
  /** The last action of a page, to be blamed when the session is lost after it. */
  lastAction = ''
  #checking: Promise<void> | null = null
  /** Checks in a row that told nothing. */
  #unknown = 0
  #checkedMs = performance.now()
  #askedMs = 0
  /** When the session was there last, as far as was asked. */
  #aliveMs = performance.now()
  #renewedMs = Number.NEGATIVE_INFINITY
  /** Since when it was lost before that, in epoch milliseconds. */
  #lostAtMs = 0
  #recentlyDone: { readonly item: LeasedItem; readonly endedMs: number }[] = []

  constructor(ports: CrawlPorts, knowledge: Knowledge, signatures: SignatureMemory, window: CrawlWindow) {
    this.#ports = ports
    this.#knowledge = knowledge
    this.#signatures = signatures
    this.#window = window
  }

  /**
   * Notes work that would have to be done again if the session was lost by then. What was begun before the login was
   * repeated is done again anyway: nobody knows which part of it went on without.
   */
  async noteDone(item: LeasedItem, begunMs: number): Promise<void> {
    if (this.#ports.session === null) return
    if (begunMs < this.#renewedMs) return this.#doAgain([item])
    this.#recentlyDone.push({ item, endedMs: performance.now() })
    if (this.#recentlyDone.length > MOST_AGAIN) this.#recentlyDone.shift()
  }

  /** Whether the login may be under way just now: it may take minutes in which nothing else happens. */
  get isChecking(): boolean {
    return this.#checking !== null && performance.now() - this.#askedMs < LONGEST_LOGIN_MS
  }

  /** Checks the session when something speaks against it, and once a minute. All tabs wait meanwhile. */
  async guard(): Promise<void> {
    if (!this.#ports.session) return
    const suspicion = this.#knowledge.takeSuspicion()
    if (suspicion === null && performance.now() - this.#checkedMs < CHECK_MS)
      return this.#checking ?? undefined
    if (this.#checking === null) this.#askedMs = performance.now()
    this.#checking ??= this.#check(suspicion ?? 'a minute is over').finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  async #check(suspicion: string): Promise<void> {
    const { context } = await this.#window.current()
    const action = this.lastAction
    const askedMs = performance.now()
    // Before anybody is let in again.
    const { lostSinceMs } = this.#knowledge
    const state = await this.#ports.session?.check(context, suspicion)
    this.#unknown = state === 'unknown' ? this.#unknown + 1 : 0
    if (this.#unknown > 0 && this.#unknown <= MAX_UNKNOWN) return this.#knowledge.suspect(suspicion)
    this.#checkedMs = performance.now()
    if (state === 'alive') {
      this.#aliveMs = askedMs
      this.#recentlyDone = []
      return
    }
    this.#ports.sink.log({
      level: 'warning',
      message: `The session was lost (${suspicion}); the login was ${state === 'renewed' ? 'repeated' : 'given up'}.`,
      atMs: Date.now(),
    })
    if (state !== 'renewed') return
    if (harmOf(action) !== null) this.#signatures.ban(action)
    const since = Math.max(lostSinceMs, this.#aliveMs)
    this.#renewedMs = this.#aliveMs = performance.now()
    this.#lostAtMs = Date.now() - (performance.now() - since)
    const again = this.#recentlyDone.filter(({ endedMs }) => endedMs > since).map(({ item }) => item)
    this.#recentlyDone = []
    await this.#doAgain(again)
  }

  /** Each a few times: a session that is lost again and again would keep the crawl going for ever. */
  async #doAgain(items: readonly LeasedItem[]): Promise<void> {
    await this.#ports.frontier.add(
      items
        .filter((item) => !item.key.endsWith(AGAIN.repeat(MOST_TIMES)))
        .map(({ kind, key, location, priority, payload }) => ({
          kind,
          key: key + AGAIN,
          location,
          priority: priority - 1,
          payload: kind === 'explore' ? this.#withLoss(payload) : payload,
        })),
    )
  }

  /** No matter who takes it, what was done without the session counts as undone. */
  #withLoss(payload: string): string {
    const lost: ExplorePayload = { ...(JSON.parse(payload) as ExplorePayload), lostAtMs: this.#lostAtMs }
    return JSON.stringify(lost)
  }
}
