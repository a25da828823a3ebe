import { nowSeconds, restoredContext, type StoredContext, type WorkContext } from '../../kit/index.ts'
import { type RunState, type Store, type StoreClient, usingTransaction } from '../../store/index.ts'
import type { PlannedPair } from '../plan/plan.ts'
import { insertExecution } from './create-run.ts'
import { CONTINUOUS_PAUSE, nextSchedule } from './next-schedule.ts'
import { countResults } from './recount.ts'
import { EXECUTION_COLUMNS, type ExecutionView, RUN_COLUMNS, type RunView } from './run-view.ts'

/** An execution that this process has taken. */
export interface ClaimedExecution {
  readonly run: RunView
  readonly execution: ExecutionView
  /** Another process began it and died: pairs with a result are not to be run again. */
  readonly isResumed: boolean
  /** What asked for it; null: a schedule. */
  readonly context: WorkContext | null
}

/**
 * Takes the execution that has waited longest: of a run whose time has come, or an extra one of a run that rests (a
 * CI job, results to repeat). Two processes never take the same. The run becomes RUNNING, and so does the execution.
 *
 * @param worker name of this process, for {@link keepExecution} and {@link takeOverExecution}
 * @returns null when nothing waits
 */
export async function claimExecution(
  store: Store,
  worker: string,
  now = nowSeconds(),
): Promise<ClaimedExecution | null> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ id: string; config_id: number }>(
      `SELECT r.id, r.config_id FROM test_runs r
       WHERE r.state <> 'RUNNING' AND (r.state = 'SCHEDULED' AND r.scheduled_at <= $1
         OR r.id IN (SELECT s.run_id FROM run_summaries s WHERE s.state = 'SCHEDULED' AND s.started_at <= $1))
         AND coalesce(cardinality(r.allowed_executors), 0) = 0
       ORDER BY r.scheduled_at, r.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
      [now],
    )
    const run = rows[0]
    if (run === undefined) return null
    const waiting = await client.query<{ id: string }>(
      `SELECT id FROM run_summaries WHERE run_id = $1 AND state = 'SCHEDULED' ORDER BY started_at, id LIMIT 1
       FOR NO KEY UPDATE`,
      [run.id],
    )
    const summaryId =
      waiting.rows[0]?.id ??
      (await insertExecution(client, { runId: run.id, configId: run.config_id, startedAt: now }))
    await client.query(
      `UPDATE run_summaries SET state = 'RUNNING', started_at = $2, worker = $3, seen_at = $2, results_count = 0,
         critical_count = 0, high_count = 0, medium_count = 0, low_count = 0, shards_at = 0, left_out_at = 0, stage = 0
       WHERE id = $1`,
      [summaryId, now, worker],
    )
    await client.query(
      `UPDATE test_runs SET state = 'RUNNING', picked_up_at = $2, executor = null WHERE id = $1`,
      [run.id, now],
    )
    return claimed(client, summaryId, false)
  })
}

/** Whether an execution waits or runs, on whatever process: whether {@link claimExecution} and shards have work. */
export async function hasWork(store: Store, now = nowSeconds()): Promise<boolean> {
  const { rows } = await store.pool.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM test_runs r WHERE r.state = 'SCHEDULED' AND r.scheduled_at <= $1
         AND coalesce(cardinality(r.allowed_executors), 0) = 0)
       OR EXISTS (SELECT FROM run_summaries s
         WHERE s.state = 'RUNNING' OR (s.state = 'SCHEDULED' AND s.started_at <= $1))
       OR EXISTS (SELECT FROM run_writes w WHERE w.due_at <= $1) AS waits`,
    [now],
  )
  return rows[0]!.waits
}

/**
 * Takes over an execution whose process died before its plan was stored whole: it sent no heartbeat for
 * `silentSeconds`; @returns null when there is none.
 */
