import type { CapturedExchange } from '../browser/capture.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import type { WorkItem } from './frontier.ts'
import { isWrite } from './knowledge.ts'
import type { ExplorePayload } from './load-page.ts'
import { locationKey, pathTemplate } from './locations.ts'
import type { Learn } from './shared-memory.ts'

/** Times a place is looked at again. */
const REVISITS = 3
/**
 * After most pages had their first turn: by then more was written, and one look shows all of it. What nobody waits for
 * comes after what pages show.
 */
const PRIORITY = 14
const PRIORITY_BLOCKED = 10
/** Places remembered. */
const PLACES = 4_000

interface Place {
  url: string
  /** Kinds of accepted writes there were when it was left. */
  writes: number
  visits: number
  /** Something was left undone there: an element that waits for something else, or a form that was refused. */
  isBlocked: boolean
  /** What it showed when it was left, before anything was filled in; '' when that is not known. */
  look: string
  /** Resources that its pages read. */
  readonly reads: Set<string>
}

/**
 * Pages that may show more after something was written elsewhere: a basket after something was put into it, a form that
 * was refused before its account existed, a button that waited for an entry. They are explored again, a few times each.
 */
export class Revisits {
  readonly #learn: Learn
  readonly #places = new Map<string, Place>()
  readonly #written = new Set<string>()
  /** Method and path of the last write that was accepted. */
  lastWrite: string | null = null
  #seenWrites = 0

  constructor(learn: Learn = () => {}) {
    this.#learn = learn
  }

  /** Notes that a visit ended with nothing left to do. `writes`: kinds of accepted writes by then. */
  left(
    location: string,
    visit: {
      readonly url: string
      readonly writes: number
      readonly isBlocked: boolean
      readonly look: string
    },
  ): void {
    const { visits } = this.#of(location)
    this.#learn('left', location, 1, JSON.stringify([visit.url, visit.writes, visit.isBlocked, visit.look]))
    this.#leave(location, { ...visit, visits: visits + 1 })
  }

  /** Takes over visits that another process made; `note` is that of the fact. */
  restore(location: string, visits: number, note: string): void {
    const [url, writes, isBlocked, look = ''] = JSON.parse(note) as [string, number, boolean, string?]
    // What was looked at again meanwhile is not due for what was written before.
    this.#leave(location, {
      url,
      writes: Math.max(writes, this.#of(location).writes),
      isBlocked,
      look,
      visits,
    })
  }

  #leave(location: string, visit: Omit<Place, 'reads'>): void {
    Object.assign(this.#of(location), visit)
  }

  /** What a place showed when it was left; '' when that is not known. */
  lookOf(location: string): string {
    return this.#places.get(location)?.look ?? ''
  }

  /** Whether a place shows what it did when it was left, and nothing on it waits for anything. */
  isAsLeft(location: string, look: string): boolean {
    const place = this.#places.get(location)
    return place !== undefined && !place.isBlocked && place.look === look
  }

  /** Notes that pages of a location read a path (a template). */
  noteRead(location: string, path: string): void {
    const resource = resourceOf(path)
    if (this.restoreRead(location, resource)) this.#learn('read', `${location}\n${resource}`)
  }

  /** Takes over that pages of a location read a resource. @returns whether it was not known */
  restoreRead(location: string, resource: string): boolean {
    const { reads } = this.#of(location)
    if (reads.size >= 40 || reads.has(resource)) return false
    reads.add(resource)
    return true
  }

  /** Notes that a write to a path (a template) was accepted. */
  noteWrite(path: string): void {
    const resource = resourceOf(path)
    this.#learn('written', resource)
    this.restoreWrite(resource)
  }

  /** Takes over that a resource was written. */
  restoreWrite(resource: string): void {
    if (this.#written.size < 1_000) this.#written.add(resource)
  }

  /** Work that has become worth while since it was asked for last. `writes`: kinds of accepted writes by now. */
  due(writes: number): WorkItem[] {
    if (this.#written.size === 0 && writes === this.#seenWrites) return []
    const written = [...this.#written]
    const items: WorkItem[] = []
    for (const [location, place] of this.#places) {
      if (place.visits === 0 || place.visits > REVISITS) continue
      const isRead = written.some((resource) => [...place.reads].some((read) => areRelated(read, resource)))
      if (!isRead && !(place.isBlocked && place.writes < writes)) continue
      place.writes = writes
      // What promises little waits again until other pages had their turn.
      const payload: ExplorePayload = { url: place.url, path: [], round: 1, pass: 0, isRevisit: true }
      items.push({
        kind: 'explore',
        key: `explore ${location} again ${place.visits}`,
        location,
        priority: (isRead ? PRIORITY : PRIORITY_BLOCKED) - 2 * place.visits,
        payload: JSON.stringify(payload),
      })
    }
    this.#written.clear()
    this.#seenWrites = writes
    return items
  }

  #of(location: string): Place {
    const known = this.#places.get(location)
    if (known) return known
    const place: Place = { url: '', writes: 0, visits: 0, isBlocked: false, look: '', reads: new Set() }
    this.#places.set(location, place)
    if (this.#places.size > PLACES) {
      const oldest = this.#places.keys().next()
      if (!oldest.done) this.#places.delete(oldest.value)
    }
    return place
  }
}

/** Which pages read what, and what was written: pages that show it are worth another visit. */
export function noteUse(captured: CapturedExchange, scope: CrawlScope, revisits: Revisits): void {
  const { exchange, cause, url, pageUrl } = captured
  if (cause === 'probe' || !URL.canParse(url) || !scope.hasHost(new URL(url))) return
  const path = pathTemplate(new URL(url).pathname)
  const { status } = exchange.response
  if (isWrite(exchange.request.method)) {
    if (status < 200 || status >= 300) return
    revisits.noteWrite(path)
    revisits.lastWrite = `${exchange.request.method} ${path}`
  } else if (URL.canParse(pageUrl)) revisits.noteRead(locationKey(new URL(pageUrl), scope), path)
}

/** Last name of a path before its parameters: `cards` of `/api/Cards/{int}` and of `/api/Cards`. */
function resourceOf(path: string): string {
  const at = path.indexOf('/{')
  const stem = (at < 0 ? path : path.slice(0, at)).replace(/\/+$/, '')
  return stem.slice(stem.lastIndexOf('/') + 1).toLowerCase()
}

/** `basket` and `basketitems` speak of one thing. */
function areRelated(left: string, right: string): boolean {
  if (left === right) return true
  return left.length >= 4 && right.length >= 4 && (left.startsWith(right) || right.startsWith(left))
}
