import type { Store } from '../../store/index.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import { ENDPOINT_COLUMNS, type EndpointView, inCollection, isInState, visibleTo } from './endpoint-view.ts'

/** Key of an endpoint as requests name it. */
export interface EndpointName {
  apiCollectionId: number
  method: string
  url: string
}

/** Keys of the endpoints of a collection or group, by url then method; of those in some states, or of all (null, none). */
export async function endpointKeys(
  store: Store,
  collectionId: number,
  states: readonly string[] | null,
): Promise<EndpointName[]> {
  const some = states?.length ? states : null
  const { rows } = await store.pool.query<EndpointName>(
    `SELECT e.collection_id AS "apiCollectionId", e.method, e.url FROM endpoints e
     WHERE e.is_listed AND ${inCollection('$1')}
       ${some === null ? '' : `AND ${isInState('$2', some.includes('ACTIVE'))}`} ORDER BY e.url, e.method, e.id`,
    some === null ? [collectionId] : [collectionId, some],
  )
  return rows
}

/** All endpoints of a collection or group, by url then method; members of deactivated collections are left out. */
export async function listEndpoints(source: CountSource, collectionId: number): Promise<EndpointView[]> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<EndpointView>(
    `SELECT ${ENDPOINT_COLUMNS} FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.is_listed AND NOT c.is_deactivated AND ${inCollection('$1')}
     ORDER BY e.url, e.method, e.id`,
    [collectionId],
  )
  return rows
}

/** First times of the endpoints of a collection, with their number of parameter records; newest first. */
export async function endpointStarts(
  store: Store,
  collectionId: number,
): Promise<(EndpointName & { startedAt: number; parameterCount: number })[]> {
  const { rows } = await store.pool.query<EndpointName & { startedAt: number; parameterCount: number }>(
    `SELECT e.collection_id AS "apiCollectionId", e.method, e.url, e.first_seen AS "startedAt",
       (SELECT count(*) FROM (SELECT DISTINCT f.kind, f.response_code, f.name, f.value_type
          FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
          WHERE m.root_id = e.id AND f.kind NOT IN ('AUTH', 'ACCESS')) d)::integer AS "parameterCount"
     FROM endpoints e WHERE e.is_listed AND ${inCollection('$1')}
     ORDER BY e.first_seen DESC, e.url, e.method`,
    [collectionId],
  )
  return rows
}

/** Endpoints known at a moment, deactivated collections left out. */
export async function countEndpointsAt(
  store: Store,
  at: number,
  visible: readonly number[] | null,
): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM endpoints e
     WHERE e.is_listed AND e.discovered_at <= $1
       AND e.collection_id NOT IN (SELECT c.id FROM collections c WHERE c.is_deactivated)
       AND ${visibleTo('$2')}`,
    [at, visible],
  )
  return rows[0]!.count
}

/** Whether a collection holds any endpoint. */
export async function hasEndpoints(source: CountSource, collectionId: number): Promise<boolean> {
  const store = await upToDate(source)
  const { rowCount } = await store.pool.query('SELECT FROM endpoints WHERE collection_id = $1 LIMIT 1', [
    collectionId,
  ])
  return rowCount === 1
}

/** The endpoint of a key; a literal that was merged leads to its template. Groups work: membership counts. */
export async function findEndpoint(store: Store, name: EndpointName): Promise<EndpointView | undefined> {
  const { rows } = await store.pool.query<EndpointView>(
    `SELECT ${ENDPOINT_COLUMNS} FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.id = (
       SELECT k.root_id FROM endpoints k
       WHERE k.method = $2 AND k.url = $3 AND k.root_id <> 0
         AND (k.collection_id = $1
           OR EXISTS (SELECT FROM group_members g WHERE g.group_id = $1 AND g.endpoint_id = k.root_id))
       ORDER BY (k.collection_id = $1) DESC LIMIT 1)`,
    [name.apiCollectionId, name.method, name.url],
  )
  return rows[0]
}

/** Deletes endpoints with everything of theirs; @returns their number and their collections. */
export async function deleteEndpoints(
  store: Store,
  names: readonly EndpointName[],
): Promise<{ count: number; collectionIds: number[] }> {
  const { rows } = await store.pool.query<{ collection_id: number; is_root: boolean }>(
    `DELETE FROM endpoints WHERE root_id IN (
       SELECT e.root_id FROM endpoints e
       JOIN unnest($1::integer[], $2::text[], $3::text[]) AS k (collection_id, method, url)
         ON e.collection_id = k.collection_id AND e.method = k.method AND e.url = k.url
       WHERE e.is_listed)
     RETURNING collection_id, root_id = id AS is_root`,
    [names.map((n) => n.apiCollectionId), names.map((n) => n.method), names.map((n) => n.url)],
  )
  return {
    count: rows.filter((row) => row.is_root).length,
    collectionIds: [...new Set(rows.map((row) => row.collection_id))],
  }
}