export async function takeOverExecution(
  store: Store,
  worker: string,
  silentSeconds: number,
  now = nowSeconds(),
): Promise<ClaimedExecution | null> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `UPDATE run_summaries SET worker = $1, seen_at = $2 WHERE id = (
         SELECT s.id FROM run_summaries s WHERE s.state = 'RUNNING' AND s.seen_at < $3
           AND (s.shards_at = 0 OR s.left_out_at = 0) ORDER BY s.started_at, s.id
         LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
      [worker, now, now - silentSeconds],
    )
    return rows[0] ? claimed(client, rows[0].id, true) : null
  })
}

/** An execution with its run, for a process that works on a part of it; null when it is gone. */
export async function findClaimed(store: Store, summaryId: string): Promise<ClaimedExecution | null> {
  return usingTransaction(store.pool, async (client) => {
    const { rowCount } = await client.query('SELECT FROM run_summaries WHERE id = $1', [summaryId])
    return rowCount ? claimed(client, summaryId, true) : null
  })
}

async function claimed(
  client: StoreClient,
  summaryId: string,
  isResumed: boolean,
): Promise<ClaimedExecution> {
  const { rows: executions } = await client.query<ExecutionView & { stored: StoredContext | null }>(
    `SELECT ${EXECUTION_COLUMNS}, s.request_context AS stored FROM run_summaries s WHERE s.id = $1`,
    [summaryId],
  )
  const { stored, ...execution } = executions[0]!
  const { rows: runs } = await client.query<RunView>(
    `SELECT ${RUN_COLUMNS} FROM test_runs r JOIN run_configurations k ON k.id = r.config_id WHERE r.id = $1`,
    [execution.runId],
  )
  return { run: runs[0]!, execution, isResumed, context: restoredContext(stored) }
}

/** Notes how much an execution has to do, once it was planned. */
export async function beginExecution(
  store: Store,
  summaryId: string,
  planned: { readonly endpoints: number; readonly tests: number },
): Promise<void> {
  await store.pool.query('UPDATE run_summaries SET endpoints_count = $2, tests_count = $3 WHERE id = $1', [
    summaryId,
    planned.endpoints,
    planned.tests,
  ])
}

/**
 * A heartbeat, to be given every few seconds.
 *
 * @returns false when the execution is to end: it was stopped or deleted, or another process has it
 */
export async function keepExecution(
  store: Store,
  summaryId: string,
  worker: string,
  now = nowSeconds(),
): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `UPDATE run_summaries SET seen_at = greatest(seen_at, $3) WHERE id = $1 AND worker = $2 AND state = 'RUNNING'`,
    [summaryId, worker, now],
  )
  return rowCount === 1
}

/** Gives an execution back unfinished, as at a shutdown: the next process that looks takes it over at once. */
export async function releaseExecution(store: Store, summaryId: string, worker: string): Promise<void> {
  await store.pool.query(
    `UPDATE run_summaries SET seen_at = 0 WHERE id = $1 AND worker = $2 AND state = 'RUNNING'`,
    [summaryId, worker],
  )
}

/** How an execution ended. */
export interface ExecutionEnd {
  readonly state: 'COMPLETED' | 'FAILED'
  /** State of a run that does not come back; COMPLETED unless given. */
  readonly runState?: 'COMPLETED' | 'FAILED'
  /** Why it failed, for people; kept under `error` of its facts. */
  readonly error?: string
  /** Endpoints seen until then were covered; of continuous runs. */
  readonly coveredUntil?: number
  readonly follow?: EndFollower
}

/**
 * Ends a RUNNING execution: counts afresh, and the run is COMPLETED, or SCHEDULED again when it repeats (at the
 * next multiple of its period that lies ahead, or after a pause of 300 s). A late end never overwrites STOPPED.
 *
 * @returns false when it was not RUNNING any more
 */
export async function endExecution(
  store: Store,
  summaryId: string,
  end: ExecutionEnd,
  now = nowSeconds(),
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<EndingRun>(
      `SELECT r.id, r.state, r.scheduled_at, r.period_seconds, r.time_zone, r.schedule_anchor FROM test_runs r
       WHERE r.id = (SELECT s.run_id FROM run_summaries s WHERE s.id = $1) FOR NO KEY UPDATE`,
      [summaryId],
    )
    const ended = await client.query<{ original_id: string | null }>(
      `UPDATE run_summaries SET state = $2, ended_at = $3, worker = null,
         metadata = CASE WHEN $4::text IS NULL THEN metadata
           ELSE coalesce(metadata, '{}') || jsonb_build_object('error', $4::text) END
       WHERE id = $1 AND state = 'RUNNING' RETURNING original_id`,
      [summaryId, end.state, now, end.error ?? null],
    )
    const run = rows[0]
    if (!ended.rows[0] || run === undefined) return false
    await client.query('DELETE FROM run_shards WHERE summary_id = $1', [summaryId])
    await closeCounts(client, summaryId, ended.rows[0].original_id)
    if (run.state === 'RUNNING') await settleRun(client, run, end, now)
    await end.follow?.(client, ended.rows[0].original_id ?? summaryId)
    return true
  })
}

/** What a repeating execution found is in the original: it is deleted, and marks that nothing replaced are removed. */
async function closeCounts(client: StoreClient, summaryId: string, originalId: string | null): Promise<void> {
  if (originalId === null) return countResults(client, summaryId)
  await client.query('UPDATE run_results SET is_rerun = false WHERE summary_id = $1 AND is_rerun', [
    originalId,
  ])
  await countResults(client, originalId)
  await client.query('DELETE FROM run_summaries WHERE id = $1', [summaryId])
}

interface EndingRun {
  id: string
  state: RunState
  scheduled_at: number
  period_seconds: number
  time_zone: string
  schedule_anchor: number
}

async function settleRun(client: StoreClient, run: EndingRun, end: ExecutionEnd, now: number): Promise<void> {
  const next = nextSchedule(
    {
      last: run.scheduled_at,
      periodSeconds: run.period_seconds,
      zone: run.time_zone,
      anchor: run.schedule_anchor,
    },
    now,
  )
  await client.query(
    `UPDATE test_runs SET state = $2, scheduled_at = coalesce($3, scheduled_at), ended_at = $4, executor = null,
       covered_until = greatest(covered_until, $5) WHERE id = $1`,
    [run.id, next === null ? (end.runState ?? 'COMPLETED') : 'SCHEDULED', next, now, end.coveredUntil ?? 0],
  )
}

/** Puts a run off without an execution, as when a continuous run has nothing new to test. */
export async function postponeRun(
  store: Store,
  summaryId: string,
  coveredUntil: number,
  now = nowSeconds(),
): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ run_id: string }>(
      `DELETE FROM run_summaries WHERE id = $1 AND state = 'RUNNING' RETURNING run_id`,
      [summaryId],
    )
    if (!rows[0]) return
    await client.query(
      `UPDATE test_runs SET state = 'SCHEDULED', scheduled_at = $2, ended_at = $3,
         covered_until = greatest(covered_until, $4) WHERE id = $1 AND state = 'RUNNING'`,
      [rows[0].run_id, now + CONTINUOUS_PAUSE, now, coveredUntil],
    )
  })
}

/** What follows the end of an execution in the same transaction; hears which execution has the results. */
type EndFollower = (client: StoreClient, summaryId: string) => Promise<void>

/**
 * Stops a run and its executions that wait or run; results so far stay.
 *
 * @param follow called for each execution that was running
 * @returns whether there is such a run; one that ended is left as it is
 */
export async function stopRun(
  store: Store,
  runId: string,
  follow?: EndFollower,
  now = nowSeconds(),
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    const { rowCount } = await client.query('SELECT FROM test_runs WHERE id = $1 FOR NO KEY UPDATE', [runId])
    if (!rowCount) return false
    await client.query(
      `UPDATE test_runs SET state = 'STOPPED', ended_at = $2 WHERE id = $1 AND state IN ('SCHEDULED', 'RUNNING')`,
      [runId, now],
    )
    const { rows } = await client.query<{ id: string; began: boolean }>(
      `UPDATE run_summaries s SET state = 'STOPPED', ended_at = $2, worker = null
       FROM (SELECT id, state = 'RUNNING' AS began FROM run_summaries
         WHERE run_id = $1 AND state IN ('SCHEDULED', 'RUNNING') ORDER BY id FOR NO KEY UPDATE) b
       WHERE s.id = b.id RETURNING s.id, b.began`,
      [runId, now],
    )
    const stopped = rows.sort((a, b) => (a.id < b.id ? -1 : 1))
    await client.query('DELETE FROM run_shards WHERE summary_id = ANY ($1::text[])', [
      stopped.map(({ id }) => id),
    ])
    for (const { id } of stopped) await countResults(client, id)
    for (const { id, began } of stopped) if (began) await follow?.(client, id)
    return true
  })
}

/** Stops every run that waits or runs, of those whose collections are all visible; @returns their ids. */
export async function stopAllRuns(
  store: Store,
  visible: readonly number[] | null,
  follow?: EndFollower,
): Promise<string[]> {
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT r.id FROM test_runs r WHERE ($1::integer[] IS NULL OR r.collection_ids <@ $1)
       AND (r.state IN ('SCHEDULED', 'RUNNING')
         OR r.id IN (SELECT s.run_id FROM run_summaries s WHERE s.state IN ('SCHEDULED', 'RUNNING')))
     ORDER BY r.id`,
    [visible],
  )
  for (const { id } of rows) await stopRun(store, id, follow)
  return rows.map((row) => row.id)
}

