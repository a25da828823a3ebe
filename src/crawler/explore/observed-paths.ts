import { isMarked } from '../safety/own-drafts.ts'

/** Segments kept of one place, and of all; hosts. */
const MOST_BELOW = 60
const MOST = 20_000
const MOST_HOSTS = 10
/** Lists kept of one name, and names. */
const MOST_LISTS = 5
const MOST_LIST_NAMES = 500
/** Parts of paths that an API may begin with, and how many segments they have. */
const MOST_BASES = 60
const BASE_DEPTH = 3
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

/** Names of the time when something was made. */
const MADE = /^(?:created|inserted|added)/i

/** What requests have shown below a part of a path. */
interface Place {
  readonly below: Map<string, Place>
  /** Values of the entries of the list that was answered here, those made last first. */
  entries: Values
  /** The same of those that the crawl made. */
  own: Values
  /** What an entry of the list is called, after its path: `role` of `/roles`. */
  entry: string
}

/** A record in a list. */
type Entry = Readonly<Record<string, unknown>>

/** The first list of records in an answer, and the name of the property that holds it; empty where the answer is it. */
interface NamedList {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** Values by name. */
type Values = ReadonlyMap<string, readonly string[]>

/** Where paths of an API begin: `https://api.shop.example` and `/v1`, or an empty path. */
export interface Base {
  readonly origin: string
  readonly path: string
}

/** Segments that other templates have in the place of a parameter, which are not values of it. */
export type Literals = (prefix: readonly string[]) => ReadonlySet<string>

/** Whether a value is not to be used after a segment. */
type Avoids = (before: string, value: string) => boolean

/**
 * Paths that pages have asked for, and the ids of what lists have answered: values for the parameters of calls that a
 * script only names. Bounded.
 */
export class ObservedPaths {
  /** What each origin was asked for. */
  readonly #roots = new Map<string, Place>()
  /** Places that answered lists, by origin and name: what a list is called is mostly what its entries are below. */
  readonly #lists = new Map<string, Set<Place>>()
  #count = 0

  /** Grows with what is known. */
  get size(): number {
    return this.#count + this.#lists.size
  }

