import type { Generator } from './generator.ts'
import type { Random } from './random.ts'
import { BASE62, padded, UPPER } from './random.ts'

/** A value with its label left to the caller. */
export interface Sample {
  readonly value: string
  readonly key: string
}

export const SILENT_KEYS = ['value', 'v', 'field7', 'data', 'content', 'x', 'col3', 'text'] as const
const OTHER_KEYS = [
  'orderNumber',
  'trackingId',
  'sku',
  'etag',
  'createdAt',
  'count',
  'title',
  'status',
  'batch',
  'slug',
  'version',
  'ref',
  'amount',
  'requestId',
] as const
/** Keys that name another kind of number. */
const MISLEADING_KEYS = ['orderNumber', 'trackingId', 'sku', 'batch', 'ref', 'requestId', 'ticketNo'] as const
const WORDS = ['apple', 'juice', 'fresh', 'order', 'north', 'river', 'green', 'token', 'winter', 'seven']

/** Values of every API that are none of the types (except those named). */
const ORDINARY: readonly { readonly make: (r: Random) => string; readonly is?: readonly string[] }[] = [
  { make: (r) => `ORD-${r.int(2019, 2026)}-${r.digits(6)}` },
  { make: (r) => r.number(r.int(6, 12)) },
  { make: (r) => r.number(r.int(13, 19)) },
  { make: (r) => r.hex(r.pick([32, 40, 64])) },
  { make: (r) => r.hex(24) },
  { make: (r) => r.uuid(), is: ['UUID'] },
  {
    make: (r) =>
      `${r.int(2019, 2026)}-${padded(r.int(1, 12), 2)}-${padded(r.int(1, 28), 2)}T${padded(r.int(0, 23), 2)}:${padded(r.int(0, 59), 2)}:00Z`,
  },
  { make: (r) => String(r.int(1_600_000_000, 1_790_000_000)) },
  { make: (r) => String(r.int(1_600_000_000, 1_790_000_000)) + r.digits(3) },
  { make: (r) => `${r.int(0, 999)}.${r.digits(2)}` },
  { make: (r) => `${r.pick(WORDS)} ${r.pick(WORDS)} ${r.pick(WORDS)}` },
  { make: (r) => `${r.pick(WORDS)}-${r.pick(WORDS)}-${r.int(1, 99)}` },
  { make: (r) => `/assets/${r.pick(WORDS)}/${r.hex(6)}.svg` },
  { make: (r) => `${r.int(0, 20)}.${r.int(0, 40)}.${r.int(0, 99)}` },
  { make: (r) => r.base62(21) },
  { make: (r) => `${r.text(UPPER, 3)}${r.digits(6)}` },
  { make: (r) => `${r.text(UPPER, 2)}-${r.digits(4)}-${r.text(UPPER, 1)}` },
  { make: (r) => `${r.digits(3)}-${r.digits(3)}-${r.digits(3)}` },
  { make: (r) => `W/"${r.hex(3)}-${r.base62(27)}"` },
  { make: (r) => r.pick(['true', 'false', 'null', 'active', 'EUR', 'en-GB', 'application/json']) },
]

/** An ordinary value under a key of its own or one that says nothing; undefined when it would be true for the type. */
function ordinary(random: Random, type: string): Sample | undefined {
  const { make, is } = random.pick(ORDINARY)
  if (is?.includes(type)) return undefined
  return { value: make(random), key: random.pick(random.isLucky(0.6) ? OTHER_KEYS : SILENT_KEYS) }
}

/** The check character replaced by another of its kind: the shape stays, the proof breaks. */
function withWrongCheck(value: string, checkAt: number | undefined, random: Random): string {
  const at = checkAt ?? value.length - 1
  const character = value[at]!
  const alphabet = /\d/.test(character)
    ? '0123456789'
    : character === character.toUpperCase()
      ? UPPER
      : UPPER.toLowerCase()
  const other = random.pick([...alphabet].filter((candidate) => candidate !== character))
  return value.slice(0, at) + other + value.slice(at + 1)
}

/** Words, a placeholder or a cut text in place of a secret's body. */
function spoiledToken(value: string, random: Random): string {
  const prefix = /^[^A-Za-z0-9]*[A-Za-z0-9]{0,6}[-_.:/=]{0,3}/.exec(value)![0].slice(0, 12)
  const size = value.length - prefix.length
  switch (random.int(0, 3)) {
    case 0:
      return prefix + random.pick(['x', 'X', '0', '*', 'A']).repeat(size)
    case 1:
      return value.slice(0, prefix.length + Math.floor(size / 3))
    case 2:
      return `${prefix}${Array.from({ length: 4 }, () => random.pick(WORDS)).join('-')}`
    default:
      return random.text(BASE62, value.length)
  }
}

const NOT_VALUES = [
  'true',
  'false',
  'null',
  '',
  'n/a',
  '********',
  'required',
  '/settings/reset',
  '-',
  'unknown',
  'https://shop.test/help',
]

/** A look-alike of one type: made from its own true values, or an ordinary value of any API. */
export function lookAlike(type: string, generator: Generator, random: Random): Sample {
  const plain = random.isLucky(0.35) ? ordinary(random, type) : undefined
  if (plain !== undefined) return plain
  const named = random.pick(generator.keys)
  if (generator.lookAlike !== undefined) {
    return { value: generator.lookAlike(random), key: random.isLucky(0.5) ? named : random.pick(SILENT_KEYS) }
  }
  const truth = generator.truth(random)
  switch (generator.kind) {
    case 'token':
      return { value: spoiledToken(truth, random), key: random.pick([...SILENT_KEYS, ...OTHER_KEYS]) }
    case 'name':
      return random.isLucky(0.5)
        ? { value: random.pick(NOT_VALUES), key: named }
        : { value: truth, key: random.pick(generator.alone ? MISLEADING_KEYS : OTHER_KEYS) }
    default:
      return {
        value: withWrongCheck(truth, generator.checkAt, random),
        key: random.isLucky(0.5) ? named : random.pick(SILENT_KEYS),
      }
  }
}
