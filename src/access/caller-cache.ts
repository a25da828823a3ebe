import { nowMs, Slots } from '../kit/index.ts'
import type { Caller } from './caller.ts'

interface Entry {
  caller: Caller
  checkedAtMs: number
  isRefreshing: boolean
}

const MAX_ENTRIES = 10_000
const REFRESH_AFTER_MS = 2_000
const TRUST_FOR_MS = 10_000

/**
 * Remembers who is behind a key or session, so that a busy key costs no query. Changes made in this process count
 * at once ({@link CallerCache.clear}); those of another process after 2 seconds for a busy key, and at the next call
 * for an idle one: an entry older than that is checked again, in the background until it is 10 seconds old.
 */
export class CallerCache {
  readonly #entries = new Map<string, Entry>()
  /** Strangers with wrong keys must not take all connections of the store. */
  readonly #lookups = new Slots(2, 500)
  readonly #onError: (error: unknown) => void
  #generation = 0

  /** @param onError hears of lookups that failed in the background */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** The caller under `id`; `lookUp` is asked when it is unknown or stale. Null when there is none. */
  async find(id: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> {
    const entry = this.#entries.get(id)
    const age = entry ? nowMs() - entry.checkedAtMs : Number.POSITIVE_INFINITY
    if (!entry || age > TRUST_FOR_MS) return this.#check(id, lookUp)
    if (age > REFRESH_AFTER_MS && !entry.isRefreshing) {
      entry.isRefreshing = true
      this.#check(id, lookUp).catch((error: unknown) => {
        entry.isRefreshing = false
        this.#onError(error)
      })
    }
    return entry.caller
  }

  /** Forgets everything: a user, key or session changed. Lookups under way will not be remembered. */
  clear(): void {
    this.#generation++
    this.#entries.clear()
  }

  async #check(id: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> {
    const generation = this.#generation
    const caller = await this.#lookups.run(lookUp)
    if (generation !== this.#generation) return caller
    this.#entries.delete(id)
    if (caller) this.#entries.set(id, { caller, checkedAtMs: nowMs(), isRefreshing: false })
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!)
    return caller
  }
}
