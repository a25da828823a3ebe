/** Longest request target or URL, in characters; servers usually stop at 8,192. */
export const MAX_TARGET = 65_536

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\0-\x1f\x7f]/

/** Why a text cannot be a request target (RFC 3986 section 2), as the end of a sentence; undefined when it can. */
export function targetProblem(target: string): string | undefined {
  if (target.length > MAX_TARGET) return `is longer than ${MAX_TARGET} characters`
  return CONTROL.test(target) ? 'holds control characters' : undefined
}

/** A short text such as a reason phrase or an address: at most 1,024 characters, control characters as spaces. */
export function cleanShortText(given: string): string {
  const text = given.length > 1024 ? given.slice(0, 1024) : given
  if (!CONTROL.test(text)) return text.isWellFormed() ? text : text.toWellFormed()
  return Array.from(text, (char) => (CONTROL.test(char) ? ' ' : char))
    .join('')
    .toWellFormed()
}
