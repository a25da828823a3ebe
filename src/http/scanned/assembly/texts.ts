/** Unescaping of JSON texts (RFC 8259 section 7), sixteen bytes at a time. */

const QUOTE: u8 = 34
const BACKSLASH: u8 = 92
const LETTER_U: u8 = 117

/** Where the next text goes. */
export let to: usize = 0
/** A `\u` stood for more than ASCII. */
export let hasCoded: bool = false

export function beginTexts(at: usize): void {
  to = at
  hasCoded = false
}

/** Leaves a byte free behind the latest text; the next one begins at a multiple of four. */
export function closeText(): void {
  to = (to + 4) & ~(<usize>3)
}

export function moveTo(at: usize): void {
  to = at
}

/** A bit for each of sixteen bytes that is a quote, a backslash or a control character. */
export function marksAt(at: usize): i32 {
  const chunk = v128.load(at)
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(chunk, i8x16.splat(QUOTE)), i8x16.eq(chunk, i8x16.splat(BACKSLASH))),
      i8x16.lt_u(chunk, i8x16.splat(32)),
    ),
  )
}

/**
 * Unescapes a text whose first byte stands at `from`; the position behind its quote, or 0. Bytes behind the end of what
 * was given are zeros, which are not text.
 */
export function readText(from: usize): usize {
  let at = from
  let out = to
  while (true) {
    const chunk = v128.load(at)
    v128.store(out, chunk)
    const slashes = i8x16.bitmask(i8x16.eq(chunk, i8x16.splat(BACKSLASH)))
    const quotes = i8x16.bitmask(i8x16.eq(chunk, i8x16.splat(QUOTE)))
    const stops = stopsAmong(slashes, quotes, i8x16.bitmask(i8x16.lt_u(chunk, i8x16.splat(32))))
    const clean = stops === 0 ? 16 : ctz(stops)
    const dropped = slashes & ((1 << clean) - 1)
    if (dropped !== 0) storeWithout(chunk, dropped, out)
    at += <usize>clean
    out += <usize>(clean - popcnt(dropped))
    if (stops === 0) continue
    const code = load<u8>(at)
    if (code === QUOTE) {
      to = out
      return at + 1
    }
    if (code !== BACKSLASH) return 0
    const sign = load<u8>(at, 1)
    const plain = escaped(sign)
    if (plain !== 0) {
      store<u8>(out++, plain)
      at += 2
      continue
    }
    if (sign !== LETTER_U) return 0
    to = out
    at = coded(at + 2)
    if (at === 0) return 0
    out = to
  }
}

/**
 * Which of sixteen bytes, the first of which is not escaped, must be looked at one by one: quotes and control characters
 * that are not escaped, and backslashes that stand before anything but a quote in the same sixteen. Those before a quote,
 * of which texts of JSON within JSON are full, only have to be left out.
 */
function stopsAmong(slashes: i32, quotes: i32, controls: i32): i32 {
  const following = slashes << 1
  return ((quotes | controls) & ~following) | (slashes & ~(quotes >> 1))
}

/** For each choice of eight bytes to leave out, where the others stand. */
const KEPT = memory.data(2048)

for (let choice = 0; choice < 256; choice++) {
  let at = KEPT + <usize>choice * 8
  for (let byte = 0; byte < 8; byte++) if ((choice & (1 << byte)) === 0) store<u8>(at++, <u8>byte)
}

/** Stores sixteen bytes without some of them. */
function storeWithout(chunk: v128, dropped: i32, out: usize): void {
  const low = dropped & 255
  const first = v128.load64_zero(KEPT + <usize>low * 8)
  v128.store64_lane(out, i8x16.swizzle(chunk, first), 0)
  const second = v128.load64_zero(KEPT + <usize>(dropped >> 8) * 8)
  const upper = i8x16.swizzle(chunk, i8x16.add(second, i8x16.splat(8)))
  v128.store64_lane(out + <usize>(8 - popcnt(low)), upper, 0)
}

/** What stands for a backslash and a sign; 0: no escape, or one with digits. */
function escaped(sign: u8): u8 {
  if (sign === QUOTE || sign === BACKSLASH || sign === 47) return sign
  if (sign === 110) return 10 // \n
  if (sign === 116) return 9 // \t
  if (sign === 114) return 13 // \r
  if (sign === 98) return 8 // \b
  if (sign === 102) return 12 // \f
  return 0
}

/** Writes the character of four digits, or of two such codes that make one; NUL and half of a pair are refused. */
function coded(from: usize): usize {
  let code = hex(from)
  let at = from + 4
  if (code <= 0) return 0
  if (code >= 0xd800 && code <= 0xdfff) {
    if (code >= 0xdc00 || load<u8>(at) !== BACKSLASH || load<u8>(at, 1) !== LETTER_U) return 0
    const low = hex(at + 2)
    if (low < 0xdc00 || low > 0xdfff) return 0
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
    at += 6
  }
  if (code >= 0x80) hasCoded = true
  if (code < 0x80) put(code)
  else {
    if (code < 0x800) put(0xc0 | (code >> 6))
    else {
      if (code < 0x10000) put(0xe0 | (code >> 12))
      else {
        put(0xf0 | (code >> 18))
        put(0x80 | ((code >> 12) & 0x3f))
      }
      put(0x80 | ((code >> 6) & 0x3f))
    }
    put(0x80 | (code & 0x3f))
  }
  return at
}

function put(byte: i32): void {
  store<u8>(to++, <u8>byte)
}

/** Four hexadecimal digits as a number, or -1. */
function hex(from: usize): i32 {
  let value: i32 = 0
  for (let i: usize = 0; i < 4; i++) {
    const code = <i32>load<u8>(from + i)
    const small = code | 32
    if (code >= 48 && code <= 57) value = value * 16 + code - 48
    else if (small >= 97 && small <= 102) value = value * 16 + small - 87
    else return -1
  }
  return value
}

/** The position of the first byte that is not white space (RFC 8259 section 2). */
export function blanks(from: usize): usize {
  let at = from
  while (true) {
    const code = load<u8>(at)
    if (code > 32 || (code !== 32 && code !== 10 && code !== 13 && code !== 9)) return at
    at++
  }
}
