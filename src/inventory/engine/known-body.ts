import type { Location } from '../data-types/index.ts'
import type { KeyNode, KeyTree } from './key-tree.ts'
import { MAX_ITEMS, MAX_LEAVES } from './learn-body.ts'
import { countEmpty, type Lesson, learnKind, learnText, learnValue } from './value-types.ts'

/** Longest body that is read on the straight path; larger ones go through the bounded reader. */
export const PLAIN_JSON_LIMIT = 262_144
/** After so many bodies in a row that were not read to their end, only one in {@link RETRY_EVERY} is tried. */
const MISSES_BEFORE_REST = 8
const RETRY_EVERY = 16

/** What stands at a leaf. Texts with escapes are parsed when they are learned, numbers of which the form tells not enough as well. */
const TEXT = 0
const ESCAPED = 1
const NUMBER = 2
const INTEGER = 3
const FLOAT = 4
const TRUE = 5
const FALSE = 6
const NULL = 7
const EMPTY = 8
const TYPE_OF_KIND = ['OTHER', 'OTHER', 'OTHER', 'INTEGER_32', 'FLOAT', 'TRUE', 'FALSE', 'NULL'] as const

const QUOTE = 34
const PLUS = 43
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
/** `|` with this makes an ASCII letter a small one. */
const SMALL = 32
const LETTER_E = 101
/** Digits that fit 32 bits whatever they are; and digits of a fraction that a double tells from a whole number. */
const SURE_INTEGER = 9
const SURE_FRACTION = 15

/**
 * Learns a JSON body straight from its text when all its keys are known: the usual case by far, and several times
 * cheaper than building objects only to count what they hold. Nothing is learned unless the whole text was read, so
 * `false` (a new key, a map, broken JSON) means that the caller parses and learns it in the general way. Control
 * characters inside texts are let through, as the reader of broken JSON does.
 */
export function learnKnownBody(tree: KeyTree, text: string, location: Location, lesson: Lesson): boolean {
  if (text.length > PLAIN_JSON_LIMIT) return false
  if (tree.misses > MISSES_BEFORE_REST && tree.misses++ % RETRY_EVERY !== 0) return false
  if (!reader.read(tree.root, text)) {
    tree.misses++
    return false
  }
  tree.misses = 0
  reader.teach(tree, location, lesson)
  return true
}

/** Finds the node of every leaf first and counts afterwards. One instance serves all bodies, so that it allocates nothing. */
class KnownBodyReader {
  readonly #nodes: KeyNode[] = []
  readonly #kinds = new Uint8Array(MAX_LEAVES)
  readonly #starts = new Int32Array(MAX_LEAVES)
  readonly #ends = new Int32Array(MAX_LEAVES)
  #root: KeyNode | null = null
  #leaves = 0
  #text = ''
  /** Position of the next backslash, or the length of the text. */
  #slash = 0
  /** Number of the object being read, to notice a key that comes twice. */
  #stamp = 0

  /** True when the text is JSON and all its keys are known. */
  read(root: KeyNode, text: string): boolean {
    this.#root = root
    this.#text = text
    this.#leaves = 0
    this.#slash = offsetOrEnd(text, text.indexOf('\\'))
    const start = this.#blanks(0)
    const first = text.charCodeAt(start)
    const end =
      first === OPEN_OBJECT
        ? this.#object(root, start + 1)
        : first === OPEN_LIST
          ? this.#list(root, start + 1)
          : -1
    return end >= 0 && this.#blanks(end) === text.length
  }

