import type { Queryable } from '../../store/index.ts'
import { asksPlace, type EventFilter, facetCondition, facetsOf, kindConditions } from './event-filter.ts'
import { cutWindow, DAY, type EventWindow } from './event-window.ts'
import { allOf, Statement } from './statement.ts'

/** Numbers of events that one group of a chart has. */
interface EventCount {
  readonly count: number
}

/**
 * Rows `(day, kind_id, events)` of the events of a filter, put together of counts of days and hours and of the events
 * of the rest. What facets do not know of a filter is not asked.
 */
function countedRows(filter: EventFilter, statement: Statement): string {
  return asksPlace(filter) ? countedFacets(filter, statement) : countedKinds(filter, statement)
}

function countedKinds(filter: EventFilter, statement: Statement): string {
  const { days, hours, seconds } = cutWindow(filter.window)
  const parts = [
    ...days.map(
      ([from, to]) =>
        `SELECT day, kind_id, events FROM threat_daily_kinds WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...hours.map(
      ([from, to]) =>
        `SELECT hour / 24, kind_id, events FROM threat_hourly_kinds WHERE hour BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(
      ([from, to]) =>
        `SELECT e.detected_at / ${DAY}, f.kind_id, 1 FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
         WHERE e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
  ]
  const rows = union(parts, '0 AS day, 0 AS kind_id, 0 AS events')
  const conditions = kindConditions(filter, statement)
  if (conditions.length === 0) return rows
  return `SELECT c.* FROM (${rows}) c JOIN threat_kinds k ON k.id = c.kind_id WHERE ${allOf(conditions)}`
}

function countedFacets(filter: EventFilter, statement: Statement): string {
  const { days, seconds } = cutWindow(filter.window, false)
  const parts = [
    ...days.map(
      ([from, to]) =>
        `SELECT day, facet_id, events FROM threat_daily_counts WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(
      ([from, to]) =>
        `SELECT e.detected_at / ${DAY}, e.facet_id, 1 FROM threat_events e
         WHERE e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
  ]
  return `SELECT c.day, f.kind_id, c.events FROM (${union(parts, '0 AS day, 0 AS facet_id, 0 AS events')}) c
    JOIN threat_facets f ON f.id = c.facet_id JOIN threat_kinds k ON k.id = f.kind_id
    WHERE ${facetCondition(filter, statement)}`
}

/** Rows `(day, events)` of some facets. */
function countsOf(facets: readonly number[], window: EventWindow, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  const ids = `${statement.put(facets)}::integer[]`
  const parts = [
    ...days.map(
      ([from, to]) =>
        `SELECT day, events FROM threat_daily_counts
         WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)} AND facet_id = ANY (${ids})`,
    ),
    ...seconds.map(
      ([from, to]) =>
        `SELECT e.detected_at / ${DAY}, 1 FROM threat_events e
         WHERE e.detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)} AND e.facet_id = ANY (${ids})`,
    ),
  ]
  return union(parts, '0 AS day, 0 AS events')
}

/** The first part names the columns. */
function union(parts: readonly string[], none: string): string {
  return parts.length === 0
    ? `SELECT ${none} WHERE FALSE`
    : [`SELECT ${none} WHERE FALSE`, ...parts].join('\nUNION ALL ')
}

/** Numbers of events by UTC day (days since the epoch), the newest first; days without any are absent. */
export async function countByDay(
  db: Queryable,
  filter: EventFilter,
): Promise<(EventCount & { day: number })[]> {
  const statement = new Statement()
  const rowsText = asksPlace(filter)
    ? countsOf((await facetsOf(db, filter)) ?? [], filter.window, statement)
    : countedKinds(filter, statement)
  const { rows } = await db.query<EventCount & { day: number }>(
    `SELECT day, sum(events)::integer AS count FROM (${rowsText}) c
     GROUP BY day HAVING sum(events) > 0 ORDER BY day DESC`,
    statement.values,
  )
  return rows
}

/** Numbers of events by severity, the worst first. */
export async function countBySeverity(
  db: Queryable,
  filter: EventFilter,
): Promise<(EventCount & { severity: string })[]> {
  const statement = new Statement()
  const { rows } = await db.query<EventCount & { severity: string }>(
    `SELECT k.severity, sum(c.events)::integer AS count FROM (${countedRows(filter, statement)}) c
     JOIN threat_kinds k ON k.id = c.kind_id GROUP BY k.severity, k.severity_rank HAVING sum(c.events) > 0
     ORDER BY k.severity_rank DESC`,
    statement.values,
  )
  return rows
}

/** Numbers of events by category and subcategory, the largest first. */
export async function countByCategory(
  db: Queryable,
  filter: EventFilter,
): Promise<(EventCount & { category: string; subCategory: string })[]> {
  const statement = new Statement()
  const { rows } = await db.query<EventCount & { category: string; subCategory: string }>(
    `SELECT k.category, k.sub_category AS "subCategory", sum(c.events)::integer AS count
     FROM (${countedRows(filter, statement)}) c JOIN threat_kinds k ON k.id = c.kind_id
     GROUP BY 1, 2 HAVING sum(c.events) > 0 ORDER BY count DESC, 1, 2`,
    statement.values,
  )
  return rows
}

/** Numbers of events by UTC day and subcategory: days ascending, within a day the largest first. */
export async function countBySubCategoryAndDay(
  db: Queryable,
  filter: EventFilter,
): Promise<(EventCount & { day: number; subCategory: string })[]> {
  const statement = new Statement()
  const { rows } = await db.query<EventCount & { day: number; subCategory: string }>(
    `SELECT c.day, k.sub_category AS "subCategory", sum(c.events)::integer AS count
     FROM (${countedRows(filter, statement)}) c JOIN threat_kinds k ON k.id = c.kind_id
     GROUP BY 1, 2 HAVING sum(c.events) > 0 ORDER BY 1, count DESC, 2`,
    statement.values,
  )
  return rows
}

/** Numbers of events by status and by whether they worked. */
export async function countByStatus(
  db: Queryable,
  filter: EventFilter,
): Promise<(EventCount & { status: string; isExploit: boolean })[]> {
  const statement = new Statement()
  const { rows } = await db.query<EventCount & { status: string; isExploit: boolean }>(
    `SELECT k.status, k.is_exploit AS "isExploit", sum(c.events)::integer AS count
     FROM (${countedRows(filter, statement)}) c JOIN threat_kinds k ON k.id = c.kind_id GROUP BY 1, 2`,
    statement.values,
  )
  return rows
}
