import type { Exchange } from '../../http/index.ts'
import {
  type FunctionsNear,
  type FunctionUse,
  MessageView,
  type NearFunction,
  saysNo,
} from '../../rules/index.ts'
import type { Callers } from '../../testing/index.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'
import type { RolePeople } from './role-people.ts'

/** Words of a path for administration. */
const WORD =
  /^(?:admin|administration|administrators?|management|internal|back-?office|superuser|root|staff)$/i
/** Segments that say nothing about what lies below them. */
const GENERIC = /^(?:|api|rest|v\d+(?:\.\d+)?)$/i
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Longest body of an answer that may be a refusal in words. */
const MAX_REFUSAL = 4096
/** Longest answer whose fields are kept, and how many of them. */
const MAX_READ_BODY = 65_536
const MAX_FIELDS = 200
/** Fields that an excerpt of an object has. */
const FEWEST_FIELDS = 3
/** Functions that one is compared with. */
const MAX_BESIDE = 8
/** Functions of administrators that one is compared with, of each kind. */
const MAX_ELSEWHERE = 4
/** Functions of the same kind that show that somebody was recorded using the application. */
const FEWEST_USED = 2

/** What became of a recorded request. */
type RecordedOutcome = 'used' | 'refused'

/** A request of somebody to an endpoint that was carried out or refused. */
export interface RecordedUse {
  readonly request: Exchange
  readonly outcome: RecordedOutcome
  /** Names of the fields of the objects that a read was answered with; empty for what has no identifier. */
  readonly fields: ReadonlySet<string>
}

/** What is kept of a recorded request; null for redirects, errors and what does not exist. */
export function recordedUse(sample: Exchange, request: Exchange): RecordedUse | null {
  const outcome = outcomeOf(sample)
  return outcome === null
    ? null
    : { request, outcome, fields: outcome === 'used' ? fieldsOf(sample) : NO_FIELDS }
}

const NO_FIELDS: ReadonlySet<string> = new Set()
const IDENTIFIER = /^(?:_?id|uuid|guid|.+(?:_id|Id))$/

function outcomeOf({ response: { status, body } }: Exchange): RecordedOutcome | null {
  if (status === 403) return 'refused'
  if (status === 304) return 'used'
  if (status < 200 || status > 299) return null
  return body.length <= MAX_REFUSAL && saysNo(body) ? 'refused' : 'used'
}

/** Fields of the objects of an answer: of the place that has an identifier and most of them. */
function fieldsOf(sample: Exchange): ReadonlySet<string> {
  const { request, response } = sample
  if (request.method !== 'GET' || response.body.length > MAX_READ_BODY) return NO_FIELDS
  const places = new Map<string, Set<string>>()
  for (const { wildPath, key } of new MessageView(sample).responseBody.leaves) {
    if (!wildPath.endsWith(key)) continue // a list of plain values
    const place = wildPath.slice(0, wildPath.length - key.length)
    const fields = places.get(place) ?? new Set()
    places.set(place, fields)
    if (fields.size < MAX_FIELDS) fields.add(key)
  }
  const objects = [...places.values()].filter((fields) => [...fields].some((name) => IDENTIFIER.test(name)))
  return objects.toSorted((a, b) => b.size - a.size)[0] ?? NO_FIELDS
}

/** Who was recorded using an endpoint. */
interface Use {
  readonly endpoint: LookupEndpoint
  readonly path: string
  readonly users: FunctionUse['users']
  readonly isUsed: boolean
  /** Ordinary users were recorded using it, being refused, or neither. */
  readonly isOpen: boolean | null
  /** Of the objects that it answers. */
  readonly fields: ReadonlySet<string>
}

/** The recorded use of a collection. */
interface CollectionUse {
  readonly all: readonly Use[]
  readonly byId: ReadonlyMap<number, Use>
  /** Paths at and above functions that ordinary users were recorded using. */
  readonly ordinaryPaths: ReadonlySet<string>
}

/** Who was recorded using which function. What it says depends on who the roles are, so it is asked after they signed in. */
export class FunctionUses {
  readonly #endpoints: ReadonlyMap<number, readonly LookupEndpoint[]>
  readonly #recorded: ReadonlyMap<number, readonly RecordedUse[]>
  readonly #callers: Callers
  readonly #people: RolePeople
  readonly #collections = new Map<number, CollectionUse>()

  /** @param recorded requests by the id of their endpoint */
  constructor(
    endpoints: readonly LookupEndpoint[],
    recorded: ReadonlyMap<number, readonly RecordedUse[]>,
    callers: Callers,
    people: RolePeople,
  ) {
    this.#endpoints = Map.groupBy(endpoints, ({ collectionId }) => collectionId)
    this.#recorded = recorded
    this.#callers = callers
    this.#people = people
  }

  of(endpoint: LookupEndpoint): FunctionUse {
    const collection = this.#collectionOf(endpoint.collectionId)
    const { users, isOpen, path } = collection.byId.get(endpoint.id)!
    return { users, word: wordOf(path, collection.ordinaryPaths), isRefused: isOpen === false }
  }