  /** Counts every leaf that was read. */
  teach(tree: KeyTree, location: Location, lesson: Lesson): void {
    const text = this.#text
    for (let i = 0; i < this.#leaves; i++) {
      const node = this.#nodes[i]!
      const kind = this.#kinds[i]!
      if (kind === TEXT) learnText(tree, node, text, this.#starts[i]!, this.#ends[i]!, location, lesson)
      else if (kind === EMPTY) countEmpty(tree, node, lesson)
      else if (kind < INTEGER || !learnKind(tree, node, TYPE_OF_KIND[kind]!, location, lesson)) {
        learnValue(tree, node, JSON.parse(text.slice(this.#starts[i]!, this.#ends[i]!)), location, lesson)
      }
    }
    this.#text = ''
  }

  /** Reads what follows `{`; every method returns the position behind what it read, or -1. */
  #object(node: KeyNode, from: number): number {
    const text = this.#text
    let at = this.#blanks(from)
    if (text.charCodeAt(at) === CLOSE_OBJECT) return this.#empty(node, at + 1)
    if (node.isMap) return -1
    const stamp = ++this.#stamp
    for (let position = 0; ; position++) {
      if (text.charCodeAt(at) !== QUOTE) return -1
      const kid = this.#kidAt(node, position, at + 1)
      if (kid === null || kid.stamp === stamp) return -1
      kid.stamp = stamp
      at = this.#blanks(at + kid.key.length + 2)
      if (text.charCodeAt(at) !== COLON) return -1
      at = this.#value(kid, this.#blanks(at + 1))
      if (at < 0) return -1
      at = this.#blanks(at)
      const code = text.charCodeAt(at)
      if (code === CLOSE_OBJECT) return at + 1
      if (code !== COMMA) return -1
      at = this.#blanks(at + 1)
    }
  }

  /** The child whose key stands at `from`: nearly always the one that was at this position in the latest message. */
  #kidAt(node: KeyNode, position: number, from: number): KeyNode | null {
    const text = this.#text
    const expected = node.order[position]
    if (expected !== undefined && standsAt(text, expected.key, from)) {
      const end = from + expected.key.length
      if (text.charCodeAt(end) === QUOTE) return this.#slash > end ? expected : null
    }
    const end = text.indexOf('"', from)
    if (end < 0 || this.#slash < end) return null
    return node.knownAt(position, text.slice(from, end))
  }

  #list(node: KeyNode, from: number): number {
    const text = this.#text
    let at = this.#blanks(from)
    if (text.charCodeAt(at) === CLOSE_LIST) return this.#empty(node, at + 1)
    const { items } = node
    if (items === null) return -1
    for (let count = 1; ; count++) {
      const leaves = this.#leaves
      at = this.#value(items, at)
      if (at < 0) return -1
      // Elements beyond the limit are read, because the rest of the text follows them, but not learned.
      if (count > MAX_ITEMS) this.#leaves = leaves
      at = this.#blanks(at)
      const code = text.charCodeAt(at)
      if (code === CLOSE_LIST) return at + 1
      if (code !== COMMA) return -1
      at = this.#blanks(at + 1)
    }
  }

  #value(node: KeyNode, at: number): number {
    switch (this.#text.charCodeAt(at)) {
      case QUOTE:
        return this.#string(node, at)
      case OPEN_OBJECT:
        return this.#object(node, at + 1)
      case OPEN_LIST:
        return this.#list(node, at + 1)
      case 116: // t
        return this.#word(node, TRUE, 'true', at)
      case 102: // f
        return this.#word(node, FALSE, 'false', at)
      case 110: // n
        return this.#word(node, NULL, 'null', at)
      default:
        return this.#number(node, at)
    }
  }

  #string(node: KeyNode, at: number): number {
    const text = this.#text
    let end = text.indexOf('"', at + 1)
    if (end < 0) return -1
    if (end < this.#slash) return this.#leaf(node, TEXT, at + 1, end) ? end + 1 : -1
    while (isEscaped(text, end)) {
      end = text.indexOf('"', end + 1)
      if (end < 0) return -1
    }
    this.#slash = offsetOrEnd(text, text.indexOf('\\', end))
    // The escapes are judged by the parser, here and once more when the value is learned; they are rare in known bodies.
    return isJson(text.slice(at, end + 1)) && this.#leaf(node, ESCAPED, at, end + 1) ? end + 1 : -1
  }

  #word(node: KeyNode, kind: number, word: string, at: number): number {
    const end = at + word.length
    return standsAt(this.#text, word, at) && this.#leaf(node, kind, at, end) ? end : -1
  }

  /** A number by the grammar of RFC 8259 section 6. */
  #number(node: KeyNode, start: number): number {
    const text = this.#text
    let at = text.charCodeAt(start) === MINUS ? start + 1 : start
    const whole = at
    at = text.charCodeAt(at) === ZERO ? at + 1 : afterDigits(text, at)
    if (at === whole) return -1
    let kind = at - whole <= SURE_INTEGER ? INTEGER : NUMBER
    if (text.charCodeAt(at) === POINT) {
      const fraction = at + 1
      at = afterDigits(text, fraction)
      if (at === fraction) return -1
      kind = text.charCodeAt(at - 1) !== ZERO && at - whole <= SURE_FRACTION ? FLOAT : NUMBER
    }
    if ((text.charCodeAt(at) | SMALL) === LETTER_E) {
      const sign = text.charCodeAt(at + 1)
      const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1
      at = afterDigits(text, exponent)
      if (at === exponent) return -1
      kind = NUMBER
    }
    return this.#leaf(node, kind, start, at) ? at : -1
  }

  /** An empty object or array is a leaf of its own, but for the body itself. */
  #empty(node: KeyNode, end: number): number {
    return node === this.#root || this.#leaf(node, EMPTY, end, end) ? end : -1
  }

  #leaf(node: KeyNode, kind: number, start: number, end: number): boolean {
    const i = this.#leaves
    if (i >= MAX_LEAVES) return false
    this.#nodes[i] = node
    this.#kinds[i] = kind
    this.#starts[i] = start
    this.#ends[i] = end
    this.#leaves = i + 1
    return true
  }

  #blanks(from: number): number {
    const text = this.#text
    let at = from
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
      at++
    }
  }
}

function offsetOrEnd(text: string, offset: number): number {
  return offset < 0 ? text.length : offset
}

/** True when `word` stands at `from`; for the few characters of a key a loop is cheaper than a call of `startsWith`. */
function standsAt(text: string, word: string, from: number): boolean {
  for (let i = 0; i < word.length; i++) if (text.charCodeAt(from + i) !== word.charCodeAt(i)) return false
  return true
}

function afterDigits(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (!(code >= ZERO && code <= NINE)) return at
    at++
  }
}

/** True when an odd number of backslashes stands before the position. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 92) slashes++
  return slashes % 2 === 1
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // An escape that JSON does not know, or a bare control character beside one: the general reader takes the body.
    return false
  }
}

const reader = new KnownBodyReader()
