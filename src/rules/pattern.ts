import { RE2JS } from 're2js'
import { fromJavaSyntax } from './java-syntax.ts'
import { compileLookAround, type LookAroundPattern } from './look-around/look-around-pattern.ts'
import type { Marks } from './look-around/search.ts'
import { type MandatoryWords, mandatoryWords } from './search/mandatory-words.ts'
import { type UnitProgram, unitProgram } from './search/unit-program.ts'
import { UnitSearch } from './search/unit-search.ts'

/** A compiled pattern of a template. Matching takes time linear in the text, whatever the pattern. */
export interface Pattern {
  readonly source: string
  /** Where its meaning is not quite that of Java, as sentences. */
  readonly notes: readonly string[]
  /** True when it looks ahead or behind, which takes longer. */
  readonly looksAround: boolean
  /** What every text that it matches must hold. */
  readonly words: MandatoryWords
  /** True when the pattern is found anywhere in the text. */
  test(text: string): boolean
  /** Start and end of the first match; null when there is none. */
  find(text: string): readonly [start: number, end: number] | null
  /** Every match: the first group where the pattern has groups, else the whole match; at most `limit`. */
  findAll(text: string, limit: number): string[]
  /** The text with every match replaced; `$1` stands for a group. */
  replaceAll(text: string, replacement: string): string
  /** A search over code units, with states of its own; null for patterns that look around. */
  unitSearch(): UnitSearch | null
}

/** Longest pattern, in characters. */
export const MAX_PATTERN_LENGTH = 8_192
const MAX_CACHED = 5_000
const cache = new Map<string, Pattern | string>()

/** The pattern, or why it cannot be used, as a sentence. Compiled once for each text. */
export function compilePattern(source: string): Pattern | string {
  const known = cache.get(source)
  if (known !== undefined) return known
  const made = compile(source)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(source, made)
  return made
}

function compile(source: string): Pattern | string {
  if (source.length > MAX_PATTERN_LENGTH) return `the pattern is longer than ${MAX_PATTERN_LENGTH} characters`
  const lifted = liftFlags(source)
  if (LOOK_AROUND.test(source)) {
    const pattern = compileLookAround(lifted)
    return typeof pattern === 'string'
      ? `the pattern cannot be used: ${pattern}`
      : new LookAround(source, lifted, pattern)
  }
  const linear = linearOf(lifted)
  return linear instanceof Error
    ? `the pattern cannot be used: ${linear.message}`
    : new Linear(source, linear.text, linear.compiled, linear.notes)
}

interface LinearForm {
  readonly text: string
  readonly compiled: RE2JS
  readonly notes: readonly string[]
}

/** The pattern as it is written, or else as Java means it. */
function linearOf(text: string): LinearForm | Error {
  let fault: Error
  try {
    return { text, compiled: RE2JS.compile(text), notes: [] }
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error))
  }
  const translated = fromJavaSyntax(text)
  if (translated === null || translated.text === text) return fault
  try {
    return { ...translated, compiled: RE2JS.compile(translated.text) }
  } catch {
    return fault // what is wrong is told of the text that its author wrote
  }
}

const LOOK_AROUND = /\(\?<?[=!]/

/** Instructions for searches of code units; null where there are none. */
interface Programs {
  readonly exact: UnitProgram | null
  /** Without large counts; null where the pattern has none. */
  readonly wider: UnitProgram | null
}

class Linear implements Pattern {
  readonly source: string
  readonly notes: readonly string[]
  readonly looksAround = false
  readonly #text: string
  readonly #compiled: RE2JS
  readonly #literal: string | null
  #words: MandatoryWords | null = null
  #programs: Programs | null = null

  constructor(source: string, text: string, compiled: RE2JS, notes: readonly string[]) {
    this.source = source
    this.notes = notes
    this.#text = text
    this.#compiled = compiled
    this.#literal = literalOf(source)
  }

  get words(): MandatoryWords {
    this.#words ??= mandatoryWords(this.#text)
    return this.#words
  }

  test(text: string): boolean {
    return this.#literal === null ? this.#compiled.matcher(text).find() : text.includes(this.#literal)
  }

  find(text: string): readonly [start: number, end: number] | null {
    const matcher = this.#compiled.matcher(text)
    return matcher.find() ? [matcher.start(), matcher.end()] : null
  }

  findAll(text: string, limit: number): string[] {
    return matches(this.#compiled, text, limit)
  }

  replaceAll(text: string, replacement: string): string {
    return this.#compiled.matcher(text).replaceAll(replacement)
  }

  unitSearch(): UnitSearch | null {
    this.#programs ??= this.#programsOf()
    const { exact, wider } = this.#programs
    return exact === null ? null : new UnitSearch(exact, wider === null ? null : new UnitSearch(wider))
  }

  #programsOf(): Programs {
    const looser = loosened(this.#text)
    return {
      exact: unitProgram(this.#compiled),
      wider: looser === this.#text ? null : unitProgram(RE2JS.compile(looser)),
    }
  }
}

class LookAround implements Pattern {
  readonly source: string
  readonly notes: readonly string[] = []
  readonly looksAround = true
  readonly #text: string
  readonly #pattern: LookAroundPattern
  #words: MandatoryWords | null = null

  constructor(source: string, text: string, pattern: LookAroundPattern) {
    this.source = source
    this.#text = text
    this.#pattern = pattern
  }

  get words(): MandatoryWords {
    this.#words ??= mandatoryWords(this.#text)
    return this.#words
  }

  test(text: string): boolean {
    return this.#pattern.test(text)
  }

  find(text: string): readonly [start: number, end: number] | null {
    for (const marks of this.#pattern.matches(text)) return [marks[0]!, marks[1]!]
    return null
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = []
    const group = this.#pattern.groups > 0 ? 2 : 0
    for (const marks of this.#pattern.matches(text)) {
      if (found.length >= limit) break
      if (marks[group]! >= 0) found.push(text.slice(marks[group], marks[group + 1]))
    }
    return found
  }

  replaceAll(text: string, replacement: string): string {
    const parts: string[] = []
    let from = 0
    for (const marks of this.#pattern.matches(text)) {
      parts.push(text.slice(from, marks[0]), filled(replacement, text, marks))
      from = marks[1]!
    }
    return parts.join('') + text.slice(from)
  }

  unitSearch(): null {
    return null
  }
}

/** `$1` stands for a group, a backslash takes the next character as it is. */
function filled(replacement: string, text: string, marks: Marks): string {
  return replacement.replace(/\\(.)|\$(\d)/gs, (_, plain: string | undefined, digit: string | undefined) => {
    if (digit === undefined) return plain ?? ''
    const start = marks[Number(digit) * 2] ?? -1
    return start < 0 ? '' : text.slice(start, marks[Number(digit) * 2 + 1])
  })
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

/** An inline flag behind an anchor (`^(?i)x`) is meant for the whole pattern. */
function liftFlags(source: string): string {
  return source.replace(/^\^\(\?([imsU]+)\)/, '(?$1)^')
}

/** A pattern without any sign of the language is a plain search. */
function literalOf(source: string): string | null {
  return /^[^\\^$.|?*+()[\]{}]+$/.test(source) ? source : null
}

function matches(compiled: RE2JS, text: string, limit: number): string[] {
  const found: string[] = []
  const matcher = compiled.matcher(text)
  const hasGroup = compiled.groupCount() > 0
  while (found.length < limit && matcher.find()) {
    const match = hasGroup ? matcher.group(1) : matcher.group()
    if (match !== null && match !== undefined) found.push(match)
  }
  return found
}
