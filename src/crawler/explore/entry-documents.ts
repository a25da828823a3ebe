import type { CapturedExchange } from '../browser/capture.ts'
import { documentMark } from './catch-all.ts'

/** Documents remembered, and the shortest one that is compared with others, in characters. */
const DOCUMENTS = 1_000
const LEAST_LENGTH = 200
/** Addresses kept of one document. */
const PLACES = 10

/** Remembers which paths were answered with the same document. */
export class EntryDocuments {
  readonly #hashByPlace = new Map<string, string>()
  readonly #placesByHash = new Map<string, string[]>()

  /** Takes in a document. */
  note({ url, outcome, exchange }: CapturedExchange): void {
    const { body, status, bodyIsBase64 } = exchange.response
    if (outcome !== 'answered' || status !== 200 || bodyIsBase64) return
    const place = placeOf(url)
    if (place === null || (this.#hashByPlace.size >= DOCUMENTS && !this.#hashByPlace.has(place))) return
    this.#note(place, documentMark(body, new URL(url).pathname), body.length)
  }

  /** Notes that an address gives the same document as another one. */
  noteAlike(url: string, mark: string): void {
    const place = placeOf(url)
    if (place !== null && this.#hashByPlace.size < DOCUMENTS) this.#note(place, mark, LEAST_LENGTH)
  }

  #note(place: string, hash: string, length: number): void {
    this.#hashByPlace.set(place, hash)
    if (length < LEAST_LENGTH) return
    const places = this.#placesByHash.get(hash) ?? []
    this.#placesByHash.set(hash, places)
    if (places.length < PLACES && !places.includes(place)) places.push(place)
  }

  /** What tells the document of an address from others; null when it is not known. */
  markOf(url: string): string | null {
    const place = placeOf(url)
    return (place === null ? undefined : this.#hashByPlace.get(place)) ?? null
  }

  /** Other addresses that gave the document of this one, the first ones. */
  alike(url: string): readonly string[] {
    const place = placeOf(url)
    const hash = place === null ? undefined : this.#hashByPlace.get(place)
    return hash === undefined ? [] : (this.#placesByHash.get(hash) ?? []).filter((each) => each !== place)
  }
}

function placeOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
