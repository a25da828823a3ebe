import { RE2JS } from 're2js'
import { Failure, nowSeconds } from '../../kit/index.ts'
import { type GroupCondition, type Queryable, type Store, usingTransaction } from '../../store/index.ts'
import { visibleTo } from '../endpoints/endpoint-view.ts'
import { checkedName, createManualCollection } from './find-or-create.ts'

/** An endpoint as conditions look at it. */
interface Candidate {
  id: number
  collection_id: number
  host_name: string | null
  method: string
  url: string
  api_type: string
  access_types: string[]
  actual_auth_types: string[]
  sensitive_in_response: string[]
}

type Test = (candidate: Candidate) => boolean

const MAX_PATTERN = 1000

function texts(data: unknown, key: string): string[] {
  const value = (data as Record<string, unknown> | null)?.[key]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new Failure('INVALID_CONDITION', { reason: `data.${key} must be a list of texts` })
}

function integers(data: unknown, key: string): number[] {
  const value = (data as Record<string, unknown> | null)?.[key]
  if (Array.isArray(value) && value.every((item) => Number.isInteger(item))) return value
  throw new Failure('INVALID_CONDITION', { reason: `data.${key} must be a list of integers` })
}

/** A pattern of a user, on the linear-time engine. */
function pattern(data: unknown): (text: string) => boolean {
  const value = (data as Record<string, unknown> | null)?.['regex']
  if (typeof value !== 'string' || value === '' || value.length > MAX_PATTERN) {
    throw new Failure('INVALID_CONDITION', { reason: 'data.regex must be a pattern' })
  }
  try {
    const compiled = RE2JS.compile(value, RE2JS.CASE_INSENSITIVE)
    return (text) => compiled.matcher(text).find()
  } catch (error) {
    throw new Failure('INVALID_CONDITION', { reason: (error as Error).message }, { cause: error })
  }
}

function anyOf(wanted: readonly string[], found: readonly string[]): boolean {
  return found.some((item) => wanted.includes(item))
}

function keyOf(endpoint: { collection_id: number; method: string; url: string }): string {
  return `${endpoint.collection_id} ${endpoint.method} ${endpoint.url}`
}

function exactly(data: unknown): Test {
  const list = (data as { apisList?: { apiCollectionId: number; method: string; url: string }[] } | null)
    ?.apisList
  if (!Array.isArray(list))
    throw new Failure('INVALID_CONDITION', { reason: 'data.apisList must be endpoint keys' })
  const keys = new Set(list.map((key) => `${key.apiCollectionId} ${key.method} ${key.url}`))
  return (candidate) => keys.has(keyOf(candidate))
}

