import { storable } from '../../../kit/index.ts'
import type { FactKind } from '../../../store/index.ts'
import { mayNameCredential } from '../../auth-kinds/index.ts'
import { Fact } from './fact.ts'
import { placeOfKey } from './key-pool.ts'

/** Elements of an array that are learned; the others have the same shape nearly always. */
export const MAX_ITEMS = 50
/** Leaves of one body that are learned. */
export const MAX_LEAVES = 5000

/** Keys of one place of an endpoint; beyond, new keys are counted as left out. */
const MAX_KEYS_PER_PLACE = 2000
const MAX_DEPTH = 24
/** Bytes of a flattened name: an index of the store holds it beside other things, and takes 2,704 of them. */
const MAX_NAME_BYTES = 1500
/** Positions remembered per object. */
const MAX_ORDER = 128
/** An object with more children than this is looked at as a map. */
const MAP_SUSPECTED_FROM = 24
const MAP_CERTAIN_FROM = 300
const MAP_SHARE = 0.6

/**
 * One key of a place, with its children in the shape of the body, so that a known body is learned without
 * building key texts. `name` is the flattened key: `a#b#$#c` (`$` = array element, `*` = any key of a map).
 */
export class KeyNode {
  // What every value touches stands first and together: nodes are many, and a cache line holds eight fields.
  /** Last part of the name: context for the detectors, as is that of the parent. */
  readonly key: string
  last: Fact | null = null
  /** Where the bytes of the key are kept, see `key-pool.ts`. */
  readonly place: number
  /** Values judged by the detectors so far. */
  verdicts = 0
  /** Values until one is judged again. */
  ticks = 0
  /** Type of an ordinary text here, taken for the values that are not judged. */
  usualText = 'GENERIC'
  /** The object that was read last with this key; see `fast-paths/known-body.ts`. */
  stamp = 0
  isMap = false
  items: KeyNode | null = null
  /** Children in the order of the latest message: the next one has them at the same places nearly always. */
  order: KeyNode[] = []
  kids: Map<string, KeyNode> | null = null
  facts: Fact[] = []
  readonly name: string
  readonly parentKey: string
  readonly depth: number

  constructor(name: string, key: string, parentKey: string, depth: number) {
    this.name = name
    this.key = key
    this.place = placeOfKey(key)
    this.parentKey = parentKey
    this.depth = depth
  }

  /** The known child of a key at a position of its object, or null. */
  knownAt(position: number, key: string): KeyNode | null {
    const found = this.kids?.get(key)
    if (found === undefined) return null
    this.noteOrder(position, found)
    return found
  }

  /** The children in the order of the latest message, then the others; null for a map, which any key may be added to. */
  get children(): readonly KeyNode[] | null {
    return this.isMap ? null : [...new Set([...this.order, ...(this.kids?.values() ?? [])])]
  }

  /** Remembers which child stands at a position. */
  noteOrder(position: number, kid: KeyNode): void {
    if (position <= this.order.length && position < MAX_ORDER) this.order[position] = kid
  }
}

/** Keys whose text is data rather than a name: no letters at all. */
const NO_LETTER = /^[^\p{L}]+$/u
/** Keys that look like values: digits, or upper-case codes, or long mixed tokens. */
const VALUE_LIKE = /^(?:[A-Z0-9]{2,6}|[^A-Za-z]*\d[\w.:-]*|[\w-]*\d[\w-]*\d[\w-]*|[\w.+-]+@[\w.-]+)$/

/** Escapes the two signs that have a meaning in flattened keys. */
function escapeKey(key: string): string {
  return key.includes('#') || key.includes('$') ? key.replaceAll('#', '%23').replaceAll('$', '%24') : key
}

/** True for the flattened name of a key that the store cannot keep. */
export function isTooLong(name: string): boolean {
  // No character takes more than three bytes of UTF-8 for each of its units, so most names need no counting.
  return name.length * 3 > MAX_NAME_BYTES && Buffer.byteLength(name) > MAX_NAME_BYTES
}

/** All keys of one place (kind and response code) of an endpoint. */
export class KeyTree {
  readonly root = new KeyNode('', '', '', 0)
  readonly kind: FactKind
  readonly code: number
  readonly isResponse: boolean
  #size = 0
  /** Keys refused because the place is full or too deep. */
  leftOut = 0
  /** Something was learned in the general way since a fast path looked last. */
  isTaughtBeside = false
  /** What fast paths remember of the place; nobody else looks into it. */
  memory: object | null = null
  /** Counts changes of the keys. */
  version = 0
  /** A key at the top of the request body names a credential. */
  namesCredential = false
  readonly #endpointId: () => number

