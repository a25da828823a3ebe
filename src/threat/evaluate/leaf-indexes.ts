import { type IndexedRun, StartIndex } from '../../rules/index.ts'

/** Searches of one leaf that are worth an index of it: with fewer, each of them reads the text itself. */
const MIN_SEARCHES = 8
/** Shorter texts are read as quickly as an index of them. */
const MIN_UNITS = 96

/** The leaves of a message in which many patterns are looked for, indexed when that is first asked for. */
export class LeafIndexes {
  readonly index = new StartIndex()
  readonly #runs: (IndexedRun | null)[] = []
  /** By leaf the number of its run plus one; 0: nobody asked. */
  #numbers = new Uint16Array(256)
  #leaves = 0

  /** Turns to another message. */
  begin(leaves: number): void {
    if (this.#runs.length > 0) {
      this.#numbers.fill(0, 0, this.#leaves)
      this.#runs.length = 0
      this.index.clear()
    }
    if (leaves > this.#numbers.length) this.#numbers = new Uint16Array(leaves * 2)
    this.#leaves = leaves
  }

  /**
   * A run that is the same for all who ask for its leaf; null where an index is not worth it.
   *
   * @param searches how many patterns may be looked for in the leaf
   */
  runOf(leaf: number, searches: number, units: Uint16Array, from: number, to: number): IndexedRun | null {
    if (searches < MIN_SEARCHES || to - from < MIN_UNITS) return null
    if (this.#numbers[leaf] === 0) this.#numbers[leaf] = this.#runs.push(this.index.add(units, from, to))
    return this.#runs[this.#numbers[leaf]! - 1]!
  }
}
