/** What texts look like: which kinds of characters they hold, and about how long they are. */

import * as keyOf from './shape-keys'

/** Of longer texts this many bytes are looked at. */
const LOOKED_AT: usize = 256
/** Lengths in bytes are distinguished up to these. */
const SHORT: usize = 8
const MIDDLE: usize = 20
const LONG: usize = 48

/**
 * Kinds of an ASCII character, a bit each, as what the tables of its lower and its upper four bits have in common: 1 digits,
 * 2 and 4 letters, 8 `@`, 16 `-` and `.`, 32 `_`, 64 blanks. Other characters have none.
 */
const BY_LOWER = memory.data<u8>([77, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 2, 2, 18, 18, 34])
const BY_UPPER = memory.data<u8>([0, 0, 80, 1, 10, 36, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0])
/** Sixteen bytes from here on that are all taken; a number further on, this many fewer. */
const TAKEN = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
])
const LOWER_BITS = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15])

/** Parts of a look. */
const DIGITS: u32 = 1
const LETTERS: u32 = 2
const AT_SIGN: u32 = 4
const JOINTS: u32 = 8
const BLANKS: u32 = 16
const OTHERS: u32 = 32
const LENGTH: u32 = 64

/** Notes the look of a text at a key; true when no text there looked so before. */
export function noteLook(node: usize, start: usize, stop: usize): bool {
  const look = lookOf(start, stop)
  const place = node + <usize>(look >> 5) * 4
  const bit = (<u32>1) << (look & 31)
  const known = load<u32>(place, keyOf.LOOKS)
  if ((known & bit) !== 0) return false
  store<u32>(place, known | bit, keyOf.LOOKS)
  return true
}

/** A number below 256. */
function lookOf(start: usize, stop: usize): u32 {
  const length = stop - start
  const end = length > LOOKED_AT ? start + LOOKED_AT : stop
  let kinds: v128 = i64x2.splat(0)
  let others: v128 = i64x2.splat(0)
  for (let at = start; at < end; at += 16) {
    const left = end - at
    const taken = v128.load(TAKEN + (left < 16 ? 16 - left : 0))
    const chunk = v128.load(at)
    const lower = i8x16.swizzle(v128.load(BY_LOWER), v128.and(chunk, v128.load(LOWER_BITS)))
    const found = v128.and(lower, i8x16.swizzle(v128.load(BY_UPPER), i8x16.shr_u(chunk, 4)))
    kinds = v128.or(kinds, v128.and(found, taken))
    others = v128.or(others, v128.and(i8x16.eq(found, i64x2.splat(0)), taken))
  }
  const both = i64x2.extract_lane(kinds, 0) | i64x2.extract_lane(kinds, 1)
  const four = <u32>(both | (both >> 32))
  const two = four | (four >> 16)
  const one = two | (two >> 8)
  let look: u32 = length <= SHORT ? 0 : length <= MIDDLE ? LENGTH : length <= LONG ? 2 * LENGTH : 3 * LENGTH
  look |= one & DIGITS
  if ((one & 6) !== 0) look |= LETTERS
  if ((one & 8) !== 0) look |= AT_SIGN
  if ((one & 48) !== 0) look |= JOINTS
  if ((one & 64) !== 0) look |= BLANKS
  return v128.any_true(others) ? look | OTHERS : look
}
