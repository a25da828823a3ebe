import { nowSeconds } from '../kit/index.ts'
import type { IssueSeverity, Store } from '../store/index.ts'
import {
  type BucketLength,
  bucketLengthFor,
  bucketStart,
  bucketStarts,
  type TrendKey,
  trendKeyFor,
} from './buckets.ts'
import { ISSUE_CONDITIONS, ISSUE_PARAMETERS, type IssueFilter, issueParameters } from './issue-filter.ts'
import { SEVERITY_OF_RANK } from './severity-counts.ts'

const [NEXT, AFTER_NEXT] = [`$${ISSUE_PARAMETERS + 1}`, `$${ISSUE_PARAMETERS + 2}`]

/** Largest value of the columns that hold moments. */
const LAST_MOMENT = 2_147_483_647

/** The bound that leaves a moment included. */
function after(moment: number): number {
  return Math.min(moment + 1, LAST_MOMENT)
}

/** Issues by the time of their creation: three lists of one length, one number per bucket. */
interface IssuesByTime {
  bucket: BucketLength
  bucketStarts: number[]
  total: number[]
  /** OPEN now. */
  open: number[]
  /** OPEN now, and CRITICAL or HIGH. */
  critical: number[]
}

/**
 * Counts issues per bucket from `from` to `to`, both included. A start of 0 or less is the oldest issue, an end of 0
 * or less is now.
 */
export async function issuesByTime(
  store: Store,
  filter: IssueFilter,
  from: number,
  to: number,
): Promise<IssuesByTime> {
  const end = to > 0 ? to : nowSeconds()
  const { rows } = await store.pool.query<{ day: number; total: number; open: number; critical: number }>(
    `SELECT c.created_at / 86400 * 86400 AS day, count(*) AS total, count(*) FILTER (WHERE c.is_open) AS open,
       count(*) FILTER (WHERE c.is_critical) AS critical
     FROM (SELECT min(i.created_at) AS created_at, bool_or(i.status = 'OPEN') AS is_open,
             bool_or(i.status = 'OPEN' AND i.severity IN ('CRITICAL', 'HIGH')) AS is_critical
           FROM issues i WHERE ${ISSUE_CONDITIONS} GROUP BY i.cause_key) c
     WHERE (${NEXT}::integer <= 0 OR c.created_at >= ${NEXT}) AND c.created_at < ${AFTER_NEXT}::integer
     GROUP BY 1 ORDER BY 1`,
    [...issueParameters(filter), from, after(end)],
  )
  const start = from > 0 ? from : (rows[0]?.day ?? end)
  const bucket = bucketLengthFor(start, end)
  const starts = bucketStarts(start, end, bucket)
  const index = new Map(starts.map((at, position) => [at, position]))
  const counts = {
    total: starts.map(() => 0),
    open: starts.map(() => 0),
    critical: starts.map(() => 0),
  }
  for (const row of rows) {
    const at = index.get(bucketStart(row.day, bucket))
    if (at === undefined) continue
    counts.total[at]! += row.total
    counts.open[at]! += row.open
    counts.critical[at]! += row.critical
  }
  return { bucket, bucketStarts: starts, ...counts }
}

/** Numbers of endpoints with new open issues: severity to `<year>_<n>` to endpoints. */
interface EndpointsTrend {
  key: TrendKey
  trend: Record<string, Record<string, number>>
}

/** The number n of a bucket in its year, all in UTC; weeks begin on Sunday, as in the C function strftime's %U. */
const TREND_NUMBER: Readonly<Record<TrendKey, string>> = {
  dayOfYear: 'extract(doy FROM t)',
  weekOfYear: '(extract(doy FROM t) + 6 - extract(dow FROM t))::integer / 7',
  monthOfYear: 'extract(month FROM t)',
}

