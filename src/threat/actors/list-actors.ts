import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { cutWindow, type EventWindow, isOpen } from '../records/event-window.ts'
import { allOf, Statement } from '../records/statement.ts'

/** Which actors are meant: those with an event in the window that the caller may see and that fits. */
interface ActorFilter {
  /** Collections that the caller may see, null for all; what has no known collection is always seen. */
  readonly visible: readonly number[] | null
  readonly window: EventWindow
  readonly filterIds?: readonly string[] | null
  readonly actors?: readonly string[] | null
  /** Country and host of the newest event. */
  readonly countries?: readonly string[] | null
  readonly hosts?: readonly string[] | null
  readonly statuses?: readonly string[] | null
}

/** What a page of actors is sorted by, and where it begins. */
interface ActorPage {
  readonly sort: 'discoveredAt' | 'lastSeen'
  readonly isAscending: boolean
  readonly skip: number
  readonly limit: number
}

/** One event of an actor, as lists of actors tell it. */
interface ActorActivity {
  readonly severity: string
  readonly filterId: string
  readonly method: string
  readonly host: string
  readonly url: string
  readonly country: string
  readonly destCountry: string
  readonly detectedAt: number
}

/** An actor, told by its newest event. */
export interface ActorView {
  readonly actor: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly filterId: string
  readonly path: string
  readonly method: string
  readonly host: string
  readonly ip: string
  readonly country: string
  readonly status: string
  readonly activity: readonly ActorActivity[]
}

/** Events of an actor in a list. */
const MAX_ACTIVITY = 40

const isGiven = <T>(list: readonly T[] | null | undefined): list is readonly T[] => !!list && list.length > 0

type ActorRow = Omit<ActorView, 'activity'> & { id: number }

/** One page of the actors that fit, and their number. */
export async function listActors(
  db: Queryable,
  filter: ActorFilter,
  page: ActorPage,
  now = nowSeconds(),
): Promise<{ actors: ActorView[]; total: number }> {
  const statement = new Statement()
  const source =
    filter.visible === null
      ? allActors(filter, now, statement)
      : seenActors(filter, filter.visible, now, statement)
  const way = page.isAscending ? 'ASC' : 'DESC'
  const order = (row: string): string =>
    `${row}.${page.sort === 'lastSeen' ? 'last_seen' : 'first_seen'} ${way}, ${row}.id ${way}`
  // Where an index has the order the page is read on its own; elsewhere all are read in any case, once.
  const isOrdered = filter.visible === null && isOpen(filter.window) && !isGiven(filter.filterIds)
  const known = isOrdered ? await countOf(db, source, statement.values) : null
  if (known !== null && page.skip >= known) return { actors: [], total: known }
  const all = [...statement.values]
  const pageText = `SELECT s.*, ${isOrdered ? '0' : 'count(*) OVER ()'} AS total FROM (${source}) s
    ORDER BY ${order('s')} OFFSET ${statement.put(page.skip)} LIMIT ${statement.put(page.limit)}`
  const { rows } = await db.query<ActorRow & { total: number }>(
    `SELECT a.total, a.id, t.actor, a.first_seen AS "firstSeen", a.last_seen AS "lastSeen", k.filter_id AS "filterId", p.path,
       f.method, f.host, CASE a.latest_ip WHEN '' THEN t.actor ELSE a.latest_ip END AS ip,
       a.latest_country AS country,
       ${statusOf('t', statement.put(now))} AS status
     FROM (${withNewest(filter, pageText, statement)}) a
     JOIN threat_actors t ON t.id = a.id JOIN threat_facets f ON f.id = a.latest_facet_id
     JOIN threat_kinds k ON k.id = f.kind_id JOIN threat_apis p ON p.id = a.latest_api_id ORDER BY ${order('a')}`,
    statement.values,
  )
  const activity = await activityOf(
    db,
    rows.map(({ id }) => id),
    filter.visible,
    MAX_ACTIVITY,
  )
  return {
    actors: rows.map(({ id, total: _total, ...row }) => ({ ...row, activity: activity.get(id) ?? [] })),
    total: known ?? rows[0]?.total ?? (await countOf(db, source, all)),
  }
}

/** SQL of the status of actors at a time; one whose time is over is active again. */
function statusOf(actors: string, now: string): string {
  return `CASE WHEN ${actors}.status_until > 0 AND ${actors}.status_until <= ${now} THEN 'active' ELSE ${actors}.status END`
}

