import { hexDigit } from './char-flags.ts'
import { hexRun } from './decode-percent.ts'
import type { LeafStore } from './leaf-store.ts'

/** Characters that a backslash and a letter stand for, as in C, JavaScript and JSON. */
const SIMPLE: ReadonlyMap<number, number> = new Map(
  Object.entries({
    n: '\n',
    r: '\r',
    t: '\t',
    f: '\f',
    v: '\v',
    '/': '/',
    '\\': '\\',
    '"': '"',
    "'": "'",
    '`': '`',
  }).map(([letter, char]) => [letter.charCodeAt(0), char.charCodeAt(0)]),
)

/**
 * Decodes the backslash escape at `at` (`\uXXXX`, `\u{…}`, `\xHH`, three octal digits, single letters), appends the
 * character, returns the position behind it; `at` itself when there is none.
 */
export function decodeBackslash(store: LeafStore, at: number, end: number): number {
  const { units } = store
  if (at + 1 >= end) return at
  const letter = units[at + 1]!
  if (letter === 117) return decodeUnicode(store, at, end)
  if (letter === 120) return decodeHex(store, at, end)
  if (letter >= 48 && letter <= 51 && at + 4 <= end) {
    const second = units[at + 2]! - 48
    const third = units[at + 3]! - 48
    if (second < 0 || second > 7 || third < 0 || third > 7) return at
    store.put((letter - 48) * 64 + second * 8 + third)
    return at + 4
  }
  const simple = SIMPLE.get(letter)
  if (simple === undefined) return at
  store.put(simple)
  return at + 2
}

function decodeUnicode(store: LeafStore, at: number, end: number): number {
  const { units } = store
  if (units[at + 2] === 123) {
    let value = 0
    let i = at + 3
    for (; i < end && i < at + 11; i++) {
      const digit = hexDigit(units[i])
      if (digit < 0) break
      value = value * 16 + digit
    }
    if (i === at + 3 || units[i] !== 125 || i >= end) return at
    store.putCodePoint(value)
    return i + 1
  }
  const code = at + 6 <= end ? hexRun(units, at + 2, 4) : -1
  if (code < 0) return at
  store.put(code)
  return at + 6
}

function decodeHex(store: LeafStore, at: number, end: number): number {
  const code = at + 4 <= end ? hexRun(store.units, at + 2, 2) : -1
  if (code < 0) return at
  store.put(code)
  return at + 4
}

/**
 * Writes the text of a JSON string, without its quotes (RFC 8259 section 7); unknown escapes stay as they are.
 */
export function decodeJsonString(store: LeafStore, start: number, end: number): void {
  const { units } = store
  for (let i = start; i < end; ) {
    const unit = units[i]!
    if (unit === 92) {
      if (units[i + 1] === 98 && i + 1 < end) {
        store.put(8)
        i += 2
        continue
      }
      const next = decodeBackslash(store, i, end)
      if (next > i) {
        i = next
        continue
      }
    }
    store.put(unit)
    i++
  }
}
