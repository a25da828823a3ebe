const EVERYTHING = /^(?:\(\?[a-z]+\))?\^?(?:\.[+*])?\$?$/
const MAX_PATTERN = 60

/**
 * What a pattern looks for, in words for people: the words of its alternatives where it has some, such as `url`
 * and `link` for `(?i)^(?:url|link)$`; the pattern itself where it has none; nothing where every text satisfies it.
 */
export function wordsOfPattern(source: string): string[] {
  if (EVERYTHING.test(source)) return []
  const words = spelledOut(source)
    .split(/[^A-Za-z0-9-]+/)
    .filter((word) => /[A-Za-z]{2}/.test(word))
  return words.length === 0 ? [shortened(source)] : [...new Set(words)]
}

/** Flags, classes, anchors and repetitions become breaks; an optional sign between words joins them. */
function spelledOut(source: string): string {
  return source
    .replace(/\(\?(?:[a-z]+\)|:|<?[!=])/g, '|')
    .replace(/\\[A-Za-z]/g, '|')
    .replace(/\[[-_]{1,2}\]\?|[-_]\?/g, '')
    .replace(/\[[^\]]*\](?:[+*?]|\{[^}]*\})?/g, '|')
    .replace(/[A-Za-z]\?/g, (letter) => letter.charAt(0))
    .replace(/\{[^}]*\}/g, '|')
    .replaceAll('_', '-')
}

function shortened(source: string): string {
  return source.length > MAX_PATTERN ? `${source.slice(0, MAX_PATTERN)}…` : source
}
