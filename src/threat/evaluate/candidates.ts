import { type MatchStarts, mayStart, type SearchBudget } from '../../rules/index.ts'
import { CHAR } from '../views/char-flags.ts'
import { type LeafList, PLACE, PLACES_OF } from '../views/leaf.ts'
import { isBlank } from './blank-unit.ts'
import type { FilterSet } from './filter-set.ts'
import { EXTRA_PLACE } from './places.ts'
import { MAX_SIGN_CLAUSES, type Probe, SIGNS } from './probe.ts'

/** Stamps before they begin anew. */
const MAX_STAMP = 2 ** 30
/** Texts from this length on, in code units, are scanned in two halves at once. */
const MIN_HALVED = 24
/** Code units between two looks at the clock. */
const CLOCK_UNITS = 65_536
const LESS_THAN = 60
const QUESTION_MARK = 63

/** Characters that texts without signs consist of: all that no bit of `SIGN_CHARS` stands for. */
const PLAIN = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/=', (one) =>
  one.charCodeAt(0),
)
const BLANK = 32
/** Kinds of characters that texts without signs hold none of. */
const SIGN_CHARS =
  CHAR.PERCENT |
  CHAR.AMPERSAND |
  CHAR.BACKSLASH |
  CHAR.PLUS |
  CHAR.CONTROL |
  CHAR.BREAK |
  CHAR.STAR |
  CHAR.WIDE |
  CHAR.OTHER

/** What is known of a probe in a leaf. */
export const ANSWER = { UNKNOWN: 0, NO: 1, YES: 2 } as const

/** A bit for each sign of ASCII, by code unit. */
const SIGN_BITS = new Int32Array(0x10000)
for (const [bit, sign] of [...SIGNS].entries()) SIGN_BITS[sign.charCodeAt(0)] = 1 << bit

/** The signs that texts without signs may hold all the same. */
const PLAIN_SIGNS = SIGN_BITS['/'.charCodeAt(0)]! | SIGN_BITS['='.charCodeAt(0)]!

/**
 * Which probes may be met at which leaves of a message: one pass over the text finds the words of all of them. Arrays
 * are used again for every message; a stamp tells what belongs to the present one.
 */
export class Candidates {
  readonly #set: FilterSet
  /** For each leaf, the bits of its places. */
  bits = new Int32Array(256)
  /** For each leaf how many probes may be met anywhere in it; those at its start alone are found without help. */
  counts = new Int32Array(256)
  /** By leaf, 1 where some probe may be met. */
  found = new Uint8Array(256)
  /** By link, what is known of the probe in the leaf: {@link ANSWER}. */
  answers = new Uint8Array(1_024)
  /** Probes that were met, in the order of their first leaf. */
  readonly met: number[] = []
  readonly #places: Int32Array
  /** The same without the probes that no text without signs holds, and those that none without signs and blanks holds. */
  readonly #wordPlaces: Int32Array
  readonly #plainPlaces: Int32Array
  /** For each probe its clauses beyond the first: the states at which a word of the clause ends. */
  readonly #others: readonly (readonly Int32Array[])[]
  /** For each probe the signs of its sign clauses, as bits. */
  readonly #signMasks: Int32Array
  /** For each probe that a text has to begin with, what a text then begins with. */
  readonly #openings: readonly (MatchStarts | null)[]
  /** Probes of which the present leaf holds a word of the first clause. */
  readonly #begun: Int32Array
  #begunCount = 0
  /** For each probe the stamp of the last leaf that it was noted in there. */
  readonly #begunStamps: Int32Array
  /** For each state at which words end the stamp of the last leaf that it was met in. */
  readonly #stateStamps: Int32Array
  /** Leaves of each probe as a list: first and last link, by message. */
  readonly #first: Int32Array
  readonly #last: Int32Array
  readonly #metStamps: Int32Array
  #leaves = new Int32Array(1_024)
  #next = new Int32Array(1_024)
  #links = 0
  #leafStamp = 0
  #message = 0

