/** Texts, numbers and words of JSON bodies: what kind they are, and where they stand. */

import * as keyOf from './shape-keys'
import { marksAt } from './texts'

const QUOTE: u8 = 34
const PLUS: u8 = 43
const MINUS: u8 = 45
const POINT: u8 = 46
const SLASH: u8 = 47
const ZERO: u8 = 48
const NINE: u8 = 57
const BACKSLASH: u8 = 92
const LETTER_E: u8 = 101
const LETTER_U: u8 = 117
/** `|` with this makes an ASCII letter a small one. */
const SMALL: u8 = 32
/** Digits that fit 32 bits whatever they are; and digits of a fraction that a double tells from a whole number. */
const SURE_INTEGER: usize = 9
const SURE_FRACTION: usize = 15

/** Notes a text or a number at a leaf; like all that follow it returns the position behind what it read, or 0. */
export function readLeaf(leaf: usize, at: usize, end: usize): usize {
  return load<u8>(at) === QUOTE ? text(leaf, at, end) : number(leaf, at)
}

export function readWord(leaf: usize, kind: u32, at: usize, word: string): usize {
  for (let i = 1; i < word.length; i++) if (<i32>load<u8>(at + i) !== word.charCodeAt(i)) return 0
  return note(leaf, kind, at, at + word.length)
}

function note(leaf: usize, kind: u32, start: usize, to: usize): usize {
  store<u32>(leaf, kind, 4)
  store<u32>(leaf, <u32>start, 8)
  store<u32>(leaf, <u32>to, 12)
  return to
}

/** Control characters are let through in texts without escapes, as the reader of broken JSON does. */
function text(leaf: usize, from: usize, end: usize): usize {
  let at = from + 1
  while (true) {
    const marks = marksAt(at)
    if (marks === 0) {
      at += 16
      continue
    }
    at += <usize>ctz(marks)
    const code = load<u8>(at)
    if (code === QUOTE) {
      note(leaf, keyOf.TEXT, from + 1, at)
      return at + 1
    }
    if (code === BACKSLASH) return escapedText(leaf, from, end)
    if (at >= end) return 0
    at++
  }
}

/** A text with escapes, checked by RFC 8259 section 7; its quotes belong to what is noted. */
function escapedText(leaf: usize, from: usize, end: usize): usize {
  let at = from + 1
  while (at < end) {
    const code = load<u8>(at)
    if (code === QUOTE) return note(leaf, keyOf.ESCAPED, from, at + 1)
    if (code < 32) return 0
    if (code !== BACKSLASH) {
      at++
      continue
    }
    const sign = load<u8>(at, 1)
    if (sign === LETTER_U) {
      for (let i: usize = 2; i < 6; i++) if (!isHex(load<u8>(at + i))) return 0
      at += 6
    } else if (isEscape(sign)) at += 2
    else return 0
  }
  return 0
}

function isEscape(sign: u8): bool {
  if (sign === QUOTE || sign === BACKSLASH || sign === SLASH) return true
  // \b \f \n \r \t
  return sign === 98 || sign === 102 || sign === 110 || sign === 114 || sign === 116
}

function isHex(code: u8): bool {
  const small = code | SMALL
  return (code >= ZERO && code <= NINE) || (small >= 97 && small <= 102)
}

/** A number by the grammar of RFC 8259 section 6. */
function number(leaf: usize, start: usize): usize {
  let at = load<u8>(start) === MINUS ? start + 1 : start
  const whole = at
  at = load<u8>(at) === ZERO ? at + 1 : afterDigits(at)
  if (at === whole) return 0
  let kind = at - whole <= SURE_INTEGER ? keyOf.INTEGER : keyOf.NUMBER
  if (load<u8>(at) === POINT) {
    const fraction = at + 1
    at = afterDigits(fraction)
    if (at === fraction) return 0
    kind = load<u8>(at - 1) !== ZERO && at - whole <= SURE_FRACTION ? keyOf.FLOAT : keyOf.NUMBER
  }
  if ((load<u8>(at) | SMALL) === LETTER_E) {
    const sign = load<u8>(at, 1)
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1
    at = afterDigits(exponent)
    if (at === exponent) return 0
    kind = keyOf.NUMBER
  }
  return note(leaf, kind, start, at)
}

function afterDigits(from: usize): usize {
  let at = from
  while (load<u8>(at) >= ZERO && load<u8>(at) <= NINE) at++
  return at
}
