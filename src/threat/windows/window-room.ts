import { ValueStage } from './value-stage.ts'

/** Counters kept at the most, over all processes. */
const MAX_WINDOWS = 1_000_000
/** When there is no room left, the match of a new owner that makes it one worth keeping. */
const ADMITTED_AT = 3
/** Counters that are known to be in the store. */
const MAX_KNOWN = 100_000
const SKETCH_ROWS = 4
const SKETCH_SLOTS = 65_536
/** The sketch forgets all at once after this many matches, before everybody looks familiar. */
const SKETCH_LIFE = 200_000

/**
 * Room for counters, with a hard limit: somebody who makes up actors must neither fill the store nor push out those
 * who come again. While there is room every owner gets a counter; without, only those that come for the third time,
 * in place of the one that rested longest and is less than half full.
 */
export class WindowRoom {
  /** Counters that are not in the store yet. */
  readonly stage = new ValueStage()
  readonly #max: number
  readonly #sketch = new Uint8Array(SKETCH_ROWS * SKETCH_SLOTS)
  #sketched = 0
  readonly #known = new Set<string>()
  /** Counters in the store: as last counted, and those added since by this process. */
  #used = 0
  /** Matches that were not counted for want of room, since start. */
  refused = 0
  /** Counters that made room for others, since start. */
  evicted = 0

  constructor(max = MAX_WINDOWS) {
    this.#max = max
  }

  /** How many counters may still be added. */
  get free(): number {
    return Math.max(0, this.#max - this.#used)
  }

  /** More than this need not be counted. */
  get max(): number {
    return this.#max
  }

  /** Takes over how many there are, as counted in the store. */
  recount(used: number): void {
    this.#used = used
  }

  /** Notes that a transaction added or removed counters. */
  add(count: number): void {
    this.#used = Math.max(0, this.#used + count)
  }

  /** Whether a counter was in the store lately; it may have been removed since. */
  isKnown(key: string): boolean {
    return this.#known.has(key)
  }

  /** Notes that a counter is in the store. */
  know(key: string): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.add(key)
  }

  /** Notes matches of a new owner that found no room; true when it is worth the place of another. */
  isFamiliar(key: string, matches: number): boolean {
    if (this.#sketched >= SKETCH_LIFE) {
      this.#sketch.fill(0)
      this.#sketched = 0
    }
    this.#sketched++
    let least = 255
    for (let row = 0; row < SKETCH_ROWS; row++) {
      // The key is a cryptographic hash: its parts serve as independent hashes.
      const slot = row * SKETCH_SLOTS + Number.parseInt(key.slice(row * 4, row * 4 + 4), 16)
      const seen = Math.min(255, this.#sketch[slot]! + matches)
      this.#sketch[slot] = seen
      least = Math.min(least, seen)
    }
    return least >= ADMITTED_AT
  }
}
