import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import {
  type EndpointOverviewView,
  inCollection,
  isCaredFor,
  isHashed,
  isInState,
  OVERVIEW_COLUMNS,
  visibleTo,
} from './endpoint-view.ts'
import { TESTED_SECONDS, testStateOf } from './test-state.ts'

/** Filters of an endpoint search; null and empty lists do not filter. */
interface EndpointSearch {
  collectionId: number | null
  text: string | null
  /** A path: only endpoints at it or below it; `/` is the root path only. */
  pathPrefix?: string | null
  methods: readonly string[] | null
  authTypes: readonly string[] | null
  apiTypes: readonly string[] | null
  accessTypes: readonly string[] | null
  sensitiveTypes: readonly string[] | null
  isSensitive: boolean | null
  isDocumented: boolean | null
  isCalled?: boolean | null
  /** Called before this moment and not since; epoch seconds. */
  quietSince?: number | null
  discoveredFrom: number | null
  discoveredTo: number | null
  /** Only endpoints in these states of testing, of active collections. */
  testStates?: readonly string[] | null
  tags?: readonly string[] | null
  /** An empty text means those without one. */
  owners?: readonly string[] | null
  /** Some of the states of an endpoint. */
  states?: readonly string[] | null
  sortKey: string
  isDescending: boolean
  skip: number
  limit: number
  /** Collections and groups the asker was granted; null = all. */
  visible: readonly number[] | null
  /** Count every match, however many there are. */
  countsAll: boolean
}

/** Columns by sort key. */
const SORT_COLUMNS: Record<string, string> = {
  url: 'e.url',
  method: 'e.method',
  riskScore: 'e.risk_score',
  severityScore: 'e.severity_score',
  lastSeen: 'e.last_seen',
  discoveredTimestamp: 'e.discovered_at',
  callCount: 'e.call_count',
  lastTested: 'e.last_tested',
  recentAttacks: 'e.recent_attacks',
  latencyP50: 'e.latency_p50',
  latencyP95: 'e.latency_p95',
}

/** Sensitive endpoints, in the words of the index that holds them. */
const SENSITIVE = `(e.sensitive_in_request <> '{}' OR e.sensitive_in_response <> '{}')`

/** Path of an endpoint without host and query, with one slash at its end. */
const PATH = `rtrim(split_part(split_part(regexp_replace(e.url, '^[a-z]+://[^/]*', '', 'i'), '?', 1), '#', 1), '/') || '/'`

/** Up to this many matches are named by id, so that a page of them is sorted without looking for them again. */
const FEW = 2000

/** Counting ends here unless all are wanted: it would otherwise read the whole of a large inventory for each page. */
const MOST_COUNTED = 10_000

/** A page of endpoints, and how many there are. */
interface EndpointPage {
  endpoints: EndpointOverviewView[]
  total: number
  /** False when counting ended before the last match. */
  isTotalExact: boolean
}

/**
 * One page of the endpoints that meet every filter, with the number of all of them as far as they are counted. Those of
 * deactivated collections are left out, unless such a collection is asked for.
 */
export async function searchEndpoints(source: CountSource, search: EndpointSearch): Promise<EndpointPage> {
  const store = await upToDate(source)
  const parameters: unknown[] = []
  const add = (value: unknown): string => `$${parameters.push(value)}`
  const closed = await deactivatedOf(store, search.collectionId)
  const conditions = (areFew: boolean): string =>
    [
      ...conditionsOf(search, add, areFew),
      ...(closed.length === 0 ? [] : [`e.collection_id <> ALL (${add(closed)}::integer[])`]),
    ].join(' AND ')
  let where = conditions(true)
  const most = search.countsAll ? null : MOST_COUNTED
  const { count, ids } = await countMatches(store, where, parameters, most)
  if (ids === null) {
    parameters.length = 0
    where = conditions(false)
  }
  const isTotalExact = most === null || count <= most
  const hasText = search.text !== null && search.text !== ''
  const from = count <= MOST_COUNTED || hasText ? collected(where) : `endpoints e WHERE ${where}`
  const page =
    ids === null
      ? { from, parameters }
      : { from: 'endpoints e WHERE e.id = ANY ($1::bigint[])', parameters: [ids] }
  return {
    endpoints: count === 0 ? [] : await readPage(store, page.from, page.parameters, search),
    total: isTotalExact ? count : most,
    isTotalExact,
  }
}

/** Deactivated collections, whose endpoints nobody may open; without the one that was asked for. */
async function deactivatedOf(store: Store, asked: number | null): Promise<number[]> {
  const { rows } = await store.pool.query<{ id: number }>(
    'SELECT id FROM collections WHERE is_deactivated AND id IS DISTINCT FROM $1',
    [asked],
  )
  return rows.map(({ id }) => id)
}

/** How many endpoints match, up to one more than the limit, and their ids when they are few. */
async function countMatches(
  store: Store,
  where: string,
  parameters: readonly unknown[],
  most: number | null,
): Promise<{ count: number; ids: number[] | null }> {
  const limit = most === null ? '' : `LIMIT ${most + 1}`
  const { rows } = await store.pool.query<{ count: number; ids: number[] | null }>(
    `SELECT count(*) AS count, CASE WHEN count(*) <= ${FEW} THEN array_agg(x.id) END AS ids
     FROM (SELECT e.id FROM endpoints e WHERE ${where} ${limit}) x`,
    [...parameters],
  )
  return rows[0]!
}

