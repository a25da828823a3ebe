import type { ResultSelection, Store } from '../../store/index.ts'

/** Checks of one execution without a verdict for the same reason. */
interface SkippedReason {
  /** The list that they are in. */
  selection: ResultSelection
  /** Their word of the interface. */
  outcome: string
  /** The reason in a sentence. */
  reason: string
  checks: number
  tests: number
  endpoints: number
}

/** The reasons of one execution for checks without a verdict, the most frequent first; at most `limit`. */
export async function countSkippedReasons(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
  limit: number,
): Promise<SkippedReason[]> {
  const { rows } = await store.pool.query<SkippedReason>(
    `SELECT r.selection, r.outcome, r.explanation AS reason, count(*) AS checks,
       count(DISTINCT r.test_id) AS tests, count(DISTINCT (r.collection_id, r.method, r.url)) AS endpoints
     FROM run_results r
     WHERE r.summary_id = $1 AND r.selection NOT IN ('VULNERABLE', 'SECURED')
       AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))
     GROUP BY r.selection, r.outcome, r.explanation
     ORDER BY count(*) DESC, r.explanation LIMIT $3`,
    [summaryId, visible, limit],
  )
  return rows
}
