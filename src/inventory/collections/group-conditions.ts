import { filterInSlices } from '../../kit/in-slices.ts'
import { Failure, storableJson } from '../../kit/index.ts'
import { shortPattern } from '../../kit/short-pattern.ts'
import type { GroupCondition, Queryable } from '../../store/index.ts'
import { visibleTo } from '../endpoints/endpoint-view.ts'

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
  if (typeof value !== 'string' || value === '') {
    throw new Failure('INVALID_CONDITION', { reason: 'data.regex must be a pattern' })
  }
  try {
    return shortPattern(value, { ignoresCase: true }).test
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

/** SQL true of facts `f` about a parameter of one of the names: whole, or behind its place. */
function ofParameters(names: readonly string[], add: Add): string {
  const short = names.map((name) => name.slice(name.lastIndexOf('#') + 1))
  // The first two lines are those of the index of names.
  return `f.kind IN ('QUERY', 'REQUEST_BODY', 'RESPONSE_BODY', 'REQUEST_HEADER', 'RESPONSE_HEADER', 'COOKIE')
    AND regexp_replace(f.name, '^.*#', '') = ANY (${add([...new Set([...names, ...short])])}::text[])
    AND (f.name = ANY (${add(names)}::text[]) OR regexp_replace(f.name, '^.*#', '') = ANY (${add(names)}::text[]))`
}

/** Endpoints with a parameter of one of the names: all at once, or asked of each on its own. */
function withParameters(names: readonly string[], { add, isEach }: CompileDeps): string {
  const facts = ofParameters(names, add)
  if (isEach) {
    return `EXISTS (SELECT FROM endpoints m JOIN endpoint_facts f ON f.endpoint_id = m.id
      WHERE m.root_id = e.id AND ${facts} OFFSET 0)`
  }
  // The endpoints behind a template are checked one by one: joined, all facts of the name would be looked up once more.
  return `(e.id IN (SELECT f.endpoint_id FROM endpoint_facts f WHERE ${facts})
    OR e.id IN (SELECT m.root_id FROM endpoints m WHERE m.root_id <> m.id AND EXISTS (
      SELECT FROM endpoint_facts f WHERE f.endpoint_id = m.id AND ${facts} OFFSET 0)))`
}

/** The collections that have endpoints, with the host of each. */
type Hosts = readonly { id: number; host_name: string | null }[]

/** What compiling goes by beside the conditions. */
interface CompileDeps {
  readonly add: Add
  readonly hosts: Hosts
  /** Conditions on parameters are asked of each endpoint on its own: best where few or most of them meet. */
  readonly isEach: boolean
}

/** Endpoints by the pattern of a host. Those of a collection without one may hold theirs in their urls. */
function byHost(matches: (text: string) => boolean, { add, hosts }: CompileDeps): Compiled {
  const hostless = hosts.filter(({ host_name }) => host_name === null)
  const met = hosts.filter(({ host_name }) => host_name !== null && matches(host_name))
  return {
    sql: `e.collection_id = ANY (${add([...met, ...hostless].map(({ id }) => id))}::integer[])`,
    test:
      hostless.length === 0
        ? null
        : ({ host_name, url }) => matches(host_name ?? /^[a-z]+:\/\/([^/]*)/.exec(url)?.[1] ?? ''),
  }
}

function compileOne({ type, data }: GroupCondition, deps: CompileDeps): Compiled {
  if (storableJson(data) !== JSON.stringify(data))
    throw new Failure('INVALID_CONDITION', { reason: 'data holds U+0000 or half a surrogate pair' })
  const { add } = deps
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
    case 'HOST_REGEX':
      return byHost(pattern(data), deps)
    case 'URL_REGEX': {
      const matches = pattern(data)
      const { regex } = data as { regex: string }
      if (PLAIN_TEXT.test(regex))
        return inDatabase(`strpos(e.url_folded, ${add(regex.toLowerCase())}::text) > 0`)
      return { sql: 'true', test: ({ url }) => matches(url) }
    }
    case 'PARAM':
      return inDatabase(withParameters(texts(data, 'names'), deps))
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
  deps: CompileDeps,
): Compiled & { readonly either: string } {
  const all: Compiled[] = []
  const some: Compiled[] = []
  for (const [index, condition] of conditions.entries()) {
    try {
      ;(condition.operator === 'OR' ? some : all).push(compileOne(condition, deps))
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
  // Where a pattern is one of the alternatives, the database only tells which endpoints no longer need it.
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
interface ConditionScope {
  /** Collections and groups the asker may see; null = all. */
  visible: readonly number[] | null
  /** Only these are looked at; null = all. */
  endpointIds: readonly number[] | null
  /** Part of them, by url then method; null = all. */
  page: { skip: number; limit: number } | null
}

/** Up to this many endpoints are found at once and sorted; of more, a page is met soon in order. */
const FEW = 10_000

async function hostsFor(client: Queryable, conditions: readonly GroupCondition[]): Promise<Hosts> {
  if (!conditions.some(({ type }) => type === 'HOST_REGEX')) return []
  const { rows } = await client.query<Hosts[number]>(
    `SELECT c.id, c.host_name FROM collections c
     WHERE EXISTS (SELECT FROM endpoints e WHERE e.collection_id = c.id AND e.is_listed)`,
  )
  return rows
}

/** A statement's source of endpoints with its parameters. */
interface Found {
  readonly from: string
  readonly either: string
  readonly test: Compiled['test']
  readonly parameters: unknown[]
  readonly add: Add
}

function find(
  conditions: readonly GroupCondition[],
  { visible, endpointIds }: ConditionScope,
  hosts: Hosts,
  isEach: boolean,
): Found {
  const parameters: unknown[] = []
  const add: Add = (value) => `$${parameters.push(value)}`
  const { sql, either, test } = compile(conditions, { add, hosts, isEach })
  const where = ['e.is_listed', sql]
  if (endpointIds !== null) where.push(`e.id = ANY (${add(endpointIds)}::bigint[])`)
  if (visible !== null) where.push(visibleTo(add(visible)))
  return { from: `FROM endpoints e WHERE ${where.join(' AND ')}`, either, test, parameters, add }
}

/**
 * Endpoints that meet conditions, by url then method, and the number of all that do.
 *
 * @throws Failure INVALID_CONDITION
 */
export async function endpointsOfConditions(
  client: Queryable,
  conditions: readonly GroupCondition[],
  scope: ConditionScope,
): Promise<{ endpoints: Candidate[]; total: number }> {
  const { page } = scope
  const hosts = await hostsFor(client, conditions)
  const all = find(conditions, scope, hosts, scope.endpointIds !== null)
  const { test } = all
  if (test !== null) {
    const { rows } = await client.query<Candidate>(
      `SELECT e.id, e.collection_id, (SELECT c.host_name FROM collections c WHERE c.id = e.collection_id) AS host_name,
         e.method, e.url, ${all.either} AS is_met ${all.from} ORDER BY e.url, e.method, e.id`,
      all.parameters,
    )
    const endpoints = await filterInSlices(rows, test)
    const shown = page === null ? endpoints : endpoints.slice(page.skip, page.skip + page.limit)
    return { endpoints: shown, total: endpoints.length }
  }
  const counted =
    page &&
    (await client.query<{ count: number }>(`SELECT count(*) AS count ${all.from}`, all.parameters)).rows[0]!
      .count
  // Endpoints with a text in their url may all stand at the end of that order.
  const isInOrder = counted !== null && counted > FEW && !conditions.some(({ type }) => type === 'URL_REGEX')
  const met = isInOrder ? find(conditions, scope, hosts, true) : all
  const columns = 'e.id, e.collection_id, NULL AS host_name, e.method, e.url, true AS is_met'
  const part = page === null ? '' : `OFFSET ${met.add(page.skip)} LIMIT ${met.add(page.limit)}`
  const { rows } = await client.query<Candidate>(
    isInOrder
      ? `SELECT ${columns} ${met.from} ORDER BY e.url, e.method, e.id ${part}`
      : `SELECT * FROM (SELECT ${columns} ${met.from} OFFSET 0) e ORDER BY e.url, e.method, e.id ${part}`,
    met.parameters,
  )
  return { endpoints: rows, total: counted ?? rows.length }
}

/** @throws Failure INVALID_CONDITION */
export function requireValid(conditions: readonly GroupCondition[]): void {
  compile(conditions, { add: () => '', hosts: [], isEach: false })
}
