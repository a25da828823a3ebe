import { nowMs } from '../../kit/index.ts'
import type { CallbackHit, NewCallbackId } from './callback-register.ts'

/** What a request to the listener came to. */
export interface Taken {
  readonly isKnown: boolean
  readonly redirectUrl: string | null
}

/** Keeps ids and calls where every process of an installation sees them. None of its promises is rejected. */
export interface CallbackShelf {
  keep(ids: readonly NewCallbackId[]): Promise<void>
  /** Counts a call for the ids that are known. */
  hit(ids: readonly string[], hit: CallbackHit): Promise<Taken>
  /** Calls so far of those ids that were called with. */
  counts(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
}

const LOOK_EVERY_MS = 300
/** How long calls that came to another process are looked for: no test waits longer. */
const FRESH_MS = 120_000
const MAX_FRESH = 5_000
/** Look-ups of ids that this process does not know, at one time; who asks for more gets no answer worth reading. */
const MAX_LOOKUPS = 16
const UNKNOWN: Taken = { isKnown: false, redirectUrl: null }

/** The ids of this process on their way to the others, and the calls of others on their way here. */
export class SharedCallbacks {
  readonly #shelf: CallbackShelf
  readonly #fresh = new Map<string, number>()
  readonly #counts = new Map<string, number>()
  #waiting: NewCallbackId[] = []
  #writing: Promise<void> | null = null
  #polling: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #lookups = 0

  constructor(shelf: CallbackShelf) {
    this.#shelf = shelf
  }

  add(made: NewCallbackId): void {
    this.#waiting.push(made)
    this.#fresh.set(made.id, nowMs() + FRESH_MS)
    for (const id of this.#fresh.keys()) {
      if (this.#fresh.size <= MAX_FRESH) break
      this.#forget(id)
    }
    this.#timer ??= setInterval(() => {
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = null
      })
    }, LOOK_EVERY_MS)
  }

  /** Null when nothing waits to be written. */
  settled(): Promise<void> | null {
    if (this.#waiting.length > 0) this.#writing = this.#write(this.#writing)
    return this.#writing
  }

  count(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  async hit(ids: readonly string[], hit: CallbackHit): Promise<Taken> {
    if (this.#lookups >= MAX_LOOKUPS) return UNKNOWN
    this.#lookups++
    try {
      await this.settled()
      return await this.#shelf.hit(ids, hit)
    } finally {
      this.#lookups--
    }
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    await this.settled()
    await this.#polling
  }

  async #write(before: Promise<void> | null): Promise<void> {
    const ids = this.#waiting
    this.#waiting = []
    await before
    await this.#shelf.keep(ids)
    if (this.#waiting.length === 0) this.#writing = null
  }

  async #poll(): Promise<void> {
    const now = nowMs()
    for (const [id, until] of this.#fresh) if (until < now) this.#forget(id)
    if (this.#fresh.size === 0) {
      if (this.#timer !== null) clearInterval(this.#timer)
      this.#timer = null
      return
    }
    for (const [id, count] of await this.#shelf.counts([...this.#fresh.keys()])) this.#counts.set(id, count)
  }

  #forget(id: string): void {
    this.#fresh.delete(id)
    this.#counts.delete(id)
  }
}
