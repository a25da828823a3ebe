import { formatTemplate, PathTrie, splitPath } from '../../../path-templates/index.ts'
import type { FactKind, Store } from '../../../store/index.ts'
import { collectionForHost } from '../../collections/index.ts'
import { EndpointState, endpointKey } from '../state/index.ts'
import { CollectionState } from './collection-state.ts'

/** Keys held in memory before endpoints that rest are dropped; about 300 bytes each. */
const MAX_KEYS = 400_000

/** Everything the engine holds in memory, loaded from the store when first needed; bounded, and safe to drop. */
export class Memory {
  readonly #store: Store
  #collections = new Map<number, CollectionState>()
  #idByHost = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
  }

  get collections(): ReadonlyMap<number, CollectionState> {
    return this.#collections
  }

  collectionByHost(host: string): CollectionState | undefined {
    const id = this.#idByHost.get(host)
    return id === undefined ? undefined : this.#collections.get(id)
  }

  /** Loads collections by id; unknown ids stay unknown. */
  async loadCollections(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#collections.has(id))
    if (missing.length === 0) return
    for (const row of await this.#settingsOf(missing)) this.#take(new CollectionState(row))
  }

  /** Loads the collections of hosts, creating those that are new. */
  async loadHosts(
    hosts: ReadonlyMap<string, { at: number; tags: Readonly<Record<string, string>> | undefined }>,
  ): Promise<void> {
    for (const [host, { at, tags }] of hosts) {
      if (this.collectionByHost(host)) continue
      const id = await collectionForHost(this.#store.pool, host, at, tags ?? {})
      await this.loadCollections([id])
      this.#idByHost.set(host, id)
    }
  }

  /** The trie of an origin of a collection, restored from the store when first asked for. */
  async trie(collection: CollectionState, origin: string): Promise<PathTrie> {
    const known = collection.tries.get(origin)
    if (known) return known
    const trie = await this.#restoreTrie(collection.id, origin)
    collection.tries.set(origin, trie)
    return trie
  }

  /** Loads endpoints by key into their collection; keys without a row are left out. */
  async loadEndpoints(
    wanted: readonly { collection: CollectionState; method: string; url: string }[],
  ): Promise<void> {
    if (wanted.length === 0) return
    const { rows } = await this.#store.pool.query<EndpointRow>(
      `SELECT e.id, e.collection_id, e.method, e.url, e.origin, e.is_template, e.is_documented, e.api_type,
         e.first_seen, e.last_seen, e.discovered_at, e.call_count, e.response_codes, e.auth_combinations,
         e.access_types, e.sensitive_in_request, e.sensitive_in_response, e.sources,
         array(SELECT slot FROM samples s WHERE s.endpoint_id = e.id) AS slots
       FROM endpoints e
       JOIN unnest($1::integer[], $2::text[], $3::text[]) AS w (collection_id, method, url)
         ON e.collection_id = w.collection_id AND e.method = w.method AND e.url = w.url
       WHERE e.root_id <> 0`,
      [wanted.map((w) => w.collection.id), wanted.map((w) => w.method), wanted.map((w) => w.url)],
    )
    const states = new Map<number, EndpointState>()
    for (const row of rows) {
      const state = stateOf(row)
      states.set(row.id, state)
      this.#collections.get(row.collection_id)?.endpoints.set(endpointKey(row.method, row.url), state)
    }
    await this.#loadFacts(states)
  }

  /** Drops collections that were edited or deleted. */
  forget(ids: readonly number[]): void {
    for (const id of ids) this.#collections.delete(id)
    for (const [host, id] of this.#idByHost) if (ids.includes(id)) this.#idByHost.delete(host)
  }

  /** Drops everything: what is in the store is the truth. */
  clear(): void {
    this.#collections = new Map()
    this.#idByHost = new Map()
  }

  /** Drops the endpoint states of all collections; only between transactions, when their counts are folded. */
  forgetEndpoints(): void {
    for (const collection of this.#collections.values()) {
      collection.endpoints.clear()
      collection.forgetTargets()
    }
  }

  /** Drops collections whose settings changed in the store, as another process may have changed them. */
  async forgetChanged(): Promise<void> {
    if (this.#collections.size === 0) return
    const rows = new Map((await this.#settingsOf([...this.#collections.keys()])).map((row) => [row.id, row]))
    const changed = [...this.#collections.values()].filter((known) => {
      const row = rows.get(known.id)
      return (
        row === undefined ||
        row.kind !== known.kind ||
        row.is_redacted !== known.isRedacted ||
        row.is_deactivated !== known.isDeactivated ||
        row.has_document !== known.hasDocument
      )
    })
    this.forget(changed.map(({ id }) => id))
  }

  /** Drops endpoint states when too many keys are held; only between transactions. */
  trim(): void {
    let keys = 0
    for (const collection of this.#collections.values()) {
      for (const state of collection.endpoints.values()) keys += state.keyCount
    }
    if (keys > MAX_KEYS) this.forgetEndpoints()
  }

  async #settingsOf(ids: readonly number[]): Promise<CollectionRow[]> {
    const { rows } = await this.#store.pool.query<CollectionRow>(
      `SELECT c.id, c.kind, c.host_name, c.is_redacted, c.is_deactivated, c.tags,
         EXISTS (SELECT FROM documented_operations d WHERE d.collection_id = c.id) AS has_document
       FROM collections c WHERE c.id = ANY ($1::integer[])`,
      [ids],
    )
    return rows
  }

  #take(collection: CollectionState): void {
    this.#collections.set(collection.id, collection)
    if (collection.hostName !== null) this.#idByHost.set(collection.hostName, collection.id)
  }

  async #restoreTrie(collectionId: number, origin: string): Promise<PathTrie> {
    const evidence = await this.#store.pool.query<{ snapshot: unknown; endpoint_mark: number }>(
      'SELECT snapshot, endpoint_mark FROM path_evidence WHERE collection_id = $1 AND origin = $2',
      [collectionId, origin],
    )
    const saved = evidence.rows[0]
    const trie = saved ? PathTrie.restore(saved.snapshot as never) : new PathTrie()
    // Endpoints written after the snapshot was taken: their paths are the evidence that it lacks. What was only
    // documented is not evidence; its routes are among the stated ones.
    const { rows } = await this.#store.pool.query<EvidenceRow>(
      `SELECT method, url, is_template, is_documented, call_count, last_seen FROM endpoints
       WHERE collection_id = $1 AND origin = $2 AND id > $3 AND root_id <> 0 AND last_seen > 0 ORDER BY id`,
      [collectionId, origin, saved?.endpoint_mark ?? 0],
    )
    for (const row of rows) {
      const path = row.url.slice(origin.length)
      // A template is put back by a value of its kind: what was learned stays open to later evidence.
      const observed = row.is_template ? concretePath(path) : path
      trie.observe({
        method: row.method,
        path: observed,
        status: 200,
        mediaType: '',
        keys: [],
        at: row.last_seen,
      })
    }
    return trie
  }

  async #loadFacts(states: ReadonlyMap<number, EndpointState>): Promise<void> {
    if (states.size === 0) return
    const { rows } = await this.#store.pool.query<FactRow>(
      `SELECT id, endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen, is_sensitive,
         detail
       FROM endpoint_facts WHERE endpoint_id = ANY ($1::bigint[]) AND count > 0`,
      [[...states.keys()]],
    )
    for (const row of rows) states.get(row.endpoint_id)?.restoreFact(row)
  }
}

