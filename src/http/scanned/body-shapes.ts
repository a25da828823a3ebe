/** Kinds of values at the keys of a body; those behind EMPTY are always left to the caller. `assembly/shape-keys.ts` has the same. */
export const KIND = {
  TEXT: 0,
  INTEGER: 1,
  FLOAT: 2,
  TRUE: 3,
  FALSE: 4,
  NULL: 5,
  EMPTY: 6,
  /** A text with escapes, quotes included. */
  ESCAPED: 7,
  /** A number of which its form tells not enough. */
  NUMBER: 8,
} as const

/** Added to the kind of a value that looks like none before it at its key. */
const NEW_LOOK = 16

/** Kinds that are counted: those up to EMPTY. */
export const COUNTED_KINDS = 7

/** Places in the module's memory, as numbers of bytes; `assembly/memory.ts` has the same. */
const STATE = 65_536
const MET_COUNT = (STATE + 40) / 4
const LEAVES = (STATE + 16_384) / 4
const MAX_LEAVES = 5000
const ASKED = LEAVES + MAX_LEAVES * 4
const MET = ASKED + MAX_LEAVES
const SHAPES = STATE + 131_072
const SHAPES_SIZE = 16 * 1024 * 1024

/** Numbers of a key; `assembly/shape-keys.ts` has the same. */
export const WORDS_OF_KEY = 48
const KEY = 0
const KIDS = 1
const ITEMS = 2
const FLAGS = 3
const TICKS = 4
const IS_COUNTED = 7
/** Count, earliest and latest time of each kind. */
const COUNTS = 16
const PER_KIND = 3
const INDEX = 37
/** Keys begin at multiples of this many bytes. */
const LINE = 64
const SENSITIVE = 256
const ORDINARY = 65_536