/**
 * All matches before any is sorted. Reading in the order of the page until it is full is quicker where matches are met
 * soon, but those with a text may all stand at the end of that order.
 */
function collected(where: string): string {
  const columns = [
    'e.id',
    'e.method',
    ...Object.values(SORT_COLUMNS).filter((column) => column !== 'e.method'),
  ]
  return `(SELECT ${columns.join(', ')} FROM endpoints e WHERE ${where} OFFSET 0) e`
}

/** The page is found on narrow rows first; only its endpoints are read whole. */
async function readPage(
  store: Store,
  from: string,
  parameters: readonly unknown[],
  search: EndpointSearch,
): Promise<EndpointOverviewView[]> {
  const order = orderOf(search)
  const [skip, limit] = [parameters.length + 1, parameters.length + 2]
  const { rows } = await store.pool.query<EndpointOverviewView>(
    `WITH page AS MATERIALIZED (
       SELECT e.id FROM ${from} ORDER BY ${order} OFFSET $${skip} LIMIT $${limit})
     SELECT ${OVERVIEW_COLUMNS} FROM page p JOIN endpoints e ON e.id = p.id JOIN collections c ON c.id = e.collection_id
     ORDER BY ${order}`,
    [...parameters, search.skip, search.limit],
  )
  return rows
}

function orderOf(search: EndpointSearch): string {
  const direction = search.isDescending ? 'DESC' : 'ASC'
  const column = SORT_COLUMNS[search.sortKey] ?? 'e.url'
  const both = `e.url ${direction}, e.method ${direction}, e.id ${direction}`
  if (column === 'e.url') return both
  return `${column} ${direction}, ${column === 'e.risk_score' ? both : 'e.url, e.method, e.id'}`
}

/**
 * SQL of every filter that was asked for. A collection of which few endpoints are expected is read by its own index,
 * of many each endpoint is tested against it.
 */
function conditionsOf(search: EndpointSearch, add: (value: unknown) => string, areFew: boolean): string[] {
  const where = ['e.is_listed']
  const anyOf = (column: string, values: readonly string[] | null, type = 'text[]'): void => {
    if (values !== null && values.length > 0) where.push(`${column} && ${add(values)}::${type}`)
  }
  if (search.collectionId !== null) {
    const within = inCollection(`${add(search.collectionId)}::integer`)
    where.push(areFew ? within : isHashed(within))
  }
  if (search.visible !== null) where.push(visibleTo(add(search.visible)))
  if (search.text !== null && search.text !== '')
    where.push(`strpos(e.url_folded, lower(${add(search.text)}::text)) > 0`)
  if (search.pathPrefix) {
    const prefix = add(`${search.pathPrefix.replace(/\/+$/, '')}/`)
    where.push(search.pathPrefix === '/' ? `${PATH} = ${prefix}` : `starts_with(${PATH}, ${prefix})`)
  }
  if (search.methods?.length) where.push(`e.method = ANY (${add(search.methods)}::text[])`)
  if (search.apiTypes?.length) where.push(`e.api_type = ANY (${add(search.apiTypes)}::text[])`)
  anyOf('e.actual_auth_types', search.authTypes)
  anyOf('e.access_types', search.accessTypes)
  if (search.sensitiveTypes?.length) {
    // That of the index of sensitive endpoints, for as long as they are few.
    if (areFew) where.push(SENSITIVE)
    const types = `${add(search.sensitiveTypes)}::text[]`
    where.push(`(e.sensitive_in_request && ${types} OR e.sensitive_in_response && ${types})`)
  }
  // The few that are have their own index; the many that are not are recognised by a short column.
  if (search.isSensitive === true) where.push(SENSITIVE)
  if (search.isSensitive === false) where.push('NOT e.is_sensitive')
  if (search.isDocumented !== null) where.push(`e.is_documented = ${add(search.isDocumented)}`)
  if (typeof search.isCalled === 'boolean') where.push(`e.call_count ${search.isCalled ? '>' : '='} 0`)
  if (search.quietSince) where.push(`e.call_count > 0 AND e.last_seen < ${add(search.quietSince)}`)
  if (search.tags?.length) where.push(isCaredFor(`a.tags && ${add(search.tags)}::text[]`))
  if (search.owners?.length) {
    const owned = isCaredFor(`a.owner = ANY (${add(search.owners)}::text[]) AND a.owner <> ''`)
    where.push(search.owners.includes('') ? `(${owned} OR NOT ${isCaredFor("a.owner <> ''")})` : owned)
  }
  if (search.states?.length) where.push(isInState(add(search.states), search.states.includes('ACTIVE')))
  if (search.discoveredFrom !== null) where.push(`e.discovered_at >= ${add(search.discoveredFrom)}`)
  if (search.discoveredTo !== null) where.push(`e.discovered_at <= ${add(search.discoveredTo)}`)
  if (search.testStates?.length) {
    const since = add(nowSeconds() - TESTED_SECONDS)
    where.push(`(${testStateOf(`${since}::integer`)}) = ANY (${add(search.testStates)}::text[])`)
  }
  return where
}
