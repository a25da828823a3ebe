import { nowSeconds } from '../../../kit/index.ts'
import type { Queryable, StoreClient } from '../../../store/index.ts'
import { latencyOf } from '../../durations.ts'

/** Calls of an endpoint in one hour that took about as long. */
export interface DurationCount {
  readonly endpointId: number
  readonly hour: number
  readonly bucket: number
  count: number
}

/** Hours up to the latest one with a known duration whose calls make the latency that lists show. */
const LATENCY_HOURS = 24
const SECONDS_PER_HOUR = 3600

/** Adds durations to those of their hours, and writes what lists show of their endpoints. */
export async function foldDurations(
  client: StoreClient,
  durations: ReadonlyMap<string, DurationCount>,
): Promise<void> {
  if (durations.size === 0) return
  const rows = [...durations.values()]
  const { rows: touched } = await client.query<{ endpoint_id: number }>(
    `WITH added AS (
       INSERT INTO endpoint_durations (endpoint_id, hour, bucket, count)
       SELECT t.id, t.hour, t.bucket, t.count
       FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bigint[]) AS t (id, hour, bucket, count)
       WHERE EXISTS (SELECT FROM endpoints e WHERE e.id = t.id)
       ON CONFLICT (endpoint_id, hour, bucket) DO UPDATE SET count = endpoint_durations.count + excluded.count
       RETURNING endpoint_id)
     SELECT DISTINCT endpoint_id FROM added`,
    [
      rows.map(({ endpointId }) => endpointId),
      rows.map(({ hour }) => hour),
      rows.map(({ bucket }) => bucket),
      rows.map(({ count }) => count),
    ],
  )
  await writeLatencies(
    client,
    touched.map(({ endpoint_id: id }) => id),
  )
}

/**
 * Writes the latency of the endpoints that lists show for some endpoints: of themselves, or of their templates. After
 * durations were added, or endpoints moved. Hours to come, of senders whose clock is wrong, do not hide those that were.
 */
export async function writeLatencies(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await client.query<{ root: number; bucket: number | null; count: number }>(
    `WITH roots AS (
       SELECT DISTINCT e.root_id AS root FROM endpoints e WHERE e.id = ANY ($1::bigint[]) AND e.root_id <> 0),
     latest AS (
       SELECT r.root, (
         SELECT coalesce(max(past.hour), max(any_time.hour)) FROM endpoints m
         LEFT JOIN LATERAL (SELECT hour FROM endpoint_durations
           WHERE endpoint_id = m.id AND hour <= $3 ORDER BY hour DESC LIMIT 1) past ON true
         LEFT JOIN LATERAL (SELECT hour FROM endpoint_durations
           WHERE endpoint_id = m.id ORDER BY hour DESC LIMIT 1) any_time ON true
         WHERE m.root_id = r.root) AS hour FROM roots r)
     SELECT l.root, d.bucket, coalesce(sum(d.count), 0)::bigint AS count
     FROM latest l LEFT JOIN endpoints m ON m.root_id = l.root AND l.hour IS NOT NULL
     LEFT JOIN endpoint_durations d ON d.endpoint_id = m.id AND d.hour > l.hour - $2 AND d.hour <= l.hour
     GROUP BY l.root, d.bucket ORDER BY l.root, d.bucket`,
    [ids, LATENCY_HOURS, Math.floor(nowSeconds() / SECONDS_PER_HOUR) + 1],
  )
  const histograms = new Map<number, Map<number, number>>()
  for (const { root, bucket, count } of rows) {
    const counts = histograms.get(root) ?? new Map<number, number>()
    histograms.set(root, counts)
    if (bucket !== null) counts.set(bucket, count)
  }
  const found = Array.from(histograms, ([id, counts]) => ({ id, ...latencyOf(counts) }))
  await client.query(
    `UPDATE endpoints e SET latency_p50 = d.p50, latency_p95 = d.p95
     FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS d (id, p50, p95)
     WHERE e.id = d.id AND (e.latency_p50, e.latency_p95) IS DISTINCT FROM (d.p50, d.p95)`,
    [found.map(({ id }) => id), found.map(({ p50 }) => p50 ?? -1), found.map(({ p95 }) => p95 ?? -1)],
  )
}
