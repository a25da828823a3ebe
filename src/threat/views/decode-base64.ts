import { CHAR } from './char-flags.ts'
import { continuationsOf } from './decode-percent.ts'
import type { LeafStore } from './leaf-store.ts'

const MIN_CHARS = 12
/** Share of decoded characters that may be unprintable before the text counts as no text. */
const MAX_UNPRINTABLE = 0.03

/** Value of each character in the alphabets of RFC 4648 sections 4 and 5; 64: skipped (white space, padding); 255: none. */
const VALUES = base64Values()

function base64Values(): Uint8Array {
  const values = new Uint8Array(128).fill(255)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i
  values[45] = 62
  values[95] = 63
  // A plus sign that a form turned into a space.
  values[32] = 62
  for (const skipped of '=\r\n\t') values[skipped.charCodeAt(0)] = 64
  return values
}

const FOREIGN =
  CHAR.OTHER |
  CHAR.DOT |
  CHAR.WIDE |
  CHAR.SPACE |
  CHAR.PERCENT |
  CHAR.AMPERSAND |
  CHAR.BACKSLASH |
  CHAR.CONTROL

/** Whether a text of these characters and this length may be Base64 of a text: no word, number, hex digest or UUID. */
export function mayBeBase64(flags: number, length: number): boolean {
  if (length < MIN_CHARS || (flags & FOREIGN) !== 0 || (flags & CHAR.NOT_HEX) === 0) return false
  return (flags & CHAR.LOWER) !== 0 && (flags & (CHAR.UPPER | CHAR.DIGIT)) !== 0
}

/** Bytes of the last decoding; no leaf is longer than this holds. */
const bytes = new Uint8Array(65_536)

/**
 * Appends the text that a Base64 range stands for, padding or not, and says whether it is one: at least 97 % of it
 * printable. Gives up at the first bytes of a picture or a key. UTF-16 is recognised by its zero bytes.
 */
export function decodeBase64(store: LeafStore, start: number, end: number): boolean {
  const length = decodeBytes(store.units, start, end)
  if (length < 6) return false
  const from = store.used
  if (bytes[1] === 0 && bytes[3] === 0 && bytes[0] !== 0) {
    for (let i = 0; i + 1 < length; i += 2) store.put(bytes[i]! | (bytes[i + 1]! << 8))
    return true
  }
  if (writeUtf8(store, length)) return true
  store.used = from
  return false
}

/** Decodes into `bytes`; gives 0 when the text is not Base64 or its bytes are plainly no text. */
function decodeBytes(units: Uint16Array, start: number, end: number): number {
  let held = 0
  let bits = 0
  let length = 0
  let controls = 0
  const mayHold = Math.max(1, ((end - start) * 3 * MAX_UNPRINTABLE) / 4)
  let zeros = 0
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    const value = unit < 128 ? VALUES[unit]! : 255
    if (value > 63) {
      if (value === 255) return 0
      continue
    }
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >> bits) & 0xff
    if (length >= bytes.length) return length
    bytes[length++] = byte
    if (byte === 0) zeros++
    else if ((byte < 32 && (byte < 9 || byte > 13)) || byte === 127) controls++
    // Every second byte of UTF-16 is zero.
    if (controls > mayHold || (zeros > 1 && zeros * 2 > length + 1)) return 0
  }
  return length
}

function writeUtf8(store: LeafStore, length: number): boolean {
  let unprintable = 0
  const mayHold = length * MAX_UNPRINTABLE
  for (let i = 0; i < length; ) {
    const byte = bytes[i]!
    if (byte < 128) {
      if ((byte < 32 && (byte < 9 || byte > 13)) || byte === 127) unprintable++
      store.put(byte)
      i++
    } else {
      const next = writeSequence(store, i, length)
      if (next === i) {
        unprintable++
        store.put(byte)
        i++
      } else i = next
    }
    if (unprintable > mayHold) return false
  }
  return true
}

function writeSequence(store: LeafStore, at: number, length: number): number {
  const more = continuationsOf(bytes[at]!)
  if (more === 0 || at + more >= length) return at
  let code = bytes[at]! & (0x3f >> more)
  for (let i = 1; i <= more; i++) {
    const byte = bytes[at + i]!
    if ((byte & 0xc0) !== 0x80) return at
    code = code * 64 + (byte & 0x3f)
  }
  store.putCodePoint(code)
  return at + more + 1
}
