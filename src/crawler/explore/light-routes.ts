import { harmOf } from '../../http/harmful-words.ts'

/** Documents for which a route is remembered. */
const DOCUMENTS = 200
/** A request that a page makes costs about as much as this many elements. */
const CALL_WEIGHT = 200

interface Route {
  readonly url: string
  readonly location: string
  readonly weight: number
}

/**
 * The routes of each document that cost least to show: anyone who wants a page anew, without loading its document, goes by
 * one of them.
 */
export class LightRoutes {
  readonly #documents = new Map<string, readonly Route[]>()

  /** Notes a page that was loaded. */
  note(url: string, location: string, { elements, calls }: { elements: number; calls: number }): void {
    if (harmOf(url) !== null) return
    const document = url.split('#')[0]!
    const others = (this.#documents.get(document) ?? []).filter((route) => route.location !== location)
    if (others.length === 0 && this.#documents.size >= DOCUMENTS) return
    const all = [...others, { url, location, weight: elements + CALL_WEIGHT * calls }]
    // Two are enough: one may be the page itself.
    this.#documents.set(document, all.sort((left, right) => left.weight - right.weight).slice(0, 2))
  }

  /** The lightest route of the document of a URL, at another location; null when none is known. */
  lightest(url: string, location: string): string | null {
    const routes = this.#documents.get(url.split('#')[0]!) ?? []
    return routes.find((route) => route.location !== location)?.url ?? null
  }
}
