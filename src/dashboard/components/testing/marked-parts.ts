import type { Reason } from './read-evidence.ts'

/** A part of a line, and whether it is what a condition matched. */
interface LinePart {
  readonly text: string
  readonly isMatch: boolean
}

/** Shorter values stand everywhere and mark nothing. */
const shortest = 4
const mostPhrases = 20

/** Longer lines are not searched by a pattern. */
const longestLine = 5_000
/** A repetition of a repetition can take exponential time here, unlike on the server: such patterns mark nothing. */
const nested = /[*+}]\)*[*+{]/

/**
 * Texts of an answer that decided conditions which hold: what a pattern matched, what must be contained, and short
 * values that were seen.
 */
export function matchedPhrases(reason: Reason | null, lines: readonly string[]): string[] {
  const phrases = new Set<string>()
  const add = (phrase: string) => {
    if (phrase.length >= shortest) phrases.add(phrase)
  }
  const visit = (node: Reason) => {
    if (node.holds) {
      const [, operator = '', operand = ''] = /^(regex|contains\w*|eq)\s+(.+)$/s.exec(node.text) ?? []
      if (operator === 'regex') for (const found of matchesOf(operand, lines)) add(found)
      else add(operand.replace(/^["'](.*)["']$/s, '$1'))
      if (node.observed !== null) add(node.observed.replace(/^["'](.*)["']$/s, '$1').trim())
    }
    for (const child of node.children) visit(child)
  }
  if (reason !== null) visit(reason)
  return [...phrases].slice(0, mostPhrases)
}

/** What a pattern matches in short lines; nothing when this browser cannot read the pattern. */
function matchesOf(pattern: string, lines: readonly string[]): string[] {
  if (nested.test(pattern)) return []
  try {
    const expression = new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i')
    return lines.flatMap((line) => (line.length > longestLine ? [] : (expression.exec(line)?.[0] ?? [])))
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Cuts a line where a phrase begins and ends. */
export function markedParts(line: string, phrases: readonly string[]): LinePart[] {
  const parts: LinePart[] = []
  let rest = line
  while (rest !== '') {
    const found = phrases
      .map((phrase) => ({ phrase, at: rest.indexOf(phrase) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.phrase.length - a.phrase.length)[0]
    if (found === undefined) break
    if (found.at > 0) parts.push({ text: rest.slice(0, found.at), isMatch: false })
    parts.push({ text: found.phrase, isMatch: true })
    rest = rest.slice(found.at + found.phrase.length)
  }
  if (rest !== '' || parts.length === 0) parts.push({ text: rest, isMatch: false })
  return parts
}

/**
 * What stands for a credential or a sensitive value: its first signs, the mask, and the digest that tells it from others;
 * or a mask that is a whole value. Other asterisks are text, such as bold words in Markdown.
 */
const MASKED =
  /([\w+/.@-]{0,4}\*{3,4}[0-9a-f]{6}(?!\*)|(?<=^|["'=>:\s])\*{4}(?=$|["'\\&;<,\s])|masked-[0-9a-f]{6})/

/** Cuts a text where masked values begin and end: every second part is one. */
export function maskedParts(text: string): string[] {
  return text.split(MASKED)
}
