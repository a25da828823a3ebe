import { verbAt } from './custom-verb.ts'

/**
 * Segments with keys in parentheses, as OData writes members of a set and calls of functions (OData 4.01 URL
 * conventions, 4.3 and 4.5): `Orders(5)`, `Customers('A')`, `Prices(Year=2024,Code='X')`. The name is the segment,
 * the values in the parentheses are its parameters.
 */
export interface KeyedSegment {
  /** With empty parentheses, which tell it from the set: `Orders()`; a custom verb behind them stays. */
  readonly text: string
  readonly keys: readonly SegmentKey[]
  /** What was read, with parentheses, quotes, commas and equals signs as they are. */
  readonly source: string
}

/** One key; `at` and `end` bound its value in the source, without quotes. */
interface SegmentKey {
  /** {@link KEY} when it has no name. */
  readonly name: string
  readonly value: string
  readonly at: number
  readonly end: number
}

/** Name of the key of a set that has only one. */
export const KEY = 'key'

const MAX_LENGTH = 600
const MAX_KEYS = 16
/** A name that ends in a letter or digit: titles such as `Solaris_(1972)` are not sets. */
const WHOLE = /^[A-Za-z_](?:[\w.-]*[A-Za-z0-9])?\(.+\)$/s
/** A key with or without name; its value in quotes (doubled ones stand for one), with a prefix for its type, or bare. */
const ONE = /(?:([A-Za-z_]\w*)=)?(?:(?:[A-Za-z]{1,16})?'((?:[^']|'')*)'|([^',()=]+))(,|$)/y
/** Bare values that can be a key without a name: numbers, GUIDs, dates, aliases, parameters of documents. */
const BARE = /^(?:-?\d[\w.:+-]*|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|@\w+|\{[^{}]+\})$/
const ESCAPED = /%(?:2[789Cc]|3[Dd])/g

/** Reads a segment with keys; null for every other. Parentheses, quotes, commas and equals signs may be escaped. */
export function keyedSegment(segment: string): KeyedSegment | null {
  const verb = verbAt(segment)
  if (verb > 0) {
    const keyed = keyedSegment(segment.slice(0, verb))
    const end = segment.slice(verb)
    return keyed && { ...keyed, text: keyed.text + end, source: keyed.source + end }
  }
  const last = segment.charCodeAt(segment.length - 1)
  // A parenthesis, or the 9 of an escaped one.
  if ((last !== 41 && last !== 57) || segment.length > MAX_LENGTH) return null
  const source = segment.replace(ESCAPED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  if (!WHOLE.test(source)) return null
  const start = source.indexOf('(') + 1
  const keys = keysOf(source.slice(start, -1), start)
  return keys === null ? null : { text: `${source.slice(0, start)})`, keys, source }
}

function keysOf(list: string, offset: number): SegmentKey[] | null {
  const keys: SegmentKey[] = []
  ONE.lastIndex = 0
  while (ONE.lastIndex < list.length) {
    const from = ONE.lastIndex
    const match = keys.length < MAX_KEYS ? ONE.exec(list) : null
    if (match === null) return null
    const [whole, name, quoted, bare, end] = match
    if (end === ',' && ONE.lastIndex === list.length) return null
    const value = quoted ?? bare!
    if (name === undefined && (end === ',' || from > 0 || (bare !== undefined && !BARE.test(bare))))
      return null
    const at = offset + from + whole.length - end!.length - value.length - (quoted === undefined ? 0 : 1)
    keys.push({ name: name ?? KEY, value: value.replaceAll("''", "'"), at, end: at + value.length })
  }
  return keys
}
