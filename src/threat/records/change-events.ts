import { nowSeconds } from '../../kit/index.ts'
import { type Store, type StoreClient, usingTransaction } from '../../store/index.ts'
import { dropLeaving } from './drop-event-partitions.ts'
import { type EventFilter, eventCondition, lookUp } from './event-filter.ts'
import { discountAttacks, recountAttacks } from './note-attacks.ts'
import { Statement } from './statement.ts'
import { takeTurn } from './store-events.ts'

/** Events of one transaction, so that no other writer waits long. */
const STEP = 2_000

/** Which events to change: these, as far as the caller may see them, or all that fit. */
export type EventSelection =
  | { readonly ids: readonly string[]; readonly visible: readonly number[] | null }
  | { readonly filter: EventFilter }

/** Events that get another status, no matter who asked for it. */
interface StatusChange {
  readonly status: 'ACTIVE' | 'UNDER_REVIEW' | 'IGNORED'
  readonly login: string
  /** False: ignored events leave no suppression. */
  readonly suppress?: boolean
}

/** Conditions on events `e`. */
async function selectionText(
  client: StoreClient,
  selection: EventSelection,
  statement: Statement,
): Promise<string> {
  if ('filter' in selection) return eventCondition(await lookUp(client, selection.filter), statement)
  const ids = `e.id = ANY (${statement.put(selection.ids)}::uuid[])`
  if (selection.visible === null) return ids
  return `${ids} AND e.facet_id = ANY (ARRAY(SELECT f.id FROM threat_facets f
    WHERE f.collection_id = ANY (${statement.put(selection.visible)}::integer[])))`
}

/**
 * Sets the status of events, some thousand a transaction. What is ignored is not stored again unless `suppress` is
 * false: URL, filter and collection become suppressions, which end when their events get another status. Ignored events do not count for
 * the risk of their endpoints.
 *
 * @returns how many changed
 */
