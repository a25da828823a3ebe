import {
  isInside,
  type MatchStarts,
  matchStarts,
  mayConsistOf,
  nextStart,
  textStarts,
} from './match-starts.ts'
import { NOT_FOUND, type SearchBudget } from './search-budget.ts'
import { Simulation } from './simulation.ts'
import type { IndexedRun, StartIndex } from './start-index.ts'
import { classAt, EMPTY, flagsBetween, kindBefore, OP, TEXT_EDGE, type UnitProgram } from './unit-program.ts'

const UNKNOWN = -1
const ACCEPT = -2
/** Nothing can match any more: the pattern is bound to the start of the text. */
const DEAD = -3
/** No match is under way: the next one begins where one may begin. */
const IDLE = -4
/** States that one pattern may keep. */
const MAX_STATES = 2_000
/** Numbers in the table of one pattern: half a mebibyte. */
const MAX_TABLE = 131_072
/** Numbers that all patterns of a thread together may keep, about: 24 mebibytes. */
const MAX_HELD = 6_291_456
/** What a state costs beside its row and its instructions, in such numbers. */
const STATE_COST = 48
/** States made in one search, before it is asked whether they are worth it. */
const PATIENCE = 24
/** Units that the automaton should read for each state it makes; else the next ones are simulated. */
const UNITS_OF_STATE = 8
/** Units that are simulated before states are made again; each time twice as many. */
const SIMULATED = 256
const NONE = new Int32Array(0)
/** How far back the start of a match is looked for. */
const MAX_BACK = 1_024
/** States that are made between two looks at the clock. */
const CLOCK_STEP = 64

/** What the searches of this thread keep. When it is too much, a new era begins, and each makes its states anew. */
const memory = { held: 0, era: 0 }

/** What is known at a place: the instructions that wait for a character, and what the character before was. */
interface State {
  readonly kernel: Int32Array
  readonly before: number
}

/** Kinds of characters: every combination of `KIND`. */
const IDLE_KINDS = 4

/**
 * Searches runs of UTF-16 code units for a pattern: a deterministic automaton that is made as far as texts need it, on
 * the instructions that re2js compiled. Time is linear in the text, memory bounded; when the states of a pattern are
 * more than fit, they are made anew from where the search stands.
 */
export class UnitSearch {
  readonly #program: UnitProgram
  readonly #width: number
  #table: Int32Array
  #states: State[] = []
  readonly #numbers = new Map<string, number>()
  #startRow = UNKNOWN
  /** True when a match can begin at the start of the text only. */
  readonly #isAnchored: boolean
  /** What a match may begin with; null where that says nothing. Not asked before the first search. */
  #starts: MatchStarts | null | undefined
  /** By kind of the character before, the row where nothing is under way. */
  readonly #idleRows = new Int32Array(IDLE_KINDS)
  readonly #wider: UnitSearch | null
  #made = 0
  #era = 0
  /** Instructions seen while one set is closed, by number of the closing. */
  readonly #seen: Int32Array
  #closing = 0
  readonly #stack: number[] = []
  readonly #closed: number[] = []
  #simulated: Simulation | null = null

  /** @param wider a search with fewer states that finds whatever this one finds, and more; it is asked first */
  constructor(program: UnitProgram, wider: UnitSearch | null = null) {
    this.#program = program
    this.#wider = wider
    this.#width = program.classCount + 1
    this.#table = new Int32Array(this.#width * 16).fill(UNKNOWN)
    this.#seen = new Int32Array(program.ops.length)
    const isMatch = this.#close(Int32Array.of(program.start), ~EMPTY.TEXT_START)
    this.#isAnchored = !isMatch && this.#closed.length === 0
  }

  /** What a text begins with that holds a match, where matches begin at the start of the text only; null else. */
  get opening(): MatchStarts | null {
    return this.#isAnchored ? textStarts(this.#program) : null
  }

