import { createHash } from 'node:crypto'
import { type Exchange, headerValue, parseSampleMessage } from '../../http/index.ts'
import { pathValues } from '../../inventory/index.ts'
import { type ContextRecord, MessageView, type Pattern } from '../../rules/index.ts'
import type { FactKind, Store } from '../../store/index.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'
import { namesIn } from './run-credentials.ts'

/** Endpoints whose samples one query reads. */
const ENDPOINTS_A_QUERY = 500
const MAX_PRIVATE_VALUES = 5
/** Values kept of one key of a collection. */
const MAX_VALUES_OF_KEY = 20
/** Keys kept of one collection. */
const MAX_KEYS = 20_000
/** Longer values name no object. */
const MAX_VALUE_LENGTH = 512
const ID_KEY = /(?:^|[_.-])(?:id|ids|uuid|guid|key|ref|number|no)$|[a-z](?:Id|Ids|ID|Uuid|Guid)$/

/** A value that a request carried, and the place that tells parameters of the same key apart. */
interface CarriedValue {
  readonly place: string
  readonly key: string
  readonly value: string
  readonly isPath: boolean
}

/** What is kept of a sample: its request, and a hash that is the same for the same caller. */
interface KeptSample {
  readonly credential: string
  readonly request: Exchange
}

/** Values of one parameter with the callers that sent each. */
type Carriers = Map<string, Set<string>>

/** Values that were recorded for the collections of a run. */
export interface RecordedValues {
  privateValuesOf(endpoint: LookupEndpoint, sample: MessageView): ContextRecord[]
  otherValueOf(collectionId: number, key: Pattern, sample: MessageView): ContextRecord | null
}

/**
 * Reads the samples of the endpoints, and the examples that the inventory keeps of parameters. Only requests stay in
 * memory; they are taken apart when somebody asks.
 */
export async function loadRecordedValues(
  store: Store,
  endpoints: readonly LookupEndpoint[],
): Promise<RecordedValues> {
  const samples = new Map<number, KeptSample[]>()
  const examples = new Map<number, Map<string, Set<string>>>()
  const collectionOf = new Map(endpoints.map(({ id, collectionId }) => [id, collectionId]))
  for (let at = 0; at < endpoints.length; at += ENDPOINTS_A_QUERY) {
    const ids = endpoints.slice(at, at + ENDPOINTS_A_QUERY).map(({ id }) => id)
    await Promise.all([readSamples(store, ids, samples), readExamples(store, ids, collectionOf, examples)])
  }
  return new InventoryValues(endpoints, samples, examples)
}

async function readSamples(
  store: Store,
  ids: readonly number[],
  samples: Map<number, KeptSample[]>,
): Promise<void> {
  const { rows } = await store.pool.query<{ id: number; message: string }>(
    `SELECT m.root_id AS id, s.message FROM samples s JOIN endpoints m ON m.id = s.endpoint_id
     WHERE m.root_id = ANY ($1::bigint[]) ORDER BY s.observed_at DESC, s.id DESC`,
    [ids],
  )
  for (const { id, message } of rows) {
    const sample = parseSampleMessage(message)
    const request = { ...sample, response: { ...sample.response, headers: [], body: '' } }
    const kept = { credential: credentialOf(sample), request }
    const known = samples.get(id)
    if (known === undefined) samples.set(id, [kept])
    else known.push(kept)
  }
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

/** Tells callers apart without keeping their secrets; '' for a request without a credential. */
function credentialOf(sample: Exchange): string {
  const names = namesIn(sample)
  if (names.length === 0) return ''
  const { headers } = sample.request
  const cookies = new MessageView(sample).cookies
  const hash = createHash('sha256')
  for (const name of names) {
    const value =
      headerValue(headers, name) ?? cookies.find((cookie) => cookie.name.toLowerCase() === name)?.value ?? ''
    hash.update(`${name}=${value}\n`)
  }
  return hash.digest('base64')
}

class InventoryValues implements RecordedValues {
  readonly #endpoints: ReadonlyMap<number, readonly LookupEndpoint[]>
  readonly #samples: ReadonlyMap<number, readonly KeptSample[]>
  readonly #values: Map<number, Map<string, Set<string>>>
  readonly #withSamples = new Set<number>()
  readonly #carriers = new Map<number, ReadonlyMap<string, Carriers>>()

  constructor(
    endpoints: readonly LookupEndpoint[],
    samples: ReadonlyMap<number, readonly KeptSample[]>,
    examples: Map<number, Map<string, Set<string>>>,
  ) {
    this.#endpoints = Map.groupBy(endpoints, ({ collectionId }) => collectionId)
    this.#samples = samples
    this.#values = examples
  }

  privateValuesOf(endpoint: LookupEndpoint, sample: MessageView): ContextRecord[] {
    const carriers = this.#carriersOf(endpoint)
    const credential = credentialOf(sample.exchange)
    const records: ContextRecord[] = []
    const seen = new Set<string>()
    for (const carried of byLikelihood(carriedValues(endpoint, sample))) {
      if (records.length >= MAX_PRIVATE_VALUES) break
      const of = carriers.get(carried.place)
      const isShared = [...(of?.get(carried.value) ?? [])].some((other) => other !== credential)
      if (isShared || seen.has(carried.place)) continue
      seen.add(carried.place)
      const value = carried.isPath ? carried.value : (otherOf(of, carried.value, credential) ?? carried.value)
      records.push({ key: carried.key, value })
    }
    return records
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
    for (const { request, credential } of this.#samples.get(endpoint.id) ?? []) {
      for (const { place, value } of carriedValues(endpoint, new MessageView(request))) {
        const of: Carriers = carriers.get(place) ?? new Map()
        carriers.set(place, of)
        const callers = of.get(value)
        if (callers === undefined) of.set(value, new Set([credential]))
        else callers.add(credential)
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
        for (const { request } of this.#samples.get(endpoint.id) ?? [])
          for (const { key, value, isPath } of carriedValues(endpoint, new MessageView(request)))
            if (!isPath) addValue(this.#values, collectionId, key, value)
    }
    return this.#values.get(collectionId) ?? new Map()
  }
}

/** Another value of the same parameter, of another caller before one of the same. */
function otherOf(carriers: Carriers | undefined, own: string, credential: string): string | null {
  let found: string | null = null
  for (const [value, callers] of carriers ?? []) {
    if (value === own) continue
    if (!callers.has(credential)) return value
    found ??= value
  }
  return found
}

/** Parameters of the path, then those named like identifiers, then the rest. */
function byLikelihood(values: readonly CarriedValue[]): CarriedValue[] {
  const rank = ({ isPath, key }: CarriedValue): number => (isPath ? 0 : ID_KEY.test(key) ? 1 : 2)
  return [...values].sort((a, b) => rank(a) - rank(b))
}

function carriedValues(endpoint: LookupEndpoint, view: MessageView): CarriedValue[] {
  const path = pathValues(endpoint, view.url).map(({ index, name, value }) => ({
    place: `PATH ${index} ${name}`,
    key: name === '' ? String(index) : name,
    value,
    isPath: true,
  }))
  const query = view.query.map(({ name, value }) => ({
    place: `QUERY ${name}`,
    key: name,
    value,
    isPath: false,
  }))
  const body = view.requestBody.leaves.flatMap(({ key, wildPath, value }) =>
    typeof value === 'string' || typeof value === 'number'
      ? [{ place: `BODY ${wildPath}`, key, value: String(value), isPath: false }]
      : [],
  )
  return [...path, ...query, ...body].filter(({ value }) => value !== '' && value.length <= MAX_VALUE_LENGTH)
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