  constructor(set: FilterSet) {
    const count = set.probes.length
    this.#set = set
    this.#places = Int32Array.from(set.probes, ({ places }) => places)
    const placesOf = (characters: readonly number[]): Int32Array =>
      Int32Array.from(set.probes, (probe) => (mayBeIn(probe, characters) ? probe.places : 0))
    this.#wordPlaces = placesOf([...PLAIN, BLANK])
    this.#plainPlaces = placesOf(PLAIN)
    this.#others = set.probes.map(({ clauses }) =>
      clauses.slice(1).map((words) => statesOf(words, set.automaton.states)),
    )
    this.#signMasks = new Int32Array(count * MAX_SIGN_CLAUSES)
    for (const { id, signClauses } of set.probes)
      for (const [i, signs] of signClauses.entries())
        for (const sign of signs)
          this.#signMasks[id * MAX_SIGN_CLAUSES + i]! |= SIGN_BITS[sign.charCodeAt(0)]!
    this.#openings = set.probes.map((probe) =>
      probe.kind === 'pattern' && !probe.isOfQuery ? (probe.search?.opening ?? null) : null,
    )
    this.#begun = new Int32Array(count)
    this.#begunStamps = new Int32Array(count)
    this.#stateStamps = new Int32Array(set.automaton.entries.starts.length)
    this.#first = new Int32Array(count)
    this.#last = new Int32Array(count)
    this.#metStamps = new Int32Array(count)
  }

  /** Scans a message, as far as its time allows. */
  scan(list: LeafList, budget: SearchBudget): void {
    this.#message++
    this.#links = 0
    this.met.length = 0
    if (this.bits.length < list.count) {
      this.bits = new Int32Array(list.count * 2)
      this.counts = new Int32Array(list.count * 2)
      this.found = new Uint8Array(list.count * 2)
    }
    let scanned = 0
    for (let leaf = 0; leaf < list.count; leaf++) {
      const bits = bitsOf(list, leaf)
      this.bits[leaf] = bits
      this.counts[leaf] = 0
      this.found[leaf] = 0
      if ((bits & this.#set.places) === 0) continue
      const start = list.starts[leaf]!
      const end = list.ends[leaf]!
      this.#scanLeaf(list.units, start, end, leaf, bits, list.flags[leaf]!)
      scanned += end - start
      if (scanned < CLOCK_UNITS) continue
      scanned = 0
      budget.check()
      if (budget.isSpent) return
    }
  }

  /** The first link of a probe, -1 when it was not met. */
  firstLink(probe: number): number {
    return this.#metStamps[probe] === this.#message ? this.#first[probe]! : -1
  }

  nextLink(link: number): number {
    return this.#next[link]!
  }

  leafOf(link: number): number {
    return this.#leaves[link]!
  }

  #scanLeaf(units: Uint16Array, start: number, end: number, leaf: number, bits: number, flags: number): void {
    const hasSigns = flags === 0 || (flags & SIGN_CHARS) !== 0
    const withoutSigns = (flags & CHAR.SPACE) !== 0 ? this.#wordPlaces : this.#plainPlaces
    const places = hasSigns ? this.#places : withoutSigns
    const { classes, table, width, longest } = this.#set.automaton
    const stamps = this.#stateStamps
    if (this.#leafStamp >= MAX_STAMP) this.#restamp()
    const stamp = ++this.#leafStamp
    // Two halves at once: each step waits for the memory, and they do not wait for each other. Together they overlap by a word.
    const length = end - start
    const steps = length < MIN_HALVED ? 0 : (length + longest) >> 1
    let row = 0
    let other = 0
    for (let i = start, j = end - steps; i < start + steps; i++, j++) {
      row = table[row + classes[units[i]!]!]!
      other = table[other + classes[units[j]!]!]!
      if (row < 0) {
        const state = ~row
        row = state * width
        if (stamps[state] !== stamp) this.#meet(state, stamp, bits, places)
      }
      if (other < 0) {
        const state = ~other
        other = state * width
        if (stamps[state] !== stamp) this.#meet(state, stamp, bits, places)
      }
    }
    if (steps === 0)
      for (let i = start; i < end; i++) {
        row = table[row + classes[units[i]!]!]!
        if (row >= 0) continue
        const state = ~row
        row = state * width
        if (stamps[state] !== stamp) this.#meet(state, stamp, bits, places)
      }
    if (this.#begunCount > 0) this.#addBegun(units, start, end, leaf, hasSigns)
  }

  /** Notes the probes of which a leaf holds words and signs of all clauses, and begins as it has to. */
  #addBegun(units: Uint16Array, start: number, end: number, leaf: number, hasSigns: boolean): void {
    let searches = 0
    let from = start
    while (from < end && isBlank(units[from]!)) from++
    let signs = hasSigns ? 0 : PLAIN_SIGNS
    if (hasSigns) for (let i = start; i < end; i++) signs |= SIGN_BITS[units[i]!]!
    for (let i = 0; i < this.#begunCount; i++) {
      const probe = this.#begun[i]!
      const opening = this.#openings[probe]!
      const isPossible =
        this.#hasSigns(probe, signs) &&
        (opening === null || mayStart(opening, units, from, end)) &&
        this.#hasOthers(probe)
      if (!isPossible) continue
      this.#add(probe, leaf)
      if (opening === null) searches++
    }
    this.#begunCount = 0
    this.counts[leaf] = searches
  }

  #restamp(): void {
    this.#leafStamp = 0
    this.#begunStamps.fill(0)
    this.#stateStamps.fill(0)
  }

  /** Whether the signs of a leaf are among them that a probe asks for. */
  #hasSigns(probe: number, signs: number): boolean {
    const masks = this.#signMasks
    const start = probe * MAX_SIGN_CLAUSES
    for (let at = start; at < start + MAX_SIGN_CLAUSES; at++)
      if (masks[at] !== 0 && (masks[at]! & signs) === 0) return false
    return true
  }

  /** Whether a word of each clause beyond the first was met in the present leaf. */
  #hasOthers(probe: number): boolean {
    const stamp = this.#leafStamp
    const stamps = this.#stateStamps
    for (const states of this.#others[probe]!) {
      let at = 0
      while (at < states.length && stamps[states[at]!] !== stamp) at++
      if (at === states.length) return false
    }
    return true
  }

  /** Notes the probes whose words of the first clause end at a state. */
  #meet(state: number, stamp: number, bits: number, places: Int32Array): void {
    const { starts, values } = this.#set.automaton.entries
    const stamps = this.#begunStamps
    const end = starts[state + 1]!
    this.#stateStamps[state] = stamp
    for (let at = starts[state]!; at < end; at++) {
      const probe = values[at]!
      if ((places[probe]! & bits) === 0 || stamps[probe] === stamp) continue
      stamps[probe] = stamp
      this.#begun[this.#begunCount++] = probe
    }
  }

  #add(probe: number, leaf: number): void {
    const link = this.#links++
    if (link >= this.#leaves.length) {
      this.#leaves = grown(this.#leaves)
      this.#next = grown(this.#next)
      this.answers = new Uint8Array(this.#leaves.length)
    }
    this.#leaves[link] = leaf
    this.#next[link] = -1
    this.answers[link] = ANSWER.UNKNOWN
    this.found[leaf] = 1
    if (this.#metStamps[probe] === this.#message) this.#next[this.#last[probe]!] = link
    else {
      this.#metStamps[probe] = this.#message
      this.#first[probe] = link
      this.met.push(probe)
    }
    this.#last[probe] = link
  }
}

