import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { facetsOf } from '../records/event-filter.ts'
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

/** Events `e` of kinds `k` within a window; of some facets only, unless `facets` is null. */
function eventsWithin(
  { from, to }: EventWindow,
  facets: readonly number[] | null,
  columns: string,
  statement: Statement,
): string {
  const fits = facets === null ? '' : `AND e.facet_id = ANY (${statement.put(facets)}::integer[])`
  return `SELECT ${columns} FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
    JOIN threat_kinds k ON k.id = f.kind_id
    WHERE e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)} ${fits}`
}

/** Distinct actors by day, ascending. */
export async function countActorsByDay(db: Queryable, filter: ActorCountFilter): Promise<ActorDay[]> {
  const statement = new Statement()
  const facets = await facetsOf(db, filter)
  const parts: string[] = []
  const counted = (events: string): string =>
    `SELECT day, count(*)::integer AS actors, (count(*) FILTER (WHERE is_severe))::integer AS severe FROM (
       SELECT day, actor_id, bool_or(is_severe) AS is_severe FROM (${events}) e GROUP BY 1, 2) a GROUP BY 1`
  const columns = `e.detected_at / ${DAY} AS day, e.actor_id, k.severity_rank >= 3 AS is_severe`
  if (facets !== null) parts.push(counted(eventsWithin(filter.window, facets, columns, statement)))
  else {
    const { days, seconds } = cutWindow(filter.window, false)
    for (const [from, to] of days)
      parts.push(
        `SELECT day, actors, severe_actors AS severe FROM threat_day_totals
         WHERE actors > 0 AND day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
      )
    for (const [from, to] of seconds)
      parts.push(counted(eventsWithin({ from, to }, null, columns, statement)))
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
  // Few actors are given a status: those are looked up, and all others are active.
  const set = `SELECT id FROM threat_actors WHERE status <> 'active'
    AND (status_until = 0 OR status_until > ${statement.put(now)})`
  const facets = await facetsOf(db, filter)
  const { rows } = await db.query<ActorTotals>(
    totalsText(filter.window, facets, set, statement),
    statement.values,
  )
  return rows[0]!
}

function totalsText(
  window: EventWindow,
  facets: readonly number[] | null,
  set: string,
  statement: Statement,
): string {
  if (facets === null && isOpen(window)) {
    const from = statement.put(Math.max(window.from, 1))
    return `SELECT
      (SELECT count(*) FROM threat_actors WHERE last_severe_at > 0 AND last_severe_at >= ${from})::integer AS severe,
      (SELECT count(*) FROM threat_actors t WHERE t.events > 0 AND t.last_seen >= ${from} AND t.id NOT IN (${set}))::integer
        AS active`
  }
  const events =
    facets === null
      ? severeWithin(window, statement)
      : eventsWithin(window, facets, 'e.actor_id, k.severity_rank >= 3 AS is_severe', statement)
  return `SELECT (count(*) FILTER (WHERE a.is_severe))::integer AS severe,
      (count(*) FILTER (WHERE a.actor_id NOT IN (${set})))::integer AS active
    FROM (SELECT actor_id, bool_or(is_severe) AS is_severe FROM (${events}) e GROUP BY 1) a`
}

function severeWithin(window: EventWindow, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  return [
    'SELECT actor_id, TRUE AS is_severe FROM threat_actor_days WHERE FALSE',
    ...days.map(
      ([from, to]) => `SELECT actor_id, severe_events > 0 AS is_severe FROM threat_actor_days
        WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(([from, to]) =>
      eventsWithin({ from, to }, null, 'e.actor_id, k.severity_rank >= 3 AS is_severe', statement),
    ),
  ].join(' UNION ALL ')
}

/** Distinct actors by country of their events: the largest first, the unknown country last. */
export async function countActorsByCountry(
  db: Queryable,
  filter: ActorCountFilter,
): Promise<{ country: string; count: number }[]> {
  const statement = new Statement()
  const facets = await facetsOf(db, filter)
  const { rows } = await db.query<{ country: string; count: number }>(
    `SELECT country, count(*) AS count FROM (${countriesText(filter.window, facets, statement)}) c
     GROUP BY 1 ORDER BY country = '', count DESC, country`,
    statement.values,
  )
  return rows
}

/** Distinct pairs of actor and country. */
function countriesText(window: EventWindow, facets: readonly number[] | null, statement: Statement): string {
  if (facets !== null)
    return `SELECT DISTINCT actor_id, country FROM (${eventsWithin(window, facets, 'e.actor_id, e.country', statement)}) e`
  if (isOpen(window))
    return `SELECT country FROM threat_actor_countries WHERE last_seen >= ${statement.put(window.from)}`
  const within = actorsWithin(window, statement).replaceAll('SELECT actor_id', 'SELECT actor_id, country')
  return `SELECT DISTINCT actor_id, country FROM (${within}) e`
}
