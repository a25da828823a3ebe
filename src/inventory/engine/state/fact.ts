import { storable } from '../../../kit/index.ts'
import type { FactDetail, FactKind } from '../../../store/index.ts'

/** Example values kept per fact. */
const MAX_EXAMPLES = 5
export const MAX_EXAMPLE_LENGTH = 120
/** Distinct values counted exactly up to here. */
const MAX_DISTINCT = 20
/** Values are noted this often in full; then only those whose number has none of these bits: one in 64. */
const NOTED_FULLY = 60
const NOTED_RARELY = 63

/** Facts touched since the last transaction; every fact is in it at most once. */
export type TouchedFacts = Fact[]

/** Counts that stand elsewhere for the time of a batch. */
export interface PendingCounts {
  /** Adds them to their facts. */
  settle(touched: TouchedFacts): void
}

/**
 * One counted thing about an endpoint: a parameter at a place with a type, a combination of credentials, an access
 * class. `fresh` counts what the next transaction has to carry: with the row itself when something beside the count
 * changed, else as a tally.
 */
export class Fact {
  // What every value touches stands first and together, as in KeyNode.
  readonly type: string
  isSensitive = false
  fresh = 0
  total = 0
  lastSeen: number
  firstSeen: number
  /** Something beside the count changed: the row itself must be written. */
  isChanged = true
  /** Examples or bounds changed: written with the next fold, for they may be lost in a crash. */
  hasNewDetail = false
  isStored = false
  id = 0
  /** Counts in committed tallies that were not folded yet, see `unflushed-facts.ts`. */
  unflushed = 0
  detail: FactDetail | null = null
  #values: Set<string> | null = null

  readonly endpointId: () => number
  readonly kind: FactKind
  readonly code: number
  readonly name: string

  constructor(
    endpointId: () => number,
    kind: FactKind,
    code: number,
    name: string,
    type: string,
    at: number,
  ) {
    this.endpointId = endpointId
    this.kind = kind
    this.code = code
    this.name = name
    this.type = type
    this.firstSeen = at
    this.lastSeen = at
  }

  /** Counts one more sighting. */
  touch(at: number, touched: TouchedFacts): void {
    if (this.fresh++ === 0) touched.push(this)
    this.total++
    if (at > this.lastSeen) this.lastSeen = at
    else if (at < this.firstSeen) {
      this.firstSeen = at
      this.isChanged = true
    }
  }

  /** Counts several sightings between two times. */
  add(count: number, first: number, last: number, touched: TouchedFacts): void {
    if (count === 0) return
    this.touch(first, touched)
    if (count === 1) return
    this.fresh += count - 1
    this.total += count - 1
    if (last > this.lastSeen) this.lastSeen = last
  }

  /** Notes a value for people: examples, bounds, distinct count. Never called for sensitive or redacted values. */
  noteValue(value: unknown): void {
    if (this.total > NOTED_FULLY && (this.total & NOTED_RARELY) !== 0) return
    const detail = this.detail ?? {}
    if (typeof value === 'number') {
      if (detail.min === undefined || value < detail.min) this.#set({ min: value })
      if (this.detail?.max === undefined || value > this.detail.max) this.#set({ max: value })
    }
    if ((detail.distinct ?? 0) > MAX_DISTINCT) return
    const given = typeof value === 'string' ? value : String(value)
    if (given.length > MAX_EXAMPLE_LENGTH) return
    const text = storable(given)
    this.#values ??= new Set(detail.examples ?? [])
    if (this.#values.has(text)) return
    const kept = detached(text)
    this.#values.add(kept)
    const examples = this.detail?.examples ?? []
    this.#set({
      distinct: Math.max(this.#values.size, detail.distinct ?? 0),
      ...(examples.length < MAX_EXAMPLES ? { examples: [...examples, kept] } : {}),
    })
    if (this.#values.size > MAX_DISTINCT) this.#values = null
  }

  /** Notes how a nested finding was reached. */
  noteRoute(route: string): void {
    if (this.detail?.route === undefined) this.#set({ route: storable(route) })
  }

  #set(part: FactDetail): void {
    this.detail = { ...this.detail, ...part }
    this.hasNewDetail = true
  }
}

/** A copy with its own characters: a text cut out of a message keeps that message in memory as long as it lives. */
function detached(text: string): string {
  return Buffer.from(text).toString()
}