/** All states at which one of some words ends. */
function statesOf(words: readonly string[], states: ReadonlyMap<string, Int32Array>): Int32Array {
  return Int32Array.from(new Set(words.flatMap((word) => [...(states.get(word) ?? [])])))
}

/** Whether a text of these characters alone may hold what a probe looks for. */
function mayBeIn(probe: Probe, characters: readonly number[]): boolean {
  if (probe.kind === 'pattern') return probe.search === null || probe.search.mayConsistOf(characters)
  return probe.words.some((word) => Array.from(word).every((one) => characters.includes(one.charCodeAt(0))))
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** The place of a leaf, and the extra places that it is a reading of. */
function bitsOf(list: LeafList, leaf: number): number {
  const bits = 1 << list.places[leaf]!
  if (bits === PLACES_OF.URL_RAW) {
    for (let i = list.starts[leaf]!; i < list.ends[leaf]!; i++)
      if (list.units[i] === QUESTION_MARK) return bits | EXTRA_PLACE.QUERY_RAW
    return bits
  }
  if (bits === 1 << PLACE.REQUEST_BODY_RAW && isMarkup(list, leaf)) return bits | EXTRA_PLACE.REQUEST_MARKUP
  if (bits === 1 << PLACE.RESPONSE_BODY_RAW && isMarkup(list, leaf)) return bits | EXTRA_PLACE.RESPONSE_MARKUP
  return bits
}

function isMarkup(list: LeafList, leaf: number): boolean {
  let at = list.starts[leaf]!
  const end = Math.min(list.ends[leaf]!, at + 256)
  while (at < end && (list.units[at]! <= 32 || list.units[at] === 0xfeff)) at++
  return list.units[at] === LESS_THAN
}
