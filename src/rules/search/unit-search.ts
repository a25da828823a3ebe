import { type MatchStarts, matchStarts } from './match-starts.ts'
import { type IndexedRun, nextStart, type StartIndex } from './start-index.ts'
import { EMPTY, intervalOf, KIND, OP, type UnitProgram } from './unit-program.ts'

/** What a search may spend; shared by all searches of one message. */
export interface SearchBudget {
  /** True once the time is over; searches that began do not tell anything then. */
  readonly isSpent: boolean
  /** Looks at the clock. */
  check(): void
}

/** No match. */
export const NOT_FOUND = -1

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
/** States that are made between two looks at the clock. */
const CLOCK_STEP = 64
/** How far back the start of a match is looked for. */
const MAX_BACK = 1_024

/** What the searches of this thread keep. When it is too much, a new era begins, and each makes its states anew. */
const memory = { held: 0, era: 0 }

/** What is known at a place: the instructions that wait for a character, and what the character before was. */
interface State {
  readonly kernel: Int32Array
  readonly before: number
}

/** Nothing was read before: the text begins here. */
const TEXT_START = 4
/** Kinds of characters: every combination of {@link KIND}. */
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
  #sources: Sources | null = null

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

  /** States made so far, over all texts. */
  get statesMade(): number {
    return this.#made
  }

  /**
   * Where the match that ends first ends, or {@link NOT_FOUND}. The run is a text of its own: `^` holds at its start.
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
    const { lowClasses, classCount } = this.#program
    if (this.#era !== memory.era) this.#leaveEra()
    if (this.#startRow === UNKNOWN) this.#begin()
    const starts = this.#starts!
    if (starts !== null && run !== null) index!.mark(run, starts)
    let table = this.#table
    let row = this.#startRow
    for (let i = from; i < to; i++) {
      const unit = units[i]!
      const at = i
      let read: number
      if (unit < 256) read = lowClasses[unit]!
      else {
        read = this.#classAt(units, i, to)
        if ((unit & 0xfc00) === 0xd800 && i + 1 < to && (units[i + 1]! & 0xfc00) === 0xdc00) i++
      }
      let next = table[row + read]!
      if (next < 0) {
        if (next === UNKNOWN) {
          next = this.#step(row, read, budget)
          if (budget.isSpent) return NOT_FOUND
          table = this.#table
        }
        if (next === IDLE) {
          const start = run === null ? nextStart(starts!, units, i + 1, to) : index!.next(i + 1)
          if (start < 0) return NOT_FOUND
          i = start - 1
          next = this.#idleRow(units[i]!)
          table = this.#table
        } else if (next < 0) return next === ACCEPT ? at : NOT_FOUND
      }
      row = next
    }
    let last = table[row + classCount]!
    if (last === UNKNOWN) last = this.#step(row, classCount, budget)
    return last === ACCEPT && !budget.isSpent ? to : NOT_FOUND
  }

  /** Where the longest match that ends at `end` starts, looking back over {@link MAX_BACK} units at most. */
  start(units: Uint16Array, from: number, end: number, to: number): number {
    this.#sources ??= sourcesOf(this.#program)
    const { classCount, classKinds, reads, start } = this.#program
    const least = Math.max(from, end - MAX_BACK)
    let found = end
    let waiting = this.#sources.matches
    for (let place = end; ; place -= isPair(units, place - 2, from) ? 2 : 1) {
      const read = place === from ? classCount : this.#classAt(units, placeBefore(units, place, from), place)
      const next = place === to ? classCount : this.#classAt(units, place, to)
      const before = place === from ? TEXT_START : classKinds[read]!
      const flags = flagsBetween(before, next === classCount ? TEXT_START : classKinds[next]!)
      const reached = this.#leadingTo(waiting, flags)
      if (reached.has(start)) found = place
      if (place <= least) return found
      const sources = new Set<number>()
      for (const at of reached)
        for (const source of this.#sources.reading[at]!) if (reads[source]![read] === 1) sources.add(source)
      if (sources.size === 0) return found
      waiting = [...sources]
    }
  }

  /** These instructions, and those that empty steps lead to them from. */
  #leadingTo(waiting: readonly number[], flags: number): Set<number> {
    const { ops, args } = this.#program
    const reached = new Set(waiting)
    // A set yields what is added to it while it is walked.
    for (const at of reached)
      for (const source of this.#sources!.empty[at]!)
        if (ops[source] !== OP.EMPTY || (args[source]! & ~flags) === 0) reached.add(source)
    return reached
  }

  #begin(): void {
    if (this.#starts === undefined) this.#starts = this.#isAnchored ? null : matchStarts(this.#program)
    this.#idleRows.fill(UNKNOWN)
    this.#startRow = this.#rowOf([this.#program.start], TEXT_START)
  }

  /** The row behind a unit where nothing is under way. */
  #idleRow(before: number): number {
    const { classKinds, lowClasses, start } = this.#program
    // Only characters of ASCII are of a kind.
    const kind = before < 256 ? classKinds[lowClasses[before]!]! : 0
    if (this.#idleRows[kind] === UNKNOWN) this.#idleRows[kind] = this.#rowOf([start], kind)
    return this.#idleRows[kind]!
  }

  #classAt(units: Uint16Array, at: number, to: number): number {
    const { bounds, intervalClasses } = this.#program
    const unit = units[at]!
    let character = unit
    if ((unit & 0xfc00) === 0xd800 && at + 1 < to && (units[at + 1]! & 0xfc00) === 0xdc00)
      character = ((unit & 0x3ff) << 10) + (units[at + 1]! & 0x3ff) + 0x10000
    return intervalClasses[intervalOf(bounds, character)]!
  }

  /** Follows a character of a class from a state. */
  #step(row: number, read: number, budget: SearchBudget): number {
    if (++this.#made % CLOCK_STEP === 0) budget.check()
    const { outs, reads, classCount, classKinds, start } = this.#program
    const state = this.#states[row / this.#width]!
    const isEnd = read === classCount
    const flags = flagsBetween(state.before, isEnd ? TEXT_START : classKinds[read]!)
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
    if (next.length === 0 && this.#starts !== null) {
      this.#table[row + read] = IDLE
      return IDLE
    }
    if (!this.#isAnchored) next.push(start)
    else if (next.length === 0) {
      this.#table[row + read] = DEAD
      return DEAD
    }
    const width = this.#width
    const isFull = this.#states.length >= MAX_STATES || (this.#states.length + 1) * width > MAX_TABLE
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

/** Which conditions hold between two characters, given by their kinds; {@link TEXT_START} stands for an end of the text. */
function flagsBetween(before: number, after: number): number {
  let flags = (before & KIND.WORD) !== (after & KIND.WORD) ? EMPTY.WORD_EDGE : EMPTY.NO_WORD_EDGE
  if (before === TEXT_START) flags |= EMPTY.TEXT_START | EMPTY.LINE_START
  else if ((before & KIND.LINE_FEED) !== 0) flags |= EMPTY.LINE_START
  if (after === TEXT_START) flags |= EMPTY.TEXT_END | EMPTY.LINE_END
  else if ((after & KIND.LINE_FEED) !== 0) flags |= EMPTY.LINE_END
  return flags
}

function isPair(units: Uint16Array, at: number, from: number): boolean {
  return at >= from && (units[at]! & 0xfc00) === 0xd800 && (units[at + 1]! & 0xfc00) === 0xdc00
}

/** First unit of the character before a place. */
function placeBefore(units: Uint16Array, place: number, from: number): number {
  return isPair(units, place - 2, from) ? place - 2 : place - 1
}

/** The steps of a program, backwards. */
interface Sources {
  /** For each instruction those that read a character and lead to it. */
  readonly reading: readonly (readonly number[])[]
  /** For each instruction those that lead to it without one. */
  readonly empty: readonly (readonly number[])[]
  readonly matches: readonly number[]
}

function sourcesOf({ ops, outs, args }: UnitProgram): Sources {
  const reading: number[][] = Array.from(ops, () => [])
  const empty: number[][] = Array.from(ops, () => [])
  const matches: number[] = []
  for (const [at, op] of ops.entries()) {
    if (op === OP.MATCH) matches.push(at)
    else if (op === OP.READ) reading[outs[at]!]!.push(at)
    else if (op !== OP.FAIL) empty[outs[at]!]!.push(at)
    if (op === OP.ALT) empty[args[at]!]!.push(at)
  }
  return { reading, empty, matches }
}
