import { CHAR } from './char-flags.ts'
import type { LeafStore } from './leaf-store.ts'

/** Texts up to this length get a twin just for their white space; longer ones are prose or code. */
const MAX_SPACED = 4_096
/** Longest comment from `#` or `--` to the end of its line that is taken for one. */
const MAX_LINE_COMMENT = 256

/**
 * Appends the normalised twin of a range when it differs: compatibility forms folded (NFKC), NUL, control and zero-width
 * characters removed, runs of white space as one space, comments of SQL as a space, with the content of the comments
 * that MySQL executes; plus signs as spaces where there are no others. Returns whether there is one.
 */
export function writeNormalised(store: LeafStore, start: number, end: number, flags: number): boolean {
  if (!needsTwin(store.units, start, end, flags)) return false
  const from = store.used
  let to = end
  let first = start
  if ((flags & CHAR.WIDE) !== 0 && hasCompatibilityForm(store.units, start, end)) {
    const folded = store.slice(start, end).normalize('NFKC')
    first = store.write(folded)
    to = store.used
    if (!store.spend(folded.length)) {
      store.used = from
      return false
    }
  }
  // The copy never grows, so it may overwrite the folded text that it is read from.
  store.used = from
  writeSquashed(store, first, to, plusIsSpace(flags))
  if (differs(store.units, start, end, from, store.used)) return true
  store.used = from
  return false
}

/** A form that was written into another kind of body, as tools do; Base64 holds no other signs, and is none. */
function plusIsSpace(flags: number): boolean {
  return (flags & (CHAR.PLUS | CHAR.SPACE | CHAR.OTHER)) === (CHAR.PLUS | CHAR.OTHER)
}

function differs(units: Uint16Array, start: number, end: number, from: number, to: number): boolean {
  if (end - start !== to - from) return to > from
  for (let i = 0; i < end - start; i++) if (units[start + i] !== units[from + i]) return true
  return false
}

function needsTwin(units: Uint16Array, start: number, end: number, flags: number): boolean {
  if ((flags & CHAR.CONTROL) !== 0 || plusIsSpace(flags)) return true
  const isShort = end - start <= MAX_SPACED
  if (isShort && (flags & CHAR.BREAK) !== 0) return true
  const looksAtSpaces = isShort && (flags & CHAR.SPACE) !== 0
  if (!looksAtSpaces && (flags & (CHAR.STAR | CHAR.WIDE)) === 0) return false
  if ((flags & CHAR.WIDE) === 0) return holdsRuns(units, start, end, isShort)
  let before = 0
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    if (unit === 32 ? before === 32 && isShort : unit === 42 ? before === 47 : isFolded(unit)) return true
    before = unit
  }
  return false
}

/** Two blanks side by side in a short text, or the opening of a comment. */
function holdsRuns(units: Uint16Array, start: number, end: number, isShort: boolean): boolean {
  const blank = isShort ? 32 : -1
  for (let i = start + 1; i < end; i++) {
    const unit = units[i]!
    if (unit === 42 ? units[i - 1] === 47 : unit === blank && units[i - 1] === 32) return true
  }
  return false
}

function hasCompatibilityForm(units: Uint16Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (isFolded(units[i]!)) return true
  return false
}

