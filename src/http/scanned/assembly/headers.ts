/** Headers of a message: the places of their names and values. */

import { headersEnd } from './memory'
import { marksAt } from './texts'

const QUOTE: u8 = 34
const COMMA: u8 = 44
const COLON: u8 = 58
const OPEN_OBJECT: u8 = 123
const CLOSE_OBJECT: u8 = 125
const BACKSLASH: u8 = 92
const SLASH: u8 = 47

/** Where the places of the next header go. */
export let next: usize = 0

export function beginHeaders(at: usize): void {
  next = at
}

/**
 * Reads the text of an object of header names and values, both ASCII, and notes start and end of each. Escaped quotes and
 * backslashes of values are resolved in place.
 *
 * @returns how many there are; -1 when the text is something else
 */
export function splitHeaders(start: usize, end: usize): i32 {
  if (start === end) return 0
  store<u8>(end, 0)
  if (load<u8>(start) !== OPEN_OBJECT) return -1
  let at = blanks(start + 1)
  if (load<u8>(at) === CLOSE_OBJECT) return blanks(at + 1) === end ? 0 : -1
  let count = 0
  while (true) {
    if (load<u8>(at) !== QUOTE || next + 16 > headersEnd) return -1
    const name = at + 1
    at = plainEnd(name)
    if (load<u8>(at) !== QUOTE) return -1
    store<u32>(next, <u32>name)
    store<u32>(next, <u32>at, 4)
    at = blanks(at + 1)
    if (load<u8>(at) !== COLON) return -1
    at = blanks(at + 1)
    if (load<u8>(at) !== QUOTE) return -1
    at = value(at + 1)
    if (at === 0) return -1
    next += 16
    count++
    at = blanks(at)
    const code = load<u8>(at)
    if (code === CLOSE_OBJECT) return blanks(at + 1) === end ? count : -1
    if (code !== COMMA) return -1
    at = blanks(at + 1)
  }
}

/** True when the headers noted at two places, as many at each, have the same names. */
export function areNamesSame(at: usize, other: usize, count: i32): bool {
  for (let i = 0; i < count; i++) {
    const start = <usize>load<u32>(at)
    const end = <usize>load<u32>(at, 4)
    if (!areSame(start, end, <usize>load<u32>(other), <usize>load<u32>(other, 4))) return false
    at += 16
    other += 16
  }
  return true
}

/** True when the same bytes stand between two pairs of positions. */
function areSame(start: usize, end: usize, otherStart: usize, otherEnd: usize): bool {
  if (end - start !== otherEnd - otherStart) return false
  while (start < end) {
    const differences = i8x16.bitmask(i8x16.ne(v128.load(start), v128.load(otherStart)))
    const left = end - start
    if ((differences & (left < 16 ? (1 << (<i32>left)) - 1 : 0xffff)) !== 0) return false
    start += 16
    otherStart += 16
  }
  return true
}

/** Position of the first byte that is a quote, a backslash, a control character or no ASCII. */
function plainEnd(from: usize): usize {
  let at = from
  while (true) {
    const special = marksAt(at) | i8x16.bitmask(v128.load(at))
    if (special !== 0) return at + <usize>ctz(special)
    at += 16
  }
}

/** Notes the value whose first byte stands at `from`; the position behind its quote, or 0. */
function value(from: usize): usize {
  let at = plainEnd(from)
  let out = at
  while (load<u8>(at) === BACKSLASH) {
    const sign = load<u8>(at, 1)
    if (sign !== QUOTE && sign !== BACKSLASH && sign !== SLASH) return 0
    store<u8>(out++, sign)
    at += 2
    const stop = plainEnd(at)
    while (at < stop) store<u8>(out++, load<u8>(at++))
  }
  if (load<u8>(at) !== QUOTE) return 0
  store<u32>(next, <u32>from, 8)
  store<u32>(next, <u32>out, 12)
  return at + 1
}

function blanks(from: usize): usize {
  let at = from
  while (load<u8>(at) === 32 || load<u8>(at) === 9) at++
  return at
}
