/** Longest request target or URL, in characters; servers usually stop at 8,192. */
export const MAX_TARGET = 65_536

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\0-\x1f\x7f]/

/** True when a text holds control characters, which targets, addresses and reason phrases never do. */
export function holdsControl(text: string): boolean {
  return CONTROL.test(text)
}

/** Why a text cannot be a request target (RFC 3986 section 2), as the end of a sentence; undefined when it can. */
export function targetProblem(target: string): string | undefined {
  if (target.length > MAX_TARGET) return `is longer than ${MAX_TARGET} characters`
  return CONTROL.test(target) ? 'holds control characters' : undefined
}
