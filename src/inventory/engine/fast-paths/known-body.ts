import type { Location } from '../../../data-types/index.ts'
import { KIND } from '../../../http/index.ts'
import { type KeyNode, type KeyTree, keyBytes, MAX_ITEMS, MAX_LEAVES } from '../state/index.ts'
import {
  type LearningContext,
  learnLeaf,
  type MessageBody,
  requestBytes,
  responseBytes,
  type TextBytes,
} from '../values/index.ts'
import { KnownShape, type ShapedTexts } from './known-shape.ts'
import { memoryOf, type PlaceMemory } from './place-memory.ts'

/** After so many bodies in a row that were not read to their end, only one in {@link RETRY_EVERY} is tried. */
const MISSES_BEFORE_REST = 8
const RETRY_EVERY = 16
/** Known bodies in a row after which a place gets a shape. */
const SHAPED_AFTER = 64

const BACKSLASH = 92
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

/** Learns the body of a message by its known keys; false, and nothing is learned, when it has others or is not JSON. */
export function learnBody(
  tree: KeyTree,
  message: MessageBody,
  location: Location,
  context: LearningContext,
): boolean {
  if (!('bodyStart' in message))
    return message.bodyIsBase64 !== true && learnKnownBody(tree, message.body, location, context)
  const { scanner } = message.scanned()
  return learnKnownBytes(tree, scanner, message.bodyStart, message.bodyEnd, location, context)
}

/**
 * Learns a JSON body straight from its text when all its keys are known: the usual case by far, and several times
 * cheaper than building objects only to count what they hold. Nothing is learned unless the whole text was read, so
 * `false` (a new key, a map, broken JSON) means that the caller parses and learns it in the general way. Control
 * characters inside texts are let through, as the reader of broken JSON does.
 */
export function learnKnownBody(
  tree: KeyTree,
  text: string,
  location: Location,
  context: LearningContext,
): boolean {
  if (isResting(memoryOf(tree))) return false
  const body = tree.isResponse ? responseBytes : requestBytes
  return body.load(text) && learnBytes(tree, body, 0, body.length, location, context)
}

/** {@link learnKnownBody} for a text in the memory of the scanner, by the shape of the place once that has settled. */
export function learnKnownBytes(
  tree: KeyTree,
  texts: ShapedTexts,
  start: number,
  end: number,
  location: Location,
  context: LearningContext,
): boolean {
  const memory = memoryOf(tree)
  if (isResting(memory)) return false
  const shape = shapeOf(tree, memory, texts, context)
  if (shape?.learn(tree, texts, start, end, location, context)) {
    memory.misses = 0
    return true
  }
  if (!learnBytes(tree, texts, start, end, location, context)) {
    memory.inARow = 0
    return false
  }
  memory.inARow++
  return true
}

/** The shape of a place, made when its latest bodies had no new keys; null when there is none. */
function shapeOf(
  tree: KeyTree,
  memory: PlaceMemory,
  { shapes }: ShapedTexts,
  { touched }: LearningContext,
): KnownShape | null {
  const { shape } = memory
  if (shape?.isIn(shapes) && (!tree.isTaughtBeside || shape.refresh(tree, touched))) {
    tree.isTaughtBeside = false
    return shape
  }
  // A place whose shape was of no more use has to earn the next one: making one costs as much as some bodies do.
  if (shape !== null) memory.inARow = 0
  memory.shape = memory.inARow < SHAPED_AFTER ? null : KnownShape.of(tree, shapes)
  tree.isTaughtBeside = false
  return memory.shape
}

function isResting(memory: PlaceMemory): boolean {
  return memory.misses > MISSES_BEFORE_REST && memory.misses++ % RETRY_EVERY !== 0
}

