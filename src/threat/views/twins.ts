import { VIEW } from './leaf.ts'

/** Shorter texts are read again rather than compared. */
const MIN_TWIN = 48
const SLOTS = 512

/** The leaves that a text is compared with. */
interface Leaves {
  readonly units: Uint16Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly places: Uint8Array
  readonly views: Uint16Array
  /** The leaf of the message itself that each leaf was read from. */
  readonly roots: Int32Array
  /** How often each leaf was decoded. */
  readonly rounds: Uint8Array
}

/** A text that is to become a leaf. */
interface NewLeaf {
  readonly start: number
  readonly end: number
  readonly place: number
  readonly view: number
  readonly root: number
  readonly round: number
}

/**
 * Recognises texts that come out of one text by two ways of decoding: what is said of the first, and is read out of it,
 * holds of the second. Nested encodings have many such.
 */
export class Twins {
  readonly #slots = new Int32Array(SLOTS)
  #isUsed = false

  /** Turns to the next message. */
  begin(): void {
    if (this.#isUsed) this.#slots.fill(0)
    this.#isUsed = false
  }

  /** Whether an earlier leaf says the same. If not, the text is remembered as that of the leaf with this number. */
  isTwin(leaves: Leaves, text: NewLeaf, leaf: number): boolean {
    const { start, end } = text
    if (end - start < MIN_TWIN) return false
    const { units, starts, ends } = leaves
    let hash = end - start
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + units[i]!) | 0
    const slot = (hash ^ (hash >>> 9)) & (SLOTS - 1)
    const other = this.#slots[slot]! - 1
    this.#isUsed = true
    if (other >= 0 && ends[other]! - starts[other]! === end - start && saysAll(leaves, other, text)) {
      let same = start
      for (let i = starts[other]!; same < end && units[i] === units[same]; i++) same++
      if (same === end) return true
    }
    this.#slots[slot] = leaf + 1
    return false
  }
}

/** Whether a leaf that has the same text also is read at the same place, and decoded as far. */
function saysAll({ places, roots, rounds, views }: Leaves, other: number, text: NewLeaf): boolean {
  const isFinal = (view: number): boolean => (view & VIEW.NORMALISED) !== 0
  return (
    places[other] === text.place &&
    roots[other] === text.root &&
    rounds[other]! <= text.round &&
    (!isFinal(views[other]!) || isFinal(text.view))
  )
}
