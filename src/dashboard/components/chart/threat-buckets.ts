import type { ResponseOf, ThreatBucket } from '../../../contract/browser.ts'

/** Numbers of events of one bucket by severity. */
type TimelineBucket = ResponseOf<'fetchThreatTimeline'>['buckets'][number]

const seconds: Readonly<Record<Exclude<ThreatBucket, 'MONTH'>, number>> = {
  MINUTE: 60,
  HOUR: 3_600,
  DAY: 86_400,
  WEEK: 604_800,
}

/** Start of the bucket after the one that begins there (epoch seconds). */
export function nextBucket(start: number, bucket: ThreatBucket): number {
  if (bucket !== 'MONTH') return start + seconds[bucket]
  const date = new Date(start * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
}

/** The buckets from the first to the last with those between that have no events; the server answers no more than can be drawn. */
export function everyBucket(buckets: readonly TimelineBucket[], bucket: ThreatBucket): TimelineBucket[] {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (first === undefined || last === undefined) return []
  const known = new Map(buckets.map((one) => [one.start, one]))
  const all: TimelineBucket[] = []
  for (let start = first.start; start <= last.start; start = nextBucket(start, bucket))
    all.push(known.get(start) ?? { start, critical: 0, high: 0, medium: 0, low: 0, other: 0 })
  return all
}

/** Events of a bucket of all severities. */
export function sumOf({ critical, high, medium, low, other }: TimelineBucket): number {
  return critical + high + medium + low + other
}
