import type { ThreatBucket } from '../../../contract/index.ts'
import {
  countOverTime,
  type EventFilter,
  eventSpan,
  readWindow,
  type TimedCount,
} from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

const HOUR = 3_600
const DAY = 86_400
/** More bars cannot be told apart. */
const MOST_BUCKETS = 400
/** Longest span whose events lie in that many buckets, wherever it begins. */
const longest = (seconds: number): number => (MOST_BUCKETS - 1) * seconds
/** Spans up to which each bucket is chosen when none is asked for, and the longest that it is used for at all. */
const CHOICES = [
  { bucket: 'MINUTE', seconds: 60, upTo: 3 * HOUR, atMost: longest(60) },
  { bucket: 'HOUR', seconds: HOUR, upTo: 4 * DAY, atMost: longest(HOUR) },
  { bucket: 'DAY', seconds: DAY, upTo: 93 * DAY, atMost: longest(DAY) },
  { bucket: 'WEEK', seconds: DAY, upTo: 730 * DAY, atMost: longest(7 * DAY) },
  { bucket: 'MONTH', seconds: DAY, upTo: Number.POSITIVE_INFINITY, atMost: Number.POSITIVE_INFINITY },
] as const

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const

/** Numbers of malicious events over time by severity. */
export const fetchThreatTimeline: Handler<'fetchThreatTimeline'> = async (input, { app, caller }) => {
  const db = app.store.pool
  const filter: EventFilter = {
    visible: caller.collectionIds,
    window: readWindow(input.startTs, input.endTs),
    filterIds: input.latestAttack,
    subCategories: input.subCategory,
    severities: input.severity,
    hosts: input.hosts,
    ips: input.actors,
  }
  // The events of a long window may be those of an hour.
  const span = await eventSpan(db, filter)
  const length = span === null ? 0 : span[1] - span[0]
  const { bucket, seconds } = chosen(input.bucket, length)
  const counts = await countOverTime(db, filter, seconds)
  return { bucket, buckets: grouped(counts, bucket) }
}

function chosen(asked: ThreatBucket | null, length: number): (typeof CHOICES)[number] {
  if (asked === null) return CHOICES.find(({ upTo }) => length <= upTo)!
  const at = CHOICES.findIndex(({ bucket }) => bucket === asked)
  return CHOICES.slice(at).find(({ atMost }) => length <= atMost)!
}

/** Start of the bucket that a day belongs to: weeks begin on Monday, months with their first day, in UTC. */
function startOf(day: number, bucket: ThreatBucket): number {
  const date = new Date(day * 1000)
  if (bucket === 'WEEK') return day - ((date.getUTCDay() + 6) % 7) * DAY
  if (bucket === 'MONTH') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
  return day
}

function grouped(counts: readonly TimedCount[], bucket: ThreatBucket) {
  const groups = Map.groupBy(counts, ({ start }) => startOf(start, bucket))
  return [...groups].map(([start, rows]) => {
    const of = (severity: string): number =>
      rows.reduce((sum, one) => sum + (one.severity === severity ? one.count : 0), 0)
    const [critical, high, medium, low] = SEVERITIES.map(of) as [number, number, number, number]
    const all = rows.reduce((sum, { count }) => sum + count, 0)
    return { start, critical, high, medium, low, other: all - critical - high - medium - low }
  })
}
