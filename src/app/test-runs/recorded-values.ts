import { type Exchange, headerValue, parseSampleMessage } from '../../http/index.ts'
import { type ContextRecord, MessageView, type Pattern } from '../../rules/index.ts'
import type { FactKind, Store } from '../../store/index.ts'
import { type Callers, carriedCredentials } from '../../testing/index.ts'
import {
  type CarriedValue,
  carriedValues,
  isNamedAsId,
  looksLikeId,
  MAX_VALUE_LENGTH,
} from './carried-values.ts'
import { addTo, type Carriers, isDirectory, isPartitioned, isShared, otherOf, ownersOf } from './carriers.ts'
import { type RecordedUse, recordedUse } from './function-uses.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'
import { type Issued, isIssued, noteIssued } from './issued-values.ts'
import { singular } from './known-values.ts'
import { namesOwnObject } from './own-objects.ts'
import type { QuotedAmounts } from './quoted-amounts.ts'

/** Endpoints whose samples one query reads. */
const ENDPOINTS_A_QUERY = 500
const MAX_PRIVATE_VALUES = 5
/** Values kept of one key of a collection. */
const MAX_VALUES_OF_KEY = 20
/** Keys kept of one collection. */
const MAX_KEYS = 20_000

/** A value of an answer. */
interface Leaf {
  readonly path: string
}

/** Values that were recorded for the collections of a run. */
interface RecordedValues {
  privateValuesOf(endpoint: LookupEndpoint, sample: MessageView): ContextRecord[]
  /** Why the object that a sample names belongs to who sent it; '' where nothing says so. */
  ownershipOf(endpoint: LookupEndpoint, sample: MessageView): string
  isUsedAnonymously(endpoint: LookupEndpoint): boolean
  otherValueOf(collectionId: number, key: Pattern, sample: MessageView): ContextRecord | null
  /** Requests that were carried out or refused, by the id of their endpoint. */
  readonly uses: ReadonlyMap<number, readonly RecordedUse[]>
}

/**
 * Reads the samples of the endpoints, and the examples that the inventory keeps of parameters. Only requests stay in
 * memory; they are taken apart when somebody asks.
 *
 * @param quotes learns the amounts that answers name
 */
export async function loadRecordedValues(
  store: Store,
  endpoints: readonly LookupEndpoint[],
  callers: Callers,
  quotes: QuotedAmounts,
): Promise<RecordedValues> {
  const samples = new Map<number, Exchange[]>()
  const examples = new Map<number, Map<string, Set<string>>>()
  const issued: Issued = new Map()
  const uses = new Map<number, RecordedUse[]>()
  const collectionOf = new Map(endpoints.map(({ id, collectionId }) => [id, collectionId]))
  for (let at = 0; at < endpoints.length; at += ENDPOINTS_A_QUERY) {
    const ids = endpoints.slice(at, at + ENDPOINTS_A_QUERY).map(({ id }) => id)
    const learn = (id: number, sample: Exchange, request: Exchange): void => {
      callers.learn(sample)
      noteIssued(issued, collectionOf.get(id)!, sample)
      quotes.learn(collectionOf.get(id)!, sample)
      noteUse(uses, id, sample, request)
    }
    await Promise.all([
      readSamples(store, ids, samples, learn),
      readExamples(store, ids, collectionOf, examples),
    ])
  }
  return new InventoryValues(endpoints, samples, examples, { callers, issued, uses })
}

async function readSamples(
  store: Store,
  ids: readonly number[],
  samples: Map<number, Exchange[]>,
  learn: (id: number, sample: Exchange, request: Exchange) => void,
): Promise<void> {
  const { rows } = await store.pool.query<{ id: number; message: string }>(
    `SELECT m.root_id AS id, s.message FROM samples s JOIN endpoints m ON m.id = s.endpoint_id
     WHERE m.root_id = ANY ($1::bigint[]) ORDER BY s.observed_at DESC, s.id DESC`,
    [ids],
  )
  for (const { id, message } of rows) {
    const sample = parseSampleMessage(message)
    const request = { ...sample, response: { ...sample.response, headers: [], body: '' } }
    learn(id, sample, request)
    const known = samples.get(id)
    if (known === undefined) samples.set(id, [request])
    else known.push(request)
  }
}