/** Characters that NFKC folds to ASCII, or that are left out or taken as a space. Others are not a way to hide ASCII. */
function isFolded(unit: number): boolean {
  if (unit < 0x80) return false
  if (unit < 0x2b0) return unit < 0xc2 && LATIN_FOLDED.has(unit)
  if (unit < 0x1680)
    return unit <= 0x2b8 || unit === 0x37e || unit === 0x180e || (unit >= 0x1d2c && unit <= 0x1d6a)
  if (unit < 0x2000)
    return unit === 0x1680 || unit === 0x180e || (unit >= 0x1d2c && unit <= 0x1d6a) || unit === 0x1fef
  // General punctuation: spaces, zero widths, marks of direction, invisible operators, but not dashes and quotes.
  if (unit < 0x2070)
    return unit <= 0x200f || (unit >= 0x2024 && unit <= 0x202f) || unit === 0x203c || unit >= 0x2047
  if (unit < 0x2200) return unit !== 0x20ac && (unit < 0x20a0 || unit >= 0x2100) && unit < 0x2190
  if (unit >= 0x2460 && unit <= 0x24ea) return true
  if (unit === 0x3000 || (unit >= 0xd835 && unit <= 0xd83c)) return unit !== 0xd83c
  return unit >= 0xfb00 && (unit <= 0xfb06 || (unit >= 0xfe4d && unit <= 0xfe6b) || unit >= 0xfeff)
}

/** Feminine and masculine ordinals, superscripts, no-break space, soft hyphen, acute, and the two leads of overlong UTF-8. */
const LATIN_FOLDED: ReadonlySet<number> = new Set([
  0xa0, 0xaa, 0xad, 0xb2, 0xb3, 0xb9, 0xba, 0xb4, 0xc0, 0xc1,
])

/** Copies a range without what a server may overlook. Every position is read a bounded number of times. */
function writeSquashed(store: LeafStore, start: number, end: number, hasPlus: boolean): void {
  const { units } = store
  const lastClose = lastCommentEnd(units, start, end)
  let nextBreak = start - 1
  let spaced = false
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    const following = i + 1 < end ? units[i + 1]! : 0
    let next = i
    if (unit === 47 && following === 42) next = skipComment(units, i, lastClose, end)
    else if (unit === 42 && following === 47) next = i + 2
    else if (unit === 35 || (unit === 45 && following === 45)) {
      if (nextBreak < i) nextBreak = findBreak(units, i, end)
      if (nextBreak < end && nextBreak - i <= MAX_LINE_COMMENT) next = nextBreak + 1
    } else if (isSpace(unit) || (hasPlus && unit === 43)) next = i + 1
    if (next > i) {
      if (!spaced) store.put(32)
      spaced = true
      i = next - 1
      continue
    }
    if (isInvisible(unit)) continue
    spaced = false
    if ((unit === 0xc0 || unit === 0xc1) && following >= 0x80 && following < 0xc0) {
      store.put(((unit & 3) << 6) | (following & 0x3f))
      i++
    } else store.put(unit)
  }
}

/** Position of the last end of a block comment, -1 for none. */
function lastCommentEnd(units: Uint16Array, start: number, end: number): number {
  for (let i = end - 1; i > start; i--) if (units[i] === 47 && units[i - 1] === 42) return i
  return -1
}

/** Position behind a comment, or behind the opening of one that MySQL executes (`/*!50000`); `at` for an open end. */
function skipComment(units: Uint16Array, at: number, lastClose: number, end: number): number {
  if (units[at + 2] === 33) {
    let i = at + 3
    while (i < end && i < at + 9 && units[i]! >= 48 && units[i]! <= 57) i++
    return i
  }
  for (let i = at + 3; i <= lastClose; i++) if (units[i] === 47 && units[i - 1] === 42) return i + 1
  return at
}

function findBreak(units: Uint16Array, from: number, end: number): number {
  let i = from
  while (i < end && units[i] !== 10) i++
  return i
}

function isInvisible(unit: number): boolean {
  if (unit < 32) return unit < 9 || unit > 13
  if (unit < 0xad) return unit === 0x7f
  return (
    unit === 0xad ||
    (unit >= 0x200b && unit <= 0x200f) ||
    (unit >= 0x202a && unit <= 0x202e) ||
    (unit >= 0x2060 && unit <= 0x2064) ||
    unit === 0x180e ||
    unit === 0xfeff
  )
}

function isSpace(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13)
  return (
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    (unit >= 0x2028 && unit <= 0x202f) ||
    unit === 0x205f ||
    unit === 0x3000
  )
}
