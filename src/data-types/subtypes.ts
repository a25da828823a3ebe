/** Basic subtypes on the wire, known from the form of the value. */
export type SubType = 'TRUE' | 'FALSE' | 'INTEGER_32' | 'INTEGER_64' | 'FLOAT' | 'NULL' | 'OTHER' | 'GENERIC'

const INT32_MAX = 2_147_483_647
const INT32_MIN = -2_147_483_648
const INT64_MAX_DIGITS = '9223372036854775807'
/** Longest text looked at as a number: sign, digits of a double, point and exponent. */
const LONGEST_NUMBER = 40
const DECIMAL = /^-?(?:0|[1-9]\d*)\.\d+(?:[eE][+-]?\d{1,3})?$/

/**
 * Basic subtype of a decoded value. Texts that are numbers count as numbers, but only in the form a number would be
 * written in: leading zeros, a plus sign or blanks make them text (`007`, `+49…`), so that printing the number gives
 * the same text again. Whole numbers beyond 64 bits are FLOAT. Objects and arrays are OTHER.
 */
export function basicSubtype(value: unknown): SubType {
  switch (typeof value) {
    case 'string':
      return textSubtype(value)
    case 'number':
      if (!Number.isInteger(value)) return 'FLOAT'
      if (value <= INT32_MAX && value >= INT32_MIN) return 'INTEGER_32'
      return Math.abs(value) < 2 ** 63 ? 'INTEGER_64' : 'FLOAT'
    case 'boolean':
      return value ? 'TRUE' : 'FALSE'
    case 'bigint':
      return textSubtype(value.toString())
    default:
      return value === null || value === undefined ? 'NULL' : 'OTHER'
  }
}

function textSubtype(text: string): SubType {
  const length = text.length
  if (length === 0 || length > LONGEST_NUMBER) return 'GENERIC'
  const first = text.charCodeAt(0)
  const from = first === MINUS ? 1 : 0
  if (from === length) return 'GENERIC'
  for (let i = from; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code < ZERO || code > NINE) return code === POINT && DECIMAL.test(text) ? 'FLOAT' : 'GENERIC'
  }
  const digits = length - from
  if (text.charCodeAt(from) === ZERO && length > 1) return 'GENERIC'
  if (digits < 10) return 'INTEGER_32'
  if (digits > INT64_MAX_DIGITS.length) return 'FLOAT'
  if (digits === INT64_MAX_DIGITS.length && text.slice(from) > INT64_MAX_DIGITS) return 'FLOAT'
  const number = Number(text)
  return number <= INT32_MAX && number >= INT32_MIN ? 'INTEGER_32' : 'INTEGER_64'
}

const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
