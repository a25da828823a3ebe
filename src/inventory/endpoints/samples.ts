import type { Store } from '../../store/index.ts'

/** Samples shown per endpoint. */
const MAX_SAMPLES = 10

/** Sample messages of an endpoint, oldest first. */
export async function endpointSamples(
  store: Store,
  endpointId: number,
  onlySensitive = false,
): Promise<{ message: string; at: number; status: number }[]> {
  const { rows } = await store.pool.query<{ message: string; at: number; status: number }>(
    `SELECT message, at, status FROM (
       SELECT s.id, s.message, s.observed_at AS at, s.status FROM samples s JOIN endpoints m ON m.id = s.endpoint_id
       WHERE m.root_id = $1 AND (s.is_sensitive OR NOT $2) ORDER BY s.observed_at DESC, s.id DESC LIMIT $3) newest
     ORDER BY at, id`,
    [endpointId, onlySensitive, MAX_SAMPLES],
  )
  return rows
}

/** An endpoint with its newest sample; null when it has none. */
interface SampledEndpoint {
  url: string
  method: string
  message: string | null
}

/**
 * One page of the endpoints of a collection or group after a cursor, by url then method in byte order, each with its
 * newest sample. Members of deactivated collections are left out.
 */
export async function sampledEndpoints(
  store: Store,
  collectionId: number,
  after: { url: string; method: string } | null,
  limit: number,
): Promise<SampledEndpoint[]> {
  const { rows } = await store.pool.query<SampledEndpoint>(
    `SELECT e.url, e.method,
       (SELECT s.message FROM samples s JOIN endpoints m ON m.id = s.endpoint_id WHERE m.root_id = e.id
        ORDER BY s.observed_at DESC, s.id DESC LIMIT 1) AS message
     FROM endpoints e
     WHERE e.is_listed AND e.collection_id NOT IN (SELECT c.id FROM collections c WHERE c.is_deactivated)
       AND (e.collection_id = $1 OR e.id IN (SELECT g.endpoint_id FROM group_members g WHERE g.group_id = $1))
       AND ($2::text IS NULL OR (e.url COLLATE "C", e.method COLLATE "C") > ($2 COLLATE "C", $3 COLLATE "C"))
     ORDER BY e.url COLLATE "C", e.method COLLATE "C" LIMIT $4`,
    [collectionId, after?.url ?? null, after?.method ?? null, limit],
  )
  return rows
}
