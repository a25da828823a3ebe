import { nowMs } from '../kit/index.ts'

/** How long an answer is kept at least … */
const KEPT_MS = 2_000
/** … and this many times as long as it took, so that making it uses at most a fifth of the time. */
const KEPT_TIMES = 4

/** Answers that many ask for every moment, made once for all of them. */
export class RecentAnswers<T> {
  readonly #kept = new Map<string, { until: number; readonly answer: Promise<T> }>()

  /** @param key what is asked, and everything that the answer depends on: the caller's collections, too */
  of(key: string, make: () => Promise<T>): Promise<T> {
    const now = nowMs()
    for (const [other, { until }] of this.#kept) if (until <= now) this.#kept.delete(other)
    const known = this.#kept.get(key)
    if (known !== undefined) return known.answer
    const made = { until: Number.POSITIVE_INFINITY, answer: make() }
    this.#kept.set(key, made)
    made.answer.then(
      () => {
        made.until = nowMs() + Math.max(KEPT_MS, KEPT_TIMES * (nowMs() - now))
      },
      () => this.#kept.delete(key),
    )
    return made.answer
  }
}
