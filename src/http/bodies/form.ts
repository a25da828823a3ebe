import type { BodyObject } from './body-value.ts'
import { addRepeatable, BODY_LIMITS, emptyObject } from './body-value.ts'

/** Pairs kept of one query or form. */
const MAX_PAIRS = 2_000

/**
 * Reads `application/x-www-form-urlencoded` text: split at `&`, then at the first `=`, and only then decoded, so that
 * encoded separators stay part of their value. Repeats become lists, `k=` is an empty text, a bare `k` is null. Names
 * such as `a[b]` stay literal. Malformed percent codes are kept as they stand.
 */
export function parseForm(text: string, maxChars: number = BODY_LIMITS.maxChars): BodyObject {
  const object = emptyObject()
  const end = Math.min(text.length, maxChars)
  let start = 0
  for (let count = 0; start < end && count < MAX_PAIRS; count++) {
    let stop = text.indexOf('&', start)
    if (stop < 0 || stop > end) stop = end
    if (stop > start) addPair(object, text, start, stop)
    start = stop + 1
  }
  return object
}

/** Query parameters of a request target, given without the question mark. Same rules as {@link parseForm}. */
export function parseQuery(query: string): BodyObject {
  return parseForm(query)
}

function addPair(object: BodyObject, text: string, start: number, stop: number): void {
  const equals = text.indexOf('=', start)
  if (equals < 0 || equals >= stop) addRepeatable(object, decodePart(text.slice(start, stop)), null)
  else addRepeatable(object, decodePart(text.slice(start, equals)), decodePart(text.slice(equals + 1, stop)))
}

const CODED = /[%+]/

function decodePart(part: string): string {
  if (!CODED.test(part)) return part
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Not UTF-8 or a stray percent sign: decode what is a code, byte by byte, and keep the rest.
    return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
  }
}
