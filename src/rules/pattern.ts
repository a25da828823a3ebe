import { RE2JS } from 're2js'
import { compileLookAround, type LookAroundPattern } from './look-around/look-around-pattern.ts'
import type { Marks } from './look-around/search.ts'

/** A compiled pattern of a template. Matching takes time linear in the text, whatever the pattern. */
export interface Pattern {
  readonly source: string
  /** True when the pattern is found anywhere in the text. */
  test(text: string): boolean
  /** Every match: the first group where the pattern has groups, else the whole match; at most `limit`. */
  findAll(text: string, limit: number): string[]
  /** The text with every match replaced; `$1` stands for a group. */
  replaceAll(text: string, replacement: string): string
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
  if (LOOK_AROUND.test(source)) {
    const pattern = compileLookAround(liftFlags(source))
    return typeof pattern === 'string'
      ? `the pattern cannot be used: ${pattern}`
      : withLookAround(source, pattern)
  }
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(liftFlags(source))
  } catch (error) {
    return `the pattern cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
  const literal = literalOf(source)
  return {
    source,
    test: literal === null ? (text) => compiled.matcher(text).find() : (text) => text.includes(literal),
    findAll: (text: string, limit: number) => matches(compiled, text, limit),
    replaceAll: (text: string, replacement: string) => compiled.matcher(text).replaceAll(replacement),
  }
}

const LOOK_AROUND = /\(\?<?[=!]/

function withLookAround(source: string, pattern: LookAroundPattern): Pattern {
  return {
    source,
    test: pattern.test,
    findAll: (text, limit) => {
      const found: string[] = []
      const group = pattern.groups > 0 ? 2 : 0
      for (const marks of pattern.matches(text)) {
        if (found.length >= limit) break
        if (marks[group]! >= 0) found.push(text.slice(marks[group], marks[group + 1]))
      }
      return found
    },
    replaceAll: (text, replacement) => {
      const parts: string[] = []
      let from = 0
      for (const marks of pattern.matches(text)) {
        parts.push(text.slice(from, marks[0]), filled(replacement, text, marks))
        from = marks[1]!
      }
      return parts.join('') + text.slice(from)
    },
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
