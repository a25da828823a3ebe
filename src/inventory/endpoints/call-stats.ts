import { type CountSource, upToDate } from '../count-source.ts'

/** Calls of an endpoint within one minute. */
interface MinuteCalls {
  minute: number
  count: number
}

/** Calls per minute between two minutes, both included, ascending. */
export async function callsPerMinute(
  source: CountSource,
  endpointId: number,
  fromMinute: number,
  toMinute: number,
): Promise<MinuteCalls[]> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<MinuteCalls>(
    `SELECT s.minute, sum(s.count)::bigint AS count FROM call_minutes s JOIN endpoints m ON m.id = s.endpoint_id
     WHERE m.root_id = $1 AND s.minute BETWEEN $2 AND $3 GROUP BY s.minute ORDER BY s.minute`,
    [endpointId, fromMinute, toMinute],
  )
  return rows
}

/** Upper ends of the buckets of calls per address and window; above the last is the bucket after it. */
const BUCKET_ENDS = [10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 35_000, 50_000, 100_000]

/** Statistics over the windows of the number of addresses in one bucket. */
interface BucketView {
  label: string
  min: number
  max: number
  p25: number
  p50: number
  p75: number
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(1, Math.ceil((percent * sorted.length) / 100)) - 1]!
}

/** Addresses per bucket of calls, over the five-minute windows that start between two minutes. */
export async function callsPerAddress(
  source: CountSource,
  endpointId: number,
  fromMinute: number,
  toMinute: number,
): Promise<BucketView[]> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<{ start: number; address: string; count: number }>(
    `SELECT w.window_start AS start, a.key AS address, sum(a.value::bigint)::bigint AS count
     FROM ip_windows w JOIN endpoints m ON m.id = w.endpoint_id CROSS JOIN LATERAL jsonb_each_text(w.counts) AS a
     WHERE m.root_id = $1 AND w.window_start BETWEEN $2 AND $3 GROUP BY 1, 2`,
    [endpointId, fromMinute, toMinute],
  )
  // bucket → window → addresses
  const buckets = new Map<number, Map<number, number>>()
  for (const { start, count } of rows) {
    const index = BUCKET_ENDS.findIndex((end) => count <= end)
    const bucket = index < 0 ? BUCKET_ENDS.length : index
    const windows = buckets.get(bucket) ?? new Map<number, number>()
    windows.set(start, (windows.get(start) ?? 0) + 1)
    buckets.set(bucket, windows)
  }
  return [...buckets.entries()]
    .sort((a, b) => a[0] - b[0])
    .map(([bucket, windows]) => {
      const sorted = [...windows.values()].sort((a, b) => a - b)
      return {
        label: `b${bucket + 1}`,
        min: sorted[0]!,
        max: sorted.at(-1)!,
        p25: percentile(sorted, 25),
        p50: percentile(sorted, 50),
        p75: percentile(sorted, 75),
      }
    })
}
