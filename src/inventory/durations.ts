/**
 * Durations of calls as a histogram that can be added to others: each bucket is √2 times as wide as the one before, so a
 * percentile of it is at most a fifth away from that of the calls themselves. Bucket 0 is below a millisecond, the last
 * one from about six minutes on.
 */
export const DURATION_BUCKETS = 38

/** The bucket of a duration in milliseconds. */
export function durationBucket(milliseconds: number): number {
  return milliseconds < 1 ? 0 : Math.min(DURATION_BUCKETS - 1, Math.floor(2 * Math.log2(milliseconds)) + 1)
}

/**
 * The duration in milliseconds that a share of the calls did not exceed, as the middle of its bucket; null without calls.
 *
 * @param counts calls by bucket
 */
export function durationAt(counts: ReadonlyMap<number, number>, share: number): number | null {
  let total = 0
  for (const count of counts.values()) total += count
  let upTo = 0
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    upTo += count
    if (upTo >= share * total) return Math.max(1, Math.round(2 ** ((bucket - 0.5) / 2)))
  }
  return null
}

/** Median and 95th percentile. */
export interface Latency {
  readonly p50: number | null
  readonly p95: number | null
}

/** {@link durationAt} for what pages show. */
export function latencyOf(counts: ReadonlyMap<number, number>): Latency {
  return { p50: durationAt(counts, 0.5), p95: durationAt(counts, 0.95) }
}
