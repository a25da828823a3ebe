import type { Queryable } from '../../store/index.ts'
import { type ApiScope, scopeCondition, scopeOf } from './api-scope.ts'
import { facetsOf } from './event-filter.ts'
import { type EventWindow, isOpen } from './event-window.ts'
import { actorsOf, rankByActors } from './rank-apis.ts'
import { Statement } from './statement.ts'
import { apiEventsWithin } from './window-counts.ts'

/** Which endpoints are meant: those with an event in the window that the caller may see and that fits. */
interface ApiFilter {
  /** Collections that the caller may see, null for all; what has no known collection is always seen. */
  readonly visible: readonly number[] | null
  readonly window: EventWindow
  readonly filterIds?: readonly string[] | null
}

/** What a page of endpoints is sorted by, and where it begins. */
export interface ApiPage {
  readonly sort: 'discoveredAt' | 'requestsCount' | 'actorsCount'
  readonly isAscending: boolean
  readonly skip: number
  readonly limit: number
}

/** An endpoint under attack. */
interface ApiView {
  readonly path: string
  readonly method: string
  readonly host: string
  /** Events of the window, and distinct actors of them. */
  readonly events: number
  readonly actors: number
  /** First event ever; with a filter, or where the caller may see a part of the events only, the first that fits. */
  readonly firstSeen: number
}

/** How the endpoints are found. */
interface AskedApis {
  readonly window: EventWindow
  /** Null: all. */
  readonly facets: readonly number[] | null
  /** Null: all. */
  readonly scope: ApiScope | null
}

const SORTS = { discoveredAt: 'first_seen', requestsCount: 'events', actorsCount: 'actors' } as const

/** One page of the endpoints that fit, and their number. */
export async function listApis(
  db: Queryable,
  filter: ApiFilter,
  page: ApiPage,
): Promise<{ apis: ApiView[]; total: number }> {
  const scope = await scopeOf(db, filter)
  const facets = scope === null ? await facetsOf(db, filter) : null
  const asked = { window: filter.window, facets, scope }
  const isCounted = facets !== null || isAlways(filter.window)
  if (!isCounted && page.sort === 'actorsCount') return listByActors(db, asked, page)
  const statement = new Statement()
  const text = apisText(asked, statement)
  const { rows } = await db.query<ApiView & { id: number; total: number }>(
    `SELECT id, path, method, host, events, actors, first_seen AS "firstSeen", count(*) OVER () AS total FROM (${text}) a
     ${orderOf(page)} OFFSET ${statement.put(page.skip)} LIMIT ${statement.put(page.limit)}`,
    statement.values,
  )
  const ids = rows.map(({ id }) => id)
  const actors = isCounted ? null : await actorsOf(db, ids, filter.window)
  return {
    apis: rows.map(({ id, total: _total, ...row }) => ({ ...row, actors: actors?.get(id) ?? row.actors })),
    total: rows[0]?.total ?? (await countApis(db, asked, page)),
  }
}

/** One page by distinct actors in a window that no figure was kept for. */
async function listByActors(
  db: Queryable,
  { window, scope }: AskedApis,
  page: ApiPage,
): Promise<{ apis: ApiView[]; total: number }> {
  const wanted = { count: page.skip + page.limit, isAscending: page.isAscending }
  const { apis, total } = await rankByActors(db, window, wanted, scope)
  const statement = new Statement()
  const column = (values: readonly number[]): string => `${statement.put(values)}::integer[]`
  const { rows } = await db.query<ApiView>(
    `SELECT p.path, p.method, p.host, a.events, a.actors, p.first_seen AS "firstSeen"
     FROM unnest(${column(apis.map(({ id }) => id))}, ${column(apis.map(({ events }) => events))},
       ${column(apis.map(({ actors }) => actors))}) AS a (id, events, actors) JOIN threat_apis p ON p.id = a.id
     ${orderOf(page)} OFFSET ${statement.put(page.skip)} LIMIT ${statement.put(page.limit)}`,
    statement.values,
  )
  return { apis: rows, total }
}

function orderOf(page: ApiPage): string {
  return `ORDER BY ${SORTS[page.sort]} ${page.isAscending ? 'ASC' : 'DESC'}, path, method, host`
}

/** Figures of all times are kept. */
function isAlways(window: EventWindow): boolean {
  return isOpen(window) && window.from === 0
}

/** Behind the last page there is no row that could tell the number. */
async function countApis(db: Queryable, asked: AskedApis, page: ApiPage): Promise<number> {
  if (page.skip === 0) return 0
  const statement = new Statement()
  const text = apisText(asked, statement)
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM (${text}) a`,
    statement.values,
  )
  return rows[0]!.count
}

function apisText({ window, facets, scope }: AskedApis, statement: Statement): string {
  if (facets !== null) return fittingApis(facets, window, statement)
  const inScope = scopeCondition(scope, statement)
  if (isAlways(window))
    return `SELECT id, path, method, host, events, actors, first_seen FROM threat_apis p WHERE events > 0 AND ${inScope}`
  return `SELECT p.id, p.path, p.method, p.host, c.events, 0 AS actors, p.first_seen
    FROM (${apiEventsWithin(window, statement)}) c JOIN threat_apis p ON p.id = c.api_id WHERE ${inScope}`
}

/** Endpoints by the events that fit, for filters that no figure was kept for. */
function fittingApis(facets: readonly number[], window: EventWindow, statement: Statement): string {
  return `SELECT p.id, p.path, p.method, p.host, c.events, c.actors, c.first_seen FROM (
      SELECT api_id, sum(events)::integer AS events, count(*)::integer AS actors, min(first_seen) AS first_seen FROM (
        SELECT e.api_id, e.actor_id, count(*) AS events, min(e.detected_at) AS first_seen FROM threat_events e
        WHERE e.detected_at BETWEEN ${statement.put(window.from)} AND ${statement.put(window.to)}
          AND e.facet_id = ANY (${statement.put(facets)}::integer[]) GROUP BY 1, 2) m GROUP BY 1
    ) c JOIN threat_apis p ON p.id = c.api_id`
}
