import type { Store } from '../../store/index.ts'
import { type StoreClient, usingTransaction } from '../../store/index.ts'

/**
 * Counts the results of an execution afresh, in the caller's transaction: all of them, and the findings by severity,
 * whatever became of their issues. The row is locked first, so that a batch stored meanwhile is counted here or adds
 * itself after.
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
       FROM (SELECT severity, selection = 'VULNERABLE' AS is_counted FROM run_results WHERE summary_id = $1) r) c
     WHERE s.id = $1`,
    [summaryId],
  )
}

/** Counts the results of an execution afresh. */
export async function recountExecution(store: Store, summaryId: string): Promise<void> {
  await usingTransaction(store.pool, (client) => countResults(client, summaryId))
}
