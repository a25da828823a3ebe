/** Reads JSON bodies whose keys are known and counts what stands at each; see `body-shapes.ts`, which writes the keys. */

import { readLeaf, readWord } from './leaves'
import { noteLook } from './looks'
import * as memoryOf from './memory'
import * as keyOf from './shape-keys'
import { blanks } from './texts'

const QUOTE: u8 = 34
const COMMA: u8 = 44
const COLON: u8 = 58
const OPEN_LIST: u8 = 91
const CLOSE_LIST: u8 = 93
const OPEN_OBJECT: u8 = 123
const CLOSE_OBJECT: u8 = 125

/** Elements of a list that are counted. */
const MAX_ITEMS: i32 = 50
/** Keys of an object that are compared with one of a text before the body is left to others. */
const MAX_TRIES: u32 = 64

let root: usize = 0
let end: usize = 0
let leaves: i32 = 0
/** Number of the object read last, to notice a key that comes twice. */
let objects: u32 = 0
let bodies: u32 = 0
let seenAt: i32 = 0

/**
 * Reads a body by the shape whose outermost key stands at `shape`, and counts its leaves, seen at a time.
 *
 * @returns how many leaves are left to the caller; -1, and nothing is counted, when the body is not JSON or has other keys
 */
export function learnBody(shape: usize, start: usize, stop: usize, at: i32): i32 {
  root = shape
  end = stop
  leaves = 0
  // What is read stops at a zero, so that no loop has to ask for the end.
  store<u8>(stop, 0)
  const from = blanks(start)
  const first = load<u8>(from)
  let to: usize = 0
  if (first === OPEN_OBJECT) to = object(shape, from + 1)
  else if (first === OPEN_LIST) to = list(shape, from + 1)
  if (to === 0 || blanks(to) !== stop) return -1
  seenAt = at
  return count()
}

/** Reads what follows `{`; like all that follow it returns the position behind what it read, or 0. */
function object(node: usize, from: usize): usize {
  let at = blanks(from)
  if (load<u8>(at) === CLOSE_OBJECT) return empty(node, at + 1)
  const kids = <usize>load<u32>(node, keyOf.KIDS)
  if (kids === 0) return 0
  const number = ++objects
  let next: u32 = 0
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0
    let kid = <usize>load<u32>(kids + 4 + <usize>next * 4)
    let stop = keyEnd(kid, at + 1)
    if (stop === 0) {
      next = search(kids, next, at + 1)
      if (next === MISSING) return 0
      kid = <usize>load<u32>(kids + 4 + <usize>next * 4)
      stop = keyEnd(kid, at + 1)
    }
    if (load<u32>(kid, keyOf.OBJECT) === number) return 0
    store<u32>(kid, number, keyOf.OBJECT)
    if (++next >= load<u32>(kids)) next = 0
    at = blanks(stop + 1)
    if (load<u8>(at) !== COLON) return 0
    at = value(kid, blanks(at + 1))
    if (at === 0) return 0
    at = blanks(at)
    const code = load<u8>(at)
    if (code === CLOSE_OBJECT) return at + 1
    if (code !== COMMA) return 0
    at = blanks(at + 1)
  }
}

const MISSING: u32 = 0xffffffff

/** Which of an object's keys stands at a position, looked for behind the one expected and then from the first on. */
function search(kids: usize, expected: u32, at: usize): u32 {
  const count = load<u32>(kids)
  let index = expected
  for (let tries: u32 = 1; tries < count && tries < MAX_TRIES; tries++) {
    if (++index === count) index = 0
    if (keyEnd(<usize>load<u32>(kids + 4 + <usize>index * 4), at) !== 0) return index
  }
  return MISSING
}

/** The position of the quote behind a key when it stands at `from`, else 0. */
function keyEnd(node: usize, from: usize): usize {
  const key = <usize>load<u32>(node, keyOf.KEY)
  const length = <usize>load<u8>(key)
  for (let i: usize = 0; i < length; i++) if (load<u8>(from + i) !== load<u8>(key + i, 1)) return 0
  return load<u8>(from + length) === QUOTE ? from + length : 0
}

function list(node: usize, from: usize): usize {
  let at = blanks(from)
  if (load<u8>(at) === CLOSE_LIST) return empty(node, at + 1)
  const items = <usize>load<u32>(node, keyOf.ITEMS)
  if (items === 0) return 0
  let count: i32 = 0
  while (true) {
    const before = leaves
    at = value(items, at)
    if (at === 0) return 0
    // Elements beyond the limit are read, because the rest of the text follows them, but not counted.
    if (++count > MAX_ITEMS) leaves = before
    at = blanks(at)
    const code = load<u8>(at)
    if (code === CLOSE_LIST) return at + 1
    if (code !== COMMA) return 0
    at = blanks(at + 1)
  }
}