  near(endpoint: LookupEndpoint): FunctionsNear {
    const { all, byId } = this.#collectionOf(endpoint.collectionId)
    const own = byId.get(endpoint.id)!
    const others = all.filter((use) => use !== own)
    const elsewhere = others.filter(
      ({ users, endpoint: { method } }) => users === 'administrators' && method !== 'DELETE',
    )
    return {
      compared: comparedWith(own, others),
      beside: besideOf(own, others).map((use) => ({ ...nearFunction(use), showsMore: isExcerpt(own, use) })),
      elsewhere: [true, false].flatMap((reads) =>
        elsewhere
          .filter((use) => isRead(use) === reads)
          .slice(0, MAX_ELSEWHERE)
          .map(nearFunction),
      ),
    }
  }

  #collectionOf(id: number): CollectionUse {
    const known = this.#collections.get(id)
    if (known !== undefined) return known
    const all = (this.#endpoints.get(id) ?? [])
      .map((endpoint) => this.#useOf(endpoint))
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    const ordinary = all.filter(({ isOpen }) => isOpen === true)
    const made = {
      all,
      byId: new Map(all.map((use) => [use.endpoint.id, use])),
      ordinaryPaths: new Set(ordinary.flatMap(({ path }) => pathsAbove(path))),
    }
    this.#collections.set(id, made)
    return made
  }

  #useOf(endpoint: LookupEndpoint): Use {
    const used = new Set<string>()
    const refused = new Set<string>()
    let fields = NO_FIELDS
    for (const { request, outcome, fields: shown } of this.#recorded.get(endpoint.id) ?? []) {
      if (shown.size > fields.size) fields = shown
      const person = this.#callers.ownerOf(request)
      if (person !== '') (outcome === 'used' ? used : refused).add(person)
    }
    const isOpen = [...used].some((person) => this.#people.isOrdinary(person))
    const isRefused = [...refused].some((person) => this.#people.isOrdinary(person))
    const areAdministrators =
      used.size > 0 && [...used].every((person) => this.#people.isAdministrator(person))
    return {
      endpoint,
      path: pathOf(endpoint),
      users: isOpen ? 'ordinary' : areAdministrators ? 'administrators' : 'unknown',
      isUsed: used.size > 0,
      fields,
      isOpen: isOpen ? true : isRefused ? false : null,
    }
  }
}

/** The first word of a path for administration below which ordinary users were not recorded using anything. */
function wordOf(path: string, ordinaryPaths: ReadonlySet<string>): string {
  const segments = path.split('/')
  const at = segments.findIndex(
    (segment, i) => WORD.test(segment) && !ordinaryPaths.has(segments.slice(0, i + 1).join('/')),
  )
  return at < 0 ? '' : segments[at]!
}

/** Functions of the same kind at the nearest common path, those that administrators alone use among them. */
function besideOf(own: Use, others: readonly Use[]): readonly Use[] {
  const alike = others.filter(
    (use) => isRead(use) === isRead(own) && (use.isUsed || use.isOpen !== null) && isComparable(use, own),
  )
  for (let parent = own.path; !isGeneric(parent); parent = parentOf(parent)) {
    const near = alike.filter(({ path }) => path === parent || path.startsWith(`${parent}/`))
    if (near.length > 0) return near.slice(0, MAX_BESIDE)
  }
  return []
}

/**
 * Whether a refusal at one function says something about another: where it has an object in its path, it may be refused
 * for the sake of the object.
 */
function isComparable({ endpoint: { isTemplate } }: Use, own: Use): boolean {
  return !isTemplate || (!isRead(own) && own.endpoint.isTemplate)
}

function comparedWith(own: Use, others: readonly Use[]): FunctionsNear['compared'] {
  const open = others.filter(({ isOpen }) => isOpen === true)
  const isOnResource = open.some(
    ({ path }) =>
      !isGeneric(path) &&
      !isGeneric(own.path) &&
      (path === own.path || path.startsWith(`${own.path}/`) || own.path.startsWith(`${path}/`)),
  )
  if (isOnResource) return 'resource'
  return open.filter((use) => isRead(use) === isRead(own)).length >= FEWEST_USED ? 'application' : 'none'
}

/** Whether a function shows some of the fields that another one shows of the same objects. */
function isExcerpt({ fields }: Use, other: Use): boolean {
  return (
    fields.size >= FEWEST_FIELDS &&
    other.fields.size > fields.size &&
    [...fields].every((name) => other.fields.has(name))
  )
}

function nearFunction({ endpoint: { collectionId, method, url }, isOpen }: Use): NearFunction {
  return { collectionId, method, url, isOpen }
}

function isRead({ endpoint: { method } }: Use): boolean {
  return READS.has(method)
}

function isGeneric(path: string): boolean {
  return path.split('/').every((segment) => GENERIC.test(segment))
}

/** The path of an endpoint; of those of no host without the origin. */
function pathOf({ url, origin }: LookupEndpoint): string {
  const path = origin !== '' && url.startsWith(origin) ? url.slice(origin.length) : url
  return path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/$/, '')
}

/** A path and everything above it. */
function pathsAbove(path: string): string[] {
  const segments = path.split('/')
  return segments.map((_, i) => segments.slice(0, i + 1).join('/'))
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

function nameOf({ endpoint: { method }, path }: Use): string {
  return `${path} ${method}`
}
