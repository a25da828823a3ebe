import { flagsOf } from './char-flags.ts'
import type { LeafList, Place, ViewBudget } from './leaf.ts'
import { TRUNCATION, VIEW } from './leaf.ts'
import { Twins } from './twins.ts'

/** Code units that one message may write: its texts (two bodies, two header blocks, a target) and what is decoded. */
const CAPACITY = 1_441_792
/** Leaves beyond the budget, for the rest of a text that has too many, and what is decoded from it. */
const RESERVE = 256
const KEY_SLOTS = 256
/** Shorter strings are copied by a loop, longer ones by the platform. */
const NATIVE_COPY = 96

/**
 * The leaves of a message while it is read, in arrays that are used again for every message. Text is only ever appended
 * at `used`; leaves are ranges of it. What does not fit is left out and noted in `truncated`.
 */
export class LeafStore implements LeafList {
  readonly units = new Uint16Array(CAPACITY)
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly places: Uint8Array
  readonly views: Uint16Array
  readonly steps: Uint16Array
  readonly keys: Int32Array
  readonly parents: Int32Array
  /** Bits of `CHAR` in each leaf. */
  readonly flags: Uint16Array
  /** How often each leaf was decoded or normalised. */
  readonly rounds: Uint8Array
  /** The leaf of the message itself that each leaf was read from. */
  readonly roots: Int32Array
  readonly budget: ViewBudget
  count = 0
  used = 0
  truncated = 0
  /** Units read or written by decoding so far. */
  work = 0
  /** Leaves after which only reserved ones are left; set for each side of an exchange. */
  limit = 0
  readonly #bytes = Buffer.from(this.units.buffer)
  readonly #keySlots = new Int32Array(KEY_SLOTS)
  readonly #twins = new Twins()
  /** By leaf of the message itself, code units of all leaves that were read from it. */
  readonly #grown: Uint32Array

  constructor(budget: ViewBudget) {
    const capacity = 2 * (budget.maxLeaves + RESERVE)
    this.budget = budget
    this.starts = new Uint32Array(capacity)
    this.ends = new Uint32Array(capacity)
    this.places = new Uint8Array(capacity)
    this.views = new Uint16Array(capacity)
    this.steps = new Uint16Array(capacity)
    this.keys = new Int32Array(capacity)
    this.parents = new Int32Array(capacity)
    this.flags = new Uint16Array(capacity)
    this.rounds = new Uint8Array(capacity)
    this.roots = new Int32Array(capacity)
    this.#grown = new Uint32Array(capacity)
  }

  /** Forgets the last message. */
  clear(): void {
    this.count = 0
    this.used = 0
    this.truncated = 0
    this.work = 0
    this.#twins.begin()
  }

  /** Begins one side of an exchange, which has its own leaves to spend. */
  beginSide(): void {
    this.limit = this.count + this.budget.maxLeaves
    this.#keySlots.fill(-1)
  }

  /** True when only reserved leaves are left: the rest of a text is then taken as one. */
  get isFull(): boolean {
    return this.count >= this.limit
  }

  /** Writes a text, from and to the given positions of it; returns where it starts. What does not fit is cut. */
  write(text: string, from = 0, to = text.length): number {
    const start = this.used
    let length = to - from
    if (start + length > CAPACITY) {
      length = CAPACITY - start
      this.truncated |= TRUNCATION.WORK
    }
    const { units } = this
    if (length > NATIVE_COPY) {
      const whole = from === 0 && length === text.length ? text : text.slice(from, from + length)
      this.#bytes.write(whole, start * 2, length * 2, 'utf16le')
    } else {
      for (let i = 0; i < length; i++) units[start + i] = text.charCodeAt(from + i)
    }
    this.used = start + length
    return start
  }

  /** Writes ASCII as {@link write} does. */
  writeAscii(bytes: Uint8Array, from: number, to: number): number {
    const start = this.used
    let length = to - from
    if (start + length > CAPACITY) {
      length = CAPACITY - start
      this.truncated |= TRUNCATION.WORK
    }
    const { units } = this
    if (length > NATIVE_COPY) units.set(bytes.subarray(from, from + length), start)
    else for (let i = 0; i < length; i++) units[start + i] = bytes[from + i]!
    this.used = start + length
    return start
  }

  /** Appends one code unit; nothing when there is no room. */
  put(unit: number): void {
    if (this.used < CAPACITY) this.units[this.used++] = unit
  }

  /** Appends a code point, as two units where it needs them. */
  putCodePoint(code: number): void {
    if (code < 0x10000) this.put(code)
    else if (code > 0x10ffff) this.put(0xfffd)
    else {
      this.put(0xd800 + ((code - 0x10000) >> 10))
      this.put(0xdc00 + ((code - 0x10000) & 0x3ff))
    }
  }

  /** Appends a copy of a range of the text. */
  putRange(start: number, end: number): void {
    const to = Math.min(end, start + CAPACITY - this.used)
    this.units.copyWithin(this.used, start, to)
    this.used += to - start
  }

  /** Counts work of decoding; false when the budget is spent. */
  spend(units: number): boolean {
    this.work += units
    if (this.work <= this.budget.maxWork) return true
    this.truncated |= TRUNCATION.WORK
    return false
  }

