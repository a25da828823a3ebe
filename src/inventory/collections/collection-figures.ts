import type { Store } from '../../store/index.ts'
import type { CollectionSelection } from './list-collections.ts'

/** Endpoints whose risk score is at least this are called critical. */
const CRITICAL_FROM = 4

/** Endpoints with the collections they count in: their own and their groups. */
const MEMBERSHIP = `SELECT id AS endpoint_id, collection_id FROM endpoints WHERE root_id = id
  UNION ALL SELECT endpoint_id, group_id FROM group_members`

/** Latest event time per collection with traffic. */
export async function lastSeenByCollection(
  store: Store,
  { ids }: CollectionSelection,
): Promise<Map<number, number>> {
  const { rows } = await store.pool.query<{ id: number; at: number }>(
    `SELECT e.collection_id AS id, max(e.last_seen) AS at FROM endpoints e
     WHERE e.root_id = e.id AND e.call_count > 0 AND ($1::integer[] IS NULL OR e.collection_id = ANY ($1))
     GROUP BY 1 ORDER BY 1`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row.at]))
}

/** Sensitive data types per collection, and the number of endpoints whose responses carry one. */
export async function sensitiveByCollection(
  store: Store,
  { ids }: CollectionSelection,
): Promise<{ types: Map<number, string[]>; endpointsInResponse: number }> {
  const { rows } = await store.pool.query<{ id: number; types: string[] }>(
    `SELECT m.collection_id AS id, array_agg(DISTINCT t.type ORDER BY t.type) AS types
     FROM endpoints e
     JOIN (${MEMBERSHIP}) m ON m.endpoint_id = e.id
     CROSS JOIN LATERAL unnest(e.sensitive_in_request || e.sensitive_in_response) AS t (type)
     WHERE e.root_id = e.id AND (e.sensitive_in_request <> '{}' OR e.sensitive_in_response <> '{}')
       AND ($1::integer[] IS NULL OR m.collection_id = ANY ($1))
     GROUP BY 1 ORDER BY 1`,
    [ids],
  )
  const counted = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.root_id = e.id AND e.sensitive_in_response <> '{}' AND NOT c.is_deactivated
       AND ($1::integer[] IS NULL OR e.collection_id = ANY ($1))`,
    [ids],
  )
  return {
    types: new Map(rows.map((row) => [row.id, row.types])),
    endpointsInResponse: counted.rows[0]!.count,
  }
}

/** Highest risk score per collection (groups included), and the number of critical endpoints overall. */
export async function riskByCollection(
  store: Store,
  { ids }: CollectionSelection,
): Promise<{ scores: Map<number, number>; criticalEndpoints: number }> {
  const { rows } = await store.pool.query<{ id: number; score: number }>(
    `SELECT m.collection_id AS id, max(e.risk_score) AS score
     FROM endpoints e JOIN (${MEMBERSHIP}) m ON m.endpoint_id = e.id
     WHERE e.root_id = e.id AND ($1::integer[] IS NULL OR m.collection_id = ANY ($1))
     GROUP BY 1 ORDER BY 1`,
    [ids],
  )
  const critical = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM endpoints
     WHERE root_id = id AND risk_score >= $2 AND ($1::integer[] IS NULL OR collection_id = ANY ($1))`,
    [ids, CRITICAL_FROM],
  )
  return {
    scores: new Map(rows.map((row) => [row.id, row.score])),
    criticalEndpoints: critical.rows[0]!.count,
  }
}

/** Endpoints tested since a moment, per collection (groups included); collections without one are absent. */
export async function testedByCollection(
  store: Store,
  { ids }: CollectionSelection,
  since: number,
): Promise<Map<number, number>> {
  const { rows } = await store.pool.query<{ id: number; count: number }>(
    `SELECT m.collection_id AS id, count(*) AS count
     FROM endpoints e JOIN (${MEMBERSHIP}) m ON m.endpoint_id = e.id
     WHERE e.root_id = e.id AND e.last_tested >= $2 AND ($1::integer[] IS NULL OR m.collection_id = ANY ($1))
     GROUP BY 1 ORDER BY 1`,
    [ids, since],
  )
  return new Map(rows.map((row) => [row.id, row.count]))
}
