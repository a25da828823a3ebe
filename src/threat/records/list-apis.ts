import type { Queryable } from '../../store/index.ts'
import { facetsOf } from './event-filter.ts'
import { cutWindow, type EventWindow, isOpen } from './event-window.ts'
import { Statement } from './statement.ts'

/** Which endpoints are meant: those with an event in the window that the caller may see and that fits. */
export interface ApiFilter {
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
export interface ApiView {
  readonly path: string
  readonly method: string
  readonly host: string
  /** Events of the window, and distinct actors of them. */
  readonly events: number
  readonly actors: number
  /** First event ever; with a filter or some collections only, the first that fits. */
  readonly firstSeen: number
}

const SORTS = { discoveredAt: 'first_seen', requestsCount: 'events', actorsCount: 'actors' } as const

/** One page of the endpoints that fit, and their number. */
export async function listApis(
  db: Queryable,
  filter: ApiFilter,
  page: ApiPage,
): Promise<{ apis: ApiView[]; total: number }> {
  const statement = new Statement()
  const facets = await facetsOf(db, filter)
  const { text, lacksActors } = apisText(filter, page, facets, statement)
  const way = page.isAscending ? 'ASC' : 'DESC'
  const { rows } = await db.query<ApiView & { id: number; total: number }>(
    `SELECT id, path, method, host, events, actors, first_seen AS "firstSeen", count(*) OVER () AS total FROM (${text}) a
     ORDER BY ${SORTS[page.sort]} ${way}, path, method, host
     OFFSET ${statement.put(page.skip)} LIMIT ${statement.put(page.limit)}`,
    statement.values,
  )
  const actors = lacksActors
    ? await actorsOf(
        db,
        rows.map(({ id }) => id),
        filter.window,
      )
    : null
  return {
    apis: rows.map(({ id, total: _total, ...row }) => ({ ...row, actors: actors?.get(id) ?? row.actors })),
    total: rows[0]?.total ?? (await countApis(db, filter, page, facets)),
  }
}

/** Behind the last page there is no row that could tell the number. */
async function countApis(
  db: Queryable,
  filter: ApiFilter,
  page: ApiPage,
  facets: readonly number[] | null,
): Promise<number> {
  if (page.skip === 0) return 0
  const statement = new Statement()
  const { text } = apisText(filter, page, facets, statement)
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM (${text}) a`,
    statement.values,
  )
  return rows[0]!.count
}

function apisText(
  filter: ApiFilter,
  page: ApiPage,
  facets: readonly number[] | null,
  statement: Statement,
): { text: string; lacksActors: boolean } {
  const { window } = filter
  if (facets !== null) return { text: fittingApis(facets, window, statement), lacksActors: false }
  if (isOpen(window) && window.from === 0)
    return {
      text: 'SELECT id, path, method, host, events, actors, first_seen FROM threat_apis WHERE events > 0',
      lacksActors: false,
    }
  const lacksActors = page.sort !== 'actorsCount'
  const counts = countsWithin(window, !lacksActors, statement)
  return {
    text: `SELECT p.id, p.path, p.method, p.host, c.events, c.actors, p.first_seen
      FROM (${counts}) c JOIN threat_apis p ON p.id = c.api_id`,
    lacksActors,
  }
}

/**
 * Events by endpoint, from counts of days and the events of the rest, and distinct actors where they are asked for. All
 * is added up in one pass: a planner that took one of two sums for short would make the other for each row of it.
 */
function countsWithin(window: EventWindow, hasActors: boolean, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  const parts = [
    ...days.map(
      ([from, to]) => `SELECT api_id, events, 0 FROM threat_api_days
        WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(
      ([from, to]) => `SELECT api_id, 1, 0 FROM threat_events
        WHERE detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...(hasActors
      ? [`SELECT m.api_id, 0, 1 FROM threat_api_actors m WHERE ${pairCondition(window, statement)}`]
      : []),
  ]
  return `SELECT api_id, sum(events)::integer AS events, sum(actors)::integer AS actors FROM (
    ${['SELECT 0 AS api_id, 0 AS events, 0 AS actors WHERE FALSE', ...parts].join(' UNION ALL ')}) d GROUP BY 1`
}

/** Pairs `m` of endpoint and actor with an event in the window. Those that reach over both ends are looked up. */
function pairCondition(window: EventWindow, statement: Statement): string {
  const start = statement.put(window.from)
  if (isOpen(window)) return `m.last_seen >= ${start}`
  const end = statement.put(window.to)
  return `m.last_seen >= ${start} AND m.first_seen <= ${end} AND (m.last_seen <= ${end} OR m.first_seen >= ${start}
    OR EXISTS (SELECT FROM threat_events e WHERE e.actor_id = m.actor_id AND e.api_id = m.api_id
      AND e.detected_at BETWEEN ${start} AND ${end}))`
}

async function actorsOf(
  db: Queryable,
  ids: readonly number[],
  window: EventWindow,
): Promise<Map<number, number>> {
  const statement = new Statement()
  const { rows } = await db.query<{ api_id: number; actors: number }>(
    `SELECT m.api_id, count(*)::integer AS actors FROM threat_api_actors m
     WHERE m.api_id = ANY (${statement.put(ids)}::integer[]) AND ${pairCondition(window, statement)} GROUP BY 1`,
    statement.values,
  )
  return new Map(rows.map(({ api_id, actors }) => [api_id, actors]))
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
