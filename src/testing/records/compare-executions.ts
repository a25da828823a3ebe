import type { ResultSeverity, Store } from '../../store/index.ts'

/** What became of a finding between two executions. */
type FindingChange = 'NEW' | 'STILL_THERE' | 'FIXED' | 'NOT_VERIFIED'

/** One test on one endpoint that was vulnerable in either execution. */
interface FindingComparison {
  change: FindingChange
  testId: string
  collectionId: number
  method: string
  url: string
  /** Of the finding: that of the later execution, else that of the earlier. */
  severity: ResultSeverity
  /** The result in the later execution; null when it has none. */
  resultId: string | null
  /** The result in the earlier execution; null when it has none. */
  earlierResultId: string | null
  /** Why the later execution came to no verdict; '' when it did. */
  reason: string
}

/** Most findings that a comparison lists; it counts all. */
const MAX_COMPARED = 1_000

/**
 * Compares the findings of two executions by test and endpoint. A finding is fixed when the later execution came to
 * the verdict that it is gone, and not verified when it came to none. The worst come first.
 *
 * @param visible collections that the asker may see; null = all
 */
export async function compareExecutions(
  store: Store,
  { later, earlier, visible }: { later: string; earlier: string; visible: readonly number[] | null },
): Promise<{ counts: Record<FindingChange, number>; findings: FindingComparison[] }> {
  const { rows } = await store.pool.query<FindingComparison & { total: number; rank: number }>(
    `WITH pair AS (
       SELECT test_id, collection_id, method, url,
         max(id) FILTER (WHERE summary_id = $1) AS later, max(id) FILTER (WHERE summary_id = $2) AS earlier
       FROM run_results WHERE summary_id IN ($1, $2) AND ($3::integer[] IS NULL OR collection_id = ANY ($3))
       GROUP BY test_id, collection_id, method, url
       HAVING bool_or(selection = 'VULNERABLE')),
     compared AS (
       SELECT p.*, CASE WHEN l.selection = 'VULNERABLE' AND e.selection = 'VULNERABLE' THEN 'STILL_THERE'
           WHEN l.selection = 'VULNERABLE' THEN 'NEW'
           WHEN l.selection = 'SECURED' THEN 'FIXED' ELSE 'NOT_VERIFIED' END AS change,
         CASE WHEN l.selection = 'VULNERABLE' THEN l.severity ELSE e.severity END AS severity,
         CASE WHEN l.selection = 'VULNERABLE' THEN l.severity_rank ELSE e.severity_rank END AS rank,
         CASE WHEN l.selection IN ('VULNERABLE', 'SECURED') THEN '' ELSE coalesce(l.explanation, '') END AS reason
       FROM pair p LEFT JOIN run_results l ON l.id = p.later AND l.summary_id = $1
         LEFT JOIN run_results e ON e.id = p.earlier AND e.summary_id = $2)
     SELECT change, test_id AS "testId", collection_id AS "collectionId", method, url, severity, rank,
       later AS "resultId", earlier AS "earlierResultId", reason, count(*) OVER (PARTITION BY change) AS total
     FROM compared ORDER BY rank DESC, url, method, test_id, collection_id`,
    [later, earlier, visible],
  )
  const counts: Record<FindingChange, number> = { NEW: 0, STILL_THERE: 0, FIXED: 0, NOT_VERIFIED: 0 }
  for (const { change, total } of rows) counts[change] = total
  const findings = rows.slice(0, MAX_COMPARED).map(({ total: _, rank: _rank, ...finding }) => finding)
  return { counts, findings }
}