function noteUse(uses: Map<number, RecordedUse[]>, id: number, sample: Exchange, request: Exchange): void {
  const use = recordedUse(sample, request)
  if (use === null) return
  const known = uses.get(id)
  if (known === undefined) uses.set(id, [use])
  else known.push(use)
}

async function readExamples(
  store: Store,
  ids: readonly number[],
  collectionOf: ReadonlyMap<number, number>,
  examples: Map<number, Map<string, Set<string>>>,
): Promise<void> {
  const kinds: FactKind[] = ['QUERY', 'REQUEST_BODY', 'RESPONSE_BODY']
  const { rows } = await store.pool.query<{ id: number; name: string; values: unknown }>(
    `SELECT m.root_id AS id, f.name, f.detail -> 'examples' AS values
     FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
     WHERE m.root_id = ANY ($1::bigint[]) AND f.kind = ANY ($2::text[]) AND f.detail ? 'examples'
     ORDER BY f.last_seen DESC, f.id`,
    [ids, kinds],
  )
  for (const { id, name, values } of rows) {
    if (!Array.isArray(values)) continue
    for (const value of values) addValue(examples, collectionOf.get(id)!, lastKeyOf(name), String(value))
  }
}

/** Last name of a flattened key: `$` stands for an element of a list. */
function lastKeyOf(name: string): string {
  return name.split('#').findLast((part) => part !== '$' && part !== '') ?? name
}

function addValue(
  all: Map<number, Map<string, Set<string>>>,
  collectionId: number,
  key: string,
  value: string,
): void {
  if (value === '' || value.length > MAX_VALUE_LENGTH) return
  const keys = all.get(collectionId) ?? new Map<string, Set<string>>()
  all.set(collectionId, keys)
  const values = keys.get(key)
  if (values !== undefined) {
    if (values.size < MAX_VALUES_OF_KEY) values.add(value)
  } else if (keys.size < MAX_KEYS) keys.set(key, new Set([value]))
}

class InventoryValues implements RecordedValues {
  readonly #endpoints: ReadonlyMap<number, readonly LookupEndpoint[]>
  readonly #samples: ReadonlyMap<number, readonly Exchange[]>
  readonly #values: Map<number, Map<string, Set<string>>>
  readonly #callers: Callers
  readonly #withSamples = new Set<number>()
  readonly #carriers = new Map<number, ReadonlyMap<string, Carriers>>()
  /** Values of paths by the names of the resource in front of them, by collection. */
  readonly #objects = new Map<number, ReadonlyMap<string, Carriers>>()
  /** Callers that were refused, by endpoint, place and value. */
  readonly #refused = new Map<number, ReadonlyMap<string, ReadonlySet<string>>>()
  /** Texts of answers, by collection. */
  readonly #issued: Issued
  readonly uses: ReadonlyMap<number, readonly RecordedUse[]>

  constructor(
    endpoints: readonly LookupEndpoint[],
    samples: ReadonlyMap<number, readonly Exchange[]>,
    examples: Map<number, Map<string, Set<string>>>,
    {
      callers,
      issued,
      uses,
    }: Pick<RecordedValues, 'uses'> & {
      readonly callers: Callers
      readonly issued: Issued
    },
  ) {
    this.#callers = callers
    this.#issued = issued
    this.uses = uses
    this.#endpoints = Map.groupBy(endpoints, ({ collectionId }) => collectionId)
    this.#samples = samples
    this.#values = examples
  }

  isUsedAnonymously({ id }: LookupEndpoint): boolean {
    const uses = this.uses.get(id) ?? []
    return uses.some(({ outcome, request }) => outcome === 'used' && this.#isAnonymous(request))
  }

  /** Neither a known credential nor anything else that may be one. */
  #isAnonymous(request: Exchange): boolean {
    const { headers } = request.request
    return (
      this.#callers.ownerOf(request) === '' &&
      headerValue(headers, 'cookie') === undefined &&
      headerValue(headers, 'authorization') === undefined &&
      carriedCredentials(request).length === 0
    )
  }

