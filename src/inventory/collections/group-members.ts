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
  /** Whether one of the alternatives that the database decides is met. */
  is_met: boolean
}

/** A condition in two steps: what the database decides, and a pattern that only the linear engine here may judge. */
interface Compiled {
  /** SQL over `e` and its collection `c`; exact where there is no `test`, else true of every endpoint. */
  readonly sql: string
  readonly test: ((candidate: Candidate) => boolean) | null
}

const MAX_PATTERN = 1000
/** Greatest number of the columns that hold ids of collections. */
const MAX_INTEGER = 2_147_483_647
/** A pattern that means itself. */
const PLAIN_TEXT = /^[A-Za-z0-9/_-]+$/

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

/** Adds a parameter of a statement, and answers its place. */
type Add = (value: unknown) => string

function exactly(data: unknown, add: Add): string {
  const list = (data as { apisList?: { apiCollectionId: number; method: string; url: string }[] } | null)
    ?.apisList
  if (!Array.isArray(list))
    throw new Failure('INVALID_CONDITION', { reason: 'data.apisList must be endpoint keys' })
  const keys = list.filter(
    (key) =>
      Number.isInteger(key?.apiCollectionId) &&
      Math.abs(key.apiCollectionId) <= MAX_INTEGER &&
      typeof key.method === 'string' &&
      typeof key.url === 'string',
  )
  return `(e.collection_id, e.method, e.url) IN (SELECT * FROM unnest(${add(keys.map((key) => key.apiCollectionId))}::integer[],
    ${add(keys.map((key) => key.method))}::text[], ${add(keys.map((key) => key.url))}::text[]))`
}

/** Endpoints with a parameter of one of the names. */
function withParameters(names: string, ids: string | null): string {
  return `e.id IN (SELECT m.root_id FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
    WHERE f.kind IN ('QUERY', 'REQUEST_BODY', 'RESPONSE_BODY', 'REQUEST_HEADER', 'RESPONSE_HEADER', 'COOKIE')
      AND (f.name = ANY (${names}::text[])
        OR strpos(f.name, '#') > 0 AND regexp_replace(f.name, '^.*#', '') = ANY (${names}::text[]))
      ${ids === null ? '' : `AND m.root_id = ANY (${ids}::bigint[])`})`
}

function compileOne({ type, data }: GroupCondition, add: Add, ids: string | null): Compiled {
  const inDatabase = (sql: string): Compiled => ({ sql, test: null })
  const types = (): string => `${add(texts(data, 'types'))}::text[]`
  switch (type) {
    case 'ALL':
      return inDatabase('true')
    case 'CUSTOM':
      return inDatabase(exactly(data, add))
    case 'COLLECTION': {
      const wanted = integers(data, 'apiCollectionIds').filter((id) => Math.abs(id) <= MAX_INTEGER)
      return inDatabase(`e.collection_id = ANY (${add(wanted)}::integer[])`)
    }
    case 'METHOD': {
      const methods = texts(data, 'methods').map((method) => method.toUpperCase())
      return inDatabase(`e.method = ANY (${add(methods)}::text[])`)
    }
    case 'HOST_REGEX': {
      const matches = pattern(data)
      return {
        sql: 'true',
        test: ({ host_name, url }) => matches(host_name ?? /^[a-z]+:\/\/([^/]*)/.exec(url)?.[1] ?? ''),
      }
    }
    case 'URL_REGEX': {
      const matches = pattern(data)
      const { regex } = data as { regex: string }
      if (PLAIN_TEXT.test(regex))
        return inDatabase(`strpos(e.url_folded, ${add(regex.toLowerCase())}::text) > 0`)
      return { sql: 'true', test: ({ url }) => matches(url) }
    }
    case 'PARAM':
      return inDatabase(withParameters(add(texts(data, 'names')), ids))
    case 'SENSITIVE_TYPE':
      return inDatabase(`e.sensitive_in_response && ${types()}`)
    case 'AUTH_TYPE':
      return inDatabase(`e.actual_auth_types && ${types()}`)
    case 'ACCESS_TYPE':
      return inDatabase(`e.access_types && ${types()}`)
    case 'API_TYPE':
      return inDatabase(`e.api_type = ANY (${types()})`)
    default:
      throw new Failure('INVALID_CONDITION', { reason: `unknown type ${type}` })
  }
}

