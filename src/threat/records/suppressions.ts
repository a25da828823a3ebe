import { suppressionLimits } from '../../contract/limits.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { actorText, eventUrl, hostText } from './event-text.ts'

/** What a suppression looks at of an event. */
interface SuppressibleEvent {
  readonly filterId: string
  readonly url: string
  readonly host: string
  readonly actor: string
  readonly collectionId: number
}

/** Which events a suppression is for; null means any. At least one is given. */
interface SuppressionScope {
  readonly filterId: string | null
  readonly url: string | null
  readonly host: string | null
  readonly actor: string | null
  readonly collectionId: number | null
}

/** A rule by which events are not stored. */
export interface Suppression extends SuppressionScope {
  readonly id: number
  /** EVENT: made when an event was ignored. PERSON: made by hand. */
  readonly origin: 'EVENT' | 'PERSON'
  readonly reason: string
  readonly createdBy: string
  readonly createdAt: number
  /** Epoch seconds; 0 for never. */
  readonly expiresAt: number
  /** Events that were not stored because of it, and when the last one came; 0 before. */
  readonly dropped: number
  readonly lastDroppedAt: number
}

const COLUMNS = `id, filter_id AS "filterId", url, host, actor, collection_id AS "collectionId", origin, reason,
  created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"`

/**
 * For each event the suppression that drops it, or null. Windows ask before they count, `storeEvents` before it
 * stores; there is no cache, so a suppression holds at once on every process.
 */
export async function findSuppressions(
  db: Queryable,
  given: readonly SuppressibleEvent[],
  now = nowSeconds(),
): Promise<(number | null)[]> {
  if (given.length === 0) return []
  const events = given.map((event) => ({
    ...event,
    url: eventUrl(event.url),
    host: hostText(event.host),
    actor: actorText(event.actor),
  }))
  const { rows } = await db.query<SuppressionScope & { id: number }>(
    `SELECT id, filter_id AS "filterId", url, host, actor, collection_id AS "collectionId" FROM threat_suppressions
     WHERE (expires_at = 0 OR expires_at > $1)
       AND (origin = 'PERSON' OR (filter_id, url) IN (SELECT * FROM unnest($2::text[], $3::text[]))) ORDER BY id`,
    [now, events.map((event) => event.filterId), events.map((event) => event.url)],
  )
  return events.map((event) => rows.find((rule) => isCovered(event, rule))?.id ?? null)
}

/** Whether any suppression in force could be about events of these filters: mostly there is none. */
export async function hasSuppressions(
  db: Queryable,
  filterIds: Iterable<string>,
  now = nowSeconds(),
): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM threat_suppressions
       WHERE (expires_at = 0 OR expires_at > $1) AND (origin = 'PERSON' OR filter_id = ANY ($2::text[]))) AS found`,
    [now, [...filterIds]],
  )
  return rows[0]!.found
}

function isCovered(event: SuppressibleEvent, rule: SuppressionScope): boolean {
  return (
    (rule.filterId === null || rule.filterId === event.filterId) &&
    (rule.url === null || rule.url === event.url) &&
    (rule.host === null || rule.host === event.host) &&
    (rule.actor === null || rule.actor === event.actor) &&
    (rule.collectionId === null || rule.collectionId === event.collectionId)
  )
}

/** Counts events that suppressions dropped, given by the id of the suppression once for each event; locks nothing. */
export async function noteDropped(db: Queryable, ids: readonly number[], now = nowSeconds()): Promise<void> {
  if (ids.length === 0) return
  await db.query(
    `INSERT INTO threat_drops (suppression_id, events, dropped_at)
     SELECT id, count(*), $2 FROM unnest($1::integer[]) AS i (id) GROUP BY 1`,
    [ids, now],
  )
}

/** Adds up what was dropped, so that no list has to read every drop. */
export async function addUpDrops(db: Queryable): Promise<void> {
  await db.query(
    `WITH taken AS (DELETE FROM threat_drops RETURNING *)
     UPDATE threat_suppressions s SET dropped = s.dropped + d.n,
       last_dropped_at = greatest(s.last_dropped_at, d.last_at)
     FROM (SELECT suppression_id, sum(events) AS n, max(dropped_at) AS last_at FROM taken GROUP BY 1) d
     WHERE d.suppression_id = s.id`,
  )
}

/** Suppressions, those that dropped something lately first. */
export async function listSuppressions(db: Queryable, limit: number): Promise<Suppression[]> {
  const { rows } = await db.query<Suppression>(
    `SELECT ${COLUMNS}, (dropped + coalesce(d.n, 0))::integer AS dropped,
       greatest(last_dropped_at, d.last_at) AS "lastDroppedAt"
     FROM threat_suppressions LEFT JOIN (SELECT suppression_id, sum(events) AS n, max(dropped_at) AS last_at
       FROM threat_drops GROUP BY 1) d ON d.suppression_id = id
     ORDER BY "lastDroppedAt" DESC, id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Makes a suppression by hand; @returns it, or null when there are as many as there may be. */
export async function addSuppression(
  db: Queryable,
  scope: SuppressionScope,
  by: { readonly login: string; readonly reason: string; readonly expiresAt: number },
  now = nowSeconds(),
): Promise<Suppression | null> {
  const { rows } = await db.query<Suppression>(
    `INSERT INTO threat_suppressions (filter_id, url, host, actor, collection_id, origin, reason, created_by, created_at,
       expires_at)
     SELECT $1, $2, $3, $4, $5, 'PERSON', $6, $7, $8, $9
     WHERE (SELECT count(*) FROM threat_suppressions WHERE origin = 'PERSON') < $10 RETURNING ${COLUMNS}, 0 AS dropped, 0 AS "lastDroppedAt"`,
    [
      scope.filterId,
      scope.url,
      scope.host,
      scope.actor,
      scope.collectionId,
      by.reason,
      by.login,
      now,
      by.expiresAt,
      // Each is compared with every event.
      suppressionLimits.most,
    ],
  )
  return rows[0] ?? null
}

/** Ends a suppression; @returns whether there was one. */
export async function removeSuppression(db: Queryable, id: number): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM threat_suppressions WHERE id = $1', [id])
  return rowCount === 1
}

/** Forgets suppressions whose time is over; @returns how many. */
export async function removeExpiredSuppressions(db: Queryable, now = nowSeconds()): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM threat_suppressions WHERE expires_at > 0 AND expires_at <= $1',
    [now],
  )
  return rowCount ?? 0
}
