/** Most states of a pattern. Patterns in use have some hundred; each one is tried at every character of a text. */
const MAX_PATTERN_STATES = 10_000

/** Most states of all patterns of one condition: they take about a second to make. */
export const MAX_CONDITION_STATES = 30_000

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

/** Why a pattern is too large to be used, as a sentence; null when it is not. */
export function tooManyStates(source: string): string | null {
  const states = statesOf(source)
  if (states <= MAX_PATTERN_STATES) return null
  return `the pattern has about ${states} states, and at most ${MAX_PATTERN_STATES} can be searched for: repeat less by count`
}
