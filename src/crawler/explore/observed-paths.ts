import { isMarked } from '../safety/own-drafts.ts'

/** Segments kept of one place, and of all. */
const MOST_BELOW = 60
const MOST = 20_000
/** Entries of a list whose ids are kept, and how deep in an answer a list is looked for. */
const MOST_ENTRIES = 60
const MOST_NAMES = 20
const LIST_DEPTH = 4
/** Values tried for one parameter. */
const TRIED = 5
/** Longest answer that is read for ids, in characters. */
const MOST_LETTERS = 500_000

/** What an entry of a list is known by, in this order where its address does not tell. */
const ID_NAMES = ['id', 'uuid', '_id', 'key', 'name', 'slug', 'code', 'identifier']

/** What requests have shown below a part of a path. */
interface Place {
  readonly below: Map<string, Place>
  /** Values of the entries of the list that was answered here, by name: the crawl's own first, then those made last. */
  entries: ReadonlyMap<string, readonly string[]>
}

/** Segments of a template that stand beside a parameter, and are not values of it. */
export type Literals = (prefix: readonly string[]) => ReadonlySet<string>

/**
 * Paths that pages have asked for, and the ids of what lists have answered: values for the parameters of calls that a
 * script only names. Bounded.
 */
export class ObservedPaths {
  readonly #root: Place = { below: new Map(), entries: new Map() }
  #count = 0

  /** Notes a request of a page that was answered well. `body` is read where it is JSON. */
  note(path: string, body: string): void {
    let place: Place = this.#root
    for (const segment of segmentsOf(path).slice(0, 20)) {
      let next = place.below.get(segment)
      if (next === undefined) {
        if (place.below.size >= MOST_BELOW || this.#count >= MOST) return
        next = { below: new Map(), entries: new Map() }
        place.below.set(segment, next)
        this.#count++
      }
      place = next
    }
    if (/^\s*[[{]/.test(body) && body.length <= MOST_LETTERS) place.entries = entriesIn(body) ?? place.entries
  }

  /** Parts of paths below which an application may have its API: `''`, `/api`, `/api/v1`. */
  get bases(): string[] {
    const found = ['']
    const walk = (place: Place, path: string, depth: number): void => {
      for (const [segment, next] of place.below) {
        if (found.length >= MOST_BELOW || depth > 2) return
        found.push(`${path}/${segment}`)
        walk(next, `${path}/${segment}`, depth + 1)
      }
    }
    walk(this.#root, '', 0)
    return found
  }

  /** How many segments of a template a base has below it, its parameters standing for any; not a number without the base. */
  depthOf(template: readonly string[], base: string): number {
    let places: Place[] = [this.#root]
    for (const segment of segmentsOf(base)) places = belowAll(places, segment)
    if (places.length === 0) return Number.NaN
    let depth = 0
    for (const segment of template) {
      places = belowAll(places, segment)
      if (places.length === 0) break
      depth++
    }
    return depth
  }

  /**
   * A path of a template.
   *
   * @param template its segments, `{}` for parameters
   * @returns null where no value is known for a parameter
   */
  resolve(template: readonly string[], base: string, literals: Literals): string | null {
    let place: Place | undefined = this.#root
    for (const segment of segmentsOf(base)) place = place?.below.get(segment)
    const found = resolveFrom(place, template, 0, literals)
    return found && `${base}/${found.join('/')}`
  }
}

/** Segments of a path. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function belowAll(places: readonly Place[], segment: string): Place[] {
  if (segment.includes('{}')) return places.flatMap((place) => [...place.below.values()]).slice(0, 200)
  return places.flatMap((place) => place.below.get(segment) ?? [])
}

/** Values are tried one after the other: below one record there may be what another does not have. */
function resolveFrom(
  place: Place | undefined,
  template: readonly string[],
  at: number,
  literals: Literals,
): string[] | null {
  const segment = template[at]
  if (segment === undefined) return []
  if (!segment.includes('{}')) {
    const rest = resolveFrom(place?.below.get(segment), template, at + 1, literals)
    return rest && [segment, ...rest]
  }
  if (place === undefined) return null
  for (const value of valuesAt(place, literals(template.slice(0, at))).slice(0, TRIED)) {
    const rest = resolveFrom(place.below.get(value), template, at + 1, literals)
    if (rest !== null) return [segment.replace('{}', encodeURIComponent(decoded(value))), ...rest]
  }
  return null
}

/** Values for a parameter: what was asked for below a place and is of its list, then what only either tells. */
function valuesAt(place: Place, beside: ReadonlySet<string>): string[] {
  const asked = [...place.below.keys()].filter((each) => !beside.has(each))
  const ids = idsOf(place)
  const both = asked.filter((each) => ids.includes(decoded(each)))
  const own = both.filter((each) => isMarked(each))
  const deepest = [...both].sort((left, right) => sizeOf(place, right) - sizeOf(place, left))
  return [...new Set([...own, ...deepest, ...ids, ...(ids.length > 0 ? [] : asked)])]
}

/** What the entries of a list are known by: what one was asked for by, else what ids are mostly called. */
function idsOf({ entries, below }: Place): readonly string[] {
  const asked = new Set([...below.keys()].map(decoded))
  const names = [...new Set([...ID_NAMES, ...entries.keys()])]
  const used = names.find((name) => entries.get(name)?.some((value) => asked.has(value)))
  return entries.get(used ?? ID_NAMES.find((name) => entries.has(name)) ?? '') ?? []
}

function sizeOf(place: Place, segment: string): number {
  return place.below.get(segment)?.below.size ?? 0
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A sign of percent that encodes nothing.
    return segment
  }
}

/** Short values of the entries of the first list in an answer, by their names; null without a list. */
function entriesIn(body: string): ReadonlyMap<string, readonly string[]> | null {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    // Cut off, or not JSON after all.
    return null
  }
  const list = listIn(answer)
  if (list === null) return null
  const newest = list.slice(-MOST_ENTRIES).reverse()
  const own = isMarked(body) ? newest.filter((entry) => isMarked(JSON.stringify(entry))) : []
  const values = new Map<string, Set<string>>()
  for (const entry of [...own, ...newest])
    for (const [name, value] of Object.entries(entry).slice(0, MOST_NAMES)) {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
      if (text !== '' && text.length <= 100)
        values.set(name, (values.get(name) ?? new Set<string>()).add(text))
    }
  return new Map([...values].map(([name, each]) => [name, [...each]]))
}

function listIn(answer: unknown): readonly Readonly<Record<string, unknown>>[] | null {
  let level: unknown[] = [answer]
  for (let depth = 0; depth < LIST_DEPTH; depth++) {
    for (const value of level)
      if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return value
    level = level.flatMap((value) => (isRecord(value) ? Object.values(value) : [])).slice(0, 500)
  }
  return null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
