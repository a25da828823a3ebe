import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { facetCondition, facetsOf } from '../records/event-filter.ts'
import { cutWindow, DAY, type EventWindow, isOpen } from '../records/event-window.ts'
import { allOf, Statement } from '../records/statement.ts'
import {
  type ActorCounts,
  type ActorDay,
  type ActorTotals,
  type AskedFacets,
  actorsOfFacets,
} from './actor-days.ts'
import { actorsWithin } from './list-actors.ts'

/** Whose events count. */
interface ActorCountFilter {
  /** Collections that the caller may see, null for all; what has no known collection is always seen. */
  readonly visible: readonly number[] | null
  readonly window: EventWindow
  readonly filterIds?: readonly string[] | null
}

/** Looked up first, so that events need no join. Null when all facets fit. */
async function askedFacets(db: Queryable, filter: ActorCountFilter): Promise<AskedFacets | null> {
  const statement = new Statement()
  const condition = facetCondition(filter, statement)
  if (condition === 'TRUE') return null
  const { rows } = await db.query<{ fitting: number[]; severe: number[] }>(
    `SELECT coalesce(array_agg(f.id), '{}') AS fitting,
       coalesce(array_agg(f.id) FILTER (WHERE k.severity_rank >= 3), '{}') AS severe
     FROM threat_facets f JOIN threat_kinds k ON k.id = f.kind_id WHERE ${condition}`,
    statement.values,
  )
  return rows[0]!
}

/** Events of some facets within a window. */
function facetEvents(
  { from, to }: EventWindow,
  { fitting, severe }: AskedFacets,
  columns: string,
  statement: Statement,
): string {
  return `SELECT ${columns}, facet_id = ANY (${statement.put(severe)}::integer[]) AS is_severe FROM threat_events
    WHERE detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}
      AND facet_id = ANY (${statement.put(fitting)}::integer[])`
}

/** All events within a window. */
function allEvents({ from, to }: EventWindow, columns: string, statement: Statement): string {
  return `SELECT ${columns}, k.severity_rank >= 3 AS is_severe FROM threat_events e
    JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
    WHERE detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`
}

/** Distinct actors by day and of the whole window. */
export async function countActors(
  db: Queryable,
  { window, ...filter }: ActorCountFilter,
  now = nowSeconds(),
): Promise<ActorCounts> {
  const facets = await askedFacets(db, { ...filter, window })
  if (facets !== null) {
    const statement = new Statement()
    const found = await actorsOfFacets(db, window, facets, actorsSet(now, statement), statement)
    if (found !== null) return found
  }
  const [days, totals] = await Promise.all([
    countByDay(db, window, facets),
    countTotals(db, window, facets, now),
  ])
  return { days, totals }
}

/** Few actors are given a status: those are looked up, and all others are active. */
function actorsSet(now: number, statement: Statement): string {
  return `SELECT id FROM threat_actors WHERE status <> 'active'
    AND (status_until = 0 OR status_until > ${statement.put(now)})`
}

async function countByDay(
  db: Queryable,
  window: EventWindow,
  facets: AskedFacets | null,
): Promise<ActorDay[]> {
  const statement = new Statement()
  const parts: string[] = []
  const counted = (events: string): string =>
    `SELECT day, count(*)::integer AS actors, (count(*) FILTER (WHERE is_severe))::integer AS severe FROM (
       SELECT day, actor_id, bool_or(is_severe) AS is_severe FROM (${events}) e GROUP BY 1, 2) a GROUP BY 1`
  const columns = `detected_at / ${DAY} AS day, actor_id`
  if (facets !== null) parts.push(counted(facetEvents(window, facets, columns, statement)))
  else {
    const { days, seconds } = cutWindow(window, false)
    for (const [from, to] of days)
      parts.push(
        `SELECT day, actors, severe_actors AS severe FROM threat_day_totals
         WHERE actors > 0 AND day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
      )
    for (const [from, to] of seconds) parts.push(counted(allEvents({ from, to }, columns, statement)))
  }
  if (parts.length === 0) return []
  const { rows } = await db.query<ActorDay>(
    `SELECT * FROM (${parts.join(' UNION ALL ')}) d ORDER BY day`,
    statement.values,
  )
  return rows
}

async function countTotals(
  db: Queryable,
  window: EventWindow,
  facets: AskedFacets | null,
  now: number,
): Promise<ActorTotals> {
  const statement = new Statement()
  const text = totalsText(window, facets, actorsSet(now, statement), statement)
  return (await db.query<ActorTotals>(text, statement.values)).rows[0]!
}

function totalsText(
  window: EventWindow,
  facets: AskedFacets | null,
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
    facets === null ? severeWithin(window, statement) : facetEvents(window, facets, 'actor_id', statement)
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
    ...seconds.map(([from, to]) => allEvents({ from, to }, 'actor_id', statement)),
  ].join(' UNION ALL ')
}

/** Distinct actors by country of their events: the largest first, the unknown country last. */
export async function countActorsByCountry(
  db: Queryable,
  filter: ActorCountFilter,
): Promise<{ country: string; count: number }[]> {
  const statement = new Statement()
  const facets = await facetsOf(db, filter)
  const pairs =
    facets === null ? allCountries(filter.window, statement) : seenCountries(filter, facets, statement)
  const { rows } = await db.query<{ country: string; count: number }>(
    `SELECT country, count(*) AS count FROM (${pairs}) c
     GROUP BY 1 ORDER BY country = '', count DESC, country`,
    statement.values,
  )
  return rows
}

/** Distinct pairs of actor and country. */
function allCountries(window: EventWindow, statement: Statement): string {
  if (isOpen(window))
    return `SELECT country FROM threat_actor_countries WHERE last_seen >= ${statement.put(window.from)}`
  const within = actorsWithin(window, statement).replaceAll('SELECT actor_id', 'SELECT actor_id, country')
  return `SELECT DISTINCT actor_id, country FROM (${within}) e`
}

/**
 * Countries of the events of some facets, one for each distinct pair of actor and country. Most actors are of one country, and what they did
 * where is kept: only of the others the events are asked.
 */
export function seenCountries(
  { visible, window, filterIds }: ActorCountFilter,
  facets: readonly number[],
  statement: Statement,
): string {
  const isFitting = `facet_id = ANY (${statement.put(facets)}::integer[])`
  const from = statement.put(window.from)
  if (!isOpen(window))
    return `SELECT DISTINCT actor_id, country FROM threat_events
      WHERE detected_at BETWEEN ${from} AND ${statement.put(window.to)} AND ${isFitting}`
  const conditions = [`last_seen >= ${from}`]
  if (visible !== null) conditions.push(`collection_id = ANY (${statement.put(visible)}::integer[])`)
  if (filterIds !== null && filterIds !== undefined && filterIds.length > 0)
    conditions.push(`filter_id = ANY (${statement.put(filterIds)}::text[])`)
  return `WITH seen AS MATERIALIZED (
      SELECT actor_id, min(country) AS country, count(*) AS countries FROM threat_actor_countries
      WHERE actor_id IN (SELECT actor_id FROM threat_actor_traces WHERE ${allOf(conditions)}) GROUP BY 1)
    SELECT country FROM seen WHERE countries = 1
    UNION ALL SELECT e.country FROM seen s CROSS JOIN LATERAL (SELECT DISTINCT country FROM threat_events e
      WHERE e.actor_id = s.actor_id AND e.detected_at >= ${from} AND e.${isFitting}) e WHERE s.countries > 1`
}
