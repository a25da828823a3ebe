/** An object from outside; look keys up through {@link own}. */
export type OutsideObject = Readonly<Record<string, unknown>>

/** The value as an object, when it is one and no array. */
export function asObject(value: unknown): OutsideObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as OutsideObject)
    : undefined
}

/** The value as a list; empty when it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * The value as text: strings as they are but well-formed and without NUL, which no store takes; numbers and booleans
 * written out; '' for anything else.
 */
export function asText(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.includes('\0') ? value.replaceAll('\0', '') : value
    return text.isWellFormed() ? text : text.toWellFormed()
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** {@link asText}, cut to at most `max` characters without leaving half a surrogate pair. */
export function cutText(value: unknown, max: number): string {
  const text = asText(value)
  return text.length <= max ? text : text.slice(0, max).toWellFormed()
}

/** An own property, never one inherited from the prototype (names come from outside). */
export function own(object: OutsideObject | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

/** One token of a JSON pointer (RFC 6901 section 3). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
