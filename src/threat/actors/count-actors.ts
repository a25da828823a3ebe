import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { cutWindow, DAY, type EventWindow, isOpen } from '../records/event-window.ts'
import { Statement } from '../records/statement.ts'
import { actorsWithin } from './list-actors.ts'

/** Whose events count. */
export interface ActorCountFilter {
  /** Collections that the caller may see, null for all; what has no known collection is always seen. */
  readonly visible: readonly number[] | null
  readonly window: EventWindow
  readonly filterIds?: readonly string[] | null
}

/** Distinct actors of a UTC day, and those of them with an event of severity HIGH or CRITICAL on it. */
export interface ActorDay {
  readonly day: number
  readonly actors: number
  readonly severe: number
}

/** Distinct actors of a window. */
export interface ActorTotals {
  readonly severe: number
  /** Those whose status is active. */
  readonly active: number
}

/** Whether figures over all events serve, or the events have to be read. */
function isPlain({ visible, filterIds }: ActorCountFilter): boolean {
  return visible === null && (filterIds ?? []).length === 0
}

/** Events `e` of kinds `k` that fit; for filters that no figure was kept for. */
function fittingEvents(filter: ActorCountFilter, columns: string, statement: Statement): string {
  const { from, to } = filter.window
  const conditions = [`e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`]
  const facets: string[] = []
  if (filter.visible !== null)
    facets.push(
      `(f.collection_id = 0 OR f.collection_id = ANY (${statement.put(filter.visible)}::integer[]))`,
    )
  if (filter.filterIds?.length) facets.push(`k.filter_id = ANY (${statement.put(filter.filterIds)}::text[])`)
  if (facets.length > 0)
    conditions.push(`e.facet_id = ANY (ARRAY(SELECT f.id FROM threat_facets f
      JOIN threat_kinds k ON k.id = f.kind_id WHERE ${facets.join(' AND ')}))`)
  return `SELECT ${columns} FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
    JOIN threat_kinds k ON k.id = f.kind_id WHERE ${conditions.join(' AND ')}`
}

/** Distinct actors by day, ascending. */
export async function countActorsByDay(db: Queryable, filter: ActorCountFilter): Promise<ActorDay[]> {
  const statement = new Statement()
  const parts: string[] = []
  const counted = (events: string): string =>
    `SELECT day, count(*)::integer AS actors, (count(*) FILTER (WHERE is_severe))::integer AS severe FROM (
       SELECT day, actor_id, bool_or(is_severe) AS is_severe FROM (${events}) e GROUP BY 1, 2) a GROUP BY 1`
  const columns = `e.detected_at / ${DAY} AS day, e.actor_id, k.severity_rank >= 3 AS is_severe`
  if (!isPlain(filter)) parts.push(counted(fittingEvents(filter, columns, statement)))
  else {
    const { days, seconds } = cutWindow(filter.window, false)
    for (const [from, to] of days)
      parts.push(
        `SELECT day, actors, severe_actors AS severe FROM threat_day_totals
         WHERE actors > 0 AND day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
      )
    for (const [from, to] of seconds)
      parts.push(counted(fittingEvents({ visible: null, window: { from, to } }, columns, statement)))
  }
  if (parts.length === 0) return []
  const { rows } = await db.query<ActorDay>(
    `SELECT * FROM (${parts.join(' UNION ALL ')}) d ORDER BY day`,
    statement.values,
  )
  return rows
}

/** Distinct actors of the whole window. */
export async function countActors(
  db: Queryable,
  filter: ActorCountFilter,
  now = nowSeconds(),
): Promise<ActorTotals> {
  const statement = new Statement()
  const isActive = `(t.status = 'active' OR (t.status_until > 0 AND t.status_until <= ${statement.put(now)}))`
  const { rows } = await db.query<ActorTotals>(totalsText(filter, isActive, statement), statement.values)
  return rows[0]!
}

function totalsText(filter: ActorCountFilter, isActive: string, statement: Statement): string {
  const { window } = filter
  if (isPlain(filter) && isOpen(window)) {
    const from = statement.put(Math.max(window.from, 1))
    return `SELECT
      (SELECT count(*) FROM threat_actors WHERE last_severe_at > 0 AND last_severe_at >= ${from})::integer AS severe,
      (SELECT count(*) FROM threat_actors t WHERE t.events > 0 AND t.last_seen >= ${from} AND ${isActive})::integer
        AS active`
  }
  const actors = isPlain(filter)
    ? `SELECT actor_id, bool_or(is_severe) AS is_severe FROM (${severeWithin(window, statement)}) e GROUP BY 1`
    : `SELECT actor_id, bool_or(is_severe) AS is_severe FROM (${fittingEvents(
        filter,
        'e.actor_id, k.severity_rank >= 3 AS is_severe',
        statement,
      )}) e GROUP BY 1`
  return `SELECT (count(*) FILTER (WHERE a.is_severe))::integer AS severe,
      (count(*) FILTER (WHERE ${isActive}))::integer AS active
    FROM (${actors}) a JOIN threat_actors t ON t.id = a.actor_id`
}

function severeWithin(window: EventWindow, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  return [
    ...days.map(
      ([from, to]) => `SELECT actor_id, severe_events > 0 AS is_severe FROM threat_actor_days
        WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(([from, to]) =>
      fittingEvents(
        { visible: null, window: { from, to } },
        'e.actor_id, k.severity_rank >= 3 AS is_severe',
        statement,
      ),
    ),
  ].join(' UNION ALL ')
}

/** Distinct actors by country of their events: the largest first, the unknown country last. */
export async function countActorsByCountry(
  db: Queryable,
  filter: ActorCountFilter,
): Promise<{ country: string; count: number }[]> {
  const statement = new Statement()
  const { rows } = await db.query<{ country: string; count: number }>(
    `SELECT country, count(*) AS count FROM (${countriesText(filter, statement)}) c
     GROUP BY 1 ORDER BY country = '', count DESC, country`,
    statement.values,
  )
  return rows
}

/** Distinct pairs of actor and country. */
function countriesText(filter: ActorCountFilter, statement: Statement): string {
  const { window } = filter
  if (!isPlain(filter))
    return `SELECT DISTINCT actor_id, country FROM (${fittingEvents(filter, 'e.actor_id, e.country', statement)}) e`
  if (isOpen(window))
    return `SELECT country FROM threat_actor_countries WHERE last_seen >= ${statement.put(window.from)}`
  const within = actorsWithin(window, statement).replaceAll('SELECT actor_id', 'SELECT actor_id, country')
  return `SELECT DISTINCT actor_id, country FROM (${within}) e`
}
