import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** Only the decimal digits of a text. */
export function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}

/** The numeric value of the digit at `index`. */
export function digitAt(text: string, index: number): number {
  return text.charCodeAt(index) - 48
}

/** True when all characters are the same: `000000000`, `111-11-1111` after its dashes are gone. */
export function isOneDigitRepeated(digits: string): boolean {
  for (let i = 1; i < digits.length; i++) if (digits.charCodeAt(i) !== digits.charCodeAt(0)) return false
  return true
}

/** Luhn check (ISO/IEC 7812-1 annex B) over a text of decimal digits. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digitAt(digits, i)
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return digits.length > 1 && sum % 10 === 0
}

/** Σ digit·weight over the first `weights.length` digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += digitAt(digits, i) * weights[i]!
  return sum
}

const VERHOEFF_PERMUTE = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

/** Verhoeff check: multiplication in the dihedral group of order 10. */
export function isVerhoeff(digits: string): boolean {
  let check = 0
  for (let i = digits.length - 1, position = 0; i >= 0; i--, position++) {
    let digit = digitAt(digits, i)
    for (let turn = 0; turn < position % 8; turn++) digit = VERHOEFF_PERMUTE[digit]!
    check = dihedralProduct(check, digit)
  }
  return check === 0
}

function dihedralProduct(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b - 5) % 5)
  return b < 5 ? 5 + ((a - 5 - b + 5) % 5) : (a - b + 5) % 5
}

/** Remainder of a decimal text of any length. */
export function decimalRemainder(digits: string, modulus: number): number {
  let rest = 0
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digitAt(digits, i)) % modulus
  return rest
}

/** ISO 13616: letters count 10..35, the first four characters move to the end, remainder by 97 is 1. */
export function isIbanChecksum(compact: string): boolean {
  let rest = 0
  for (let i = 0; i < compact.length; i++) {
    const code = compact.charCodeAt((i + 4) % compact.length)
    if (code >= 48 && code <= 57) rest = (rest * 10 + code - 48) % 97
    else if (code >= 65 && code <= 90) rest = (rest * 100 + code - 55) % 97
    else return false
  }
  return rest === 1
}

/** ISO 7064 MOD 11,10 over all digits, the last one being the check digit. */
export function isIso7064Mod11Mod10(digits: string): boolean {
  let product = 10
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (digitAt(digits, i) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1)
}

/** ISO 7064 MOD 11-2: 17 digits and a check character that may be X. */
export function isIso7064Mod11Two(text: string): boolean {
  let rest = 0
  for (let i = 0; i < text.length - 1; i++) rest = ((rest + digitAt(text, i)) * 2) % 11
  const check = (12 - rest) % 11
  const last = text[text.length - 1]
  return check === 10 ? last === 'X' || last === 'x' : last === String(check)
}

/** The six base62 digits of the CRC-32 of `body`, as GitHub and npm put them at the end of their tokens. */
export function base62Crc32(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = BASE62[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Version byte of a base58check text (Bitcoin and relatives) whose double SHA-256 checksum holds, else undefined. */
export function base58CheckVersion(text: string): number | undefined {
  if (text.length < 26 || text.length > 112) return undefined
  let number = 0n
  for (const character of text) {
    const digit = BASE58.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  let hex = number.toString(16)
  if (hex.length % 2 === 1) hex = `0${hex}`
  const zeros = text.length - text.replace(/^1+/, '').length
  const bytes = Buffer.concat([Buffer.alloc(zeros), Buffer.from(number === 0n ? '' : hex, 'hex')])
  if (bytes.length < 5) return undefined
  const payload = bytes.subarray(0, -4)
  const digest = sha256(sha256(payload))
  return digest.subarray(0, 4).equals(bytes.subarray(-4)) ? payload[0] : undefined
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Human-readable part of a bech32 or bech32m text (BIP 173, BIP 350) whose checksum holds, else undefined. */
export function bech32Prefix(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (lower !== text && text.toUpperCase() !== text) return undefined
  const separator = lower.lastIndexOf('1')
  if (separator < 1 || separator + 7 > lower.length || lower.length > 90) return undefined
  const prefix = lower.slice(0, separator)
  const values: number[] = []
  for (const character of prefix) values.push(character.charCodeAt(0) >> 5)
  values.push(0)
  for (const character of prefix) values.push(character.charCodeAt(0) & 31)
  for (const character of lower.slice(separator + 1)) {
    const digit = BECH32.indexOf(character)
    if (digit < 0) return undefined
    values.push(digit)
  }
  const check = bech32Polymod(values)
  return check === 1 || check === 0x2bc830a3 ? prefix : undefined
}

const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

function bech32Polymod(values: readonly number[]): number {
  let check = 1
  for (const value of values) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    for (let i = 0; i < 5; i++) if ((top >>> i) & 1) check ^= BECH32_GENERATOR[i]!
  }
  return check >>> 0
}

const MRZ_WEIGHTS = [7, 3, 1]

/** Check digit of a field of a machine-readable travel document (ICAO 9303 part 3): weights 7, 3, 1. */
export function isMrzField(field: string, checkDigit: string): boolean {
  let sum = 0
  for (let i = 0; i < field.length; i++) {
    const code = field.charCodeAt(i)
    const value = code === 60 ? 0 : code <= 57 ? code - 48 : code - 55
    sum += value * MRZ_WEIGHTS[i % 3]!
  }
  return String(sum % 10) === checkDigit
}
