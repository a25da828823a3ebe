/** Shown for a character that no font has. */
export const missingMark = '□'

/** Joiners and selectors of emoji: they say nothing where an emoji is a plain sign. */
const SILENT: ReadonlySet<number> = new Set([
  0x200c,
  0x200d,
  ...Array.from({ length: 16 }, (_none, at) => 0xfe00 + at),
])
/**
 * Characters that are invisible, or change how others are shown: written out, so that a report cannot be made to say
 * something else than the bytes do (CWE-451).
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * Text as a report can show it: tabs are spaces, every kind of line end is one, invisible characters are written out,
 * halves of surrogate pairs are marks.
 */
export function readableText(text: string): string {
  let shown = ''
  for (const char of text.replace(/\r\n?/g, '\n')) {
    const code = char.codePointAt(0)!
    if (char === '\n') shown += char
    else if (char === '\t') shown += '  '
    else if (code >= 0xd800 && code <= 0xdfff) shown += missingMark
    else if (HIDDEN.test(char)) shown += SILENT.has(code) ? '' : `\\u${code.toString(16).padStart(4, '0')}`
    else if (!SILENT.has(code)) shown += char
  }
  return shown
}

/** The start of a text, with a mark when something was cut. `length` counts UTF-16 units. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