/** Condition on actors of these statuses. */
function hasStatus(actors: string, statuses: readonly string[], now: number, statement: Statement): string {
  return `${statusOf(actors, statement.put(now))} = ANY (${statement.put(statuses)}::text[])`
}

async function countOf(db: Queryable, source: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`SELECT count(*) AS count FROM (${source}) a`, [
    ...values,
  ])
  return rows[0]!.count
}

const COLUMNS = 'id, first_seen, last_seen, latest_facet_id, latest_api_id, latest_ip, latest_country'

function allActors(filter: ActorFilter, now: number, statement: Statement): string {
  const { window } = filter
  const conditions = ['a.events > 0']
  let activity = ''
  if (isGiven(filter.filterIds)) conditions.push(didAny(filter.filterIds, window, statement))
  else if (!isOpen(window) && cutWindow(window, false).days.length > 0) {
    activity = activeWithin(window, statement)
    conditions.push('d.actor_id IS NOT NULL OR e.actor_id IS NOT NULL')
  } else if (!isOpen(window)) conditions.push(`a.id IN (${actorsWithin(window, statement)})`)
  else if (window.from > 0) conditions.push(`a.last_seen >= ${statement.put(window.from)}`)
  if (isGiven(filter.actors)) conditions.push(`a.actor = ANY (${statement.put(filter.actors)}::text[])`)
  if (isGiven(filter.countries))
    conditions.push(`a.latest_country = ANY (${statement.put(filter.countries)}::text[])`)
  if (isGiven(filter.hosts))
    conditions.push(
      `a.latest_facet_id IN (SELECT f.id FROM threat_facets f WHERE f.host = ANY (${statement.put(filter.hosts)}::text[]))`,
    )
  if (isGiven(filter.statuses)) conditions.push(hasStatus('a', filter.statuses, now, statement))
  return `SELECT ${COLUMNS} FROM threat_actors a ${activity} WHERE ${allOf(conditions)}`
}

/**
 * Joins of actors `a` with those of whole days (`d`) and of the rest of a window (`e`). How many those of days are is
 * known to the store, so it looks none up one by one.
 */
function activeWithin(window: EventWindow, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  const between = ([from, to]: readonly [number, number]): string =>
    `BETWEEN ${statement.put(from)} AND ${statement.put(to)}`
  const ofDays = days.map((span) => `SELECT actor_id FROM threat_actor_days WHERE day ${between(span)}`)
  const ofRest = [
    'SELECT 0 AS actor_id WHERE FALSE',
    ...seconds.map((span) => `SELECT actor_id FROM threat_events WHERE detected_at ${between(span)}`),
  ]
  const joined = (name: string, parts: readonly string[]): string =>
    `LEFT JOIN (SELECT DISTINCT actor_id FROM (${parts.join(' UNION ALL ')}) x) ${name} ON ${name}.actor_id = a.id`
  return `${joined('d', ofDays)} ${joined('e', ofRest)}`
}

function didAny(filterIds: readonly string[], window: EventWindow, statement: Statement): string {
  const ids = statement.put(filterIds)
  const from = statement.put(window.from)
  if (isOpen(window))
    return `a.id IN (SELECT t.actor_id FROM threat_actor_traces t WHERE t.filter_id = ANY (${ids}::text[])
      AND t.last_seen >= ${from})`
  return `a.id IN (SELECT e.actor_id FROM threat_events e WHERE e.detected_at BETWEEN ${from} AND ${statement.put(window.to)}
    AND e.facet_id = ANY (ARRAY(SELECT f.id FROM threat_facets f JOIN threat_kinds k ON k.id = f.kind_id
      WHERE k.filter_id = ANY (${ids}::text[]))))`
}

