import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asText, own } from '../untrusted-value.ts'

/** Stands for any UUID in examples. */
export const UUID_EXAMPLE = '00000000-0000-4000-8000-000000000000'

const VALUE_OF_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T10:00:00Z',
  date: '2026-01-31',
  time: '10:00:00Z',
  duration: 'P1D',
  uuid: UUID_EXAMPLE,
  email: 'user@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/example',
  iri: 'https://example.com/',
  'idn-email': 'user@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'AA==',
  password: 'Passw0rd-1',
}
const MAX_LENGTH = 1_000

/** A number within `minimum`, `maximum`, their exclusive forms (a flag or a bound) and `multipleOf`. */
export function numberValue(schema: OutsideObject, usual: number, step: number): number {
  const least = bound(schema, 'minimum', 'exclusiveMinimum')
  const most = bound(schema, 'maximum', 'exclusiveMaximum')
  const multiple = numberOf(own(schema, 'multipleOf')) ?? 0
  let value = usual
  if (most !== null && !isBelow(value, most)) value = most.at - (most.isStrict ? step : 0)
  if (least !== null && !isAbove(value, least)) value = least.at + (least.isStrict ? step : 0)
  // Bounds closer to each other than the step: only their middle is between them for sure.
  if (least !== null && most !== null && !isBelow(value, most)) value = (least.at + most.at) / 2
  if (multiple <= 0) return value
  let times = Math.ceil(value / multiple)
  if (least !== null && !isAbove(times * multiple, least)) times++
  if (most !== null && !isBelow(times * multiple, most)) times--
  return times * multiple
}

interface Bound {
  readonly at: number
  readonly isStrict: boolean
}

function bound(schema: OutsideObject, word: string, exclusive: string): Bound | null {
  const strict = own(schema, exclusive)
  if (typeof strict === 'number') return { at: strict, isStrict: true }
  const given = numberOf(own(schema, word))
  return given === null ? null : { at: given, isStrict: strict === true }
}

function isAbove(value: number, { at, isStrict }: Bound): boolean {
  return isStrict ? value > at : value >= at
}