  /** Whether a match may consist of some characters of ASCII alone, given by their code units. */
  mayConsistOf(characters: readonly number[]): boolean {
    return mayConsistOf(this.#program, characters)
  }

  /**
   * Where the match that ends first ends, or {@link NOT_FOUND}. The run is its own text: `^` holds at its start.
   *
   * @param from first unit of the run in `units`, `to` the one behind its last
   * @param run the same run in an index: many searches of one run are quicker with it
   */
  end(
    units: Uint16Array,
    from: number,
    to: number,
    budget: SearchBudget,
    index: StartIndex | null = null,
    run: IndexedRun | null = null,
  ): number {
    if (this.#wider !== null && this.#wider.end(units, from, to, budget, index, run) === NOT_FOUND)
      return NOT_FOUND
    const { lowClasses } = this.#program
    const starts = this.#ready()
    if (starts !== null && run !== null) index!.mark(run, starts)
    let table = this.#table
    let row = this.#startRow
    let since = from
    let enough = this.#made + PATIENCE
    let simulated = SIMULATED
    for (let i = from; i < to; i++) {
      const unit = units[i]!
      const at = i
      let read: number
      if (unit < 256) read = lowClasses[unit]!
      else {
        read = classAt(this.#program, units, i, to)
        if ((unit & 0xfc00) === 0xd800 && i + 1 < to && (units[i + 1]! & 0xfc00) === 0xdc00) i++
      }
      let next = table[row + read]!
      if (next < 0) {
        if (next === UNKNOWN) {
          next = this.#step(row, read, budget)
          if (budget.isSpent) return NOT_FOUND
          if (next >= 0 && this.#made >= enough) {
            if (i - since < PATIENCE * UNITS_OF_STATE) {
              const { kernel } = this.#states[next / this.#width]!
              const simulation = this.#simulation
              const end = simulation.end(units, from, i + 1, to, kernel, simulated, budget)
              if (end !== NOT_FOUND || simulation.place < 0) return end
              i = simulation.place - 1
              next = this.#rowBehind(units[i]!, simulation.waiting)
              simulated *= 2
            }
            since = i
            enough = this.#made + PATIENCE
          }
          table = this.#table
        }
        if (next === IDLE) {
          const start = run === null ? nextStart(starts!, units, i + 1, to) : index!.next(i + 1)
          if (start < 0) return NOT_FOUND
          i = start - 1
          next = this.#rowBehind(units[i]!, NONE)
          table = this.#table
        } else if (next < 0) return next === ACCEPT ? at : NOT_FOUND
      }
      row = next
    }
    return this.#endsWith(row, budget) ? to : NOT_FOUND
  }

  /** Where the longest match that ends at `end` starts, looking back over {@link MAX_BACK} units at most. */
  start(units: Uint16Array, from: number, end: number, to: number, budget: SearchBudget): number {
    let least = Math.max(from, end - MAX_BACK)
    if (least > from && isInside(units, least)) least--
    const start = this.#simulation.start(units, from, least, end, to, budget)
    return start === NOT_FOUND ? end : start
  }

  /** Whether a match ends at the end of the text, where this row is reached there. */
  #endsWith(row: number, budget: SearchBudget): boolean {
    const { classCount } = this.#program
    let last = this.#table[row + classCount]!
    if (last === UNKNOWN) last = this.#step(row, classCount, budget)
    return last === ACCEPT && !budget.isSpent
  }

  /** Makes the first state where there is none; gives what matches may begin with. */
  #ready(): MatchStarts | null {
    if (this.#era !== memory.era) this.#leaveEra()
    if (this.#startRow === UNKNOWN) this.#begin()
    return this.#startsOf()
  }

  #begin(): void {
    this.#idleRows.fill(UNKNOWN)
    this.#startRow = this.#rowOf([this.#program.start], TEXT_EDGE)
  }

  /** The row behind a unit where these instructions wait, beside those that a match begins with. */
  #rowBehind(unit: number, waiting: Int32Array): number {
    const kind = kindBefore(this.#program, unit)
    const { start } = this.#program
    if (waiting.length > 0 || this.#startsOf() === null) {
      if (this.#isFull) this.#forget()
      return this.#rowOf(this.#isAnchored ? [...waiting] : [...waiting, start], kind)
    }
    if (this.#idleRows[kind] === UNKNOWN) this.#idleRows[kind] = this.#rowOf([start], kind)
    return this.#idleRows[kind]!
  }

  get #isFull(): boolean {
    return this.#states.length >= MAX_STATES || (this.#states.length + 1) * this.#width > MAX_TABLE
  }

  get #simulation(): Simulation {
    this.#simulated ??= new Simulation(this.#program, this.#startsOf(), this.#isAnchored)
    return this.#simulated
  }

  #startsOf(): MatchStarts | null {
    if (this.#starts === undefined) this.#starts = this.#isAnchored ? null : matchStarts(this.#program)
    return this.#starts
  }

  /** Follows a character of a class from a state. */
  #step(row: number, read: number, budget: SearchBudget): number {
    if (++this.#made % CLOCK_STEP === 0) budget.check()
    const { outs, reads, classCount, classKinds, start } = this.#program
    const state = this.#states[row / this.#width]!
    const isEnd = read === classCount
    const flags = flagsBetween(state.before, isEnd ? TEXT_EDGE : classKinds[read]!)
    if (this.#close(state.kernel, flags)) {
      this.#table[row + read] = ACCEPT
      return ACCEPT
    }
    if (isEnd) {
      this.#table[row + read] = row
      return row
    }
    const next: number[] = []
    for (const at of this.#closed) if (reads[at]![read] === 1) next.push(outs[at]!)
    if (next.length === 0 && this.#startsOf() !== null) {
      this.#table[row + read] = IDLE
      return IDLE
    }
    if (!this.#isAnchored) next.push(start)
    else if (next.length === 0) {
      this.#table[row + read] = DEAD
      return DEAD
    }
    const isFull = this.#isFull
    if (isFull) this.#forget()
    const to = this.#rowOf(next, classKinds[read]!)
    if (!isFull) this.#table[row + read] = to
    return to
  }

  /** Instructions that wait for a character behind the empty steps from these; true when a match is among them. */
  #close(kernel: Int32Array, flags: number): boolean {
    const { ops, outs, args } = this.#program
    const closing = ++this.#closing
    const stack = this.#stack
    const closed = this.#closed
    closed.length = 0
    for (const at of kernel) stack.push(at)
    let isMatch = false
    while (stack.length > 0) {
      const at = stack.pop()!
      if (this.#seen[at] === closing) continue
      this.#seen[at] = closing
      switch (ops[at]) {
        case OP.READ:
          closed.push(at)
          break
        case OP.MATCH:
          isMatch = true
          break
        case OP.ALT:
          stack.push(args[at]!, outs[at]!)
          break
        case OP.EMPTY:
          if ((args[at]! & ~flags) === 0) stack.push(outs[at]!)
          break
        case OP.FAIL:
          break
        default:
          stack.push(outs[at]!)
      }
    }
    return isMatch
  }

  #rowOf(kernel: readonly number[], before: number): number {
    const sorted = Int32Array.from(new Set(kernel)).sort()
    const key = `${before}:${sorted.join()}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const row = this.#states.length * this.#width
    this.#states.push({ kernel: sorted, before })
    memory.held += this.#width + sorted.length + STATE_COST
    if (memory.held > MAX_HELD) {
      memory.held = 0
      memory.era++
    }
    this.#numbers.set(key, row)
    if (row + this.#width > this.#table.length) {
      const grown = new Int32Array(Math.max(this.#table.length * 2, row + this.#width)).fill(UNKNOWN)
      grown.set(this.#table)
      this.#table = grown
    }
    return row
  }

  #leaveEra(): void {
    this.#era = memory.era
    this.#table = new Int32Array(this.#width * 16)
    this.#forget()
  }

  #forget(): void {
    this.#states = []
    this.#numbers.clear()
    this.#table.fill(UNKNOWN)
    this.#begin()
  }
}
