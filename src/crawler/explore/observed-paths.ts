import { createdUrl, isMarked } from '../safety/own-drafts.ts'
import {
  type Entry,
  ID_NAMES,
  listOf,
  merged,
  newestFirst,
  type Pair,
  pairsOf,
  recordIn,
  type Values,
  valuesOf,
} from './list-entries.ts'

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
/** Ids kept of what the crawl made at one place. */
const MOST_MADE = 60
/** Values tried for one parameter. */
const TRIED = 5
/** Longest answer that is read for ids, in characters. */
const MOST_LETTERS = 500_000

/** What requests have shown below a part of a path. */
interface Place {
  readonly below: Map<string, Place>
  /** Values of the entries of the list that was answered here, those made last first. */
  entries: Values
  /** The same of those that the crawl made. */
  own: Values
  /** Ids of what answers to creations named here, the newest first. */
  made: readonly string[]
  /** What an entry of the list is called, after its path: `role` of `/roles`. */
  entry: string
  /** Values of the two properties that only together tell the entries apart; empty where one does. */
  pairs: readonly Pair[]
  /** The entry that was made last. */
  newest: Entry | null
}

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
  /** Segments of paths that were asked for, wherever they stand. */
  readonly #asked = new Set<string>()
  readonly #identity: string
  #count = 0

  /** `identity`: the name that the crawl signs in by, which may look like what the crawl writes. */
  constructor(identity = '') {
    this.#identity = identity.toLowerCase()
  }

  /** Grows with what is known. */
  get size(): number {
    return this.#count + this.#lists.size
  }

  /** Notes a request that was answered well. `body` is read where it is JSON. `isPage`: a page sent it: its path is in use. */
  note({ origin, pathname, search }: URL, body: string, isPage = true): void {
    const place = this.#placeAt(origin, pathname)
    if (isPage) for (const segment of segmentsOf(pathname)) this.#noteAsked(decoded(segment))
    const list = /^\s*[[{]/.test(body) && body.length <= MOST_LETTERS ? listOf(body) : null
    if (place === null || list === null) return
    const newest = newestFirst(list.entries)
    const entries = valuesOf(newest)
    const known = idNameOf(place)
    // A count of the entries tells none of them.
    if (known !== '' && !entries.has(known)) return
    const own = valuesOf(newest.filter((entry) => this.#isOwn(entry)))
    // A query may leave entries out.
    place.entries = search === '' ? entries : merged(entries, place.entries)
    place.own = search === '' ? own : merged(own, place.own)
    const pairs = pairsOf(newest)
    if (search === '' || pairs.length > 0) place.pairs = pairs
    if (sizeOfEntry(newest[0]) >= sizeOfEntry(place.newest)) place.newest = newest[0] ?? null
    this.#noteLists(origin, pathname, place, list.name)
  }

  /**
   * Notes the answer to a creation: what it names was made by the crawl, unless the list had it before.
   *
   * @param isForeign whether an id is that of something else
   */
  noteMade(
    url: URL,
    body: string,
    location?: string,
    isForeign: (id: string) => boolean = () => false,
  ): void {
    const place = this.#placeAt(url.origin, url.pathname)
    const id = place === null ? null : madeId(place, url, body, location)
    if (place === null || id === null || place.made.includes(id)) return
    if (idsOf(place).ids.includes(id) || isForeign(id)) return
    place.made = [id, ...place.made].slice(0, MOST_MADE)
    this.#count++
    this.#noteLists(url.origin, url.pathname, place)
  }

  /** Notes that a record was deleted. A list is not: what it has may be deleted by ids in a body. */
  noteDeleted({ origin, pathname }: URL): void {
    const segments = segmentsOf(pathname)
    const place = this.#placeOf({ origin, path: segments.slice(0, -1).join('/') })
    if (place === undefined) return
    const id = decoded(segments.at(-1) ?? '')
    const isOther = (each: string): boolean => each !== id
    const { ids, own } = idsOf(place)
    const isListed = ids.includes(id) || own.includes(id)
    const name = idNameOf(place)
    const without = (values: Values): Values =>
      new Map([...values].map(([key, each]) => [key, key === name ? each.filter(isOther) : each]))
    place.entries = without(place.entries)
    place.own = without(place.own)
    place.made = place.made.filter(isOther)
    const gone = place.below.get(segments.at(-1) ?? '')
    if (isListed || gone === undefined || !hasList(gone)) place.below.delete(segments.at(-1) ?? '')
  }

  #noteAsked(segment: string): void {
    if (this.#asked.size < MOST) this.#asked.add(segment)
  }

  #isOwn(entry: Entry): boolean {
    const text = JSON.stringify(entry).toLowerCase()
    return isMarked(this.#identity === '' ? text : text.replaceAll(this.#identity, ''))
  }

  /** The place of a path, which is made where there is room; null where there is none. */
  #placeAt(origin: string, pathname: string): Place | null {
    const root = this.#roots.get(origin) ?? newPlace()
    if (!this.#roots.has(origin) && this.#roots.size >= MOST_HOSTS) return null
    this.#roots.set(origin, root)
    let place = root
    for (const segment of segmentsOf(pathname).slice(0, 20)) {
      let next = place.below.get(segment)
      if (next === undefined) {
        if (place.below.size >= MOST_BELOW || this.#count >= MOST) return null
        next = newPlace()
        place.below.set(segment, next)
        this.#count++
      }
      place = next
    }
    return place
  }

  /** Notes that the entries at a place are called like the last segment of its path, and like the property that has them. */
  #noteLists(origin: string, pathname: string, place: Place, property = ''): void {
    const last = segmentsOf(pathname).at(-1) ?? ''
    place.entry = last.replace(/ies$/, 'y').replace(/s$/, '')
    for (const name of [property, last]) this.#noteList(origin, name, place)
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
    const askedFirst = (values: readonly string[]): readonly string[] => this.#askedFirst(values)
    const found = resolveFrom(this.#placeOf(base), { template, literals, listed, avoids, askedFirst }, 0)
    return found && `${base.origin}${base.path}/${found.join('/')}`
  }

  /** Whether a list of records was answered at an address. */
  hasListAt({ origin, pathname }: URL): boolean {
    const place = this.#placeOf({ origin, path: pathname })
    return place !== undefined && hasList(place)
  }

  /** The entry that was made last of the list at an address; null where none is known. */
  newestAt({ origin, pathname }: URL): Entry | null {
    return this.#placeOf({ origin, path: pathname })?.newest ?? null
  }

  /** What entries of the list at an address are known by: `id`; '' where that is not known. */
  idNameAt({ origin, pathname }: URL): string {
    const place = this.#placeOf({ origin, path: pathname })
    return place === undefined ? '' : idNameOf(place)
  }

  /** Ids of what the crawl made, in the list that was answered at an address. */
  ownAt({ origin, pathname }: URL): readonly string[] {
    const place = this.#placeOf({ origin, path: pathname })
    return place === undefined ? [] : idsOf(place).own
  }

  /** Ids of the entries of a list that is called like a field, `project_id` or `project`: what pages use comes first. */
  listedFor(origin: string, field: string): readonly string[] {
    const name = field.replace(/(?<=[a-z])(?:_?[Ii]ds?|_?[Uu]uids?|_?pks?)$/, '')
    const names = [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')]
    const isHere = (each: string): boolean => this.#lists.has(listKey(origin, each))
    return this.#askedFirst(this.#listed(origin, names.find(isHere) ?? ''))
  }

  #listed(origin: string, name: string): string[] {
    const lists = [...(this.#lists.get(listKey(origin, name)) ?? [])].map(idsOf)
    const others = lists.flatMap(({ ids }) => ids)
    return [...new Set([...lists.flatMap(({ own }) => own), ...this.#askedFirst(others)])]
  }

  /** Values that are asked for somewhere are in use. */
  #askedFirst(values: readonly string[]): readonly string[] {
    const isAsked = (value: string): boolean => this.#asked.has(value)
    return [...values.filter(isAsked), ...values.filter((value) => !isAsked(value))]
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
  askedFirst(values: readonly string[]): readonly string[]
}

function listKey(origin: string, name: string): string {
  return `${origin} ${name.toLowerCase()}`
}

function newPlace(): Place {
  return {
    below: new Map(),
    entries: new Map(),
    own: new Map(),
    made: [],
    entry: '',
    pairs: [],
    newest: null,
  }
}

function hasList({ entries, made }: Place): boolean {
  return entries.size > 0 || made.length > 0
}

function belowAll(places: readonly Place[], segment: string): Place[] {
  if (segment.includes('{}')) return places.flatMap((place) => [...place.below.values()]).slice(0, 200)
  return places.flatMap((place) => place.below.get(segment) ?? [])
}

function sizeOfEntry(entry: Entry | null | undefined): number {
  return Object.keys(entry ?? {}).length
}

/** Values are tried one after the other: below one record there may be what another does not have. */
function resolveFrom(place: Place | undefined, resolving: Resolving, at: number): string[] | null {
  const { template, literals, listed, avoids, askedFirst } = resolving
  const segment = template[at]
  if (segment === undefined) return []
  if (!segment.includes('{}')) {
    const rest = resolveFrom(place?.below.get(segment), resolving, at + 1)
    return rest && [segment, ...rest]
  }
  const before = template[at - 1] ?? ''
  if (place !== undefined && place.pairs.length > 0 && segment === '{}' && template[at + 1] === '{}')
    return resolvePair(place, resolving, at)
  const here = place === undefined ? [] : valuesAt(place, literals(template.slice(0, at)), askedFirst)
  // A list elsewhere that is called like what stands before the parameter.
  const known = here.length > 0 ? here : listed(before)
  const values = known.filter((each) => !avoids(before, each))
  for (const value of segmentsOfValues(values, segment, place).slice(0, TRIED)) {
    const rest = resolveFrom(place?.below.get(value), resolving, at + 1)
    if (rest !== null) return [value, ...rest]
  }
  return null
}

/** Entries that two properties tell apart have both in their path. */
function resolvePair({ below, pairs }: Place, resolving: Resolving, at: number): string[] | null {
  const firsts = resolving.askedFirst([...new Set(pairs.map(([first]) => first))])
  const pair = firsts.flatMap((first) => pairs.filter((each) => each[0] === first)).slice(0, TRIED)
  for (const [first, second] of pair.map((each) => each.map(encoded) as unknown as Pair)) {
    const rest = resolveFrom(below.get(first)?.below.get(second), resolving, at + 2)
    if (rest !== null) return [first, second, ...rest]
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
    .map((each) => spelled.get(each) ?? encoded(each))
}

/**
 * Values for a parameter: what the crawl made, then what was asked for below a place and is of its list, then what only
 * either tells.
 */
function valuesAt(place: Place, beside: ReadonlySet<string>, askedFirst: Resolving['askedFirst']): string[] {
  const asked = [...place.below.keys()].filter((each) => !beside.has(each))
  const { ids, own } = idsOf(place)
  const both = asked.filter((each) => ids.includes(decoded(each)))
  const marked = both.filter((each) => isMarked(each))
  const deepest = [...both].sort((left, right) => sizeOf(place, right) - sizeOf(place, left))
  const segments = (each: readonly string[]): string[] => each.map(decoded)
  const known = [...own, ...segments(marked), ...segments(deepest), ...askedFirst(ids)]
  return [...new Set([...known, ...(ids.length > 0 ? [] : segments(asked))])]
}

/** Ids of the entries of a list, and of those that the crawl made. */
function idsOf(place: Place): Record<'ids' | 'own', readonly string[]> {
  const { entries, own, made, pairs } = place
  const name = idNameOf(place)
  const ids = pairs.length > 0 ? [...new Set(pairs.map(([first]) => first))] : (entries.get(name) ?? [])
  return { ids, own: [...new Set([...made, ...(own.get(name) ?? [])])] }
}

/** What the entries of a list are known by: what one was asked for by, else what ids are mostly called; '' without. */
function idNameOf({ entries, below, entry }: Place): string {
  const asked = new Set([...below.keys()].map(decoded))
  const names = [...new Set([...ID_NAMES, ...entries.keys()])]
  const used = names.find((name) => entries.get(name)?.some((value) => asked.has(value)))
  return used ?? [...ID_NAMES, entry].find((each) => entries.has(each)) ?? ''
}

/** The id of what the answer to a creation names; null where it names nothing. */
function madeId(place: Place, url: URL, body: string, location: string | undefined): string | null {
  const name = idNameOf(place)
  const value = name === '' ? undefined : recordIn(body)[name]
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const made = createdUrl(url, location, body)
  return made === null ? null : decoded(segmentsOf(new URL(made).pathname).at(-1) ?? '')
}

function encoded(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
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
