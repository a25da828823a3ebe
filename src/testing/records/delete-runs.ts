import type { Store } from '../../store/index.ts'

/** Results that one statement deletes, so that none holds the store for long. */
const DELETE_AT_ONCE = 5_000

/** Deletes runs with their executions, results and configuration, of those whose collections are all visible. */
export async function deleteRuns(
  store: Store,
  ids: readonly string[],
  visible: readonly number[] | null,
): Promise<void> {
  // Stopped first, so that no process works on for them.
  const { rows } = await store.pool.query<{ id: string; config_id: number }>(
    `UPDATE test_runs r SET state = CASE WHEN r.state IN ('SCHEDULED', 'RUNNING') THEN 'STOPPED' ELSE r.state END
     WHERE r.id = ANY ($1::text[]) AND ($2::integer[] IS NULL OR r.collection_ids <@ $2)
     RETURNING r.id, r.config_id`,
    [ids, visible],
  )
  for (const { id, config_id: configId } of rows) {
    const { rows: summaries } = await store.pool.query<{ id: string }>(
      `UPDATE run_summaries SET state = CASE WHEN state IN ('SCHEDULED', 'RUNNING') THEN 'STOPPED' ELSE state END
       WHERE run_id = $1 RETURNING id`,
      [id],
    )
    for (const summary of summaries) await deleteResults(store, summary.id)
    await store.pool.query('DELETE FROM test_runs WHERE id = $1', [id])
    await store.pool.query('DELETE FROM run_configurations WHERE id = $1', [configId])
  }
}

async function deleteResults(store: Store, summaryId: string): Promise<void> {
  for (;;) {
    const { rowCount } = await store.pool.query(
      `DELETE FROM run_results WHERE id IN (SELECT r.id FROM run_results r WHERE r.summary_id = $1 LIMIT $2)`,
      [summaryId, DELETE_AT_ONCE],
    )
    if ((rowCount ?? 0) < DELETE_AT_ONCE) return
  }
}
