import { RE2JS } from 're2js'
import { fromJavaSyntax } from './java-syntax.ts'
import { LinearPattern } from './linear-pattern.ts'
import { compileLookAround } from './look-around/look-around-pattern.ts'
import { LookAroundSearch } from './look-around-search.ts'
import type { MandatoryWords } from './search/mandatory-words.ts'
import { tooManyStates } from './search/pattern-size.ts'
import type { UnitSearch } from './search/unit-search.ts'

/**
 * A compiled pattern of a template. Matching takes time linear in the text, whatever the pattern, and spends the budget
 * in force (`search/pattern-budget.ts`): a search that does not come to its end throws Failure PATTERN_OVER_BUDGET.
 */
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
  /** A search over code units, with its own states; null for patterns that look around. */
  unitSearch(): UnitSearch | null
}

/** Longest pattern, in characters. */
const MAX_PATTERN_LENGTH = 8_192
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

/** Why a pattern is longer or larger than any may be, as a sentence; null when it is not. */
export function tooLargePattern(source: string): string | null {
  if (source.length > MAX_PATTERN_LENGTH) return `the pattern is longer than ${MAX_PATTERN_LENGTH} characters`
  return tooManyStates(source)
}

function compile(source: string): Pattern | string {
  const large = tooLargePattern(source)
  if (large !== null) return large
  const lifted = liftFlags(source)
  if (LOOK_AROUND.test(source)) {
    const pattern = compileLookAround(lifted)
    return typeof pattern === 'string'
      ? `the pattern cannot be used: ${pattern}`
      : new LookAroundSearch(source, lifted, pattern)
  }
  const linear = linearOf(lifted)
  return linear instanceof Error
    ? `the pattern cannot be used: ${linear.message}`
    : new LinearPattern(source, linear.text, linear.compiled, linear.notes)
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
    return fault // problems refer to the text that its author wrote
  }
}

const LOOK_AROUND = /\(\?<?[=!]/

/** An inline flag behind an anchor (`^(?i)x`) is meant for the whole pattern. */
function liftFlags(source: string): string {
  return source.replace(/^\^\(\?([imsU]+)\)/, '(?$1)^')
}
