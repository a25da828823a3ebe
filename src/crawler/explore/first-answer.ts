import type { CapturedExchange } from '../browser/capture.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'

/** Longest time that a page may take to load, in milliseconds. */
const LOAD_MS = 20_000
/** So long an application has to answer anything at all; each try has at least its part of it. */
const PATIENCE_MS = 30_000
const LEAST_LOAD_MS = 10_000

/**
 * Whether the application of a crawl has answered anything yet. One that takes connections and never answers would hold
 * everything up for as long as it may take.
 */
export class FirstAnswer {
  readonly #scope: CrawlScope
  readonly #clock: () => number
  #sinceMs: number
  #isHeard = false

  constructor(scope: CrawlScope, clock: () => number = () => performance.now()) {
    this.#scope = scope
    this.#clock = clock
    this.#sinceMs = clock()
  }

  get isHeard(): boolean {
    return this.#isHeard
  }

  /** The time for the first answer is over. */
  get isLate(): boolean {
    return !this.#isHeard && this.#clock() - this.#sinceMs >= PATIENCE_MS
  }

  /** Longest time that the next load may take, in milliseconds. */
  get loadMs(): number {
    if (this.#isHeard) return LOAD_MS
    return Math.max(LEAST_LOAD_MS, Math.min(LOAD_MS, this.#sinceMs + PATIENCE_MS - this.#clock()))
  }

  /** The time begins. @param isHeard when an earlier process was answered */
  begin(isHeard: boolean): void {
    this.#isHeard ||= isHeard
    this.#sinceMs = this.#clock()
  }

  note({ outcome, url }: Pick<CapturedExchange, 'outcome' | 'url'>): void {
    if (outcome === 'answered' && URL.canParse(url)) this.#isHeard ||= this.#scope.hasHost(new URL(url))
  }
}
