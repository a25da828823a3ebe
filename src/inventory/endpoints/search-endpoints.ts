import type { Store } from '../../store/index.ts'
import { ENDPOINT_COLUMNS, type EndpointView, inCollection, visibleTo } from './endpoint-view.ts'

/** Filters of an endpoint search; null and empty lists do not filter. */
export interface EndpointSearch {
  collectionId: number | null
  text: string | null
  methods: readonly string[] | null
  authTypes: readonly string[] | null
  apiTypes: readonly string[] | null
  accessTypes: readonly string[] | null
  sensitiveTypes: readonly string[] | null
  isSensitive: boolean | null
  isDocumented: boolean | null
  discoveredFrom: number | null
  discoveredTo: number | null
  sortKey: string
  isDescending: boolean
  skip: number
  limit: number
  /** Collections and groups the asker was granted; null = all. */
  visible: readonly number[] | null
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
}

/** Up to this many endpoints with a text are found once and then named by id. */
const FEW = 2000

/** An endpoint `e` whose url holds the text of a parameter, without regard to case. */
function hasText(parameter: string): string {
  return `strpos(e.url_folded, lower(${parameter}::text)) > 0`
}

/**
 * Ids of the endpoints with a text, when they are few; else null. Few are sorted and filtered quickest by id; many are
 * met soon in any order.
 */
async function fewWithText(store: Store, text: string): Promise<number[] | null> {
  const { rows } = await store.pool.query<{ id: number }>(
    `SELECT e.id FROM endpoints e WHERE e.root_id = e.id AND ${hasText('$1')} LIMIT $2`,
    [text, FEW + 1],
  )
  return rows.length > FEW ? null : rows.map(({ id }) => id)
}

/** One page of the endpoints that meet every filter, with the number of all of them. */
export async function searchEndpoints(
  store: Store,
  search: EndpointSearch,
): Promise<{ endpoints: EndpointView[]; total: number }> {
  const parameters: unknown[] = []
  const add = (value: unknown): string => `$${parameters.push(value)}`
  const where = ['e.root_id = e.id']
  const anyOf = (column: string, values: readonly string[] | null, type = 'text[]'): void => {
    if (values !== null && values.length > 0) where.push(`${column} && ${add(values)}::${type}`)
  }
  if (search.collectionId !== null) where.push(inCollection(`${add(search.collectionId)}::integer`))
  if (search.visible !== null) where.push(visibleTo(add(search.visible)))
  if (search.text !== null && search.text !== '') {
    const few = await fewWithText(store, search.text)
    where.push(few === null ? hasText(add(search.text)) : `e.id = ANY (${add(few)}::bigint[])`)
  }
  if (search.methods?.length) where.push(`e.method = ANY (${add(search.methods)}::text[])`)
  if (search.apiTypes?.length) where.push(`e.api_type = ANY (${add(search.apiTypes)}::text[])`)
  anyOf('e.actual_auth_types', search.authTypes)
  anyOf('e.access_types', search.accessTypes)
  if (search.sensitiveTypes?.length) {
    // The first line is that of the index of sensitive endpoints, which are few.
    where.push(`(e.sensitive_in_request <> '{}' OR e.sensitive_in_response <> '{}')`)
    anyOf('(e.sensitive_in_request || e.sensitive_in_response)', search.sensitiveTypes)
  }
  // The few that are have an index of their own; the many that are not are told by a short column.
  if (search.isSensitive === true) where.push(`e.sensitive_in_response <> '{}'`)
  if (search.isSensitive === false) where.push('NOT e.has_sensitive_response')
  if (search.isDocumented !== null) where.push(`e.is_documented = ${add(search.isDocumented)}`)
  if (search.discoveredFrom !== null) where.push(`e.discovered_at >= ${add(search.discoveredFrom)}`)
  if (search.discoveredTo !== null) where.push(`e.discovered_at <= ${add(search.discoveredTo)}`)
  const found = `FROM endpoints e WHERE ${where.join(' AND ')}`
  const counted = await store.pool.query<{ count: number }>(`SELECT count(*) AS count ${found}`, parameters)
  const direction = search.isDescending ? 'DESC' : 'ASC'
  const column = SORT_COLUMNS[search.sortKey] ?? 'e.url'
  const tie =
    column === 'e.risk_score'
      ? `e.url ${direction}, e.method ${direction}, e.id ${direction}`
      : 'e.url, e.method, e.id'
  const order =
    column === 'e.url'
      ? `e.url ${direction}, e.method ${direction}, e.id ${direction}`
      : `${column} ${direction}, ${tie}`
  // The page is found on narrow rows first; only its endpoints are read whole.
  const { rows } = await store.pool.query<EndpointView>(
    `WITH page AS MATERIALIZED (SELECT e.id ${found} ORDER BY ${order} OFFSET ${add(search.skip)} LIMIT ${add(search.limit)})
     SELECT ${ENDPOINT_COLUMNS} FROM page p JOIN endpoints e ON e.id = p.id JOIN collections c ON c.id = e.collection_id
     ORDER BY ${order}`,
    parameters,
  )
  return { endpoints: rows, total: counted.rows[0]!.count }
}
