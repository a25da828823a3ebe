import { nowSeconds } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import { removeEvents } from './change-events.ts'
import {
  dropEventPartitions,
  isArchiving,
  isLeaving,
  type NoteDetached,
  unevenPartitions,
} from './drop-event-partitions.ts'
import { DAY } from './event-window.ts'
import { takeTurn } from './store-events.ts'
import { addUpDrops, removeExpiredSuppressions } from './suppressions.ts'

/** Rows of one transaction, so that events that come in do not wait long. */
const STEP = 2_000

/** What one purge removed. */
interface Purged {
  readonly events: number
  readonly messages: number
}

/** How a purge is carried out. */
interface PurgeOptions {
  /** Asked between the steps, each a separate short transaction. */
  readonly mayGoOn?: () => boolean
  readonly now?: number
  /** Null: events are not archived. */
  readonly noteDetached?: NoteDetached | null
}

/**
 * Removes events older than this many days with what belongs to them, and figures, endpoints and actors that nothing
 * is left of. Events in a partition of their week go with it, when the newest may go.
 */
export async function purgeEvents(
  store: Store,
  days: number,
  { mayGoOn = () => true, now = nowSeconds(), noteDetached = null }: PurgeOptions = {},
): Promise<Purged> {
  const before = now - days * DAY
  let events = await dropEventPartitions(store, before, mayGoOn, noteDetached)
  for (const table of await unevenPartitions(store))
    events += await repeat(mayGoOn, () => purgeStep(store, table, before))
  const messages = (await isArchiving(store)) ? 0 : await removeMessages(store, before, mayGoOn)
  await sweep(store, before, mayGoOn)
  await addUpDrops(store.pool)
  await removeExpiredSuppressions(store.pool, now)
  return { events, messages }
}

/** Removes messages that no event has any more, or ever had. */
function removeMessages(store: Store, before: number, mayGoOn: () => boolean): Promise<number> {
  const condition = 'at < $1 AND NOT EXISTS (SELECT FROM threat_events e WHERE e.ref_id = x.ref_id)'
  return repeat(mayGoOn, () => removeRows(store, 'threat_messages', condition, [before]))
}

function purgeStep(store: Store, table: string, before: number): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    await takeTurn(client)
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE detected_at < $1 ORDER BY detected_at LIMIT $2`,
      [before, STEP],
    )
    return rows.length === 0
      ? 0
      : removeEvents(
          client,
          rows.map(({ id }) => id),
        )
  })
}

/** Rows of figures that count nothing any more, and what only such rows spoke of. */
async function sweep(store: Store, before: number, mayGoOn: () => boolean): Promise<void> {
  const parts: readonly (readonly [table: string, condition: string])[] = [
    ['threat_daily_counts', 'x.events <= 0'],
    ['threat_daily_kinds', 'x.events <= 0'],
    ['threat_hourly_kinds', 'x.events <= 0'],
    ['threat_day_totals', 'x.actors <= 0'],
    [
      'threat_facets',
      `NOT EXISTS (SELECT FROM threat_events e WHERE e.facet_id = x.id)
       AND NOT EXISTS (SELECT FROM threat_daily_counts c WHERE c.facet_id = x.id)
       AND NOT EXISTS (SELECT FROM threat_actors a WHERE a.latest_facet_id = x.id)`,
    ],
    ['threat_kinds', 'NOT EXISTS (SELECT FROM threat_facets f WHERE f.kind_id = x.id)'],
    [
      'threat_actors',
      `x.events <= 0 AND x.status = 'active' AND NOT EXISTS (SELECT FROM threat_events e WHERE e.actor_id = x.id)`,
    ],
    [
      'threat_apis',
      `x.events <= 0 AND x.first_seen = 0 AND NOT EXISTS (SELECT FROM threat_api_actors p WHERE p.api_id = x.id)
       AND NOT EXISTS (SELECT FROM threat_actors a WHERE a.latest_api_id = x.id)`,
    ],
    ['threat_actor_changes', `x.changed_at < ${before - KEPT_CHANGES_DAYS * DAY}`],
  ]
  const isKept = (await isLeaving(store)) ? REFERRED_TO : new Set()
  for (const [table, condition] of parts)
    if (!isKept.has(table)) await repeat(mayGoOn, () => removeRows(store, table, condition, []))
}

/** What events that were taken out, and not dropped yet, still refer to. */
const REFERRED_TO: ReadonlySet<unknown> = new Set([
  'threat_facets',
  'threat_kinds',
  'threat_actors',
  'threat_apis',
])

/** Days for which changes of the status of actors are kept beyond their events. */
const KEPT_CHANGES_DAYS = 365

function removeRows(
  store: Store,
  table: string,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    await takeTurn(client)
    const { rowCount } = await client.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT x.ctid FROM ${table} x WHERE ${condition} LIMIT ${STEP}))`,
      [...values],
    )
    return rowCount ?? 0
  })
}

async function repeat(mayGoOn: () => boolean, step: () => Promise<number>): Promise<number> {
  let total = 0
  while (mayGoOn()) {
    const count = await step()
    total += count
    if (count < STEP) break
  }
  return total
}
