import type { Store } from '../../store/index.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import { IS_IGNORED, visibleTo } from '../endpoints/endpoint-view.ts'
import type { CollectionSelection } from './list-collections.ts'

/** Endpoints whose risk score is at least this are called critical. */
const CRITICAL_FROM = 4

/** Latest event time per collection with traffic (groups included). */
export async function lastSeenByCollection(
  source: CountSource,
  { ids }: CollectionSelection,
): Promise<Map<number, number>> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<{ id: number; at: number }>(
    `SELECT m.id, max(m.at) AS at
     FROM (SELECT id, last_traffic_at AS at FROM collections
           UNION ALL
           SELECT g.group_id, e.last_seen FROM group_members g JOIN endpoints e ON e.id = g.endpoint_id) m
     WHERE m.at > 0 AND ($1::integer[] IS NULL OR m.id = ANY ($1)) GROUP BY m.id ORDER BY m.id`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row.at]))
}

/** Sensitive data types per collection, and the number of endpoints whose responses carry one. */
export async function sensitiveByCollection(
  store: Store,
  { ids }: CollectionSelection,
): Promise<{ types: Map<number, string[]>; endpointsInResponse: number }> {
  const sensitive = `is_listed AND (sensitive_in_request <> '{}' OR sensitive_in_response <> '{}')`
  const { rows } = await store.pool.query<{ id: number; types: string[] }>(
    `SELECT m.id, array_agg(DISTINCT t.type ORDER BY t.type) AS types
     FROM (SELECT collection_id AS id, sensitive_in_request || sensitive_in_response AS types FROM endpoints
           WHERE ${sensitive}
           UNION
           SELECT g.group_id, e.sensitive_in_request || e.sensitive_in_response FROM group_members g
           JOIN (SELECT id, sensitive_in_request, sensitive_in_response FROM endpoints WHERE ${sensitive}) e
             ON e.id = g.endpoint_id) m
     CROSS JOIN LATERAL unnest(m.types) AS t (type)
     WHERE $1::integer[] IS NULL OR m.id = ANY ($1)
     GROUP BY m.id ORDER BY m.id`,
    [ids],
  )
  const counted = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM endpoints e
     WHERE e.is_listed AND e.sensitive_in_response <> '{}'
       AND e.collection_id NOT IN (SELECT c.id FROM collections c WHERE c.is_deactivated)
       AND ${visibleTo('$1')}`,
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
    `SELECT c.id, highest.score FROM collections c
     CROSS JOIN LATERAL (SELECT e.risk_score AS score FROM endpoints e
       WHERE e.is_listed AND e.collection_id = c.id ORDER BY e.risk_score DESC LIMIT 1) highest
     WHERE $1::integer[] IS NULL OR c.id = ANY ($1) ORDER BY c.id`,
    [ids],
  )
  const critical = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM endpoints e
     WHERE e.is_listed AND e.risk_score >= ${CRITICAL_FROM} AND ${visibleTo('$1')}`,
    [ids],
  )
  const groups = await store.pool.query<{ id: number; score: number }>(
    `SELECT g.group_id AS id, max(e.risk_score) AS score FROM group_members g
     JOIN endpoints e ON e.id = g.endpoint_id AND e.is_listed
     WHERE $1::integer[] IS NULL OR g.group_id = ANY ($1) GROUP BY g.group_id`,
    [ids],
  )
  return {
    scores: new Map([...rows, ...groups.rows].map((row) => [row.id, row.score])),
    criticalEndpoints: critical.rows[0]!.count,
  }
}

/**
 * Endpoints tested since a moment, per collection (groups included), as lists show them: without ignored ones. Collections
 * without one are absent.
 */
export async function testedByCollection(
  store: Store,
  { ids }: CollectionSelection,
  since: number,
): Promise<Map<number, number>> {
  const isTested = `e.is_listed AND e.last_tested > 0 AND e.last_tested >= $2 AND NOT ${IS_IGNORED}`
  const { rows } = await store.pool.query<{ id: number; count: number }>(
    `SELECT m.id, count(*) AS count
     FROM (SELECT e.collection_id AS id FROM endpoints e WHERE ${isTested}
           UNION ALL
           SELECT g.group_id FROM group_members g JOIN endpoints e ON e.id = g.endpoint_id
           WHERE ${isTested}) m
     WHERE $1::integer[] IS NULL OR m.id = ANY ($1) GROUP BY m.id ORDER BY m.id`,
    [ids, since],
  )
  return new Map(rows.map((row) => [row.id, row.count]))
}
