/** What a recorded login left, for crawlers that do not replay it themselves. Holds secrets: never logged. */
export interface CrawlSignIn {
  /** JSON text of a list of cookies; null without any. */
  readonly cookies: string | null
  /** Headers that carry the token. */
  readonly headers: Readonly<Record<string, string>>
  /** Why there is nothing, for people; null when all is well. */
  readonly error: string | null
}

interface Pending {
  readonly outcome: Promise<CrawlSignIn>
  readonly begunMs: number
}

/** A login may take five minutes; after twice that nobody comes for it any more, and its cookies are old. */
const KEPT_MS = 600_000
const MOST = 100

/** Logins that are played while modules ask again and again for the crawls that wait for them. */
export class PendingSignIns {
  readonly #pending = new Map<string, Pending>()

  /**
   * The outcome for a crawl, begun by the first who asks; anyone who gets it takes it away.
   *
   * @param play begins the login; never rejects
   * @returns null when it takes longer than the patience of this call
   */
  async take(
    crawlId: string,
    play: () => Promise<CrawlSignIn>,
    patienceMs: number,
  ): Promise<CrawlSignIn | null> {
    this.#forgetOld()
    const known = this.#pending.get(crawlId) ?? { outcome: play(), begunMs: performance.now() }
    this.#pending.set(crawlId, known)
    let timer: NodeJS.Timeout | null = null
    const patience = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patienceMs)
    })
    const outcome = await Promise.race([known.outcome, patience])
    if (timer !== null) clearTimeout(timer)
    if (outcome !== null) this.#pending.delete(crawlId)
    return outcome
  }

  #forgetOld(): void {
    const now = performance.now()
    for (const [id, { begunMs }] of this.#pending) {
      if (now - begunMs > KEPT_MS || this.#pending.size > MOST) this.#pending.delete(id)
    }
  }
}
