/** Integers of this many digits may be beyond what a double holds exactly. */
const LONG_INTEGER = /[\d.]{16}/

/**
 * JSON by its own grammar (RFC 8259), objects and lists only; null when the text is none. Integers beyond 53 bits are
 * `bigint`, so that two neighbouring ids stay different.
 */
export function jsonOf(text: string): { readonly tree: unknown } | null {
  const first = text.charCodeAt(0)
  if (first !== 123 && first !== 91) return null
  try {
    return { tree: LONG_INTEGER.test(text) ? JSON.parse(text, exact) : JSON.parse(text) }
  } catch {
    return null // a text like any other
  }
}

function exact(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d{1,400}$/.test(source) ? BigInt(source) : value
}
