import { overBudget, presentBudget, spend } from '../search/pattern-budget.ts'
import type { SearchBudget } from '../search/search-budget.ts'
import type { Look, Program, Step } from './program.ts'
import type { Edge } from './syntax.ts'

/** States (steps times places) that one search may have. */
const MAX_STATES = 50_000_000
/** Steps that are tried between two looks at the budget. */
const BUDGET_STEPS = 4_096

/** For each look-around of a program, at which places it holds. */
type Tables = readonly Uint8Array[]

/** Ends of the match and of its groups: start and end of group n at 2n and 2n + 1, -1 where it took no part. */
export type Marks = Int32Array

/**
 * Searches for a program in a text, the leftmost match first, in time linear in both: look-arounds are decided for all
 * places beforehand, and no step is tried twice at one place.
 */
export class Search {
  readonly #program: Program
  readonly #text: string
  readonly #length: number
  readonly #tables: Tables
  readonly #groups: number
  /** One bit for each step and place. */
  readonly #tried: Uint8Array
  readonly #budget: SearchBudget
  readonly #source: string
  #steps = 0

  /** @throws Failure PATTERN_OVER_BUDGET when the text is longer than such a program can search */
  constructor(program: Program, text: string, groups: number, source: string) {
    this.#program = program
    this.#text = text
    this.#length = text.length
    this.#source = source
    this.#budget = presentBudget()
    const longest = Math.floor(MAX_STATES / sizeOf(program))
    if (text.length > longest)
      throw overBudget(source, `cannot be searched for in more than ${longest} characters`)
    this.#tables = tablesOf(program, text, (steps) => spend(this.#budget, steps, source))
    this.#groups = groups
    this.#tried = new Uint8Array(((program.steps.length * (this.#length + 1)) >> 3) + 1)
  }

  /** The first match that begins at a place or later; places must not fall from call to call. */
  next(from: number): Marks | null {
    for (let start = from; start <= this.#length; start++) {
      const marks = this.#matchAt(start)
      if (marks !== null) {
        this.#forget(marks[1]!)
        return marks
      }
    }
    return null
  }

  /** What was tried where a match ended led to it, and may be tried again by the next. */
  #forget(place: number): void {
    for (let at = 0; at < this.#program.steps.length; at++) {
      const state = at * (this.#length + 1) + place
      this.#tried[state >> 3]! &= ~(1 << (state & 7))
    }
  }

  #matchAt(start: number): Marks | null {
    const { steps } = this.#program
    const tried = this.#tried
    const marks: Marks = new Int32Array((this.#groups + 1) * 2).fill(-1)
    marks[0] = start
    // Triples: step and place to try; or -1, slot and value to put back.
    const stack: number[] = [0, start, 0]
    while (stack.length > 0) {
      const old = stack.pop()!
      let place = stack.pop()!
      let at = stack.pop()!
      if (at < 0) {
        marks[place] = old
        continue
      }
      for (;;) {
        if (++this.#steps % BUDGET_STEPS === 0) spend(this.#budget, BUDGET_STEPS, this.#source)
        const state = at * (this.#length + 1) + place
        if ((tried[state >> 3]! & (1 << (state & 7))) !== 0) break
        tried[state >> 3]! |= 1 << (state & 7)
        const step: Step = steps[at]!
        if (step.kind === 'done') {
          marks[1] = place
          return marks
        }
        if (step.kind === 'unit') {
          if (place >= this.#length || !step.test(this.#text.charCodeAt(place))) break
          place++
        } else if (step.kind === 'split') {
          stack.push(step.second, place, 0)
          at = step.first
          continue
        } else if (step.kind === 'jump') {
          at = step.to
          continue
        } else if (step.kind === 'mark') {
          stack.push(-1, step.slot, marks[step.slot]!)
          marks[step.slot] = place
        } else if (!holdsAt(step, place, this.#text, this.#length, this.#tables)) break
        at++
      }
    }
    return null
  }
}

function sizeOf(program: Program): number {
  return program.looks.reduce((size, look) => size + sizeOf(look.program), program.steps.length)
}

type Spend = (steps: number) => void

function tablesOf(program: Program, text: string, spendSteps: Spend): Tables {
  return program.looks.map((look) => tableOf(look, text, spendSteps))
}

/**
 * Where a look-around holds: its program runs over the whole text once, begun anew at every place, from left to right
 * for what lies behind and from right to left for what lies ahead.
 */
function tableOf({ program, isBehind, isNegative }: Look, text: string, spendSteps: Spend): Uint8Array {
  const { length } = text
  const table = new Uint8Array(length + 1)
  const tables = tablesOf(program, text, spendSteps)
  const { steps } = program
  let current: number[] = []
  const added = new Int32Array(steps.length).fill(-1)
  for (let i = 0; i <= length; i++) {
    const place = isBehind ? i : length - i
    const follow = (into: number[], start: number): void => {
      const open = [start]
      while (open.length > 0) {
        const at = open.pop()!
        if (added[at] === i) continue
        added[at] = i
        const step: Step = steps[at]!
        if (step.kind === 'unit') into.push(at)
        else if (step.kind === 'done') table[place] = 1
        else if (step.kind === 'split') open.push(step.first, step.second)
        else if (step.kind === 'jump') open.push(step.to)
        else if (step.kind === 'mark' || holdsAt(step, place, text, length, tables)) open.push(at + 1)
      }
    }
    const next: number[] = []
    const code = text.charCodeAt(isBehind ? place - 1 : place)
    if (i > 0) {
      for (const at of current) {
        const step = steps[at]!
        if (step.kind === 'unit' && step.test(code)) follow(next, at + 1)
      }
    }
    follow(next, 0)
    spendSteps(current.length + next.length + 1)
    current = next
  }
  if (isNegative) for (let i = 0; i <= length; i++) table[i] = 1 - table[i]!
  return table
}

function holdsAt(
  step: Step & { kind: 'edge' | 'look' },
  place: number,
  text: string,
  length: number,
  tables: Tables,
): boolean {
  return step.kind === 'look' ? tables[step.slot]![place] === 1 : isEdge(step.edge, place, text, length)
}

const LINE_FEED = 10

function isEdge(edge: Edge, place: number, text: string, length: number): boolean {
  switch (edge) {
    case 'text start':
      return place === 0
    case 'text end':
      return place === length
    case 'line start':
      return place === 0 || text.charCodeAt(place - 1) === LINE_FEED
    case 'line end':
      return place === length || text.charCodeAt(place) === LINE_FEED
    case 'word edge':
      return isWord(text, place - 1, length) !== isWord(text, place, length)
    case 'no word edge':
      return isWord(text, place - 1, length) === isWord(text, place, length)
  }
}

function isWord(text: string, place: number, length: number): boolean {
  if (place < 0 || place >= length) return false
  const code = text.charCodeAt(place)
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  )
}
