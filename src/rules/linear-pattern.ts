import { RE2JS } from 're2js'
import type { Pattern } from './pattern.ts'
import { filledReplacement } from './replacement.ts'
import { type MandatoryWords, mandatoryWords } from './search/mandatory-words.ts'
import { overBudget, presentBudget, refuseSpent, spend } from './search/pattern-budget.ts'
import { NOT_FOUND, type SearchBudget } from './search/search-budget.ts'
import { type UnitProgram, unitProgram } from './search/unit-program.ts'
import { UnitSearch } from './search/unit-search.ts'
import { unitsOf } from './search/units-of.ts'

/** Steps (instructions times characters) that re2js may take at once, as it looks at no clock: some milliseconds. */
const FEW_STEPS = 250_000
/** Steps that re2js may take in what is left of a text behind a match; a window of it is cut to that. */
const WINDOW_STEPS = 20_000_000
/** Least length of a window: longer matches of large patterns are not found in full. */
const MIN_WINDOW = 4_096
/** A match that ends later may begin so far before the one that ends first. */
const MAX_BEFORE = 1_024

/** Instructions for searches of code units; null where there are none. */
interface Programs {
  readonly exact: UnitProgram | null
  /** Without large counts; null where the pattern has none. */
  readonly wider: UnitProgram | null
}

/** A match in a text: the whole of it is group 0. */
interface Found {
  readonly start: number
  readonly end: number
  group(number: number): string | null
}

/**
 * A pattern without look-around. Texts that need few steps are searched by re2js; larger ones by an automaton that can
 * be stopped (`search/unit-search.ts`), and re2js reads only what that found.
 */
export class LinearPattern implements Pattern {
  readonly source: string
  readonly notes: readonly string[]
  readonly looksAround = false
  readonly #text: string
  readonly #compiled: RE2JS
  readonly #literal: string | null
  readonly #size: number
  #words: MandatoryWords | null = null
  #programs: Programs | null = null
  #search: UnitSearch | null = null

  constructor(source: string, text: string, compiled: RE2JS, notes: readonly string[]) {
    this.source = source
    this.notes = notes
    this.#text = text
    this.#compiled = compiled
    this.#literal = literalOf(source)
    this.#size = (compiled.re2().prog as { inst: readonly unknown[] }).inst.length
  }

  get words(): MandatoryWords {
    this.#words ??= mandatoryWords(this.#text)
    return this.#words
  }

  test(text: string): boolean {
    if (this.#literal !== null) return text.includes(this.#literal)
    if (this.#isQuick(text)) return this.#compiled.matcher(text).find()
    const budget = presentBudget()
    const end = this.#searchOf(text).end(unitsOf(text), 0, text.length, budget)
    refuseSpent(budget, this.source)
    return end !== NOT_FOUND
  }

  find(text: string): readonly [start: number, end: number] | null {
    for (const { start, end } of this.#matches(text)) return [start, end]
    return null
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = []
    const group = this.#compiled.groupCount() > 0 ? 1 : 0
    for (const match of this.#matches(text)) {
      if (found.length >= limit) break
      const value = match.group(group)
      if (value !== null) found.push(value)
    }
    return found
  }

  replaceAll(text: string, replacement: string): string {
    const parts: string[] = []
    let from = 0
    for (const match of this.#matches(text)) {
      parts.push(
        text.slice(from, match.start),
        filledReplacement(replacement, (number) => match.group(number) ?? ''),
      )
      from = match.end
    }
    return parts.join('') + text.slice(from)
  }

  unitSearch(): UnitSearch | null {
    this.#programs ??= this.#programsOf()
    const { exact, wider } = this.#programs
    return exact === null ? null : new UnitSearch(exact, wider === null ? null : new UnitSearch(wider))
  }

  /** Whether re2js may search the text at once; what it takes is spent. */
  #isQuick(text: string): boolean {
    const steps = this.#size * text.length
    if (steps > FEW_STEPS) return false
    spend(presentBudget(), steps, this.source)
    return true
  }

  #searchOf(text: string): UnitSearch {
    this.#search ??= this.unitSearch()
    if (this.#search === null)
      throw overBudget(this.source, `cannot be searched for in ${text.length} characters`)
    return this.#search
  }

  /** Matches from left to right that do not overlap. */
  *#matches(text: string): Iterable<Found> {
    if (this.#isQuick(text)) yield* this.#matchesIn(text, 0, text.length)
    else yield* this.#matchesOfLong(text, presentBudget())
  }

  *#matchesIn(text: string, from: number, to: number): Iterable<Found> {
    const matcher = this.#compiled.matcher(from === 0 && to === text.length ? text : text.slice(from, to))
    while (matcher.find())
      yield {
        start: from + matcher.start(),
        end: from + matcher.end(),
        group: (number) => (number > matcher.groupCount() ? null : (matcher.group(number) ?? null)),
      }
  }

  /** The automaton tells where the next match is, and re2js reads a window that begins just before it. */
  *#matchesOfLong(text: string, budget: SearchBudget): Iterable<Found> {
    const search = this.#searchOf(text)
    const units = unitsOf(text)
    const window = Math.max(MIN_WINDOW, Math.floor(WINDOW_STEPS / this.#size))
    for (let from = 0; from <= text.length; ) {
      const end = search.end(units, from, text.length, budget)
      refuseSpent(budget, this.source)
      if (end === NOT_FOUND) return
      const start = search.start(units, from, end, text.length, budget)
      refuseSpent(budget, this.source)
      const first = Math.max(from, start - MAX_BEFORE)
      const match = this.#firstIn(text, first, Math.min(text.length, end + window))
      spend(budget, this.#size * ((match?.end ?? end) - first + 1), this.source)
      if (match !== null) yield match
      const next = match?.end ?? end
      from = Math.max(next, match !== null && match.end === match.start ? next + 1 : next, from + 1)
      if (search.opening !== null) return // bound to the start of the text
    }
  }

  /** The first match that begins at `from` or later; the character before it is read for what looks at it. */
  #firstIn(text: string, from: number, to: number): Found | null {
    for (const match of this.#matchesIn(text, Math.max(0, from - 1), to))
      if (match.start >= from) return match
    return null
  }

  #programsOf(): Programs {
    const looser = loosened(this.#text)
    return {
      exact: unitProgram(this.#compiled),
      wider: looser === this.#text ? null : unitProgram(RE2JS.compile(looser)),
    }
  }
}

/** Repetitions up to this count are as they are. */
const FEW_TIMES = 6

/**
 * The pattern with every large count taken for any number: it matches whatever the pattern matches, and more. Counting
 * makes automata large; without it they stay small.
 */
function loosened(text: string): string {
  return text.replace(
    /\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}/gs,
    (whole, least: string | undefined, most: string | undefined) => {
      if (least === undefined) return whole
      const isSmall = Number(most === undefined || most === '' ? least : most) <= FEW_TIMES
      return isSmall ? whole : `{${Math.min(Number(least), FEW_TIMES)},}`
    },
  )
}

/** A pattern without any sign of the language is a plain search. */
function literalOf(source: string): string | null {
  return /^[^\\^$.|?*+()[\]{}]+$/.test(source) ? source : null
}