function learnBytes(
  tree: KeyTree,
  texts: TextBytes,
  start: number,
  end: number,
  location: Location,
  context: LearningContext,
): boolean {
  if (!reader.read(tree.root, texts, start, end)) {
    memoryOf(tree).misses++
    return false
  }
  memoryOf(tree).misses = 0
  tree.isTaughtBeside = true
  reader.teach(tree, location, context)
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
  #texts: TextBytes = responseBytes
  #bytes: Uint8Array = responseBytes.bytes
  #end = 0
  /** Number of the object being read, to notice a key that comes twice. */
  #stamp = 0

  /** True when the text is JSON and all its keys are known. */
  read(root: KeyNode, texts: TextBytes, from: number, to: number): boolean {
    const { bytes } = texts
    this.#root = root
    this.#texts = texts
    this.#bytes = bytes
    this.#end = to
    this.#leaves = 0
    // Whatever is read stops here, so that no loop has to ask for the end.
    bytes[to] = 0
    const start = this.#blanks(from)
    const first = bytes[start]
    const end =
      first === OPEN_OBJECT
        ? this.#object(root, start + 1)
        : first === OPEN_LIST
          ? this.#list(root, start + 1)
          : -1
    return end >= 0 && this.#blanks(end) === to
  }

  /** Counts every leaf that was read. */
  teach(tree: KeyTree, location: Location, context: LearningContext): void {
    for (let i = 0; i < this.#leaves; i++) {
      const node = this.#nodes[i]!
      const kind = this.#kinds[i]!
      learnLeaf(tree, node, this.#texts, kind, this.#starts[i]!, this.#ends[i]!, location, context)
    }
  }

  /** Reads what follows `{`; every method returns the position behind what it read, or -1. */
  #object(node: KeyNode, from: number): number {
    const bytes = this.#bytes
    let at = this.#blanks(from)
    if (bytes[at] === CLOSE_OBJECT) return this.#empty(node, at + 1)
    if (node.isMap) return -1
    const stamp = ++this.#stamp
    for (let position = 0; ; position++) {
      if (bytes[at] !== QUOTE) return -1
      let kid = node.order[position]
      let end = kid === undefined ? -1 : this.#endOfKey(kid.place, at + 1)
      if (end < 0) {
        end = this.#endOfText(at + 1)
        if (bytes[end] !== QUOTE) return -1
        kid = node.knownAt(position, this.#texts.slice(at + 1, end)) ?? undefined
      }
      if (kid === undefined || kid.stamp === stamp) return -1
      kid.stamp = stamp
      at = this.#blanks(end + 1)
      if (bytes[at] !== COLON) return -1
      at = this.#value(kid, this.#blanks(at + 1))
      if (at < 0) return -1
      at = this.#blanks(at)
      const code = bytes[at]
      if (code === CLOSE_OBJECT) return at + 1
      if (code !== COMMA) return -1
      at = this.#blanks(at + 1)
    }
  }

  /** The position of the quote behind a key when it stands at `from`, else -1. */
  #endOfKey(place: number, from: number): number {
    if (place < 0) return -1
    const bytes = this.#bytes
    const length = keyBytes[place]!
    for (let i = 0; i < length; i++) if (bytes[from + i] !== keyBytes[place + 1 + i]) return -1
    return bytes[from + length] === QUOTE ? from + length : -1
  }

  /** The position of the next quote or backslash, or the end. */
  #endOfText(from: number): number {
    const bytes = this.#bytes
    let at = from
    for (;;) {
      const code = bytes[at]!
      if (code === QUOTE || code === BACKSLASH || (code === 0 && at >= this.#end)) return at
      at++
    }
  }

  #list(node: KeyNode, from: number): number {
    const bytes = this.#bytes
    let at = this.#blanks(from)
    if (bytes[at] === CLOSE_LIST) return this.#empty(node, at + 1)
    const { items } = node
    if (items === null) return -1
    for (let count = 1; ; count++) {
      const leaves = this.#leaves
      at = this.#value(items, at)
      if (at < 0) return -1
      // Elements beyond the limit are read, because the rest of the text follows them, but not learned.
      if (count > MAX_ITEMS) this.#leaves = leaves
      at = this.#blanks(at)
      const code = bytes[at]
      if (code === CLOSE_LIST) return at + 1
      if (code !== COMMA) return -1
      at = this.#blanks(at + 1)
    }
  }

  #value(node: KeyNode, at: number): number {
    switch (this.#bytes[at]) {
      case QUOTE:
        return this.#string(node, at)
      case OPEN_OBJECT:
        return this.#object(node, at + 1)
      case OPEN_LIST:
        return this.#list(node, at + 1)
      case 116: // t
        return this.#word(node, KIND.TRUE, 'true', at)
      case 102: // f
        return this.#word(node, KIND.FALSE, 'false', at)
      case 110: // n
        return this.#word(node, KIND.NULL, 'null', at)
      default:
        return this.#number(node, at)
    }
  }

  #string(node: KeyNode, at: number): number {
    let end = this.#endOfText(at + 1)
    if (this.#bytes[end] === QUOTE) return this.#leaf(node, KIND.TEXT, at + 1, end) ? end + 1 : -1
    while (this.#bytes[end] === BACKSLASH) end = this.#endOfText(end + 2)
    if (this.#bytes[end] !== QUOTE) return -1
    // The escapes are judged by the parser, here and once more when the value is learned; they are rare in known bodies.
    return isJson(this.#texts.slice(at, end + 1)) && this.#leaf(node, KIND.ESCAPED, at, end + 1)
      ? end + 1
      : -1
  }

  #word(node: KeyNode, kind: number, word: string, at: number): number {
    for (let i = 1; i < word.length; i++) if (this.#bytes[at + i] !== word.charCodeAt(i)) return -1
    const end = at + word.length
    return this.#leaf(node, kind, at, end) ? end : -1
  }

  /** A number by the grammar of RFC 8259 section 6. */
  #number(node: KeyNode, start: number): number {
    const bytes = this.#bytes
    let at = bytes[start] === MINUS ? start + 1 : start
    const whole = at
    at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at)
    if (at === whole) return -1
    let kind: number = at - whole <= SURE_INTEGER ? KIND.INTEGER : KIND.NUMBER
    if (bytes[at] === POINT) {
      const fraction = at + 1
      at = afterDigits(bytes, fraction)
      if (at === fraction) return -1
      kind = bytes[at - 1] !== ZERO && at - whole <= SURE_FRACTION ? KIND.FLOAT : KIND.NUMBER
    }
    if ((bytes[at]! | SMALL) === LETTER_E) {
      const sign = bytes[at + 1]
      const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1
      at = afterDigits(bytes, exponent)
      if (at === exponent) return -1
      kind = KIND.NUMBER
    }
    return this.#leaf(node, kind, start, at) ? at : -1
  }

  /** An empty object or array is a leaf of its own, but for the body itself. */
  #empty(node: KeyNode, end: number): number {
    return node === this.#root || this.#leaf(node, KIND.EMPTY, end, end) ? end : -1
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
    const bytes = this.#bytes
    let at = from
    for (;;) {
      const code = bytes[at]!
      if (code > 32 || (code !== 32 && code !== 10 && code !== 13 && code !== 9)) return at
      at++
    }
  }
}

function afterDigits(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const code = bytes[at]!
    if (!(code >= ZERO && code <= NINE)) return at
    at++
  }
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
