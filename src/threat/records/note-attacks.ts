import type { StoreClient } from '../../store/index.ts'
import type { NewEvent } from './new-event.ts'

const SECONDS_PER_DAY = 86_400

/** An event at an endpoint. */
type Attack = Pick<NewEvent, 'id' | 'collectionId' | 'method' | 'detectedAt' | 'status'> & {
  /** URL of the endpoint, with names for parameters. */
  readonly url: string
}

/**
 * Counts stored events at the endpoints of the inventory by day, in the caller's transaction, and notes that their risk
 * must be scored anew. Ignored events count nothing until they get another status; those at no known endpoint never do.
 */
export async function noteAttacks(client: StoreClient, attacks: readonly Attack[]): Promise<void> {
  if (attacks.length === 0) return
  await client.query(
    `WITH placed AS (
       SELECT d.id, e.root_id AS endpoint_id, d.day, d.counts
       FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::boolean[])
         AS d (id, collection_id, method, url, day, counts)
       JOIN endpoints e ON e.collection_id = d.collection_id AND e.method = d.method AND e.url = d.url),
     kept AS (
       INSERT INTO endpoint_attack_events (event_id, endpoint_id, day) SELECT id, endpoint_id, day FROM placed
       ON CONFLICT (event_id) DO NOTHING),
     written AS (
       INSERT INTO endpoint_attacks AS a (endpoint_id, day, events)
       SELECT endpoint_id, day, count(*) FROM placed WHERE counts GROUP BY 1, 2 ORDER BY 1, 2
       ON CONFLICT (endpoint_id, day) DO UPDATE SET events = a.events + excluded.events
       RETURNING endpoint_id)
     INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM written`,
    [
      attacks.map(({ id }) => id),
      attacks.map(({ collectionId }) => collectionId),
      attacks.map(({ method }) => method),
      attacks.map(({ url }) => url),
      attacks.map(({ detectedAt }) => Math.floor(detectedAt / SECONDS_PER_DAY)),
      attacks.map(({ status }) => status !== 'IGNORED'),
    ],
  )
}

/** Events `e` of these tables by endpoint and day; `status` restricts kinds `k`. */
function countsOf(status: string, events = 'threat_events e WHERE e.id = ANY ($1::uuid[])'): string {
  return `SELECT n.endpoint_id, n.day, count(*)::integer AS events FROM (SELECT e.id, e.facet_id FROM ${events}) e
    JOIN endpoint_attack_events n ON n.event_id = e.id JOIN threat_facets f ON f.id = e.facet_id
    JOIN threat_kinds k ON k.id = f.kind_id
    WHERE k.status ${status} GROUP BY 1, 2`
}

/** Takes the events of these counts out of those of their endpoints. */
function discounting(counts: string): string {
  return `WITH written AS (
      UPDATE endpoint_attacks a SET events = greatest(a.events - c.events, 0)
      FROM (${counts}) c WHERE a.endpoint_id = c.endpoint_id AND a.day = c.day
      RETURNING a.endpoint_id)
    INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM written`
}

/** Takes events out of the counts of their endpoints, before they are ignored or removed. */
export async function discountAttacks(client: StoreClient, ids: readonly string[]): Promise<void> {
  await client.query(discounting(countsOf("<> 'IGNORED'")), [ids])
}

/** The same for the events of the view `gone`, which are not in the table of events any more. */
export async function discountLeaving(client: StoreClient): Promise<void> {
  await client.query(discounting(countsOf("<> 'IGNORED'", 'gone e')))
}

/** Counts ignored events at their endpoints, before they get another status. */
export async function recountAttacks(client: StoreClient, ids: readonly string[]): Promise<void> {
  await client.query(
    `WITH written AS (
       INSERT INTO endpoint_attacks AS a (endpoint_id, day, events)
       SELECT c.endpoint_id, c.day, c.events FROM (${countsOf("= 'IGNORED'")}) c
       JOIN endpoints e ON e.id = c.endpoint_id ORDER BY 1, 2
       ON CONFLICT (endpoint_id, day) DO UPDATE SET events = a.events + excluded.events
       RETURNING endpoint_id)
     INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM written`,
    [ids],
  )
}