/** Ids of actors with an event in a window, by days and the events of the rest. */
export function actorsWithin(window: EventWindow, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  return [
    'SELECT actor_id FROM threat_actor_days WHERE FALSE',
    ...days.map(
      ([from, to]) =>
        `SELECT actor_id FROM threat_actor_days WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(
      ([from, to]) =>
        `SELECT actor_id FROM threat_events WHERE detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
  ].join(' UNION ALL ')
}

/** Actors as seen by a user who may see some collections: only from events of these. */
function seenActors(
  filter: ActorFilter,
  visible: readonly number[],
  now: number,
  statement: Statement,
): string {
  const { window } = filter
  const seen = statement.put(visible)
  const from = statement.put(window.from)
  const ids = isGiven(filter.filterIds) ? statement.put(filter.filterIds) : null
  const fits = ids === null ? 'TRUE' : `t.filter_id = ANY (${ids}::text[])`
  const conditions: string[] = []
  if (!isOpen(window))
    conditions.push(`s.id IN (SELECT e.actor_id FROM threat_events e
      WHERE e.detected_at BETWEEN ${from} AND ${statement.put(window.to)} AND e.facet_id = ANY (ARRAY(
        SELECT f.id FROM threat_facets f JOIN threat_kinds t ON t.id = f.kind_id
        WHERE (f.collection_id = ANY (${seen}::integer[])) AND ${fits})))`)
  if (isGiven(filter.actors))
    conditions.push(
      `s.id IN (SELECT id FROM threat_actors WHERE actor = ANY (${statement.put(filter.actors)}::text[]))`,
    )
  if (isGiven(filter.statuses))
    conditions.push(
      `s.id IN (SELECT w.id FROM threat_actors w WHERE ${hasStatus('w', filter.statuses, now, statement)})`,
    )
  const actors = `SELECT t.actor_id AS id, min(t.first_seen) AS first_seen, max(t.last_seen) AS last_seen
    FROM threat_actor_traces t WHERE t.collection_id = ANY (${seen}::integer[])
    GROUP BY 1 HAVING bool_or(${fits} AND t.last_seen >= ${from})`
  if (!asksForNewest(filter)) return `SELECT s.* FROM (${actors}) s WHERE ${allOf(conditions)}`
  if (isGiven(filter.countries))
    conditions.push(`n.latest_country = ANY (${statement.put(filter.countries)}::text[])`)
  if (isGiven(filter.hosts)) conditions.push(`n.host = ANY (${statement.put(filter.hosts)}::text[])`)
  return `SELECT s.*, n.* FROM (${actors}) s CROSS JOIN LATERAL (${newestSeen('s', seen)}) n WHERE ${allOf(conditions)}`
}

/** Whether the newest event of an actor decides whether it fits: else it is looked up only for the page. */
function asksForNewest(filter: ActorFilter): boolean {
  return isGiven(filter.countries) || isGiven(filter.hosts)
}

/** Tells the actors of a page by their newest event, where they are not yet. */
function withNewest(filter: ActorFilter, pageText: string, statement: Statement): string {
  if (filter.visible === null || asksForNewest(filter)) return pageText
  return `SELECT s.*, n.* FROM (${pageText}) s CROSS JOIN LATERAL (${newestSeen('s', statement.put(filter.visible))}) n`
}

/** The newest event of an actor in collections that the caller may see. */
function newestSeen(actor: string, seen: string): string {
  return `SELECT e.facet_id AS latest_facet_id, e.api_id AS latest_api_id, e.ip AS latest_ip,
      e.country AS latest_country, f.host
    FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
    WHERE e.actor_id = ${actor}.id AND (f.collection_id = ANY (${seen}::integer[]))
    ORDER BY e.detected_at DESC, e.id DESC LIMIT 1`
}

async function activityOf(
  db: Queryable,
  ids: readonly number[],
  visible: readonly number[] | null,
  limit: number,
): Promise<Map<number, ActorActivity[]>> {
  const { rows } = await db.query<ActorActivity & { actorId: number }>(
    `SELECT i.id AS "actorId", n.* FROM unnest($1::integer[]) AS i (id) CROSS JOIN LATERAL (
       SELECT k.severity, k.filter_id AS "filterId", f.method, f.host, e.url, e.country,
         e.dest_country AS "destCountry", e.detected_at AS "detectedAt"
       FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
       WHERE e.actor_id = i.id AND ($2::integer[] IS NULL OR f.collection_id = ANY ($2))
       ORDER BY e.detected_at DESC, e.id DESC LIMIT $3) n`,
    [ids, visible, limit],
  )
  const activity = new Map<number, ActorActivity[]>()
  for (const { actorId, ...row } of rows) {
    const list = activity.get(actorId)
    if (list === undefined) activity.set(actorId, [row])
    else list.push(row)
  }
  return activity
}

/** The newest events of one actor that the caller may see. */
export async function eventsOfActor(
  db: Queryable,
  actor: string,
  visible: readonly number[] | null,
  limit: number,
): Promise<ActorActivity[]> {
  const { rows } = await db.query<{ id: number }>('SELECT id FROM threat_actors WHERE actor = $1', [actor])
  const [row] = rows
  if (row === undefined) return []
  return (await activityOf(db, [row.id], visible, limit)).get(row.id) ?? []
}
