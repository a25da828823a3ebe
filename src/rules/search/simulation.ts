import { type MatchStarts, nextStart } from './match-starts.ts'
import { NOT_FOUND, type SearchBudget } from './search-budget.ts'
import { classAt, flagsBetween, kindBefore, OP, TEXT_EDGE, type UnitProgram } from './unit-program.ts'

/** Places between two looks at the clock. */
const CLOCK_PLACES = 256
const NO_MATCH = -2

/**
 * Follows all ways through a program at once, character by character, and keeps for each the earliest place that it began
 * at (Thompson 1968, Pike). Slower than an automaton that knows its states, but it makes none: time is bounded by the
 * length of the text times that of the program.
 */
export class Simulation {
  /** Where the match that was found begins; -1: it was under way before the simulation began. */
  begun = -1
  /** Behind a search that found nothing: where to continue; -1 where nothing can be found any more. */
  place = -1
  readonly #program: UnitProgram
  readonly #starts: MatchStarts | null
  readonly #isAnchored: boolean
  /** Instructions that wait at the present place and where each began, the earliest first; and those of the next place. */
  #now: Int32Array
  #nowBegun: Int32Array
  #count = 0
  #next: Int32Array
  #nextBegun: Int32Array
  /** Instructions seen at one place, by its number. */
  readonly #seen: Int32Array
  #closing = 0
  readonly #stack: Int32Array

  /**
   * @param starts null where they say nothing
   * @param isAnchored a match begins at the start of the text only
   */
  constructor(program: UnitProgram, starts: MatchStarts | null, isAnchored: boolean) {
    const size = program.ops.length + 1
    this.#program = program
    this.#starts = starts
    this.#isAnchored = isAnchored
    this.#now = new Int32Array(size)
    this.#nowBegun = new Int32Array(size)
    this.#next = new Int32Array(size)
    this.#nextBegun = new Int32Array(size)
    this.#seen = new Int32Array(size)
    this.#stack = new Int32Array(2 * size)
  }

  /** Instructions that wait at {@link place}, in no order, some perhaps more than once; none: no match is under way. */
  get waiting(): Int32Array {
    return this.#now.subarray(0, this.#count)
  }

  /**
   * Where the match ends that ends first from a place on at which these instructions wait, or {@link NOT_FOUND}: when no
   * match is under way any more, or behind this many units.
   */
  end(
    units: Uint16Array,
    from: number,
    at: number,
    to: number,
    kernel: Int32Array,
    most: number,
    budget: SearchBudget,
  ): number {
    this.#count = 0
    for (const one of kernel) if (one !== this.#program.start) this.#wait(one, -1)
    return this.#run(units, from, at, to, -1, at + most, budget)
  }

  /** Where the longest match begins that ends at a place where one ends, from `least` on; {@link NOT_FOUND} for none. */
  start(
    units: Uint16Array,
    from: number,
    least: number,
    end: number,
    to: number,
    budget: SearchBudget,
  ): number {
    this.#count = 0
    let at = least
    while (at >= 0 && at <= end) {
      if (this.#run(units, from, at, to, end, end + 1, budget) !== NOT_FOUND) return this.begun
      at =
        this.place < 0 || this.#starts === null ? this.place : nextStart(this.#starts, units, this.place, to)
    }
    return NOT_FOUND
  }

  /** @param last the only place that a match may end at; -1 for any; `until` is where to stop at the latest */
  #run(
    units: Uint16Array,
    from: number,
    at: number,
    to: number,
    last: number,
    until: number,
    budget: SearchBudget,
  ): number {
    const { classCount, classKinds, start } = this.#program
    let before = at === from ? TEXT_EDGE : kindBefore(this.#program, units[at - 1]!)
    this.place = -1
    for (let place = at, steps = 1; ; steps++) {
      if (steps % CLOCK_PLACES === 0) budget.check()
      if (budget.isSpent) return NOT_FOUND
      const read = place === to ? classCount : classAt(this.#program, units, place, to)
      const after = place === to ? TEXT_EDGE : classKinds[read]!
      if (!this.#isAnchored || place === from) this.#wait(start, place)
      this.begun = this.#step(read, flagsBetween(before, after), last < 0 || place === last)
      if (this.begun !== NO_MATCH) return place
      if (place === to || place === last) return NOT_FOUND
      place += (units[place]! & 0xfc00) === 0xd800 && isLow(units, place + 1, to) ? 2 : 1
      before = after
      if (this.#count === 0 && this.#isAnchored) return NOT_FOUND
      if (place < until && (this.#count > 0 || this.#starts === null)) continue
      this.place = place
      return NOT_FOUND
    }
  }

  #wait(at: number, begun: number): void {
    this.#now[this.#count] = at
    this.#nowBegun[this.#count++] = begun
  }

  /** Reads a character of a class; gives where a match began that ends before it, or {@link NO_MATCH}. */
  #step(read: number, flags: number, mayEnd: boolean): number {
    const { ops, outs, args, reads } = this.#program
    const closing = ++this.#closing
    const stack = this.#stack
    const next = this.#next
    const nextBegun = this.#nextBegun
    let count = 0
    for (let i = 0; i < this.#count; i++) {
      const begun = this.#nowBegun[i]!
      let depth = 0
      stack[depth++] = this.#now[i]!
      while (depth > 0) {
        const at = stack[--depth]!
        if (this.#seen[at] === closing) continue
        this.#seen[at] = closing
        const op = ops[at]!
        if (op === OP.READ) {
          if (reads[at]![read] !== 1) continue
          next[count] = outs[at]!
          nextBegun[count++] = begun
        } else if (op === OP.MATCH) {
          if (mayEnd) return begun
        } else if (op !== OP.FAIL && (op !== OP.EMPTY || (args[at]! & ~flags) === 0)) {
          if (op === OP.ALT) stack[depth++] = args[at]!
          stack[depth++] = outs[at]!
        }
      }
    }
    this.#next = this.#now
    this.#nextBegun = this.#nowBegun
    this.#now = next
    this.#nowBegun = nextBegun
    this.#count = count
    return NO_MATCH
  }
}

function isLow(units: Uint16Array, at: number, to: number): boolean {
  return at < to && (units[at]! & 0xfc00) === 0xdc00
}