/**
 * Compiles conditions: those with AND must all hold, of those with OR at least one must. Patterns of people never reach
 * the database, whose engine goes back on its steps.
 *
 * @throws Failure INVALID_CONDITION with the condition's index
 */
function compile(
  conditions: readonly GroupCondition[],
  add: Add,
  ids: string | null,
): Compiled & { readonly either: string } {
  const all: Compiled[] = []
  const some: Compiled[] = []
  for (const [index, condition] of conditions.entries()) {
    try {
      ;(condition.operator === 'OR' ? some : all).push(compileOne(condition, add, ids))
    } catch (error) {
      if (error instanceof Failure && error.code === 'INVALID_CONDITION') {
        throw new Failure(error.code, { ...error.details, index }, { cause: error })
      }
      throw error
    }
  }
  const rules = all.flatMap(({ test }) => test ?? [])
  const choices = some.flatMap(({ test }) => test ?? [])
  const either =
    some.length === 0
      ? 'true'
      : some
          .filter(({ test }) => test === null)
          .map(({ sql }) => `(${sql})`)
          .join(' OR ') || 'false'
  // Where a pattern is one of the alternatives, the database only tells which endpoints need it no more.
  const where = choices.length === 0 ? [...all.map(({ sql }) => sql), either] : all.map(({ sql }) => sql)
  const isJudgedHere = rules.length > 0 || choices.length > 0
  return {
    sql: ['true', ...where].map((sql) => `(${sql})`).join(' AND '),
    either: `(${either})`,
    test: isJudgedHere
      ? (candidate) =>
          rules.every((test) => test(candidate)) &&
          (candidate.is_met || choices.some((test) => test(candidate)))
      : null,
  }
}

/** Which endpoints conditions are asked about. */
export interface ConditionScope {
  /** Collections and groups the asker may see; null = all. */
  visible: readonly number[] | null
  /** Only these are looked at; null = all. */
  endpointIds: readonly number[] | null
  /** Part of them, by url then method; null = all. */
  page: { skip: number; limit: number } | null
}

/**
 * Endpoints that meet conditions, by url then method, and the number of all that do.
 *
 * @throws Failure INVALID_CONDITION
 */
export async function endpointsOfConditions(
  client: Queryable,
  conditions: readonly GroupCondition[],
  { visible, endpointIds, page }: ConditionScope,
): Promise<{ endpoints: Candidate[]; total: number }> {
  const parameters: unknown[] = []
  const add: Add = (value) => `$${parameters.push(value)}`
  const ids = endpointIds === null ? null : add(endpointIds)
  const { sql, either, test } = compile(conditions, add, ids)
  const where = ['e.root_id = e.id', sql]
  if (ids !== null) where.push(`e.id = ANY (${ids}::bigint[])`)
  if (visible !== null) where.push(visibleTo(add(visible)))
  const found = `FROM endpoints e WHERE ${where.join(' AND ')}`
  if (test !== null) {
    const { rows } = await client.query<Candidate>(
      `SELECT e.id, e.collection_id, (SELECT c.host_name FROM collections c WHERE c.id = e.collection_id) AS host_name,
         e.method, e.url, ${either} AS is_met ${found} ORDER BY e.url, e.method, e.id`,
      parameters,
    )
    const endpoints = rows.filter(test)
    const shown = page === null ? endpoints : endpoints.slice(page.skip, page.skip + page.limit)
    return { endpoints: shown, total: endpoints.length }
  }
  const counted =
    page && (await client.query<{ count: number }>(`SELECT count(*) AS count ${found}`, parameters))
  const part = page === null ? '' : `OFFSET ${add(page.skip)} LIMIT ${add(page.limit)}`
  const { rows } = await client.query<Candidate>(
    `SELECT e.id, e.collection_id, NULL AS host_name, e.method, e.url, true AS is_met ${found}
     ORDER BY e.url, e.method, e.id ${part}`,
    parameters,
  )
  return { endpoints: rows, total: counted === null ? rows.length : counted.rows[0]!.count }
}

/** @throws Failure INVALID_CONDITION */
function requireValid(conditions: readonly GroupCondition[]): void {
  compile(conditions, () => '', null)
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
    const { endpoints: members } = await endpointsOfConditions(store.pool, group.conditions, {
      visible: null,
      endpointIds: null,
      page: null,
    })
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
  requireValid(conditions)
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
  requireValid(conditions)
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