/** Endpoints with a parameter of one of the names, looked up once for all candidates. */
async function withParameters(
  client: Queryable,
  names: readonly string[],
  ids: readonly number[] | null,
): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT DISTINCT e.root_id AS id FROM endpoint_facts f JOIN endpoints e ON e.id = f.endpoint_id
     WHERE f.kind IN ('QUERY', 'REQUEST_BODY', 'RESPONSE_BODY', 'REQUEST_HEADER', 'RESPONSE_HEADER', 'COOKIE')
       AND (f.name = ANY ($1::text[]) OR regexp_replace(f.name, '^.*#', '') = ANY ($1::text[]))
       AND ($2::bigint[] IS NULL OR e.root_id = ANY ($2))`,
    [names, ids],
  )
  return new Set(rows.map((row) => row.id))
}

async function testOf(
  client: Queryable,
  { type, data }: GroupCondition,
  endpointIds: readonly number[] | null,
): Promise<Test> {
  switch (type) {
    case 'ALL':
      return () => true
    case 'CUSTOM':
      return exactly(data)
    case 'COLLECTION': {
      const ids = integers(data, 'apiCollectionIds')
      return (candidate) => ids.includes(candidate.collection_id)
    }
    case 'METHOD': {
      const methods = texts(data, 'methods').map((method) => method.toUpperCase())
      return (candidate) => methods.includes(candidate.method)
    }
    case 'HOST_REGEX': {
      const matches = pattern(data)
      return (candidate) =>
        matches(candidate.host_name ?? /^[a-z]+:\/\/([^/]*)/.exec(candidate.url)?.[1] ?? '')
    }
    case 'URL_REGEX': {
      const matches = pattern(data)
      return (candidate) => matches(candidate.url)
    }
    case 'PARAM': {
      const ids = await withParameters(client, texts(data, 'names'), endpointIds)
      return (candidate) => ids.has(candidate.id)
    }
    case 'SENSITIVE_TYPE': {
      const types = texts(data, 'types')
      return (candidate) => anyOf(types, candidate.sensitive_in_response)
    }
    case 'AUTH_TYPE': {
      const types = texts(data, 'types')
      return (candidate) => anyOf(types, candidate.actual_auth_types)
    }
    case 'ACCESS_TYPE': {
      const types = texts(data, 'types')
      return (candidate) => anyOf(types, candidate.access_types)
    }
    case 'API_TYPE': {
      const types = texts(data, 'types')
      return (candidate) => types.includes(candidate.api_type)
    }
    default:
      throw new Failure('INVALID_CONDITION', { reason: `unknown type ${type}` })
  }
}

/** Compiles conditions: those with AND must all hold, of those with OR at least one must. */
async function compile(
  client: Queryable,
  conditions: readonly GroupCondition[],
  endpointIds: readonly number[] | null,
): Promise<Test> {
  const all: Test[] = []
  const some: Test[] = []
  for (const [index, condition] of conditions.entries()) {
    try {
      const test = await testOf(client, condition, endpointIds)
      if (condition.operator === 'OR') some.push(test)
      else all.push(test)
    } catch (error) {
      if (error instanceof Failure && error.code === 'INVALID_CONDITION') {
        throw new Failure(error.code, { ...error.details, index }, { cause: error })
      }
      throw error
    }
  }
  return (candidate) =>
    all.every((test) => test(candidate)) && (some.length === 0 || some.some((test) => test(candidate)))
}

/**
 * Endpoints that meet conditions, by url then method.
 *
 * @param visible collections the asker may see; null = all
 * @param endpointIds only these are looked at; null = all
 * @throws Failure INVALID_CONDITION
 */
export async function endpointsOfConditions(
  client: Queryable,
  conditions: readonly GroupCondition[],
  visible: readonly number[] | null,
  endpointIds: readonly number[] | null = null,
): Promise<Candidate[]> {
  const test = await compile(client, conditions, endpointIds)
  const { rows } = await client.query<Candidate>(
    `SELECT e.id, e.collection_id, c.host_name, e.method, e.url, e.api_type, e.access_types, e.actual_auth_types,
       e.sensitive_in_response
     FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.root_id = e.id AND ${visibleTo('$1')}
     ORDER BY e.url, e.method, e.id`,
    [visible],
  )
  return rows.filter(test)
}

/** Computes the members of groups anew: all groups, or one. Members added one by one stay. */
export async function refreshGroupMembers(store: Store, groupId: number | null): Promise<void> {
  const groups = await store.db
    .selectFrom('collections')
    .select(['id', 'conditions'])
    .where('kind', '=', 'GROUP')
    .$if(groupId !== null, (q) => q.where('id', '=', groupId!))
    .execute()
  for (const group of groups) {
    if (group.conditions.length === 0) continue
    const members = await endpointsOfConditions(store.pool, group.conditions, null)
    await usingTransaction(store.pool, async (client) => {
      await client.query(
        `DELETE FROM group_members WHERE group_id = $1 AND is_by_condition AND endpoint_id <> ALL ($2::bigint[])`,
        [group.id, members.map((member) => member.id)],
      )
      await client.query(
        `INSERT INTO group_members (group_id, endpoint_id, is_by_condition)
         SELECT $1, t.id, true FROM unnest($2::bigint[]) AS t (id) ON CONFLICT DO NOTHING`,
        [group.id, members.map((member) => member.id)],
      )
    })
  }
}

/** Makes a group by conditions. @throws Failure for a bad or taken name, INVALID_CONDITION */
export async function createGroup(
  store: Store,
  name: string,
  conditions: readonly GroupCondition[],
): Promise<number> {
  await compile(store.pool, conditions, null)
  const { id } = await createManualCollection(store.pool, name, nowSeconds())
  await store.db
    .updateTable('collections')
    .set({ kind: 'GROUP', conditions: JSON.stringify(conditions) })
    .where('id', '=', id)
    .execute()
  await refreshGroupMembers(store, id)
  return id
}

/** Replaces the conditions of a group. @throws Failure NO_SUCH_COLLECTION, NOT_A_GROUP, AUTOMATED_GROUP_FIXED */
export async function updateGroup(
  store: Store,
  id: number,
  conditions: readonly GroupCondition[],
): Promise<void> {
  await compile(store.pool, conditions, null)
  await requireGroup(store, { id })
  await store.db
    .updateTable('collections')
    .set({ conditions: JSON.stringify(conditions) })
    .where('id', '=', id)
    .execute()
  await refreshGroupMembers(store, id)
}

/** An endpoint key of a request. */
export interface EndpointKey {
  apiCollectionId: number
  method: string
  url: string
}

async function endpointIds(store: Store, keys: readonly EndpointKey[]): Promise<number[]> {
  if (keys.length === 0) throw new Failure('NO_APIS_GIVEN', {})
  const { rows } = await store.pool.query<{ id: number }>(
    `SELECT e.root_id AS id FROM endpoints e
     JOIN unnest($1::integer[], $2::text[], $3::text[]) AS k (collection_id, method, url)
       ON e.collection_id = k.collection_id AND e.method = k.method AND e.url = k.url
     WHERE e.root_id <> 0`,
    [keys.map((key) => key.apiCollectionId), keys.map((key) => key.method), keys.map((key) => key.url)],
  )
  return rows.map((row) => row.id)
}

/** Adds endpoints to a group by name, made when new. @returns the group's id */
export async function addToGroup(store: Store, name: string, keys: readonly EndpointKey[]): Promise<number> {
  const ids = await endpointIds(store, keys)
  if (ids.length < keys.length) throw new Failure('NO_SUCH_ENDPOINT', {})
  const known = await store.db
    .selectFrom('collections')
    .select('id')
    .where('name', '=', name.trim())
    .executeTakeFirst()
  const id = known === undefined ? await createGroup(store, checkedName(name), []) : known.id
  await requireGroup(store, { id })
  await store.pool.query(
    `INSERT INTO group_members (group_id, endpoint_id, is_by_condition)
     SELECT $1, t.id, false FROM unnest($2::bigint[]) AS t (id)
     ON CONFLICT (group_id, endpoint_id) DO UPDATE SET is_by_condition = false`,
    [id, ids],
  )
  return id
}

/** Takes endpoints out of a group that were added one by one. @returns the group's id */
export async function removeFromGroup(
  store: Store,
  name: string,
  keys: readonly EndpointKey[],
): Promise<number> {
  const ids = await endpointIds(store, keys)
  const known = await store.db
    .selectFrom('collections')
    .select('id')
    .where('name', '=', name.trim())
    .executeTakeFirst()
  if (known === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  await requireGroup(store, { id: known.id })
  await store.pool.query(
    'DELETE FROM group_members WHERE group_id = $1 AND endpoint_id = ANY ($2::bigint[])',
    [known.id, ids],
  )
  await refreshGroupMembers(store, known.id)
  return known.id
}

async function requireGroup(store: Store, { id }: { id: number }): Promise<void> {
  const group = await store.db
    .selectFrom('collections')
    .select(['kind', 'is_automated'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (group === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  if (group.kind !== 'GROUP') throw new Failure('NOT_A_GROUP', {})
  if (group.is_automated) throw new Failure('AUTOMATED_GROUP_FIXED', {})
}