/** Distinct endpoints with OPEN issues by bucket of creation, per severity. Both ends count; an end of 0 is now. */
export async function endpointsTrend(
  store: Store,
  filter: IssueFilter,
  from: number,
  to: number,
): Promise<EndpointsTrend> {
  const end = to > 0 ? to : nowSeconds()
  const key = trendKeyFor(Math.max(from, 0), end)
  const { rows } = await store.pool.query<{ severity: IssueSeverity; bucket: string; endpoints: number }>(
    `SELECT severity, extract(year FROM t)::text || '_' || (${TREND_NUMBER[key]})::integer::text AS bucket,
       count(DISTINCT (collection_id, method, url)) AS endpoints
     FROM (SELECT i.severity, i.severity_rank, i.collection_id, i.method, i.url,
             to_timestamp(i.created_at) AT TIME ZONE 'UTC' AS t
           FROM issues i WHERE ${ISSUE_CONDITIONS}) AS dated
     GROUP BY severity, severity_rank, 2 ORDER BY severity_rank DESC, 2`,
    issueParameters({ ...filter, statuses: ['OPEN'], createdFrom: from, createdBefore: after(end) }),
  )
  const trend: Record<string, Record<string, number>> = {}
  for (const { severity, bucket, endpoints } of rows) {
    const buckets = trend[severity] ?? {}
    buckets[bucket] = endpoints
    trend[severity] = buckets
  }
  return { key, trend }
}

/** Numbers of OPEN issues per collection and severity, each cause once; groups are not expanded. */
export async function openBySeverity(
  store: Store,
  filter: IssueFilter,
): Promise<Map<number, Partial<Record<IssueSeverity, number>>>> {
  const { rows } = await store.pool.query<{ id: number; severity: IssueSeverity; count: number }>(
    `SELECT c.collection_id AS id, ${SEVERITY_OF_RANK} AS severity, count(*) AS count
     FROM (SELECT i.collection_id, max(i.severity_rank) AS rank FROM issues i WHERE ${ISSUE_CONDITIONS}
           GROUP BY i.collection_id, i.cause_key) c
     GROUP BY c.collection_id, c.rank ORDER BY c.collection_id, c.rank DESC`,
    issueParameters({ ...filter, statuses: ['OPEN'] }),
  )
  const info = new Map<number, Partial<Record<IssueSeverity, number>>>()
  for (const { id, severity, count } of rows) info.set(id, { ...info.get(id), [severity]: count })
  return info
}

/** Numbers of OPEN issues per test, last seen between two moments, both included; an end of 0 or less is open. */
export async function openByTest(
  store: Store,
  visible: readonly number[] | null,
  seenFrom: number,
  seenTo: number,
): Promise<Map<string, number>> {
  const { rows } = await store.pool.query<{ test: string; count: number }>(
    `SELECT i.test_id AS test, count(DISTINCT i.cause_key) AS count FROM issues i WHERE ${ISSUE_CONDITIONS}
       AND i.last_seen >= ${NEXT} AND (${AFTER_NEXT}::integer <= 0 OR i.last_seen <= ${AFTER_NEXT})
     GROUP BY i.test_id ORDER BY i.test_id`,
    [...issueParameters({ visible, statuses: ['OPEN'], activeOnly: true }), seenFrom, seenTo],
  )
  return new Map(rows.map(({ test, count }) => [test, count]))
}

/** An endpoint with its OPEN issues. */
export interface EndpointIssues {
  collectionId: number
  method: string
  url: string
  count: number
  /** Tests that found something, by id. */
  testIds: string[]
}

/** The endpoints with the most OPEN issues, at most `limit`. */
export async function openByEndpoint(
  store: Store,
  filter: IssueFilter,
  limit: number,
): Promise<EndpointIssues[]> {
  const { rows } = await store.pool.query<EndpointIssues>(
    `SELECT i.collection_id AS "collectionId", i.method, i.url, count(DISTINCT i.cause_key) AS count,
       array_agg(i.test_id ORDER BY i.test_id) AS "testIds"
     FROM issues i WHERE ${ISSUE_CONDITIONS}
     GROUP BY i.collection_id, i.method, i.url
     ORDER BY 4 DESC, i.collection_id, i.url, i.method LIMIT ${NEXT}`,
    [...issueParameters({ ...filter, statuses: ['OPEN'] }), limit],
  )
  return rows
}
