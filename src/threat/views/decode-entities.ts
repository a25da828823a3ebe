import { hexDigit } from './char-flags.ts'
import type { LeafStore } from './leaf-store.ts'

/** Longest name of an entity that is known here, and most digits of a numeric one (leading zeros included). */
const MAX_NAME = 12
const MAX_DIGITS = 16

/** Codes of the named characters of HTML that attacks hide behind: ASCII punctuation, white space, invisible ones. */
const NAMED: ReadonlyMap<string, number> = new Map(
  [
    'lt 60, gt 62, amp 38, quot 34, nbsp 160, shy 173, LT 60, GT 62, AMP 38, QUOT 34, apos 39, Tab 9',
    'NewLine 10, excl 33, num 35, dollar 36, percnt 37, lpar 40, rpar 41, ast 42, midast 42, plus 43',
    'comma 44, period 46, sol 47, colon 58, semi 59, equals 61, quest 63, commat 64, lsqb 91',
    'lbrack 91, bsol 92, rsqb 93, rbrack 93, Hat 94, lowbar 95, UnderBar 95, grave 96',
    'DiacriticalGrave 96, lcub 123, lbrace 123, verbar 124, vert 124, VerticalLine 124, rcub 125',
    'rbrace 125, ZeroWidthSpace 8203, zwj 8205, zwnj 8204, fjlig 102',
  ].flatMap((line) =>
    line.split(', ').map((entry): [string, number] => {
      const [name, code] = entry.split(' ')
      return [name!, Number(code)]
    }),
  ),
)
/** Those that browsers read without a semicolon as well. */
const WITHOUT_SEMICOLON: ReadonlySet<string> = new Set('lt gt amp quot nbsp LT GT AMP QUOT'.split(' '))

/**
 * Decodes the character reference of HTML at `at`, decimal, hexadecimal or named, its semicolon missing or not; appends
 * the character, returns the position behind it; `at` itself when there is none.
 */
export function decodeEntity(store: LeafStore, at: number, end: number): number {
  return store.units[at + 1] === 35 ? decodeNumeric(store, at, end) : decodeNamed(store, at, end)
}

function decodeNumeric(store: LeafStore, at: number, end: number): number {
  const { units } = store
  const isHex = ((units[at + 2] ?? 0) | 32) === 120
  const base = isHex ? 16 : 10
  const first = at + (isHex ? 3 : 2)
  let code = 0
  let i = first
  for (; i < end && i < first + MAX_DIGITS; i++) {
    const digit = hexDigit(units[i])
    if (digit < 0 || digit >= base) break
    code = code > 0x10ffff ? code : code * base + digit
  }
  if (i === first || code === 0) return at
  store.putCodePoint(code)
  return i < end && units[i] === 59 ? i + 1 : i
}

/** Names by a hash of their letters, so that a text full of ampersands makes no string for each. */
const BY_HASH: ReadonlyMap<number, string> = new Map(
  [...NAMED.keys()].map((name) => [hashOfName(name), name]),
)
/** First letters of the names that need no semicolon. */
const PREFIX_LETTERS: ReadonlySet<number> = new Set([...WITHOUT_SEMICOLON].map((name) => name.charCodeAt(0)))

function hashOfName(name: string): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) | 0
  return hash
}

function decodeNamed(store: LeafStore, at: number, end: number): number {
  const { units } = store
  let i = at + 1
  let hash = 0
  const limit = Math.min(end, at + 1 + MAX_NAME + 5)
  for (; i < limit && isLetter(units[i]!); i++) hash = (hash * 31 + units[i]!) | 0
  if (i < at + 3) return at
  const hasSemicolon = i < end && units[i] === 59
  const name = BY_HASH.get(hash)
  if (
    name !== undefined &&
    (hasSemicolon || WITHOUT_SEMICOLON.has(name)) &&
    store.slice(at + 1, i) === name
  ) {
    store.putCodePoint(NAMED.get(name)!)
    return hasSemicolon ? i + 1 : i
  }
  if (hasSemicolon || !PREFIX_LETTERS.has(units[at + 1]!)) return at
  return decodePrefix(store, at, store.slice(at + 1, Math.min(i, at + 5)))
}

/** `&ltscript`: browsers take the longest known name that needs no semicolon. */
function decodePrefix(store: LeafStore, at: number, name: string): number {
  for (let length = Math.min(4, name.length); length >= 2; length--) {
    const prefix = name.slice(0, length)
    if (!WITHOUT_SEMICOLON.has(prefix)) continue
    store.putCodePoint(NAMED.get(prefix)!)
    return at + 1 + length
  }
  return at
}

function isLetter(unit: number): boolean {
  const lower = unit | 32
  return lower >= 97 && lower <= 122 && unit < 128
}