const LONGEST_KEY = 255
/** Keys that JSON writes in another form. */
const UNUSABLE = /["\\\p{Cc}]/u

/** A key of a body with what may stand below it. */
interface ShapeKey {
  readonly key: string
  /** In the order in which they usually come; null: others than these come as well. */
  readonly children: readonly ShapeKey[] | null
  readonly items: ShapeKey | null
}

/** What the module's exports have for bodies. */
export interface BodyModule {
  learnBody(shape: number, start: number, end: number, at: number): number
}

/** Memory that holds texts and shapes; both views change when it grows. */
interface ShapeMemory {
  readonly bytes: Uint8Array
  readonly words: Int32Array
}

/** A shape: its keys, and where they are in memory. */
export interface BodyShape<K extends ShapeKey = ShapeKey> {
  readonly at: number
  readonly keys: readonly K[]
  /** Of {@link BodyShapes.generation} when it was made. */
  readonly generation: number
}

/**
 * Shapes of bodies whose keys are known, in the memory of a scanner: bodies of such a shape are read and counted there,
 * key by key, without touching objects. Room is given out until it is used up; then {@link clear} begins anew.
 */
export class BodyShapes {
  readonly #memory: ShapeMemory
  readonly #module: BodyModule
  #next = SHAPES
  readonly #names = new Map<string, number>()
  /** Counts how often all were dropped. */
  generation = 0
  isFull = false

  constructor(memory: ShapeMemory, module: BodyModule) {
    this.#memory = memory
    this.#module = module
  }

  /** Drops all shapes with what they counted. */
  clear(): void {
    this.generation++
    this.#next = SHAPES
    this.#names.clear()
    this.isFull = false
  }

  /** A shape for bodies with the keys below `root`; null when there is no room. */
  make<K extends ShapeKey>(root: K): BodyShape<K> | null {
    const keys: ShapeKey[] = []
    collect(root, keys)
    const at = (this.#next + LINE - 1) & -LINE
    if (at + keys.length * (WORDS_OF_KEY + 2) * 4 > SHAPES + SHAPES_SIZE) {
      this.isFull = true
      return null
    }
    this.#next = at + keys.length * WORDS_OF_KEY * 4
    const { words } = this.#memory
    words.fill(0, at >> 2, this.#next >> 2)
    const addresses = new Map(keys.map((key, index) => [key, at + index * WORDS_OF_KEY * 4]))
    for (const [key, address] of addresses) {
      if (!this.#write(key, address, addresses)) return null
    }
    keys.forEach((_, index) => {
      words[(at >> 2) + index * WORDS_OF_KEY + INDEX] = index
    })
    return { at, keys: keys as K[], generation: this.generation }
  }

  /** The shape is here still. */
  holds({ generation }: BodyShape): boolean {
    return generation === this.generation
  }

  /**
   * Reads the body between two positions by a shape and counts its values, seen at a time; some are left to the caller:
   * {@link askedKey} and what follows it tell them.
   *
   * @returns how many are left; -1, and nothing was counted, when it is not JSON or has other keys
   */
  read({ at }: BodyShape, start: number, end: number, seenAt: number): number {
    return this.#module.learnBody(at, start, end, seenAt)
  }

  /** Number of the key of a value of the body read last that is left to the caller, among those of its shape. */
  askedKey(number: number): number {
    const { words } = this.#memory
    return words[(words[LEAVES + words[ASKED + number]! * 4]! >> 2) + INDEX]!
  }

  /** Its kind. */
  askedKind(number: number): number {
    return this.#askedPart(number, 1) & (NEW_LOOK - 1)
  }

  /** It looks like none before it at its key. */
  askedIsNew(number: number): boolean {
    return this.#askedPart(number, 1) >= NEW_LOOK
  }

  /** Where it stands among the bytes. */
  askedStart(number: number): number {
    return this.#askedPart(number, 2)
  }

  askedEnd(number: number): number {
    return this.#askedPart(number, 3)
  }

  #askedPart(number: number, part: number): number {
    const { words } = this.#memory
    return words[LEAVES + words[ASKED + number]! * 4 + part]!
  }

  /** Sensitive values in the body read last that were counted, each kind of a key once. */
  get metCount(): number {
    return this.#memory.words[MET_COUNT]!
  }

  /** Number of the key of one of them, times eight, and its kind. */
  met(number: number): number {
    return this.#memory.words[MET + number]!
  }

  /** Values of a key until one is left to the caller. */
  ticks(shape: BodyShape, index: number): number {
    return this.#memory.words[placeOf(shape, index) + TICKS]!
  }

  setTicks(shape: BodyShape, index: number, ticks: number): void {
    this.#memory.words[placeOf(shape, index) + TICKS] = ticks
  }

  /**
   * Says what is counted at a key: a bit for each kind, and for each whose values are sensitive.
   *
   * @param isOrdinary texts that look like numbers are left to the caller
   */
  setCounted(shape: BodyShape, index: number, known: number, sensitive: number, isOrdinary: boolean): void {
    this.#memory.words[placeOf(shape, index) + FLAGS] =
      known | (sensitive * SENSITIVE) | (isOrdinary ? ORDINARY : 0)
  }

  /** Something was counted at a key; asked for once before what it was is taken. */
  takeCounted(shape: BodyShape, index: number): boolean {
    const { words } = this.#memory
    const place = placeOf(shape, index) + IS_COUNTED
    const isCounted = words[place] === 1
    words[place] = 0
    return isCounted
  }

  /** Values of a kind that were counted at a key; the count begins anew. */
  takeCount(shape: BodyShape, index: number, kind: number): number {
    const { words } = this.#memory
    const place = placeOf(shape, index) + COUNTS + kind * PER_KIND
    const count = words[place]!
    if (count !== 0) words[place] = 0
    return count
  }

  /** Earliest time of the values of a kind that were taken last. */
  firstOf(shape: BodyShape, index: number, kind: number): number {
    return this.#memory.words[placeOf(shape, index) + COUNTS + kind * PER_KIND + 1]!
  }

  /** Latest time of them. */
  lastOf(shape: BodyShape, index: number, kind: number): number {
    return this.#memory.words[placeOf(shape, index) + COUNTS + kind * PER_KIND + 2]!
  }

  #write(key: ShapeKey, address: number, addresses: ReadonlyMap<ShapeKey, number>): boolean {
    const { words } = this.#memory
    const place = address >> 2
    const name = this.#nameAt(key.key)
    if (name === 0) return false
    words[place + KEY] = name
    if (key.items !== null) words[place + ITEMS] = addresses.get(key.items)!
    const children = (key.children ?? []).filter((child) => isUsable(child.key))
    if (children.length === 0) return true
    const list = this.#room(4 * (children.length + 1))
    if (list === 0) return false
    words[place + KIDS] = list
    words[list >> 2] = children.length
    children.forEach((child, i) => {
      words[(list >> 2) + 1 + i] = addresses.get(child)!
    })
    return true
  }

  /** Where the length and the bytes of a name stand; 0 when there is no room. Equal names share one place. */
  #nameAt(key: string): number {
    const name = isUsable(key) ? key : ''
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const length = Buffer.byteLength(name)
    const at = this.#room(length + 1)
    if (at === 0) return 0
    this.#memory.bytes[at] = length
    this.#memory.bytes.set(Buffer.from(name), at + 1)
    this.#names.set(name, at)
    return at
  }

  #room(bytes: number): number {
    const at = this.#next
    const next = (at + bytes + 3) & ~3
    if (next > SHAPES + SHAPES_SIZE) {
      this.isFull = true
      return 0
    }
    this.#next = next
    return at
  }
}

function isUsable(key: string): boolean {
  return key.length <= LONGEST_KEY && !UNUSABLE.test(key) && Buffer.byteLength(key) <= LONGEST_KEY
}

function collect(key: ShapeKey, keys: ShapeKey[]): void {
  keys.push(key)
  for (const child of key.children ?? []) collect(child, keys)
  if (key.items !== null) collect(key.items, keys)
}

/** Where the numbers of a key stand. */
function placeOf({ at }: BodyShape, index: number): number {
  return (at >> 2) + index * WORDS_OF_KEY
}