  privateValuesOf(endpoint: LookupEndpoint, sample: MessageView): ContextRecord[] {
    const carriers = this.#carriersOf(endpoint)
    const owner = this.#callers.ownerOf(sample.exchange)
    const names = this.#callers.valuesOf(sample.exchange)
    const records: ContextRecord[] = []
    const seen = new Set<string>()
    for (const carried of carriedValues(endpoint, sample)) {
      if (records.length >= MAX_PRIVATE_VALUES) break
      const of: Carriers = carriers.get(carried.place) ?? new Map()
      if (isShared(of, carried.value, owner) || seen.has(carried.place)) continue
      if (carried.in === 'path' && isDirectory(of)) continue
      const mayName = carried.in === 'body' || (carried.in === 'query' && asksForUser(carried.key, sample))
      const namesCaller = mayName && names.has(carried.value) && isPartitioned(of)
      if (!namesCaller && !this.#isReference(endpoint, carried, of, owner)) continue
      seen.add(carried.place)
      const value =
        carried.in === 'path' ? carried.value : (otherOf(of, carried.value, owner) ?? carried.value)
      records.push({ key: carried.key, value })
    }
    return records
  }

  ownershipOf(endpoint: LookupEndpoint, sample: MessageView): string {
    const carriers = this.#carriersOf(endpoint)
    const owner = this.#callers.ownerOf(sample.exchange)
    const names = this.#callers.valuesOf(sample.exchange)
    const values = carriedValues(endpoint, sample)
    if (values.some(({ value }) => isTelling(value) && names.has(value)))
      return 'The request names its owner.'
    const leaves = sample.responseBody.leaves
    const named = leaves.filter(
      ({ value }) => typeof value === 'string' && isTelling(value) && names.has(value),
    )
    if (named.some((leaf) => !this.#isOfDirectory(leaf, named, sample))) return 'The answer names its owner.'
    const refused = this.#refused.get(endpoint.id)
    for (const { place, value } of values) {
      const others = [...(refused?.get(`${place} ${value}`) ?? [])].filter((other) => other !== owner)
      if (others.length > 0) return 'Another user was recorded being refused the object.'
    }
    for (const { place, value } of values) {
      const of: Carriers = carriers.get(place) ?? new Map()
      if (!isShared(of, value, owner) && isPartitioned(of))
        return `Each of the ${of.size} recorded values was sent by one user only.`
    }
    return ''
  }

  /**
   * Whether a name is in a list that names other recorded users at the same place as its owner, such as the members of
   * a house; there, it may also be elsewhere, such as in who made the house.
   *
   * @param named all values of the answer that name the owner
   */
  #isOfDirectory({ path }: Leaf, named: readonly Leaf[], sample: MessageView): boolean {
    const lists = listsOf(path)
    const places = new Set(named.map((leaf) => withoutIndexes(leaf.path)))
    return sample.responseBody.leaves.some(
      (other) =>
        typeof other.value === 'string' &&
        places.has(withoutIndexes(other.path)) &&
        lists.includes(listsOf(other.path).at(-1) ?? '-') &&
        this.#callers.namesAnother(sample.exchange, other.value),
    )
  }

  /**
   * Whether a value names an object. Parameters of paths and what is named like an identifier do, names of the caller, and
   * numbers of the caller's own objects in body fields; of others the values must belong to different owners, and must
   * have come from the application.
   */
  #isReference(endpoint: LookupEndpoint, carried: CarriedValue, of: Carriers, owner: string): boolean {
    const { collectionId } = endpoint
    if (carried.in === 'path' || isNamedAsId(carried)) return true
    if (namesOwnObject(carried, of, owner, () => this.#objectsOf(collectionId))) return true
    if (!looksLikeId(carried.value) || !isPartitioned(of)) return false
    // A header that names somebody is the same in each request of that person.
    if (carried.in === 'header') return of.size === ownersOf(of).size
    return isIssued(this.#issued, endpoint, carried)
  }

  #objectsOf(collectionId: number): ReadonlyMap<string, Carriers> {
    const known = this.#objects.get(collectionId)
    if (known !== undefined) return known
    const objects = new Map<string, Carriers>()
    this.#objects.set(collectionId, objects)
    for (const endpoint of this.#endpoints.get(collectionId) ?? []) {
      const segments = endpoint.url.replace(/^[a-z]+:\/\/[^/]*/, '').split('/')
      for (const [place, values] of this.#carriersOf(endpoint)) {
        const index = /^PATH (\d+) /.exec(place)?.[1]
        if (index === undefined) continue
        for (const name of namesOfResource(segments[Number(index)] ?? '')) {
          const of: Carriers = objects.get(name) ?? new Map()
          objects.set(name, of)
          for (const [value, callers] of values) for (const caller of callers) addTo(of, value, caller)
        }
      }
    }
    return objects
  }

  otherValueOf(collectionId: number, key: Pattern, sample: MessageView): ContextRecord | null {
    let text: string | null = null
    for (const [name, values] of this.#valuesOf(collectionId)) {
      if (!key.test(name)) continue
      text ??= sampleText(sample)
      for (const value of values) if (!occursIn(text, value.toLowerCase())) return { key: name, value }
    }
    return null
  }

  #carriersOf(endpoint: LookupEndpoint): ReadonlyMap<string, Carriers> {
    const known = this.#carriers.get(endpoint.id)
    if (known !== undefined) return known
    const carriers = new Map<string, Carriers>()
    const refused = new Map<string, Set<string>>()
    this.#refused.set(endpoint.id, refused)
    for (const sample of this.#samples.get(endpoint.id) ?? []) {
      const { status } = sample.response
      const owner = this.#callers.ownerOf(sample)
      for (const { place, value } of carriedValues(endpoint, new MessageView(sample))) {
        // Who was refused an object does not share it.
        if (status >= 400) {
          if (owner !== '' && (status === 403 || status === 404)) addTo(refused, `${place} ${value}`, owner)
          continue
        }
        const of: Carriers = carriers.get(place) ?? new Map()
        carriers.set(place, of)
        addTo(of, value, owner)
      }
    }
    this.#carriers.set(endpoint.id, carriers)
    return carriers
  }

  /** Examples of the collection, and what its samples carried. */
  #valuesOf(collectionId: number): ReadonlyMap<string, ReadonlySet<string>> {
    if (!this.#withSamples.has(collectionId)) {
      this.#withSamples.add(collectionId)
      for (const endpoint of this.#endpoints.get(collectionId) ?? [])
        for (const sample of this.#samples.get(endpoint.id) ?? [])
          for (const { key, value, in: place } of carriedValues(endpoint, new MessageView(sample)))
            if (place !== 'path') addValue(this.#values, collectionId, key, value)
    }
    return this.#values.get(collectionId) ?? new Map()
  }
}

/** Names of parameters that say which user is asked for. */
const OF_USERS = /^(?:user(?:_?name)?|login|e?-?mail|account(?:_?name)?|handle)$/i

/** Whether a parameter of a query says which user is asked for; a list is only filtered by it. */
function asksForUser(key: string, { responseBody: { leaves } }: MessageView): boolean {
  return OF_USERS.test(key) && !leaves.some(({ path }) => path.includes('['))
}

function withoutIndexes(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]')
}

/** The lists that a value is in, from the outermost on. */
function listsOf(path: string): string[] {
  const place = withoutIndexes(path)
  return [...place.matchAll(/\[\]/g)].map(({ index }) => place.slice(0, index))
}

/** Whether a name or number is long enough to mean one person. */
function isTelling(value: string): boolean {
  return value.length >= 8 || (value.length >= 3 && !/^\d+$/.test(value))
}

/** What one of a resource may be called: `trainingplan` and `plan` for `training-plans`, but only `report` for `reports`. */
function namesOfResource(segment: string): Set<string> {
  const words = segment.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').split(/[-_]+/)
  return new Set(words.map((_, at) => singular(words.slice(at).join(''))))
}

/** A short value inside a longer word or number is another one. */
function occursIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isPart = isWordSign(text, at - 1) || isWordSign(text, at + value.length)
    if (!isPart) return true
  }
  return false
}

function isWordSign(text: string, at: number): boolean {
  return /[a-z0-9]/.test(text.charAt(at))
}

/** Everything of a sample in which a value can occur, in lower case. */
function sampleText(sample: MessageView): string {
  const { request, response } = sample.exchange
  return [
    sample.url,
    ...sample.query.map(({ value }) => value),
    ...request.headers,
    ...response.headers,
    sample.requestBody.text,
    sample.responseBody.text,
  ]
    .join('\n')
    .toLowerCase()
}
