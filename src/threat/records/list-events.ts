import type { Queryable } from '../../store/index.ts'
import { countByDay, countBySeverity } from './count-events.ts'
import { asksMore, type EventFilter, eventCondition, facetsOf, lookUp } from './event-filter.ts'
import { DAY } from './event-window.ts'
import { Statement } from './statement.ts'

/** An event as it is stored, without its message. */
export interface EventView {
  readonly id: string
  readonly refId: string
  readonly actor: string
  readonly ip: string
  readonly country: string
  readonly destCountry: string
  readonly filterId: string
  readonly category: string
  readonly subCategory: string
  readonly severity: string
  readonly type: string
  readonly eventType: 'SINGLE' | 'AGGREGATED'
  readonly label: 'threat' | 'guardrail'
  readonly status: 'ACTIVE' | 'UNDER_REVIEW' | 'IGNORED'
  readonly isExploit: boolean
  readonly collectionId: number
  readonly host: string
  readonly method: string
  readonly url: string
  readonly detectedAt: number
  readonly ticketUrl: string
}

/** What a page of events is sorted by, and where it begins. */
export interface EventPage {
  readonly sort: 'detectedAt' | 'severity'
  readonly isAscending: boolean
  readonly skip: number
  readonly limit: number
}

/** A page and how many events there are in all. */
export interface EventList {
  readonly events: readonly EventView[]
  readonly total: number
}

const EVENT_COLUMNS = `e.id, e.ref_id AS "refId", a.actor, CASE e.ip WHEN '' THEN a.actor ELSE e.ip END AS ip, e.country,
  e.dest_country AS "destCountry", k.filter_id AS "filterId", k.category, k.sub_category AS "subCategory", k.severity,
  k.type, k.event_type AS "eventType", k.label, k.status, k.is_exploit AS "isExploit",
  f.collection_id AS "collectionId", f.host, f.method, e.url, e.detected_at AS "detectedAt",
  e.ticket_url AS "ticketUrl"`
/** Joins what {@link EVENT_COLUMNS} reads to events `e`. */
export const EVENT_JOINS = `JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
  JOIN threat_actors a ON a.id = e.actor_id`
/** This many events are sorted at once; of more the page is looked for in the order of the index. */
const FEW = 20_000

/** One page of the events that fit, and their number. */
export async function listEvents(db: Queryable, filter: EventFilter, page: EventPage): Promise<EventList> {
  if (page.sort === 'severity') return listBySeverity(db, filter, page)
  if (asksMore(filter)) return listSelected(db, filter, page)
  const days = await countByDay(db, filter)
  const total = days.reduce((sum, { count }) => sum + count, 0)
  if (page.skip >= total) return { events: [], total }
  const ordered = page.isAscending ? days.toReversed() : days
  const { first, last, before } = daysOfPage(ordered, page)
  const window = {
    from: Math.max(filter.window.from, Math.min(first, last) * DAY),
    to: Math.min(filter.window.to, Math.max(first, last) * DAY + DAY - 1),
  }
  const events = await walk(db, { ...filter, window }, { ...page, skip: page.skip - before }, total)
  return { events, total }
}

/** Days in which a page begins and ends, and the number of events before the first of them. */
function daysOfPage(
  days: readonly { readonly day: number; readonly count: number }[],
  { skip, limit }: EventPage,
): { first: number; last: number; before: number } {
  let seen = 0
  let first: number | null = null
  let before = 0
  let last = 0
  for (const { day, count } of days) {
    if (first === null && seen + count > skip) {
      first = day
      before = seen
    }
    seen += count
    last = day
    if (seen >= skip + limit) break
  }
  return { first: first!, last, before }
}