/** A pair that has a result. */
export interface RecordedPair {
  readonly testId: string
  readonly collectionId: number
  readonly method: string
  readonly url: string
}

/**
 * The pairs of an execution that have a result already: what a resumed execution leaves out.
 *
 * @param among only these; all of the execution unless given
 */
export async function recordedPairs(
  store: Store,
  summaryId: string,
  among: readonly PlannedPair[] | null = null,
): Promise<RecordedPair[]> {
  const { rows } = await store.pool.query<RecordedPair>(
    `SELECT r.test_id AS "testId", r.collection_id AS "collectionId", r.method, r.url FROM run_results r
     WHERE r.summary_id = $1 AND ($2::text[] IS NULL OR (r.test_id, r.collection_id, r.method, r.url) IN (
       SELECT d.test_id, d.collection_id, d.method, d.url
       FROM unnest($2::text[], $3::integer[], $4::text[], $5::text[]) AS d (test_id, collection_id, method, url)))`,
    [
      summaryId,
      among?.map(({ testId }) => testId) ?? null,
      among?.map(({ endpoint }) => endpoint.collectionId) ?? null,
      among?.map(({ endpoint }) => endpoint.method) ?? null,
      among?.map(({ endpoint }) => endpoint.url) ?? null,
    ],
  )
  return rows
}

/** The pairs that an execution with an original is to repeat. */
export async function pairsToRepeat(store: Store, originalId: string): Promise<RecordedPair[]> {
  const { rows } = await store.pool.query<RecordedPair>(
    `SELECT test_id AS "testId", collection_id AS "collectionId", method, url FROM run_results
     WHERE summary_id = $1 AND is_rerun`,
    [originalId],
  )
  return rows
}
