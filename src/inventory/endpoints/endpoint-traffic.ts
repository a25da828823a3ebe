import type { Store } from '../../store/index.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import { type Latency, latencyOf } from '../durations.ts'
import type { EndpointName } from './list-endpoints.ts'

/** Minutes of a window of callers. */
const WINDOW_MINUTES = 5

/** Calls of one length of time by how they were answered, and from how many addresses they came. */
interface TrafficBucket {
  /** Epoch minutes. */
  readonly start: number
  readonly success: number
  readonly redirects: number
  readonly clientErrors: number
  readonly serverErrors: number
  /** Without a status, or with another one. */
  readonly other: number
  /** Distinct addresses. */
  readonly callers: number
}

/** How long the calls of one length of time took, in milliseconds. */
interface LatencyBucket extends Latency {
  /** Epoch minutes. */
  readonly start: number
}

/** An endpoint with its calls, in the order of time; lengths without calls, or without known durations, are left out. */
interface EndpointTraffic {
  readonly name: EndpointName
  readonly buckets: TrafficBucket[]
  readonly latencies: LatencyBucket[]
}

/** Which time is looked at, in epoch minutes, both included, and how many lengths it is divided into. */
interface TrafficWindow {
  readonly from: number
  readonly to: number
  readonly buckets: number
}

/** Minutes of each length: whole windows of callers. */
export function bucketMinutes({ from, to, buckets }: TrafficWindow): number {
  return Math.max(1, Math.ceil((to - from + 1) / buckets / WINDOW_MINUTES)) * WINDOW_MINUTES
}

/** Minutes of each length of latencies: whole hours. */
export function latencyMinutes(window: TrafficWindow): number {
  return Math.ceil(bucketMinutes(window) / 60) * 60
}

const CLASSES = `coalesce(sum(s.count) FILTER (WHERE s.status_class = 2), 0)::bigint AS success,
  coalesce(sum(s.count) FILTER (WHERE s.status_class = 3), 0)::bigint AS redirects,
  coalesce(sum(s.count) FILTER (WHERE s.status_class = 4), 0)::bigint AS "clientErrors",
  coalesce(sum(s.count) FILTER (WHERE s.status_class = 5), 0)::bigint AS "serverErrors",
  coalesce(sum(s.count) FILTER (WHERE s.status_class NOT BETWEEN 2 AND 5), 0)::bigint AS other`

/** Calls and callers of endpoints over time; those that do not exist are left out. */
export async function endpointTraffic(
  source: CountSource,
  names: readonly EndpointName[],
  window: TrafficWindow,
): Promise<EndpointTraffic[]> {
  const store = await upToDate(source)
  const width = bucketMinutes(window)
  // Buckets of one width begin at the same minutes whenever they are asked for.
  const bucket = (minute: string): string =>
    window.buckets === 1 ? '$4::integer' : `${minute} / $6::integer * $6::integer`
  const { rows } = await store.pool.query<EndpointName & TrafficBucket>(
    `WITH named AS (
       SELECT e.id, e.collection_id, e.method, e.url FROM endpoints e
       WHERE e.is_listed AND (e.collection_id, e.method, e.url) IN (
         SELECT * FROM unnest($1::integer[], $2::text[], $3::text[]))),
     calls AS (
       SELECT m.root_id AS id, ${bucket('s.minute')} AS start, ${CLASSES}
       FROM named n JOIN endpoints m ON m.root_id = n.id JOIN call_minutes s ON s.endpoint_id = m.id
       WHERE s.minute BETWEEN $4::integer AND $5::integer AND $6::integer > 0 GROUP BY 1, 2),
     addresses AS (
       SELECT m.root_id AS id, ${bucket('w.window_start')} AS start, count(DISTINCT a.address) AS callers
       FROM named n JOIN endpoints m ON m.root_id = n.id JOIN ip_windows w ON w.endpoint_id = m.id
         CROSS JOIN LATERAL jsonb_object_keys(w.counts) AS a (address)
       WHERE w.window_start BETWEEN $4::integer AND $5::integer GROUP BY 1, 2)
     SELECT n.collection_id AS "apiCollectionId", n.method, n.url, c.start, c.success, c.redirects, c."clientErrors",
       c."serverErrors", c.other, coalesce(a.callers, 0) AS callers
     FROM named n LEFT JOIN calls c ON c.id = n.id LEFT JOIN addresses a ON a.id = n.id AND a.start = c.start
     ORDER BY n.url, n.method, n.id, c.start`,
    [
      names.map(({ apiCollectionId }) => apiCollectionId),
      names.map(({ method }) => method),
      names.map(({ url }) => url),
      window.from,
      window.to,
      width,
    ],
  )
  const found = new Map<string, EndpointTraffic>()
  for (const { apiCollectionId, method, url, ...counts } of rows) {
    const key = `${apiCollectionId} ${method} ${url}`
    const one = found.get(key) ?? { name: { apiCollectionId, method, url }, buckets: [], latencies: [] }
    if (counts.start !== null) one.buckets.push(counts)
    found.set(key, one)
  }
  await addLatencies(store, found, window)
  return [...found.values()]
}

/** Adds how long calls took to the endpoints found, by their keys. */
async function addLatencies(
  store: Store,
  found: ReadonlyMap<string, EndpointTraffic>,
  window: TrafficWindow,
): Promise<void> {
  const names = Array.from(found.values(), ({ name }) => name)
  const { rows } = await store.pool.query<{ key: string; start: number; bucket: number; count: number }>(
    `SELECT n.collection_id || ' ' || n.method || ' ' || n.url AS key, d.hour * 60 / $6 * $6 AS start, d.bucket,
       sum(d.count)::bigint AS count
     FROM endpoints n JOIN endpoints m ON m.root_id = n.id JOIN endpoint_durations d ON d.endpoint_id = m.id
     WHERE n.is_listed AND (n.collection_id, n.method, n.url) IN (
         SELECT * FROM unnest($1::integer[], $2::text[], $3::text[]))
       AND d.hour BETWEEN $4::integer AND $5::integer AND $6::integer > 0
     GROUP BY n.id, start, d.bucket ORDER BY n.id, start, d.bucket`,
    [
      names.map(({ apiCollectionId }) => apiCollectionId),
      names.map(({ method }) => method),
      names.map(({ url }) => url),
      Math.floor(window.from / 60),
      Math.floor(window.to / 60),
      latencyMinutes(window),
    ],
  )
  for (const [key, ofEndpoint] of Map.groupBy(rows, (row) => row.key))
    for (const [start, ofLength] of Map.groupBy(ofEndpoint, (row) => row.start)) {
      const counts = new Map(ofLength.map(({ bucket, count }) => [bucket, count]))
      found.get(key)?.latencies.push({ start, ...latencyOf(counts) })
    }
}