/** Events in the order of time: few are looked up by what they have in common, of many the index of time is walked. */
async function walk(
  db: Queryable,
  filter: EventFilter,
  page: EventPage,
  total: number,
): Promise<EventView[]> {
  const statement = new Statement()
  const way = page.isAscending ? 'ASC' : 'DESC'
  const facets = await facetsOf(db, filter)
  // The sum keeps the planner from the index by facet, which would have to sort all that fit.
  const column = total <= FEW ? 'e.facet_id' : '(e.facet_id + 0)'
  const fits = facets === null ? '' : `AND ${column} = ANY (${statement.put(facets)}::integer[])`
  const { rows } = await db.query<EventView>(
    `SELECT ${EVENT_COLUMNS} FROM (
       SELECT e.id FROM threat_events e
       WHERE e.detected_at BETWEEN ${statement.put(filter.window.from)} AND ${statement.put(filter.window.to)} ${fits}
       ORDER BY e.detected_at ${way}, e.id ${way} OFFSET ${statement.put(page.skip)} LIMIT ${statement.put(page.limit)}
     ) p JOIN threat_events e ON e.id = p.id ${EVENT_JOINS} ORDER BY e.detected_at ${way}, e.id ${way}`,
    statement.values,
  )
  return rows
}

/** Events by more than facets know: actors, URLs and searched texts have their own indexes. */
async function listSelected(db: Queryable, filter: EventFilter, page: EventPage): Promise<EventList> {
  const way = page.isAscending ? 'ASC' : 'DESC'
  const statement = new Statement()
  const where = eventCondition(await lookUp(db, filter), statement)
  const { rows: counted } = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM threat_events e WHERE ${where}`,
    statement.values,
  )
  const total = counted[0]!.count
  if (page.skip >= total) return { events: [], total }
  const { rows } = await db.query<EventView>(
    `SELECT ${EVENT_COLUMNS} FROM (
       SELECT e.id FROM threat_events e WHERE ${where}
       ORDER BY e.detected_at ${way}, e.id ${way} OFFSET ${statement.put(page.skip)} LIMIT ${statement.put(page.limit)}
     ) p JOIN threat_events e ON e.id = p.id ${EVENT_JOINS} ORDER BY e.detected_at ${way}, e.id ${way}`,
    statement.values,
  )
  return { events: rows, total }
}

/** The worst first (or last), then the newest first: severity by severity, as far as the page reaches. */
async function listBySeverity(db: Queryable, filter: EventFilter, page: EventPage): Promise<EventList> {
  const byTime = { ...page, sort: 'detectedAt', isAscending: false } as const
  const counts = asksMore(filter) ? await countSelected(db, filter) : await countBySeverity(db, filter)
  const ordered = page.isAscending ? counts.toReversed() : counts
  const events: EventView[] = []
  let skip = page.skip
  for (const { severity, count } of ordered) {
    const limit = page.limit - events.length
    if (skip < count && limit > 0) {
      const one = await listEvents(db, { ...filter, severities: [severity] }, { ...byTime, skip, limit })
      events.push(...one.events)
    }
    skip = Math.max(skip - count, 0)
  }
  return { events, total: counts.reduce((sum, { count }) => sum + count, 0) }
}

async function countSelected(
  db: Queryable,
  filter: EventFilter,
): Promise<{ severity: string; count: number }[]> {
  const statement = new Statement()
  const where = eventCondition(await lookUp(db, filter), statement)
  const { rows } = await db.query<{ severity: string; count: number }>(
    `SELECT k.severity, sum(c.n)::integer AS count FROM (
       SELECT e.facet_id, count(*) AS n FROM threat_events e WHERE ${where} GROUP BY 1
     ) c JOIN threat_facets f ON f.id = c.facet_id JOIN threat_kinds k ON k.id = f.kind_id
     GROUP BY k.severity, k.severity_rank ORDER BY k.severity_rank DESC`,
    statement.values,
  )
  return rows
}

/** Events by id that the caller may see. */
export async function eventsById(
  db: Queryable,
  ids: readonly string[],
  visible: readonly number[] | null,
): Promise<EventView[]> {
  const { rows } = await db.query<EventView>(
    `SELECT ${EVENT_COLUMNS} FROM threat_events e ${EVENT_JOINS}
     WHERE e.id = ANY ($1::uuid[]) AND ($2::integer[] IS NULL OR f.collection_id = ANY ($2))`,
    [ids, visible],
  )
  return rows
}
