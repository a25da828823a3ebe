import { isIP } from 'node:net'
import { nowSeconds } from '../../kit/index.ts'
import type { Queryable, Store, StoreClient } from '../../store/index.ts'
import { usingTransaction } from '../../store/index.ts'
import { actorText } from '../records/event-text.ts'
import { takeTurn } from '../records/store-events.ts'

/** The status of everybody who was given none. */
const ACTIVE = 'active'
/** The status that puts an actor on the block list. */
export const BLOCKED = 'blocked'

/** A status to be given. */
interface ActorStatusChange {
  /** Any word; compared and kept in lower case. */
  readonly status: string
  /** Epoch seconds at which the actor is active again; 0 for never. */
  readonly until: number
  readonly login: string
  readonly reason: string
  /** What else is written in the same transaction. */
  readonly follow?: (client: StoreClient) => Promise<void>
}

/** Gives actors a status and notes who did. Unknown ones get a record. */
export function setActorStatus(
  store: Store,
  actors: readonly string[],
  change: ActorStatusChange,
  now = nowSeconds(),
): Promise<void> {
  const named = [...new Set(actors.map(actorText))].sort()
  const status = change.status.trim().toLowerCase()
  return usingTransaction(store.pool, async (client) => {
    await takeTurn(client)
    await client.query(
      'INSERT INTO threat_actors (actor) SELECT unnest($1::text[]) ON CONFLICT (actor) DO NOTHING',
      [named],
    )
    await client.query(
      `WITH old AS (
         SELECT id, actor, status FROM threat_actors WHERE actor = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE
       ), noted AS (
         INSERT INTO threat_actor_changes (actor, from_status, to_status, status_until, changed_by, reason, changed_at)
         SELECT actor, status, $2, $3, $4, $5, $6 FROM old ORDER BY actor
       )
       UPDATE threat_actors a SET status = $2, status_until = $3, status_by = $4, status_reason = $5, status_at = $6
       FROM old WHERE old.id = a.id`,
      [named, status, change.until, change.login, change.reason, now],
    )
    await change.follow?.(client)
  })
}

/** Ends statuses whose time is over, and notes it; @returns how many. */
export async function endStatuses(store: Store, now = nowSeconds()): Promise<number> {
  const due = await store.pool.query(
    `SELECT FROM threat_actors WHERE status <> '${ACTIVE}' AND status_until > 0 AND status_until <= $1 LIMIT 1`,
    [now],
  )
  return due.rowCount === 0 ? 0 : usingTransaction(store.pool, (client) => endDue(client, now))
}

async function endDue(client: StoreClient, now: number): Promise<number> {
  await takeTurn(client)
  const { rowCount } = await client.query(
    `WITH old AS (
       SELECT id, actor, status FROM threat_actors
       WHERE status <> '${ACTIVE}' AND status_until > 0 AND status_until <= $1 ORDER BY id FOR NO KEY UPDATE
     ), noted AS (
       INSERT INTO threat_actor_changes (actor, from_status, to_status, status_until, changed_by, reason, changed_at)
       SELECT actor, status, '${ACTIVE}', 0, '', 'Its time was over', $1 FROM old ORDER BY actor
     )
     UPDATE threat_actors a SET status = '${ACTIVE}', status_until = 0, status_by = '', status_reason = '', status_at = $1
     FROM old WHERE old.id = a.id`,
    [now],
  )
  return rowCount ?? 0
}

/** One change of the status of an actor. */
interface StatusRecord {
  readonly actor: string
  readonly fromStatus: string
  readonly toStatus: string
  readonly until: number
  /** '' when its time was over. */
  readonly changedBy: string
  readonly reason: string
  readonly changedAt: number
}

/** Changes of the status of one actor, or of all, the newest first. */
export async function statusHistory(
  db: Queryable,
  actor: string | null,
  limit: number,
  visible: readonly number[] | null,
): Promise<StatusRecord[]> {
  const { rows } = await db.query<StatusRecord>(
    `SELECT actor, from_status AS "fromStatus", to_status AS "toStatus", status_until AS until,
       changed_by AS "changedBy", reason, changed_at AS "changedAt"
     FROM threat_actor_changes c WHERE ($1::text IS NULL OR actor = $1) AND ($3::integer[] IS NULL OR EXISTS (
       SELECT FROM threat_actors a JOIN threat_events e ON e.actor_id = a.id JOIN threat_facets f ON f.id = e.facet_id
       WHERE a.actor = c.actor AND f.collection_id = ANY ($3))) ORDER BY id DESC LIMIT $2`,
    [actor, limit, visible],
  )
  return rows
}

/** An entry of the block list. */
export interface BlockedActor {
  readonly actor: string
  /** Whether it is an address, which gateways can refuse; others are for the application itself. */
  readonly isAddress: boolean
  readonly since: number
  /** 0: for ever. */
  readonly until: number
  readonly blockedBy: string
  readonly reason: string
}

/** Who is blocked now, by name. */
export async function blockedActors(db: Queryable, now = nowSeconds()): Promise<BlockedActor[]> {
  const { rows } = await db.query<Omit<BlockedActor, 'isAddress'>>(
    `SELECT actor, status_at AS since, status_until AS until, status_by AS "blockedBy", status_reason AS reason
     FROM threat_actors WHERE status <> '${ACTIVE}' AND status = '${BLOCKED}' AND (status_until = 0 OR status_until > $1)
     ORDER BY actor`,
    [now],
  )
  return rows.map((row) => ({ ...row, isAddress: isIP(row.actor) !== 0 }))
}
