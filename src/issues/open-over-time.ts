import { nowSeconds } from '../kit/index.ts'
import type { IssueSeverity, Store } from '../store/index.ts'
import { type BucketLength, bucketLengthFor, bucketStarts } from './buckets.ts'
import { ISSUE_CONDITIONS, ISSUE_PARAMETERS, type IssueFilter, issueParameters } from './issue-filter.ts'
import { WEIGHT } from './issue-groups.ts'

/** The second after it is the last that a 32-bit integer holds. */
const LATEST = 2 ** 31 - 2

const SEVERITIES: readonly IssueSeverity[] = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']

/** How many issues were open at the end of each bucket, by the severity they have now. */
interface OpenOverTime {
  bucket: BucketLength
  /** Ascending, epoch seconds; the last bucket may end in the future. */
  bucketStarts: number[]
  /** Ends of the buckets, not included; that of the last is the moment after `to`. */
  bucketEnds: number[]
  /** One list per severity, one number per bucket. */
  open: Record<IssueSeverity, number[]>
}

/**
 * Counts the open issues, each cause once, at the end of every bucket from `from` to `to`, out of the history of their
 * statuses. Status filters do not apply.
 *
 * @param from before 1970 counts as its beginning, since no issue is older
 * @param to 0 or less for now
 */
export async function openOverTime(
  store: Store,
  filter: IssueFilter,
  from: number,
  to: number,
): Promise<OpenOverTime> {
  const last = Math.min(to > 0 ? to : nowSeconds(), LATEST)
  const first = Math.max(from, 0)
  const bucket = bucketLengthFor(first, last)
  const starts = bucketStarts(first, last, bucket)
  const ends = starts.map((_, at) => starts[at + 1] ?? last + 1)
  const { rows } = await store.pool.query<{ at: number; rank: number; count: number }>(
    `WITH event AS (
       SELECT i.id, i.cause_key, ${WEIGHT} AS weight, i.created_at AS at, 0::bigint AS tie, true AS is_open
       FROM issues i WHERE ${ISSUE_CONDITIONS}
       UNION ALL
       SELECT i.id, i.cause_key, ${WEIGHT}, h.at, h.id, h.to_value = 'OPEN'
       FROM issues i JOIN issue_history h ON h.issue_id = i.id AND h.kind = 'STATUS' WHERE ${ISSUE_CONDITIONS}),
     span AS (
       SELECT cause_key, weight, is_open, at, lead(at, 1, 2147483647) OVER (PARTITION BY id ORDER BY at, tie) AS until
       FROM event),
     cause AS (
       SELECT b.at, s.cause_key, max(s.weight) % 10 AS rank
       FROM unnest($${ISSUE_PARAMETERS + 1}::integer[]) AS b (at)
       JOIN span s ON s.is_open AND s.at < b.at AND s.until >= b.at GROUP BY b.at, s.cause_key)
     SELECT at, rank, count(*) AS count FROM cause GROUP BY at, rank`,
    [...issueParameters({ ...filter, statuses: null }), ends],
  )
  const counts = (severity: IssueSeverity): number[] => {
    const rank = SEVERITIES.indexOf(severity) + 1
    const byEnd = new Map(rows.filter((row) => row.rank === rank).map((row) => [row.at, row.count]))
    return ends.map((end) => byEnd.get(end) ?? 0)
  }
  const open = {
    CRITICAL: counts('CRITICAL'),
    HIGH: counts('HIGH'),
    MEDIUM: counts('MEDIUM'),
    LOW: counts('LOW'),
  }
  return { bucket, bucketStarts: starts, bucketEnds: ends, open }
}
