import type { Exchange } from '../../http/index.ts'
import { KnownEndpoints, loadTypeMatcher } from '../../inventory/index.ts'
import { type ConditionEndpoint, EMPTY_LOOKUPS, type Lookups } from '../../rules/index.ts'
import type { CollectionTag, Store } from '../../store/index.ts'
import type { CallbackPort, Callers } from '../../testing/index.ts'
import { FunctionUses } from './function-uses.ts'
import { QuotedAmounts } from './quoted-amounts.ts'
import { loadRecordedFields } from './recorded-fields.ts'
import { loadRecordedValues } from './recorded-values.ts'
import type { RolePeople } from './role-people.ts'

/** An endpoint of the inventory, as lookups need it. */
export interface LookupEndpoint {
  readonly id: number
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly origin: string
  readonly isTemplate: boolean
  readonly accessTypes: readonly string[]
  readonly groupIds: readonly number[]
}

interface CollectionRow {
  id: number
  name: string
  host: string | null
  tags: CollectionTag[]
}

/** Look-ups that also know what the requests of a run have shown. */
interface LearningLookups extends Lookups {
  /** Learns from the answer to a request that was made from a document: the inventory has none of that endpoint. */
  learn(endpoint: ConditionEndpoint, exchange: Exchange): void
}

/**
 * What conditions ask the inventory, as it stands now, for the collections of a run. Questions about other collections
 * find nothing; only hosts of others are known.
 *
 * @param callers learns who sent the recorded requests
 * @param people whom roles act as; asked when the look-ups are
 */
export async function loadLookups(
  store: Store,
  collectionIds: readonly number[],
  callback: CallbackPort | null,
  callers: Callers,
  people: RolePeople,
): Promise<LearningLookups> {
  const [collections, endpoints, roles, matchesDataType] = await Promise.all([
    loadCollections(store),
    loadEndpoints(store, collectionIds),
    loadRoles(store, collectionIds),
    loadTypeMatcher(store),
  ])
  const quotes = new QuotedAmounts()
  const [recorded, fields] = await Promise.all([
    loadRecordedValues(store, endpoints, callers, quotes),
    loadRecordedFields(store, endpoints),
  ])
  const functions = new FunctionUses(endpoints, recorded.uses, callers, people)
  const known = new KnownEndpoints()
  const byKey = new Map<string, LookupEndpoint>()
  for (const endpoint of endpoints) {
    byKey.set(keyOf(endpoint), endpoint)
    known.add(endpoint)
    for (const collectionId of endpoint.groupIds) known.add({ ...endpoint, collectionId })
  }
  const tags = new Map(collections.map((row) => [row.id, tagTexts(row.tags)]))
  return {
    isKnownEndpoint: (collectionId, method, url) => known.has(collectionId, method, url),
    rolesOf: (endpoint) => roles.get(keyOf(endpoint)) ?? [],
    isAccessUnknown: () => false,
    guardedSiblingsOf: () => [],
    accessTypesOf: (endpoint) => byKey.get(keyOf(endpoint))?.accessTypes ?? [],
    privateValuesOf(endpoint, sample) {
      const row = byKey.get(keyOf(endpoint))
      return row === undefined ? [] : recorded.privateValuesOf(row, sample)
    },
    ownershipOf(endpoint, sample) {
      const row = byKey.get(keyOf(endpoint))
      return row === undefined ? '' : recorded.ownershipOf(row, sample)
    },
    isUsedAnonymously(endpoint) {
      const row = byKey.get(keyOf(endpoint))
      return row !== undefined && recorded.isUsedAnonymously(row)
    },
    isFromAdministrator: ({ exchange }) => people.isAdministrator(callers.ownerOf(exchange)),
    functionUseOf(endpoint) {
      const row = byKey.get(keyOf(endpoint))
      return row === undefined ? EMPTY_LOOKUPS.functionUseOf(endpoint) : functions.of(row)
    },
    functionsNear(endpoint) {
      const row = byKey.get(keyOf(endpoint))
      return row === undefined ? EMPTY_LOOKUPS.functionsNear(endpoint) : functions.near(row)
    },
    otherValueOf: (collectionId, key, sample) => recorded.otherValueOf(collectionId, key, sample),
    learn: (endpoint, exchange) => fields.learn(endpoint, exchange),
    fieldsOf(endpoint, names) {
      const row = byKey.get(keyOf(endpoint))
      return row === undefined ? [] : fields.fieldsOf(row, names)
    },
    quotedAmountsOf: ({ collectionId }, names, sample) => quotes.of(collectionId, sample, names),
    matchesDataType,
    callbackHits: (id) => callback?.hits(id) ?? 0,
    collectionsOf(url) {
      const host = URL.canParse(url) ? new URL(url).host : null
      return collections
        .filter((row) => (host !== null && row.host === host) || known.has(row.id, null, url))
        .flatMap((row) => (row.host === null ? [row.name] : [row.name, row.host]))
    },
    collectionTags: (collectionId) => tags.get(collectionId) ?? [],
  }
}

function keyOf({ collectionId, method, url }: ConditionEndpoint): string {
  return `${collectionId} ${method} ${url}`
}

/** Name, value, and both as people write them. */
function tagTexts(tags: readonly CollectionTag[]): string[] {
  return tags.flatMap(({ keyName, value }) => [keyName, value, `${keyName}=${value}`])
}

async function loadCollections(store: Store): Promise<CollectionRow[]> {
  const { rows } = await store.pool.query<CollectionRow>(
    'SELECT id, name, lower(host_name) AS host, tags FROM collections WHERE NOT is_deactivated ORDER BY id',
  )
  return rows
}

async function loadEndpoints(store: Store, collectionIds: readonly number[]): Promise<LookupEndpoint[]> {
  const { rows } = await store.pool.query<LookupEndpoint>(
    `SELECT e.id, e.collection_id AS "collectionId", e.method, e.url, e.origin, e.is_template AS "isTemplate",
       ARRAY(SELECT lower(t) FROM unnest(e.access_types) AS t) AS "accessTypes",
       ARRAY(SELECT g.group_id FROM group_members g WHERE g.endpoint_id = e.id) AS "groupIds"
     FROM endpoints e WHERE e.is_listed AND e.collection_id = ANY ($1::integer[])
     ORDER BY e.id`,
    [collectionIds],
  )
  return rows
}

async function loadRoles(store: Store, collectionIds: readonly number[]): Promise<Map<string, string[]>> {
  const { rows } = await store.pool.query<ConditionEndpoint & { role: string }>(
    `SELECT collection_id AS "collectionId", method, url, role_name AS role FROM access_matrix
     WHERE collection_id = ANY ($1::integer[]) AND is_reached ORDER BY role_name`,
    [collectionIds],
  )
  const roles = new Map<string, string[]>()
  for (const row of rows) {
    const known = roles.get(keyOf(row))
    if (known === undefined) roles.set(keyOf(row), [row.role])
    else known.push(row.role)
  }
  return roles
}