function isBelow(value: number, { at, isStrict }: Bound): boolean {
  return isStrict ? value < at : value <= at
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** A text of the format, pattern (where it is simple) and length that a schema asks for. */
export function stringValue(schema: OutsideObject): string {
  const least = Math.min(numberOf(own(schema, 'minLength')) ?? 0, MAX_LENGTH)
  const most = numberOf(own(schema, 'maxLength')) ?? MAX_LENGTH
  const pattern = asText(own(schema, 'pattern'))
  const fitting = pattern === '' ? null : textOfPattern(pattern, least)
  if (fitting !== null) return fitting
  const formatted = VALUE_OF_FORMAT[asText(own(schema, 'format'))]
  if (formatted !== undefined) return formatted
  const text = 'string'
  return (text.length < least ? text.padEnd(least, 'a') : text).slice(0, Math.max(most, 0))
}

/** The value with this number among several that have to differ; the first is the value itself. */
export function distinctValue(value: unknown, number: number, schema: OutsideObject | undefined): unknown {
  const listed = asList(own(schema, 'enum'))[number]
  if (number === 0 || listed !== undefined) return listed ?? value
  if (typeof value === 'number') return value + number * (numberOf(own(schema, 'multipleOf')) || 1)
  if (typeof value !== 'string') return value
  if (/^[0-9a-f-]{36}$/i.test(value)) return value.slice(0, -2) + number.toString(16).padStart(2, '0')
  if (value.includes('@')) return value.replace('@', `${number}@`)
  const most = numberOf(own(schema, 'maxLength')) ?? MAX_LENGTH
  return value.slice(0, Math.max(most - String(number).length, 0)) + number
}

const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', S: 'a', D: 'a' }

/** Characters of which one is taken for a class that names what it is not. */
const USUAL = ['a', 'A', '1', '-', '_', '.', '/', ' ']
/** Repetitions beyond the least that are tried to reach a length. */
const MAX_MORE = 200

/**
 * A text that a simple pattern matches: literals, classes, groups, alternatives (the first) and repetitions (the least
 * that reach the length). Null for look-arounds, back references and whatever does not match in the end.
 */
export function textOfPattern(pattern: string, leastLength = 0): string | null {
  if (pattern.length > 500) return null
  let longest: string | null = null
  for (let more = 0; more <= MAX_MORE; more++) {
    const reader = new PatternReader(pattern, more)
    const text = reader.alternatives()
    if (text === null || !reader.isAtEnd || text.length > MAX_LENGTH) break
    if (text.length === longest?.length) break
    longest = text
    if (text.length >= leastLength) break
  }
  return longest
}

class PatternReader {
  readonly #source: string
  /** How often more than the least is repeated what may be repeated. */
  readonly #more: number
  #at = 0

  constructor(source: string, more: number) {
    this.#source = source
    this.#more = more
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length
  }

  alternatives(depth = 0): string | null {
    if (depth > 20) return null
    let first: string | null = null
    for (;;) {
      const text = this.#sequence(depth)
      if (text === null) return null
      first ??= text
      if (this.#source[this.#at] !== '|') return first
      this.#at++
    }
  }

  #sequence(depth: number): string | null {
    let text = ''
    while (!this.isAtEnd && !'|)'.includes(this.#source[this.#at]!)) {
      const atom = this.#atom(depth)
      if (atom === null) return null
      const times = this.#times()
      if (times === null || text.length + atom.length * times > MAX_LENGTH) return null
      text += atom.repeat(times)
    }
    return text
  }

  #atom(depth: number): string | null {
    const sign = this.#source[this.#at++]!
    if (sign === '^' || sign === '$') return ''
    if (sign === '.') return 'a'
    if (sign === '[') return this.#class()
    if (sign === '\\') return this.#escape()
    if (sign !== '(') return '*+?{'.includes(sign) ? null : sign
    if (this.#source.startsWith('?:', this.#at)) this.#at += 2
    else if (this.#source[this.#at] === '?') return null
    const inner = this.alternatives(depth + 1)
    if (inner === null || this.#source[this.#at] !== ')') return null
    this.#at++
    return inner
  }

  #escape(): string | null {
    const sign = this.#source[this.#at++]
    if (sign === undefined || /[1-9bBpPuxk]/.test(sign)) return null
    return CLASSES[sign] ?? sign
  }

  #class(): string | null {
    const end = this.#source.indexOf(']', this.#at + 1)
    const inner = end < 0 ? '' : this.#source.slice(this.#at, end)
    if (inner === '' || inner.includes('[')) return null
    this.#at = end + 1
    if (inner.startsWith('^')) return this.#outside(inner.slice(1))
    if (inner.startsWith('\\')) return CLASSES[inner[1] ?? ''] ?? inner[1] ?? null
    return inner[0]!
  }

  /** A character that is not among those of a class; null where none of the usual ones is sure. */
  #outside(members: string): string | null {
    if (/\\[^dwsDWS.@/\\-]/.test(members)) return null
    return USUAL.find((sign) => !isMember(sign, members)) ?? null
  }

  #times(): number | null {
    const sign = this.#source[this.#at]
    const counted = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(this.#source.slice(this.#at, this.#at + 12))
    if (counted !== null) this.#at += counted[0].length
    else if (sign === '*' || sign === '+' || sign === '?') this.#at++
    if ((counted !== null || '*+?'.includes(sign ?? ' ')) && '?+'.includes(this.#source[this.#at] ?? ' '))
      this.#at++
    if (counted !== null) {
      const least = Number(counted[1])
      const most = counted[2] === undefined ? least : counted[3] ? Number(counted[3]) : MAX_LENGTH
      return Math.min(least + this.#more, Math.max(most, least))
    }
    if (sign === '?') return Math.min(this.#more, 1)
    return sign === '*' ? this.#more : sign === '+' ? 1 + this.#more : 1
  }
}

const MEMBERS_OF: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /\s/, D: /\D/, W: /\W/, S: /\S/ }

/** Whether a class without negation, of single characters, ranges and the usual escapes, has a character. */
function isMember(sign: string, members: string): boolean {
  const parts = members.match(/\\.|[^\\]-[^\\]|[\s\S]/g) ?? []
  return parts.some((part) => {
    if (part.startsWith('\\')) return MEMBERS_OF[part[1]!]?.test(sign) ?? part[1] === sign
    return part.length === 3 ? part[0]! <= sign && sign <= part[2]! : part === sign
  })
}