function value(node: usize, at: usize): usize {
  const code = load<u8>(at)
  if (code === OPEN_OBJECT) return object(node, at + 1)
  if (code === OPEN_LIST) return list(node, at + 1)
  if (leaves >= memoryOf.MAX_LEAVES) return 0
  const leaf = memoryOf.LEAVES + <usize>leaves * 16
  leaves++
  store<u32>(leaf, <u32>node)
  if (code === 116) return readWord(leaf, keyOf.TRUE, at, 'true')
  if (code === 102) return readWord(leaf, keyOf.FALSE, at, 'false')
  if (code === 110) return readWord(leaf, keyOf.NULL, at, 'null')
  return readLeaf(leaf, at, end)
}

/** An empty object or list is its own leaf, but for the body itself. */
function empty(node: usize, to: usize): usize {
  if (node === root) return to
  if (leaves >= memoryOf.MAX_LEAVES) return 0
  const leaf = memoryOf.LEAVES + <usize>leaves * 16
  leaves++
  store<u32>(leaf, <u32>node)
  store<u32>(leaf, keyOf.EMPTY, 4)
  return to
}

/** Counts every leaf that was read, and notes which are left to the caller. */
function count(): i32 {
  bodies++
  let asked: i32 = 0
  let met: i32 = 0
  for (let i = 0; i < leaves; i++) {
    const leaf = memoryOf.LEAVES + <usize>i * 16
    const node = <usize>load<u32>(leaf)
    const kind = load<u32>(leaf, 4)
    const flags = load<u32>(node, keyOf.FLAGS)
    if (isAsked(node, kind, flags, leaf)) {
      store<i32>(memoryOf.ASKED + <usize>asked * 4, i)
      asked++
      continue
    }
    if (kind !== keyOf.EMPTY) store<u32>(node, load<u32>(node, keyOf.TICKS) - 1, keyOf.TICKS)
    note(node, kind)
    if ((flags & (keyOf.SENSITIVE << kind)) === 0 || load<u32>(node, keyOf.BODY) === bodies) continue
    store<u32>(node, bodies, keyOf.BODY)
    store<u32>(memoryOf.MET + <usize>met * 4, load<u32>(node, keyOf.INDEX) * 8 + kind)
    met++
  }
  store<i32>(memoryOf.MET_COUNT, met)
  return asked
}

/** True for a value that is to be judged, or of which more must be known than its kind. One of a new look is. */
function isAsked(node: usize, kind: u32, flags: u32, leaf: usize): bool {
  const isKnown = (flags & (keyOf.KNOWN << kind)) !== 0
  if (kind === keyOf.EMPTY) return !isKnown
  const isDue = load<u32>(node, keyOf.TICKS) === 0
  // Words and short numbers all look alike.
  if (kind !== keyOf.TEXT && kind < keyOf.EMPTY) return isDue || !isKnown
  const start = <usize>load<u32>(leaf, 8)
  const stop = <usize>load<u32>(leaf, 12)
  if (noteLook(node, start, stop)) {
    store<u32>(leaf, kind | keyOf.NEW_LOOK, 4)
    // What follows it at its key is left to the caller as well: its verdict may change what they count for.
    store<u32>(node, 0, keyOf.TICKS)
    return true
  }
  if (isDue || kind > keyOf.EMPTY || !isKnown) return true
  return (flags & keyOf.ORDINARY) !== 0 && mayBeNumber(start, stop)
}

function note(node: usize, kind: u32): void {
  const counts = node + keyOf.COUNTS + <usize>kind * keyOf.PER_KIND
  const known = load<u32>(counts)
  store<u32>(counts, known + 1)
  if (known === 0) {
    store<u32>(node, 1, keyOf.IS_COUNTED)
    store<i32>(counts, seenAt, 4)
    store<i32>(counts, seenAt, 8)
  } else if (seenAt > load<i32>(counts, 8)) store<i32>(counts, seenAt, 8)
  else if (seenAt < load<i32>(counts, 4)) store<i32>(counts, seenAt, 4)
}

/** False for a text that is surely no number. */
function mayBeNumber(start: usize, stop: usize): bool {
  if (start === stop) return false
  const first = load<u8>(start)
  if (first !== 45 && (first < 48 || first > 57)) return false
  let points = 0
  for (let at = start + 1; at < stop; at++) {
    const code = load<u8>(at)
    // Versions and addresses have several points.
    if (code === 46 && ++points > 1) return false
    // Digits, point and signs stand together, an exponent beside them.
    if ((code < 43 || code > 57) && (code | 32) !== 101) return false
  }
  return true
}
