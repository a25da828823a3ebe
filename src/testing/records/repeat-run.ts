import { Failure, nowSeconds } from '../../kit/index.ts'
import {
  type ConfigOverride,
  type RunState,
  type Store,
  type StoreClient,
  usingTransaction,
} from '../../store/index.ts'
import { insertExecution, isCi } from './create-run.ts'

async function lockRun(client: StoreClient, runId: string): Promise<{ state: RunState; config_id: number }> {
  const { rows } = await client.query<{ state: RunState; config_id: number }>(
    'SELECT state, config_id FROM test_runs WHERE id = $1 FOR NO KEY UPDATE',
    [runId],
  )
  if (!rows[0]) throw new Failure('INVALID_TEST_RUN_ID')
  return rows[0]
}

/** How a run is to be executed once more. */
interface Repetition {
  /** 0: now. */
  readonly scheduledAt: number
  readonly override: ConfigOverride | null
  /** Facts of a CI job: the run itself is not scheduled again, it only gets a new execution. */
  readonly metadata: Readonly<Record<string, string>> | null
}

/**
 * Schedules a run once more, with a new execution unless one waits already.
 *
 * @returns the execution that waits
 * @throws Failure INVALID_TEST_RUN_ID when there is no such run, TEST_RUN_IN_PROGRESS
 */
export async function repeatRun(store: Store, runId: string, repetition: Repetition): Promise<string> {
  return usingTransaction(store.pool, async (client) => {
    const run = await lockRun(client, runId)
    const at = repetition.scheduledAt > 0 ? repetition.scheduledAt : nowSeconds()
    if (repetition.metadata !== null) {
      await client.query(
        `UPDATE test_runs SET is_ci = is_ci OR $2,
           state = CASE WHEN state IN ('FAILED', 'STOPPED') THEN 'COMPLETED' ELSE state END WHERE id = $1`,
        [runId, isCi(repetition.metadata)],
      )
    } else {
      if (run.state === 'RUNNING') throw new Failure('TEST_RUN_IN_PROGRESS')
      await client.query(`UPDATE test_runs SET state = 'SCHEDULED', scheduled_at = $2 WHERE id = $1`, [
        runId,
        at,
      ])
      const waiting = await client.query<{ id: string }>(
        `UPDATE run_summaries SET started_at = $2, config_override = coalesce($3::jsonb, config_override)
         WHERE id = (SELECT s.id FROM run_summaries s WHERE s.run_id = $1 AND s.state = 'SCHEDULED'
           AND s.original_id IS NULL AND s.metadata IS NULL ORDER BY s.started_at, s.id LIMIT 1)
         RETURNING id`,
        [runId, at, repetition.override && JSON.stringify(repetition.override)],
      )
      if (waiting.rows[0]) return waiting.rows[0].id
    }
    return insertExecution(client, {
      runId,
      configId: run.config_id,
      startedAt: at,
      metadata: repetition.metadata,
      override: repetition.override,
    })
  })
}

/**
 * Marks results of an execution to be run again and schedules an execution of only these; what it finds replaces
 * them in the original.
 *
 * @returns the execution that repeats them, and how many results were marked
 * @throws Failure INVALID_TEST_RUN_ID, INVALID_TEST_SUMMARY_ID when the execution is not one of the run,
 *   TEST_RESULT_NOT_FOUND when none of the results is one of the execution
 */
export async function repeatResults(
  store: Store,
  runId: string,
  summaryId: string,
  resultIds: readonly string[],
  override: ConfigOverride | null = null,
): Promise<{ summaryId: string; marked: number }> {
  return usingTransaction(store.pool, async (client) => {
    const run = await lockRun(client, runId)
    const original = await client.query(
      'SELECT FROM run_summaries WHERE id = $1 AND run_id = $2 AND original_id IS NULL',
      [summaryId, runId],
    )
    if (!original.rowCount) throw new Failure('INVALID_TEST_SUMMARY_ID')
    const { rowCount } = await client.query(
      'UPDATE run_results SET is_rerun = true WHERE summary_id = $1 AND id = ANY ($2::text[])',
      [summaryId, resultIds],
    )
    if (!rowCount) throw new Failure('TEST_RESULT_NOT_FOUND')
    const id = await insertExecution(client, {
      runId,
      configId: run.config_id,
      startedAt: nowSeconds(),
      originalId: summaryId,
      override,
    })
    return { summaryId: id, marked: rowCount }
  })
}
