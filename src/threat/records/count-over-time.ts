import type { Queryable } from '../../store/index.ts'
import {
  asksMore,
  asksPlace,
  type EventFilter,
  eventCondition,
  kindConditions,
  lookUp,
} from './event-filter.ts'
import { type EventWindow, HOUR, isOpen } from './event-window.ts'
import { allOf, Statement } from './statement.ts'

/** Events of one severity in one bucket. */
export interface TimedCount {
  /** Start of the bucket in epoch seconds. */
  readonly start: number
  readonly severity: string
  readonly count: number
}

/**
 * Numbers of events by severity in buckets of a minute, an hour or a UTC day, ascending. The window is widened to whole
 * buckets: hours and days of all collections are read from counts, all else from the events.
 */
export async function countOverTime(
  db: Queryable,
  filter: EventFilter,
  seconds: 60 | 3_600 | 86_400,
): Promise<TimedCount[]> {
  const window = wholeBuckets(filter.window, seconds)
  const statement = new Statement()
  const rowsText =
    seconds === 60 || asksPlace(filter) || asksMore(filter)
      ? eventRows(await lookUp(db, { ...filter, window }), seconds, statement)
      : countedRows({ ...filter, window }, seconds, statement)
  const { rows } = await db.query<TimedCount>(
    `SELECT c.bucket * ${seconds} AS start, k.severity, sum(c.events)::integer AS count
     FROM (${rowsText}) c JOIN threat_kinds k ON k.id = c.kind_id
     GROUP BY c.bucket, k.severity, k.severity_rank HAVING sum(c.events) > 0 ORDER BY c.bucket, k.severity_rank DESC`,
    statement.values,
  )
  return rows
}

function wholeBuckets(window: EventWindow, seconds: number): EventWindow {
  const from = Math.floor(window.from / seconds) * seconds
  return { from, to: isOpen(window) ? window.to : Math.floor(window.to / seconds) * seconds + seconds - 1 }
}

function eventRows(
  filter: Awaited<ReturnType<typeof lookUp>>,
  seconds: number,
  statement: Statement,
): string {
  return `SELECT e.detected_at / ${seconds} AS bucket, f.kind_id, count(*) AS events
    FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
    WHERE ${eventCondition(filter, statement)} GROUP BY 1, 2`
}

function countedRows(filter: EventFilter, seconds: 3_600 | 86_400, statement: Statement): string {
  const [table, column] = seconds === HOUR ? ['threat_hourly_kinds', 'hour'] : ['threat_daily_kinds', 'day']
  const { from, to } = filter.window
  const bounds = `c.${column} BETWEEN ${statement.put(Math.floor(from / seconds))} AND ${statement.put(Math.floor(to / seconds))}`
  const conditions = allOf([bounds, ...kindConditions(filter, statement)])
  return `SELECT c.${column} AS bucket, c.kind_id, c.events FROM ${table} c JOIN threat_kinds k ON k.id = c.kind_id
    WHERE ${conditions}`
}

/** The first and the last moment of the events that a caller may see; null without one. */
export async function eventSpan(
  db: Queryable,
  filter: EventFilter,
): Promise<readonly [first: number, last: number] | null> {
  const statement = new Statement()
  const where = eventCondition(await lookUp(db, filter), statement)
  const { rows } = await db.query<{ first: number | null; last: number }>(
    `SELECT min(e.detected_at) AS first, max(e.detected_at) AS last FROM threat_events e WHERE ${where}`,
    statement.values,
  )
  const { first, last } = rows[0]!
  return first === null ? null : [first, last]
}
