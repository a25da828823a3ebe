import type { Store } from '../../store/index.ts'
import { type StoreClient, usingTransaction } from '../../store/index.ts'

/**
 * Counts the results of an execution afresh, in the caller's transaction: all of them, and the findings that are not
 * ignored by severity. The row is locked first, so that a batch stored meanwhile is counted here or adds itself after.
 */
export async function countResults(client: StoreClient, summaryId: string): Promise<void> {
  await client.query('SELECT FROM run_summaries WHERE id = $1 FOR NO KEY UPDATE', [summaryId])
  await client.query(
    `UPDATE run_summaries s SET results_count = c.results, critical_count = c.critical, high_count = c.high,
       medium_count = c.medium, low_count = c.low
     FROM (SELECT count(*) AS results,
         count(*) FILTER (WHERE is_counted AND severity = 'CRITICAL') AS critical,
         count(*) FILTER (WHERE is_counted AND severity = 'HIGH') AS high,
         count(*) FILTER (WHERE is_counted AND severity = 'MEDIUM') AS medium,
         count(*) FILTER (WHERE is_counted AND severity = 'LOW') AS low
       FROM (SELECT severity, selection = 'VULNERABLE' AND NOT is_ignored AS is_counted FROM run_results
             WHERE summary_id = $1) r) c
     WHERE s.id = $1`,
    [summaryId],
  )
}

/** Counts the results of an execution afresh. */
export async function recountExecution(store: Store, summaryId: string): Promise<void> {
  await usingTransaction(store.pool, (client) => countResults(client, summaryId))
}

/** An issue that a person changed. */
export interface ChangedIssue {
  readonly id: number
  readonly latestSummaryId: string | null
  readonly status: string
  readonly severity: string
}

/**
 * Lets results follow a change of their issues, in the transaction of the change: results of the latest execution are
 * flagged ignored or not, all results take the severity, and the executions concerned are counted afresh, in the order
 * of their ids.
 */
export async function followIssues(client: StoreClient, issues: readonly ChangedIssue[]): Promise<void> {
  if (issues.length === 0) return
  const { rows } = await client.query<{ summary_id: string }>(
    `UPDATE run_results r SET severity = d.severity,
       is_ignored = CASE WHEN r.summary_id = d.summary_id THEN d.status = 'IGNORED' ELSE r.is_ignored END
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS d (id, summary_id, status, severity)
     WHERE r.issue_id = d.id AND r.selection = 'VULNERABLE' AND (r.severity <> d.severity
       OR r.summary_id = d.summary_id AND r.is_ignored <> (d.status = 'IGNORED'))
     RETURNING r.summary_id`,
    [
      issues.map((issue) => issue.id),
      issues.map((issue) => issue.latestSummaryId),
      issues.map((issue) => issue.status),
      issues.map((issue) => issue.severity),
    ],
  )
  const summaries = new Set(rows.map((row) => row.summary_id))
  for (const summaryId of [...summaries].sort()) await countResults(client, summaryId)
}
