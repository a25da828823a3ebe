import { RE2JS } from 're2js'

const MAX_CHARS = 1_000
/** Patterns in use have some ten; making one of this size takes about ten milliseconds. */
const MAX_STATES = 2_000
/** States times characters of one search: some milliseconds, which nothing stops. */
const MAX_STEPS = 500_000

/** A pattern that people set for short texts, such as URLs, names and values. */
export interface ShortPattern {
  /** True when it is found anywhere in a text. */
  test(text: string): boolean
  /** True when it matches a whole text. */
  matches(text: string): boolean
  /** True for a text that is not searched. What a pattern excludes must treat it as found. */
  isTooLong(text: string): boolean
}

/**
 * Compiles a pattern in RE2 syntax: a search takes time linear in the text. Texts of more characters than the pattern
 * has time for (500,000 divided by its states) are not searched, and do not match.
 *
 * @throws Error with what is wrong with the pattern
 */
export function shortPattern(source: string, { ignoresCase = false } = {}): ShortPattern {
  if (source.length > MAX_CHARS) throw new Error(`the pattern is longer than ${MAX_CHARS} characters`)
  const states = statesOf(source)
  if (states > MAX_STATES)
    throw new Error(
      `the pattern has about ${states} states, and at most ${MAX_STATES} can be searched for: repeat less by count`,
    )
  const compiled = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
  const isTooLong = (text: string): boolean => text.length * states > MAX_STEPS
  return {
    test: (text) => !isTooLong(text) && compiled.matcher(text).find(),
    matches: (text) => !isTooLong(text) && compiled.matches(text),
    isTooLong,
  }
}

const TOKEN =
  /\\Q(?:[^\\]|\\(?!E))*(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d{1,9})(?:,(\d{0,9}))?\}|\(\?<?[=!:>]|./gs

interface Level {
  /** Size of what stands before the last item. */
  before: number
  /** Size of the last item, which a quantifier repeats. */
  last: number
}

/**
 * About how many states a pattern has, found out without making them: every character is one, and what is repeated by
 * count is there as often.
 */
export function statesOf(source: string): number {
  const levels: Level[] = [{ before: 0, last: 0 }]
  for (const [token, least, most] of source.matchAll(TOKEN)) {
    const level = levels.at(-1)!
    if (least !== undefined) level.last *= Math.max(1, Number(most || least))
    else if (token.startsWith('(')) levels.push({ before: 0, last: 0 })
    else if (token === ')' && levels.length > 1) {
      levels.pop()
      add(levels.at(-1)!, level.before + level.last + 2)
    } else if (token === '*' || token === '+' || token === '?') level.last++
    else add(level, token.startsWith('\\Q') ? token.length : 1)
  }
  return levels.reduce((sum, { before, last }) => sum + before + last, 0)
}

function add(level: Level, size: number): void {
  level.before += level.last
  level.last = size
}
