import type { LeafList } from '../views/leaf.ts'

/** Shorter texts are looked at again rather than compared. */
export const MIN_TWIN = 48
const SLOTS = 512

/**
 * Recognises texts that came out of one text by two ways of decoding: what was said of the first holds of the second.
 * Nested encodings have many such.
 */
export class Twins {
  readonly #slots = new Int32Array(SLOTS)
  #isUsed = false

  /** Turns to the next message. */
  begin(): void {
    if (this.#isUsed) this.#slots.fill(0)
    this.#isUsed = false
  }

  /** Whether a leaf says the same as an earlier one that was read from the same text, at the same place. */
  isTwin(list: LeafList, leaf: number): boolean {
    const { units, starts, ends, places } = list
    const start = starts[leaf]!
    const end = ends[leaf]!
    let hash = end - start
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + units[i]!) | 0
    const slot = (hash ^ (hash >>> 9)) & (SLOTS - 1)
    const other = this.#slots[slot]! - 1
    this.#slots[slot] = leaf + 1
    this.#isUsed = true
    if (other < 0 || places[other] !== places[leaf] || ends[other]! - starts[other]! !== end - start)
      return false
    if (rootOf(list, other) !== rootOf(list, leaf)) return false
    for (let i = start, j = starts[other]!; i < end; i++, j++) if (units[i] !== units[j]) return false
    return true
  }
}

/** The leaf of the message itself that a leaf was read from. */
function rootOf({ parents }: LeafList, leaf: number): number {
  let root = leaf
  while (parents[root]! >= 0) root = parents[root]!
  return root
}