  /** Notes a request of a page that was answered well. `body` is read where it is JSON. */
  note({ origin, pathname }: URL, body: string): void {
    const root = this.#roots.get(origin) ?? newPlace()
    if (!this.#roots.has(origin) && this.#roots.size >= MOST_HOSTS) return
    this.#roots.set(origin, root)
    let place = root
    for (const segment of segmentsOf(pathname).slice(0, 20)) {
      let next = place.below.get(segment)
      if (next === undefined) {
        if (place.below.size >= MOST_BELOW || this.#count >= MOST) return
        next = newPlace()
        place.below.set(segment, next)
        this.#count++
      }
      place = next
    }
    const list = /^\s*[[{]/.test(body) && body.length <= MOST_LETTERS ? listOf(body) : null
    if (list === null) return
    const newest = newestFirst(list.entries)
    place.entries = valuesOf(newest.slice(0, MOST_ENTRIES))
    const own = isMarked(body) ? newest.filter((entry) => isMarked(JSON.stringify(entry))) : []
    place.own = valuesOf(own.slice(0, MOST_ENTRIES))
    place.entry = (segmentsOf(pathname).at(-1) ?? '').replace(/ies$/, 'y').replace(/s$/, '')
    for (const name of [list.name, segmentsOf(pathname).at(-1) ?? '']) this.#noteList(origin, name, place)
  }

  #noteList(origin: string, name: string, place: Place): void {
    const key = listKey(origin, name)
    const lists = this.#lists.get(key) ?? new Set<Place>()
    if (name === '' || lists.size >= MOST_LISTS || this.#lists.size >= MOST_LIST_NAMES) return
    this.#lists.set(key, lists.add(place))
  }

  /** Where an application may have its API, at each origin the shortest paths first: `''`, `/api`, `/api/v1`. */
  get bases(): Base[] {
    return [...this.#roots].flatMap(([origin, root]) => {
      const paths = ['']
      let level: { readonly place: Place; readonly path: string }[] = [{ place: root, path: '' }]
      for (let depth = 0; depth < BASE_DEPTH; depth++) {
        level = level.flatMap(({ place, path }) =>
          [...place.below].map(([segment, next]) => ({ place: next, path: `${path}/${segment}` })),
        )
        paths.push(...level.map((each) => each.path))
      }
      return paths.slice(0, MOST_BASES).map((path) => ({ origin, path }))
    })
  }

  /** How many segments of a template a base has below it, its parameters standing for any; not a number without the base. */
  depthOf(template: readonly string[], base: Base): number {
    const place = this.#placeOf(base)
    if (place === undefined) return Number.NaN
    let places: Place[] = [place]
    let depth = 0
    for (const segment of template) {
      places = belowAll(places, segment)
      if (places.length === 0) break
      depth++
    }
    return depth
  }

  /**
   * URL of a template below a base.
   *
   * @param template its segments, `{}` for parameters
   * @param avoids whether a value is not to be used after a segment
   * @returns null where no value is known for a parameter
   */
  resolve(
    template: readonly string[],
    base: Base,
    literals: Literals,
    avoids: Avoids = () => false,
  ): string | null {
    const listed = (name: string): string[] => this.#listed(base.origin, name)
    const found = resolveFrom(this.#placeOf(base), { template, literals, listed, avoids }, 0)
    return found && `${base.origin}${base.path}/${found.join('/')}`
  }

  /** Whether a list of records was answered at an address. */
  hasListAt({ origin, pathname }: URL): boolean {
    return (this.#placeOf({ origin, path: pathname })?.entries.size ?? 0) > 0
  }

  /** Ids of what the crawl made, in the list that was answered at an address. */
  ownAt({ origin, pathname }: URL): readonly string[] {
    const place = this.#placeOf({ origin, path: pathname })
    return place === undefined ? [] : idsOf(place).own
  }

  /** Ids of the entries of a list that is called like a field, `project_id` or `project`: what the crawl made comes first. */
  listedFor(origin: string, field: string): readonly string[] {
    const name = field.replace(/(?<=[a-z])(?:_?[Ii]ds?|_?[Uu]uids?|_?pks?)$/, '')
    const names = [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')]
    const isHere = (each: string): boolean => this.#lists.has(listKey(origin, each))
    return this.#listed(origin, names.find(isHere) ?? '')
  }

  #listed(origin: string, name: string): string[] {
    return [...(this.#lists.get(listKey(origin, name)) ?? [])]
      .map(idsOf)
      .flatMap(({ own, ids }) => [...own, ...ids])
  }

  #placeOf({ origin, path }: Base): Place | undefined {
    let place = this.#roots.get(origin)
    for (const segment of segmentsOf(path)) place = place?.below.get(segment)
    return place
  }
}

/** Segments of a path. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** What a template is resolved with. */
interface Resolving {
  readonly template: readonly string[]
  readonly literals: Literals
  /** Ids of entries of the lists of a name. */
  listed(name: string): readonly string[]
  readonly avoids: Avoids
}

function listKey(origin: string, name: string): string {
  return `${origin} ${name.toLowerCase()}`
}

function newPlace(): Place {
  return { below: new Map(), entries: new Map(), own: new Map(), entry: '' }
}

function belowAll(places: readonly Place[], segment: string): Place[] {
  if (segment.includes('{}')) return places.flatMap((place) => [...place.below.values()]).slice(0, 200)
  return places.flatMap((place) => place.below.get(segment) ?? [])
}

/** Values are tried one after the other: below one record there may be what another does not have. */
function resolveFrom(place: Place | undefined, resolving: Resolving, at: number): string[] | null {
  const { template, literals, listed, avoids } = resolving
  const segment = template[at]
  if (segment === undefined) return []
  if (!segment.includes('{}')) {
    const rest = resolveFrom(place?.below.get(segment), resolving, at + 1)
    return rest && [segment, ...rest]
  }
  const before = template[at - 1] ?? ''
  const here = place === undefined ? [] : valuesAt(place, literals(template.slice(0, at)))
  // A list elsewhere that is called like what stands before the parameter.
  const known = here.length > 0 ? here : listed(before)
  const values = known.filter((each) => !avoids(before, each))
  for (const value of segmentsOfValues(values, segment, place).slice(0, TRIED)) {
    const rest = resolveFrom(place?.below.get(value), resolving, at + 1)
    if (rest !== null) return [value, ...rest]
  }
  return null
}

/** Segments of a path for one with a parameter in it, encoded; none for one with several, or for a step in the path. */
function segmentsOfValues(values: readonly string[], segment: string, place: Place | undefined): string[] {
  const [prefix = '', suffix = '', ...others] = segment.split('{}')
  if (others.length > 0) return []
  const fits = (each: string): boolean =>
    each.startsWith(prefix) && each.endsWith(suffix) && each.length > prefix.length + suffix.length
  const spelled = new Map([...(place?.below.keys() ?? [])].map((each) => [decoded(each), each]))
  // An id may be written with what stands around it in the path.
  return values
    .map((value) => (fits(value) ? value : prefix + value + suffix))
    .filter((each) => fits(each) && !/^\.{1,2}$/.test(each))
    .map((each) => spelled.get(each) ?? encodeURIComponent(each.toWellFormed()))
}

/**
 * Values for a parameter: what the crawl made, then what was asked for below a place and is of its list, then what only
 * either tells.
 */
function valuesAt(place: Place, beside: ReadonlySet<string>): string[] {
  const asked = [...place.below.keys()].filter((each) => !beside.has(each))
  const { ids, own } = idsOf(place)
  const both = asked.filter((each) => ids.includes(decoded(each)))
  const marked = both.filter((each) => isMarked(each))
  const deepest = [...both].sort((left, right) => sizeOf(place, right) - sizeOf(place, left))
  const segments = (each: readonly string[]): string[] => each.map(decoded)
  const known = [...own, ...segments(marked), ...segments(deepest), ...ids]
  return [...new Set([...known, ...(ids.length > 0 ? [] : segments(asked))])]
}

/** What the entries of a list are known by: what one was asked for by, else what ids are mostly called. */
function idsOf({ entries, own, below, entry }: Place): Record<'ids' | 'own', readonly string[]> {
  const asked = new Set([...below.keys()].map(decoded))
  const names = [...new Set([...ID_NAMES, ...entries.keys()])]
  const used = names.find((name) => entries.get(name)?.some((value) => asked.has(value)))
  const name = used ?? [...ID_NAMES, entry].find((each) => entries.has(each)) ?? ''
  return { ids: entries.get(name) ?? [], own: own.get(name) ?? [] }
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

/** The first list of records in an answer; null without. */
function listOf(body: string): NamedList | null {
  try {
    return listIn(JSON.parse(body))
  } catch {
    // Cut off, or not JSON after all.
    return null
  }
}

/** Entries by a number that all are known by, or by when they were made; else those that stand last first. */
function newestFirst(list: readonly Entry[]): readonly Entry[] {
  const names = Object.keys(list[0] ?? {})
  const age = [
    ...names.filter((name) => /^_?id$|^pk$/i.test(name)),
    ...names.filter((name) => MADE.test(name)),
  ].find((name) => list.every((entry) => !Number.isNaN(ageOf(entry[name]))))
  if (age === undefined) return [...list].reverse()
  return [...list].sort((left, right) => ageOf(right[age]) - ageOf(left[age]))
}

/** A number, or the time of a date; not a number for anything else. */
function ageOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  return /^\d{1,15}$/.test(value)
    ? Number(value)
    : /^\d{4}-\d\d-\d\d/.test(value)
      ? Date.parse(value)
      : Number.NaN
}

/** Short values of entries, by their names. */
function valuesOf(entries: readonly Entry[]): Values {
  const values = new Map<string, Set<string>>()
  for (const entry of entries)
    for (const [name, value] of Object.entries(entry).slice(0, MOST_NAMES)) {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
      if (text !== '' && text.length <= 100)
        values.set(name, (values.get(name) ?? new Set<string>()).add(text))
    }
  return new Map([...values].map(([name, each]) => [name, [...each]]))
}

function listIn(answer: unknown): NamedList | null {
  let level: (readonly [string, unknown])[] = [['', answer]]
  for (let depth = 0; depth < LIST_DEPTH; depth++) {
    for (const [name, value] of level)
      if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return { name, entries: value }
    level = level.flatMap(([, value]) => (isRecord(value) ? Object.entries(value) : [])).slice(0, 500)
  }
  return null
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