/** Values that are certain to be of each kind. */
const CERTAIN_VALUES: Readonly<Record<string, string>> = {
  INTEGER: '1',
  FLOAT: '1.5',
  OBJECT_ID: '5f0c2a9e4b7d1c3a6e8f9b01',
  STRING: '9b2d6c1e-4f0a-4c3b-8d5e-7a1f2b3c4d5e',
}

/** A path that belongs to a template: certain values in the places of its parameters. */
export function concretePath(template: string): string {
  return formatTemplate(
    splitPath(template).map((segment) => ({ kind: 'literal', value: CERTAIN_VALUES[segment] ?? segment })),
  )
}

/** An endpoint whose path is evidence. */
interface EvidenceRow {
  method: string
  url: string
  is_template: boolean
  is_documented: boolean
  call_count: number
  last_seen: number
}

type CollectionRow = ConstructorParameters<typeof CollectionState>[0]

interface EndpointRow {
  id: number
  collection_id: number
  method: string
  url: string
  origin: string
  is_template: boolean
  is_documented: boolean
  api_type: string
  first_seen: number
  last_seen: number
  discovered_at: number
  call_count: number
  response_codes: number[]
  auth_combinations: string[][]
  access_types: string[]
  sensitive_in_request: string[]
  sensitive_in_response: string[]
  sources: Record<string, number>
  slots: string[]
}

interface FactRow {
  id: number
  endpoint_id: number
  kind: FactKind
  response_code: number
  name: string
  value_type: string
  count: number
  first_seen: number
  last_seen: number
  is_sensitive: boolean
  detail: null
}

function stateOf(row: EndpointRow): EndpointState {
  const state = new EndpointState(
    {
      collectionId: row.collection_id,
      method: row.method,
      url: row.url,
      origin: row.origin,
      isTemplate: row.is_template,
    },
    row.first_seen,
  )
  state.id = row.id
  state.isStored = true
  state.isDocumented = row.is_documented
  state.apiType = row.api_type
  state.lastSeen = row.last_seen
  state.discoveredAt = row.discovered_at
  state.calls = row.call_count
  for (const code of row.response_codes) state.codes.add(code)
  for (const combination of row.auth_combinations) state.credentials.add(combination.join(','))
  for (const access of row.access_types) state.access.add(access)
  for (const type of row.sensitive_in_request) state.sensitiveInRequest.add(type)
  for (const type of row.sensitive_in_response) state.sensitiveInResponse.add(type)
  for (const [source, at] of Object.entries(row.sources)) state.sources.set(source, at)
  for (const slot of row.slots) state.sampleSlots.add(slot)
  return state
}
