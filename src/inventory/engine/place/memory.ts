import type { PathTrie } from '../../../path-templates/index.ts'
import type { FactKind, Store } from '../../../store/index.ts'
import { collectionForHost } from '../../collections/index.ts'
import { EndpointState, endpointKey } from '../state/index.ts'
import { CollectionState } from './collection-state.ts'
import { restoreTrie } from './trie-store.ts'

/** Keys held in memory before endpoints that rest are dropped; about 300 bytes each. */
const MAX_KEYS = 400_000

/** Everything the engine holds in memory, loaded from the store when first needed; bounded, and safe to drop. */
export class Memory {
  readonly #store: Store
  #collections = new Map<number, CollectionState>()
  #idByHost = new Map<string, number>()
  /** Id up to which the tries know the endpoints of other processes. */
  learnedTo = 0

  constructor(store: Store) {
    this.#store = store
  }

  get collections(): ReadonlyMap<number, CollectionState> {
    return this.#collections
  }

  /** How much is held. */
  get size(): { tries: number; nodes: number; observations: number; endpointStates: number } {
    const size = { tries: 0, nodes: 0, observations: 0, endpointStates: 0 }
    for (const { endpoints, tries } of this.#collections.values()) {
      size.endpointStates += endpoints.size
      size.tries += tries.size
      for (const trie of tries.values()) {
        size.nodes += trie.size.nodes
        size.observations += trie.size.observations
      }
    }
    return size
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
    const trie = await restoreTrie(this.#store, collection, origin)
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
