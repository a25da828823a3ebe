import { nowSeconds } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { bucketLengthFor, bucketStart, startOfDay } from './buckets.ts'

const DAY = 86_400
/** A test counts as coverage for so long. */
const TESTED_SECONDS = 30 * DAY

/** Coverage and risk of one collection, or of all (0), at one time. */
interface CoverageView {
  collectionId: number
  endpointsCount: number
  riskScore: number
  testedCount: number
  /** Start of the day, week or month in UTC. */
  time: number
}

/**
 * Figures of collections and groups as they are now; parameter 1 is the earliest test that still counts. Each part is
 * read from an index that holds nothing else; groups are looked at only where `groups`, SQL of a table of their ids,
 * names some.
 */
function currentOf(groups: string): string {
  return `SELECT c.id AS collection_id, coalesce(o.count, 0)::integer AS endpoints_count,
      coalesce(t.count, 0)::integer AS tested_count, coalesce(o.risk, 0)::double precision AS risk_score
    FROM collections c
    LEFT JOIN (SELECT e.collection_id, count(*) AS count, sum(e.risk_score) AS risk FROM endpoints e
      WHERE e.is_listed GROUP BY e.collection_id) o ON o.collection_id = c.id
    LEFT JOIN (SELECT e.collection_id, count(*) AS count FROM endpoints e
      WHERE e.is_listed AND e.last_tested > 0 AND e.last_tested >= $1 GROUP BY e.collection_id) t
      ON t.collection_id = c.id
    WHERE c.kind <> 'GROUP'
    UNION ALL
    SELECT c.id, count(e.id)::integer, (count(e.id) FILTER (WHERE e.last_tested >= $1))::integer,
      coalesce(sum(e.risk_score), 0)::double precision
    FROM (${groups}) c LEFT JOIN group_members g ON g.group_id = c.id
    LEFT JOIN endpoints e ON e.id = g.endpoint_id AND e.is_listed GROUP BY c.id`
}

/**
 * Keeps the coverage of the day that `at` lies in, one row per collection; asked again on the same day it replaces
 * them, so a restart doubles nothing.
 */
export async function keepCoverage(store: Store, at = nowSeconds()): Promise<void> {
  await store.pool.query(
    `INSERT INTO coverage_history (collection_id, day, endpoints_count, tested_count, risk_score)
     SELECT f.collection_id, $2, f.endpoints_count, f.tested_count, f.risk_score
     FROM (${currentOf(`SELECT x.id FROM collections x WHERE x.kind = 'GROUP'`)}) f
     ON CONFLICT (collection_id, day) DO UPDATE SET endpoints_count = excluded.endpoints_count,
       tested_count = excluded.tested_count, risk_score = excluded.risk_score`,
    [at - TESTED_SECONDS, startOfDay(at)],
  )
}

interface DayRow {
  collection_id: number
  day: number
  endpoints_count: number
  tested_count: number
  risk_score: number
}

/**
 * Coverage over time, ascending. Per day up to 30 days, else means per week or month. Without collections the rows
 * are sums over all active collections that are not groups; today's are computed now.
 *
 * @param from 0 or less for no bound
 * @param to 0 or less for now
 */
export async function coverageOver(
  store: Store,
  { from, to, collectionIds, visible }: CoverageQuestion,
): Promise<CoverageView[]> {
  const now = nowSeconds()
  const end = to > 0 ? to : now
  const days = await daysOf(store, { from, to: end, collectionIds, visible }, now)
  const summed = collectionIds === null ? sumOfDays(days) : days
  const oldest = summed[0]?.time ?? end
  const length = bucketLengthFor(from > 0 ? from : oldest, end)
  return length === 'day' ? summed : meansOf(summed, (time) => bucketStart(time, length))
}

/** Which rows of coverage. */
interface CoverageQuestion {
  readonly from: number
  readonly to: number
  /** Null: all that are active and no groups, summed. */
  readonly collectionIds: readonly number[] | null
  readonly visible: readonly number[] | null
}

async function daysOf(store: Store, question: CoverageQuestion, now: number): Promise<CoverageView[]> {
  const today = startOfDay(now)
  const groups = `SELECT x.id FROM collections x WHERE x.kind = 'GROUP' AND x.id = ANY ($6::integer[])`
  const { rows } = await store.pool.query<DayRow>(
    `SELECT d.* FROM (
       SELECT h.collection_id, h.day, h.endpoints_count, h.tested_count, h.risk_score FROM coverage_history h
       WHERE h.day < $2
       UNION ALL
       SELECT f.collection_id, $2, f.endpoints_count, f.tested_count, f.risk_score FROM (${currentOf(groups)}) f
     ) d JOIN collections c ON c.id = d.collection_id
     WHERE d.day >= $3 AND d.day <= $4 AND NOT c.is_deactivated
       AND ($5::integer[] IS NULL OR c.id = ANY ($5))
       AND CASE WHEN $6::integer[] IS NULL THEN c.kind <> 'GROUP' ELSE c.id = ANY ($6) END
     ORDER BY d.day, d.collection_id`,
    [
      now - TESTED_SECONDS,
      today,
      question.from > 0 ? startOfDay(question.from) : 0,
      question.to,
      question.visible,
      question.collectionIds,
    ],
  )
  return rows.map((row) => ({
    collectionId: row.collection_id,
    endpointsCount: row.endpoints_count,
    testedCount: row.tested_count,
    riskScore: row.risk_score,
    time: row.day,
  }))
}

function sumOfDays(days: readonly CoverageView[]): CoverageView[] {
  const sums = new Map<number, CoverageView>()
  for (const day of days) {
    const sum = sums.get(day.time)
    if (sum === undefined) {
      sums.set(day.time, { ...day, collectionId: 0 })
      continue
    }
    sum.endpointsCount += day.endpointsCount
    sum.testedCount += day.testedCount
    sum.riskScore += day.riskScore
  }
  return [...sums.values()]
}

/** Means per collection and bucket, ascending by time then collection; counts are rounded. */
function meansOf(days: readonly CoverageView[], bucketOf: (time: number) => number): CoverageView[] {
  const groups = new Map<string, CoverageView[]>()
  for (const day of days) {
    const key = `${bucketOf(day.time)} ${day.collectionId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [day])
    else group.push(day)
  }
  return [...groups.values()].map((group) => {
    const first = group[0]!
    const mean = (pick: (day: CoverageView) => number): number =>
      group.reduce((sum, day) => sum + pick(day), 0) / group.length
    return {
      collectionId: first.collectionId,
      endpointsCount: Math.round(mean((day) => day.endpointsCount)),
      testedCount: Math.round(mean((day) => day.testedCount)),
      riskScore: mean((day) => day.riskScore),
      time: bucketOf(first.time),
    }
  })
}