  /** Adds a leaf over a range of the text, or several windows of it; returns the (first) leaf, -1 for none. */
  add(
    start: number,
    end: number,
    place: Place,
    key: number,
    flags = flagsOf(this.units, start, end),
  ): number {
    return this.#add(start, end, place, key, flags, 0, -1, 0)
  }

  /** Adds what was decoded from a leaf: a range of the text that has its place and key; -1 where that is known. */
  derive(parent: number, start: number, end: number, view: number, key = this.keys[parent]!): number {
    return this.deriveAt(parent, this.places[parent]! as Place, start, end, view, key)
  }

  /** As {@link derive}, at another place. */
  deriveAt(parent: number, place: Place, start: number, end: number, view: number, key: number): number {
    const views = this.views[parent]! | view
    const round = this.rounds[parent]! + 1
    const root = this.roots[parent]!
    if (this.#twins.isTwin(this, { start, end, place, view: views, root, round }, this.count)) return -1
    if (layersIn(round, views) > this.budget.maxRounds) {
      this.truncated |= TRUNCATION.LAYERS
      return -1
    }
    this.#grown[root]! += end - start
    if (this.isGrown(root)) {
      this.truncated |= TRUNCATION.WORK
      return -1
    }
    const flags = flagsOf(this.units, start, end)
    const first = this.count
    const leaf = this.#add(start, end, place, key, flags, views, parent, round)
    for (let i = first; i < this.count; i++) this.steps[i] = view
    return leaf
  }

  /** How often a leaf was decoded. */
  layersOf(leaf: number): number {
    return layersIn(this.rounds[leaf]!, this.views[leaf]!)
  }

  /** True when many times what a text of the message holds was decoded from it; then decoding stops. */
  isGrown(leaf: number): boolean {
    const root = this.roots[leaf]!
    const { growth, freeGrowth } = this.budget
    return this.#grown[root]! > (this.ends[root]! - this.starts[root]!) * growth + freeGrowth
  }

  /** Adds the leaf of a key, or finds the one that says the same under the same key. */
  addKey(start: number, end: number, place: Place, around: number): number {
    const { units, starts, ends } = this
    let hash = end - start + around
    for (let i = start; i < end; i++) hash = (hash * 31 + units[i]!) | 0
    const slot = (hash ^ (hash >>> 8)) & (KEY_SLOTS - 1)
    const known = this.#keySlots[slot]!
    if (known >= 0 && this.keys[known] === around && this.places[known] === place) {
      const from = starts[known]!
      let same = ends[known]! - from === end - start
      for (let i = 0; same && i < end - start; i++) same = units[from + i] === units[start + i]
      if (same) return known
    }
    const leaf = this.add(start, end, place, around)
    if (leaf >= 0) this.#keySlots[slot] = leaf
    return leaf
  }

  #add(
    start: number,
    end: number,
    place: Place,
    key: number,
    flags: number,
    view: number,
    parent: number,
    round: number,
  ): number {
    if (end <= start) return -1
    const { leafUnits, overlapUnits } = this.budget
    if (end - start <= leafUnits) return this.#put(start, end, place, key, flags, view, parent, round)
    let first = -1
    for (let from = start; from < end; from += leafUnits - overlapUnits) {
      const to = Math.min(end, from + leafUnits)
      const leaf = this.#put(from, to, place, key, flags, view | VIEW.WINDOW, parent, round)
      if (first < 0) first = leaf
      if (to === end) break
    }
    return first
  }

  #put(
    start: number,
    end: number,
    place: Place,
    key: number,
    flags: number,
    view: number,
    parent: number,
    round: number,
  ): number {
    const leaf = this.count
    if (leaf >= this.limit + RESERVE) {
      this.truncated |= TRUNCATION.LEAVES
      return -1
    }
    this.starts[leaf] = start
    this.ends[leaf] = end
    this.places[leaf] = place
    this.views[leaf] = view
    this.steps[leaf] = view
    this.keys[leaf] = key
    this.parents[leaf] = parent
    this.flags[leaf] = flags
    this.rounds[leaf] = round
    this.roots[leaf] = parent < 0 ? leaf : this.roots[parent]!
    this.#grown[leaf] = 0
    this.count = leaf + 1
    return leaf
  }

  text(leaf: number): string {
    return this.slice(this.starts[leaf]!, this.ends[leaf]!)
  }

  /** Text of a range. */
  slice(start: number, end: number): string {
    return this.#bytes.toString('utf16le', start * 2, end * 2)
  }

  path(leaf: number): string {
    const names: string[] = []
    for (let key = this.keys[leaf]!; key >= 0 && names.length <= this.budget.maxDepth; key = this.keys[key]!)
      names.push(this.text(key))
    return names.reverse().join('.')
  }

  name(leaf: number): string {
    const key = this.keys[leaf]!
    return key < 0 ? '' : this.text(key)
  }
}

/** To be normalised is not a layer: it happens once, and the twin is decoded as far as the text. */
function layersIn(rounds: number, views: number): number {
  return (views & VIEW.NORMALISED) !== 0 ? rounds - 1 : rounds
}
