import type { Reason } from './read-evidence.ts'

/** A part of a line, and whether it is what a condition matched. */
export interface LinePart {
  readonly text: string
  readonly isMatch: boolean
}

/** Shorter values stand everywhere and mark nothing. */
const shortest = 4
const mostPhrases = 20

/** Texts that conditions which hold were decided by: they are looked for in the answer. */
export function matchedPhrases(reason: Reason | null): string[] {
  const phrases = new Set<string>()
  const visit = (node: Reason) => {
    if (node.holds && node.observed !== null) {
      const phrase = node.observed.replace(/^["'](.*)["']$/s, '$1').trim()
      if (phrase.length >= shortest) phrases.add(phrase)
    }
    for (const child of node.children) visit(child)
  }
  if (reason !== null) visit(reason)
  return [...phrases].slice(0, mostPhrases)
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