export function setEventStatus(
  store: Store,
  selection: EventSelection,
  { status, login, suppress = true }: StatusChange,
  now = nowSeconds(),
): Promise<number> {
  return inSteps(store, async (client) => {
    const statement = new Statement()
    const where = await selectionText(client, selection, statement)
    const { rows } = await client.query<{ id: string }>(
      `SELECT e.id FROM threat_events e JOIN threat_facets sf ON sf.id = e.facet_id
       JOIN threat_kinds sk ON sk.id = sf.kind_id
       WHERE ${where} AND sk.status <> ${statement.put(status)} LIMIT ${STEP}`,
      statement.values,
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await (status === 'IGNORED' ? discountAttacks(client, ids) : recountAttacks(client, ids))
    await moveEvents(client, ids, status)
    if (status !== 'IGNORED') await endSuppressions(client, ids)
    else if (suppress) await addSuppressions(client, ids, login, now)
    return ids.length
  })
}

async function moveEvents(client: StoreClient, ids: readonly string[], status: string): Promise<void> {
  await client.query(
    `INSERT INTO threat_kinds (filter_id, category, sub_category, severity, severity_rank, type, event_type, label,
       status, is_exploit)
     SELECT DISTINCT k.filter_id, k.category, k.sub_category, k.severity, k.severity_rank, k.type, k.event_type,
       k.label, $2, k.is_exploit
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
     WHERE e.id = ANY ($1::uuid[]) ON CONFLICT (digest) DO NOTHING`,
    [ids, status],
  )
  const sibling = `FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
    JOIN threat_kinds k ON k.id = f.kind_id
    JOIN threat_kinds t ON t.filter_id = k.filter_id AND t.category = k.category AND t.sub_category = k.sub_category
      AND t.severity = k.severity AND t.type = k.type AND t.event_type = k.event_type AND t.label = k.label
      AND t.is_exploit = k.is_exploit AND t.status = $2`
  await client.query(
    `INSERT INTO threat_facets (kind_id, collection_id, host, method)
     SELECT DISTINCT t.id, f.collection_id, f.host, f.method ${sibling} WHERE e.id = ANY ($1::uuid[])
     ON CONFLICT (kind_id, collection_id, host, method) DO NOTHING`,
    [ids, status],
  )
  await client.query(
    `UPDATE threat_events u SET facet_id = n.id FROM (
       SELECT e.id AS event_id, g.id ${sibling}
       JOIN threat_facets g ON g.kind_id = t.id AND g.collection_id = f.collection_id AND g.host = f.host
         AND g.method = f.method
       WHERE e.id = ANY ($1::uuid[])) n WHERE u.id = n.event_id`,
    [ids, status],
  )
}

/** Filter, URL and collection of events, 0 for none that is known: ignoring an event of one collection hides none of another. */
const PLACES = `SELECT DISTINCT k.filter_id, e.url, f.collection_id FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
  JOIN threat_kinds k ON k.id = f.kind_id WHERE e.id = ANY ($1::uuid[])`

async function addSuppressions(
  client: StoreClient,
  ids: readonly string[],
  login: string,
  now: number,
): Promise<void> {
  await client.query(
    `INSERT INTO threat_suppressions (filter_id, url, collection_id, origin, reason, created_by, created_at)
     SELECT p.filter_id, p.url, nullif(p.collection_id, 0), 'EVENT', 'An event was ignored', $2, $3 FROM (${PLACES}) p
     ON CONFLICT (filter_id, url, coalesce(collection_id, 0)) WHERE origin = 'EVENT' DO NOTHING`,
    [ids, login, now],
  )
}

/** Ends the suppressions of places where no event is ignored any more. */
async function endSuppressions(client: StoreClient, ids: readonly string[]): Promise<void> {
  await client.query(
    `DELETE FROM threat_suppressions s USING (${PLACES}) p
     WHERE s.origin = 'EVENT' AND s.filter_id = p.filter_id AND s.url = p.url
       AND coalesce(s.collection_id, 0) = p.collection_id AND NOT EXISTS (
       SELECT FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
       WHERE e.url = p.url AND f.collection_id = p.collection_id AND k.filter_id = p.filter_id AND k.status = 'IGNORED')`,
    [ids],
  )
}

/** Deletes events with their messages, some thousand a transaction; @returns how many. */
export function deleteEvents(store: Store, selection: EventSelection): Promise<number> {
  return inSteps(store, async (client) => {
    const statement = new Statement()
    const where = await selectionText(client, selection, statement)
    const { rows } = await client.query<{ id: string }>(
      `SELECT e.id FROM threat_events e WHERE ${where} LIMIT ${STEP}`,
      statement.values,
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await client.query(
      `DELETE FROM threat_suppressions s USING (${PLACES}) p
       WHERE s.origin = 'EVENT' AND s.filter_id = p.filter_id AND s.url = p.url
         AND coalesce(s.collection_id, 0) = p.collection_id`,
      [ids],
    )
    return removeEvents(client, ids)
  })
}

/** Removes events by id, what they count at their endpoints, and messages that no event is left for. */
export async function removeEvents(client: StoreClient, ids: readonly string[]): Promise<number> {
  await discountAttacks(client, ids)
  await client.query('DELETE FROM endpoint_attack_events WHERE event_id = ANY ($1::uuid[])', [ids])
  const { rows } = await client.query<{ refId: string }>(
    'DELETE FROM threat_events WHERE id = ANY ($1::uuid[]) RETURNING ref_id AS "refId"',
    [ids],
  )
  await client.query(
    `DELETE FROM threat_messages m WHERE m.ref_id = ANY ($1::uuid[])
       AND NOT EXISTS (SELECT FROM threat_events e WHERE e.ref_id = m.ref_id)`,
    [rows.map(({ refId }) => refId)],
  )
  return rows.length
}

/** Deletes every event and every figure of them. Actors that were given a status keep it. */
export function deleteAllEvents(store: Store): Promise<void> {
  return usingTransaction(store.pool, async (client) => {
    await takeTurn(client)
    await dropLeaving(client)
    await client.query(
      `UPDATE threat_actors SET first_seen = 0, last_seen = 0, last_severe_at = 0, events = 0, latest_facet_id = NULL,
         latest_api_id = NULL`,
    )
    await client.query(
      `TRUNCATE threat_events, threat_messages, threat_facets, threat_kinds, threat_apis, threat_daily_counts,
         threat_daily_kinds, threat_hourly_kinds, threat_actor_traces, threat_actor_countries, threat_actor_days,
         threat_day_totals, threat_api_actors, threat_api_days, endpoint_attack_events`,
    )
    await client.query(
      `WITH gone AS (DELETE FROM endpoint_attacks RETURNING endpoint_id)
       INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM gone`,
    )
    await client.query(`DELETE FROM threat_actors WHERE status = 'active'`)
    await client.query(`DELETE FROM threat_suppressions WHERE origin = 'EVENT'`)
  })
}

/** Repeats a step in its own transactions until it finds less than a full one. */
async function inSteps(store: Store, step: (client: StoreClient) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await usingTransaction(store.pool, async (client) => {
      await takeTurn(client)
      return step(client)
    })
    total += count
    if (count < STEP) return total
  }
}
