import type { OutsideObject } from '../untrusted-value.ts'
import { asText, own } from '../untrusted-value.ts'

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
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'AA==',
  password: 'Passw0rd-1',
}
const MAX_LENGTH = 1_000

/** A number within `minimum`, `maximum`, their exclusive forms (a flag or a bound) and `multipleOf`. */
export function numberValue(schema: OutsideObject, usual: number, step: number): number {
  const least = bound(schema, 'minimum', 'exclusiveMinimum', step)
  const most = bound(schema, 'maximum', 'exclusiveMaximum', -step)
  const multiple = numberOf(own(schema, 'multipleOf')) ?? 0
  let value = usual
  if (least !== null && value < least) value = least
  if (most !== null && value > most) value = most
  if (multiple <= 0) return value
  const up = Math.ceil(value / multiple) * multiple
  return most !== null && up > most ? Math.floor(most / multiple) * multiple : up
}

function bound(schema: OutsideObject, word: string, exclusive: string, step: number): number | null {
  const strict = own(schema, exclusive)
  const given = numberOf(own(schema, word))
  if (typeof strict === 'number') return strict + step
  return given === null ? null : strict === true ? given + step : given
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** A text of the format, pattern (where it is simple) and length that a schema asks for. */
export function stringValue(schema: OutsideObject): string {
  const least = Math.min(numberOf(own(schema, 'minLength')) ?? 0, MAX_LENGTH)
  const most = numberOf(own(schema, 'maxLength')) ?? MAX_LENGTH
  const pattern = asText(own(schema, 'pattern'))
  const fitting = pattern === '' ? null : textOfPattern(pattern)
  if (fitting !== null) return fitting
  const formatted = VALUE_OF_FORMAT[asText(own(schema, 'format'))]
  if (formatted !== undefined) return formatted
  const text = 'string'
  return (text.length < least ? text.padEnd(least, 'a') : text).slice(0, Math.max(most, 0))
}

const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', S: 'a', D: 'a' }

/**
 * A text that a simple pattern matches: literals, classes, groups, alternatives (the first) and repetitions (the least).
 * Null for look-arounds, back references and whatever does not match in the end.
 */
export function textOfPattern(pattern: string): string | null {
  if (pattern.length > 500) return null
  const reader = new PatternReader(pattern)
  const text = reader.alternatives()
  if (text === null || !reader.isAtEnd || text.length > MAX_LENGTH) return null
  return text
}

class PatternReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
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
    if (inner === '' || inner.startsWith('^') || inner.includes('[')) return null
    this.#at = end + 1
    if (inner.startsWith('\\')) return CLASSES[inner[1] ?? ''] ?? inner[1] ?? null
    return inner[0]!
  }

  #times(): number | null {
    const sign = this.#source[this.#at]
    const counted = /^\{(\d{1,4})(,\d{0,4})?\}/.exec(this.#source.slice(this.#at, this.#at + 12))
    if (counted !== null) this.#at += counted[0].length
    else if (sign === '*' || sign === '+' || sign === '?') this.#at++
    if ((counted !== null || '*+?'.includes(sign ?? ' ')) && '?+'.includes(this.#source[this.#at] ?? ' '))
      this.#at++
    if (counted !== null) return Number(counted[1])
    return sign === '*' || sign === '?' ? 0 : 1
  }
}
