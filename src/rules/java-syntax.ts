/** A pattern in the syntax of re2js, and what became of constructs that it has not. */
interface Translated {
  readonly text: string
  /** Sentences for the author, where the meaning is not quite the same. */
  readonly notes: readonly string[]
}

/** Blanks of a line, for `\h`. */
const BLANKS = ' \\t\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}'
const LINE_BREAK = '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])'
/** Java's names of ASCII classes (`java.util.regex.Pattern`) by those of POSIX. */
const POSIX = new Map(
  'Lower Upper Alpha Digit Alnum Punct Graph Print Blank Cntrl XDigit Space ASCII'
    .split(' ')
    .map((name) => [name, name === 'ASCII' ? '\\x00-\\x7f' : `[:${name.toLowerCase()}:]`]),
)
const PATTERN_TOKEN =
  /\\Q(?:[^\\]|\\(?!E))*(?:\\E|$)|\\u([0-9a-fA-F]{4})|\\0([0-7]{1,3})|\\c([@-_])|\\p\{(?:Is|java)?([A-Z][A-Za-z]+)\}|\\([hHRZev])|\\.|\(\?>|\[\^?\]?|\]|(?<=[*+?}])\+|./gs

/**
 * Writes a pattern of Java in the syntax of re2js: code units, octal and control escapes, `\h`, `\R`, `\Z`, `\e`,
 * POSIX names, quotations, sets inside sets. Possessive quantifiers and atomic groups become ordinary ones.
 *
 * @returns null when a construct has no counterpart
 */
export function fromJavaSyntax(source: string): Translated | null {
  const notes: string[] = []
  let text = ''
  let depth = 0
  for (const [token, unit, octal, control, name, letter] of source.matchAll(PATTERN_TOKEN)) {
    if (unit !== undefined) text += `\\x{${unit}}`
    else if (octal !== undefined) text += `\\x{${Number.parseInt(octal, 8).toString(16)}}`
    else if (control !== undefined) text += `\\x{${(control.charCodeAt(0) ^ 64).toString(16)}}`
    else if (name !== undefined) text += inSet(POSIX.get(name) ?? '', depth) || token
    else if (letter !== undefined) {
      const written = escapeOf(letter, depth)
      if (written === null) return null
      text += written
    } else if (token.startsWith('\\Q')) text += quoted(token)
    else if (token === '(?>' && depth === 0) {
      notes.push('The atomic group is taken for an ordinary one, which may match more.')
      text += '(?:'
    } else if (token === '+' && /[*+?}]$/.test(text) && depth === 0 && isQuantified(text))
      notes.push('The possessive quantifier is taken for an ordinary one, which may match more.')
    else if (token.startsWith('[')) {
      // A set inside a set adds its characters; one that is negated has no counterpart.
      if (depth > 0 && token.startsWith('[^')) return null
      text += depth === 0 ? token.replace(/\]$/, '\\]') : token.slice(1).replace(']', '\\]')
      depth++
    } else if (token === ']' && depth > 0) {
      depth--
      text += depth === 0 ? token : ''
    } else if (token === '&' && depth > 0 && text.endsWith('&')) return null
    else text += token
  }
  return { text, notes: [...new Set(notes)] }
}

function inSet(members: string, depth: number): string {
  return members === '' || depth > 0 ? members : `[${members}]`
}

function escapeOf(letter: string, depth: number): string | null {
  switch (letter) {
    case 'h':
      return inSet(BLANKS, depth)
    case 'H':
      return depth > 0 ? null : `[^${BLANKS}]`
    case 'R':
      return depth > 0 ? null : LINE_BREAK
    case 'Z':
      return depth > 0 ? null : '(?:\\n?\\z)'
    case 'v':
      return inSet('\\n-\\r\\x{85}\\x{2028}\\x{2029}', depth)
    default:
      return '\\x1b'
  }
}

function quoted(token: string): string {
  return token.replace(/^\\Q|\\E$/g, '').replace(/[\\^$.|?*+()[\]{}&-]/g, '\\$&')
}

/** A plus sign behind an escaped sign repeats that; behind a quantifier it makes it possessive. */
function isQuantified(text: string): boolean {
  const slashes = /(\\*)[*+?}]$/.exec(text)
  return slashes !== null && slashes[1]!.length % 2 === 0
}