  constructor(endpointId: () => number, kind: FactKind, code: number) {
    this.#endpointId = endpointId
    this.kind = kind
    this.code = code
    this.isResponse = kind === 'RESPONSE_HEADER' || kind === 'RESPONSE_BODY'
  }

  /** The child of an object, created when new; null when the place is full or too deep. */
  child(node: KeyNode, key: string): KeyNode | null {
    if (node.isMap) return this.#make(node, '*')
    return node.kids?.get(key) ?? this.#make(node, key)
  }

  /** {@link child} for the key at a position of its object or list: no look-up when it stands where it stood. */
  childAt(node: KeyNode, position: number, key: string): KeyNode | null {
    const expected = node.order[position]
    if (expected !== undefined && expected.key === key) return expected
    const found = this.child(node, key)
    if (found !== null) node.noteOrder(position, found)
    return found
  }

  /** The node of an array's elements. */
  itemsOf(node: KeyNode): KeyNode | null {
    if (node.items) return node.items
    if (node.depth >= MAX_DEPTH || this.#size >= MAX_KEYS_PER_PLACE) {
      this.leftOut++
      return null
    }
    const name = node.name === '' ? 'json#$' : `${node.name}#$`
    if (isTooLong(name)) {
      this.leftOut++
      return null
    }
    this.#size++
    this.version++
    node.items = new KeyNode(name, node.key, node.parentKey, node.depth + 1)
    return node.items
  }

  /** The node of a flattened key, for facts read back from the store. */
  nodeOf(name: string): KeyNode | null {
    if (!this.#isBody && this.kind !== 'PATH') return this.child(this.root, name)
    let node: KeyNode | null = this.root
    const parts = name === '' ? [] : name.split('#')
    for (let i = 0; i < parts.length && node; i++) {
      const part: string = parts[i]!
      if (!this.#isBody) node = this.child(node, part)
      else if (part === '$') node = this.itemsOf(node)
      else if (part === 'json' && i === 0 && parts[1] === '$') continue
      else {
        if (part === '*') node.isMap = true
        node = this.child(node, part.replaceAll('%23', '#').replaceAll('%24', '$'))
      }
    }
    return node
  }

  /** The fact of a type at a node, created when new. */
  fact(node: KeyNode, type: string, at: number): Fact {
    if (node.last !== null && node.last.type === type) return node.last
    for (const fact of node.facts) {
      if (fact.type === type) {
        node.last = fact
        return fact
      }
    }
    const fact = new Fact(this.#endpointId, this.kind, this.code, node.name, type, at)
    node.facts.push(fact)
    node.last = fact
    return fact
  }

  #make(node: KeyNode, given: string): KeyNode | null {
    // Before it is looked up: keys that are one to the store must be one here.
    const key = storable(given)
    const plain = node.isMap ? '*' : NO_LETTER.test(key) && this.#isBody ? 'NUMBER' : key
    node.kids ??= new Map()
    const known = node.kids.get(plain)
    if (known) return known
    if (node.depth >= MAX_DEPTH || this.#size >= MAX_KEYS_PER_PLACE) {
      this.leftOut++
      return null
    }
    const shown = this.#isBody ? escapeKey(plain) : plain
    const name = node.name === '' ? shown : `${node.name}#${shown}`
    if (isTooLong(name)) {
      this.leftOut++
      return null
    }
    const kid = new KeyNode(name, plain, node.key, node.depth + 1)
    node.kids.set(plain, kid)
    this.#size++
    this.version++
    if (node === this.root && this.kind === 'REQUEST_BODY' && mayNameCredential(key))
      this.namesCredential = true
    if (this.#isBody && node.kids.size > MAP_SUSPECTED_FROM) this.#judgeMap(node)
    return node.isMap ? this.#make(node, '*') : kid
  }

  /**
   * Turns an object whose keys are data (`prices: { AAPL: 1, MSFT: 2, … }`) into a map, so that it costs one key
   * instead of one per entry. What was learned under the single keys stays in the store as it was.
   */
  #judgeMap(node: KeyNode): void {
    const kids = node.kids!
    if (kids.size < MAP_CERTAIN_FROM && kids.size % 8 !== 0) return
    let valueLike = 0
    for (const key of kids.keys()) if (VALUE_LIKE.test(key)) valueLike++
    if (kids.size < MAP_CERTAIN_FROM && valueLike / kids.size < MAP_SHARE) return
    node.isMap = true
    this.version++
    this.#size -= kids.size
    node.kids = new Map()
    node.order = []
  }

  /** Keys held. */
  get size(): number {
    return this.#size
  }

  get #isBody(): boolean {
    return this.kind === 'REQUEST_BODY' || this.kind === 'RESPONSE_BODY'
  }
}
