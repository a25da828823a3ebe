import { ScannedRequest, type ScannedResponse } from '../../http/index.ts'
import type { LeafList } from './leaf.ts'

/** Headers that are remembered, by a hash; the latest of two with one place stays. A power of two. */
const SLOTS = 4_096
/** Longer values are mostly credentials, which are met once. */
const MAX_VALUE = 128
/** Headers of one message that may be learned. */
const MAX_PENDING = 256

/** What is left out of messages that were read in place, because no filter could say anything of it. */
export interface KnownParts {
  /** Null where all headers are read. */
  readonly headers: KnownHeaders | null
  /** Tells texts of JSON bodies of responses in which nothing is to be found; null where all bodies are read. */
  readonly quietResponse: QuietBody | null
}

/** Says of a text in code units whether nothing is to be found in it, however it is taken apart. */
export interface QuietBody {
  holdsIn(units: Uint16Array, start: number, end: number): boolean
}

/** A side of an exchange with headers of which only the places are known. */
export type ScannedSide = ScannedRequest | ScannedResponse

/**
 * Headers, each a name with its value, in which none of the words was met that a set of filters looks for. Messages of
 * one client carry the same ones again and again: where such a header comes again it is left out, because no filter of
 * the set could say anything else of it. What is compared is the whole text, never only its hash.
 */
export class KnownHeaders {
  readonly #names = new Array<string>(SLOTS).fill('')
  readonly #isRequest = new Uint8Array(SLOTS)
  readonly #lengths = new Uint8Array(SLOTS)
  readonly #bytes = new Uint8Array(SLOTS * MAX_VALUE)
  /** Headers of the present message that are not known. */
  readonly #sides: ScannedSide[] = []
  readonly #slots = new Int32Array(MAX_PENDING)
  readonly #positions = new Int32Array(MAX_PENDING)
  readonly #keys = new Int32Array(MAX_PENDING)
  readonly #values = new Int32Array(MAX_PENDING)
  #loud = new Uint8Array(256)

  /** Turns to the next message. */
  begin(): void {
    this.#sides.length = 0
  }

  /** The place for a header; -1 for one that is not remembered. */
  slotOf(side: ScannedSide, position: number): number {
    const { scanner } = side.scanned()
    const start = scanner.valueStart(side.firstHeader, position)
    const end = scanner.valueEnd(side.firstHeader, position)
    if (end - start > MAX_VALUE) return -1
    const { bytes } = scanner
    let hash = (position << 8) + end - start
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0
    return (hash ^ (hash >>> 12)) & (SLOTS - 1)
  }

  /** Whether nothing is to be found in a header. */
  holds(slot: number, side: ScannedSide, position: number, isRequest: boolean): boolean {
    const { scanner } = side.scanned()
    const start = scanner.valueStart(side.firstHeader, position)
    const length = scanner.valueEnd(side.firstHeader, position) - start
    if (this.#lengths[slot] !== length || this.#isRequest[slot] !== Number(isRequest)) return false
    if (this.#names[slot] !== side.layout.lower[position]) return false
    const { bytes } = scanner
    const known = this.#bytes
    const from = slot * MAX_VALUE
    for (let i = 0; i < length; i++) if (known[from + i] !== bytes[start + i]) return false
    return true
  }

  /** Notes a header that is not known, with the leaves of its name and its value; -1 for a value that is not one. */
  note(slot: number, side: ScannedSide, position: number, leaves: { key: number; value: number }): void {
    const at = this.#sides.length
    if (at >= MAX_PENDING) return
    this.#sides.push(side)
    this.#slots[at] = slot
    this.#positions[at] = position
    this.#keys[at] = leaves.key
    this.#values[at] = leaves.value
  }

  /**
   * Remembers those of the noted headers in which nothing was met.
   *
   * @param met 1 for each leaf in which something was met
   */
  learn(list: LeafList, met: Uint8Array): void {
    if (this.#sides.length === 0) return
    const loud = this.#loudRoots(list, met)
    for (const [at, side] of this.#sides.entries()) {
      const value = this.#values[at]!
      if (loud[this.#keys[at]!] === 1 || (value >= 0 && loud[value] === 1)) continue
      this.#remember(this.#slots[at]!, side, this.#positions[at]!, side instanceof ScannedRequest)
    }
  }

  /** Leaves of the message itself of which a reading was met. */
  #loudRoots({ count, roots }: { count: number; roots: Int32Array }, met: Uint8Array): Uint8Array {
    if (this.#loud.length < count) this.#loud = new Uint8Array(count * 2)
    else this.#loud.fill(0, 0, count)
    for (let leaf = 0; leaf < count; leaf++) if (met[leaf] === 1) this.#loud[roots[leaf]!] = 1
    return this.#loud
  }

  #remember(slot: number, side: ScannedSide, position: number, isRequest: boolean): void {
    const { scanner } = side.scanned()
    const start = scanner.valueStart(side.firstHeader, position)
    const end = scanner.valueEnd(side.firstHeader, position)
    this.#names[slot] = side.layout.lower[position]!
    this.#isRequest[slot] = Number(isRequest)
    this.#lengths[slot] = end - start
    const to = slot * MAX_VALUE
    for (let i = 0; i < end - start; i++) this.#bytes[to + i] = scanner.bytes[start + i]!
  }
}
