import type { Store } from '../../store/index.ts'
import {
  EXECUTION_COLUMNS,
  type ExecutionView,
  RUN_COLUMNS,
  RUN_TYPE,
  type RunType,
  type RunView,
} from './run-view.ts'

/** Which runs. Runs of the test editor are never meant. */
interface RunFilter {
  /** Collections that the caller may see; null = all. A run on any other collection is left out. */
  readonly visible: readonly number[] | null
  /** Earliest schedule, included. */
  readonly from: number
  /** Latest schedule, included; 0 or less for no end. */
  readonly to: number
  readonly type?: RunType | null
  /** Found in the name, without regard to case; '' for all. */
  readonly search?: string
  /** Runs with such a finding in any execution; null and [] for all. */
  readonly severities?: readonly string[] | null
  /** Runs that aim at one of these; null and [] for all. */
  readonly collectionIds?: readonly number[] | null
}

/** What a list of runs can be sorted by. */
export type RunSort = 'scheduledAt' | 'endedAt' | 'pickedUpAt' | 'name' | 'state'

const SORTS: Readonly<Record<RunSort, string>> = {
  scheduledAt: 'r.scheduled_at',
  endedAt: 'r.ended_at',
  pickedUpAt: 'r.picked_up_at',
  name: 'r.name',
  state: 'r.state',
}

const CONDITIONS = `r.triggered_by IS DISTINCT FROM 'test_editor'
  AND ($1::integer[] IS NULL OR r.collection_ids <@ $1)
  AND r.scheduled_at >= $2 AND ($3::integer <= 0 OR r.scheduled_at <= $3)
  AND ($4::text IS NULL OR ${RUN_TYPE} = $4)
  AND ($5::text = '' OR strpos(lower(r.name), lower($5)) > 0)
  AND ($6::text[] IS NULL OR EXISTS (SELECT FROM run_summaries s WHERE s.run_id = r.id AND (
    'CRITICAL' = ANY ($6) AND s.critical_count > 0 OR 'HIGH' = ANY ($6) AND s.high_count > 0
    OR 'MEDIUM' = ANY ($6) AND s.medium_count > 0 OR 'LOW' = ANY ($6) AND s.low_count > 0)))
  AND ($7::integer[] IS NULL OR r.collection_ids && $7)`

function parameters(filter: RunFilter): unknown[] {
  const orNull = <T>(list: readonly T[] | null | undefined): readonly T[] | null =>
    list && list.length > 0 ? list : null
  return [
    filter.visible,
    filter.from,
    filter.to,
    filter.type ?? null,
    filter.search ?? '',
    orNull(filter.severities),
    orNull(filter.collectionIds),
  ]
}

/** One page of the runs that fit, and how many fit over all pages. A limit below 0 means all. */
export async function listRuns(
  store: Store,
  filter: RunFilter,
  page: { sort: RunSort; isAscending: boolean; skip: number; limit: number },
): Promise<{ runs: RunView[]; total: number }> {
  const way = page.isAscending ? 'ASC' : 'DESC'
  const values = parameters(filter)
  const { rows: counted } = await store.pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM test_runs r WHERE ${CONDITIONS}`,
    values,
  )
  const { rows } = await store.pool.query<RunView>(
    `SELECT ${RUN_COLUMNS} FROM test_runs r JOIN run_configurations k ON k.id = r.config_id WHERE ${CONDITIONS}
     ORDER BY ${SORTS[page.sort]} ${way}, r.id ${way} OFFSET $8 LIMIT $9`,
    [...values, page.skip, page.limit < 0 ? null : page.limit],
  )
  return { runs: rows, total: counted[0]!.total }
}

/** Numbers of runs by type. */
export async function countRuns(store: Store, filter: RunFilter): Promise<Record<RunType, number>> {
  const { rows } = await store.pool.query<{ type: RunType; count: number }>(
    `SELECT ${RUN_TYPE} AS type, count(*) AS count FROM test_runs r WHERE ${CONDITIONS} GROUP BY 1`,
    parameters(filter),
  )
  const counts = { ONE_TIME: 0, RECURRING: 0, CI_CD: 0, CONTINUOUS_TESTING: 0 }
  for (const { type, count } of rows) counts[type] = count
  return counts
}

/** A run, if every collection it aims at is visible. */
export async function findRun(
  store: Store,
  id: string,
  visible: readonly number[] | null,
): Promise<RunView | undefined> {
  const { rows } = await store.pool.query<RunView>(
    `SELECT ${RUN_COLUMNS} FROM test_runs r JOIN run_configurations k ON k.id = r.config_id
     WHERE r.id = $1 AND ($2::integer[] IS NULL OR r.collection_ids <@ $2)`,
    [id, visible],
  )
  return rows[0]
}

/** The newest executions of a run begun between two moments, newest first; 0 as a bound means none. */
export async function listExecutions(
  store: Store,
  runId: string,
  from: number,
  to: number,
  limit: number,
): Promise<ExecutionView[]> {
  const { rows } = await store.pool.query<ExecutionView>(
    `SELECT ${EXECUTION_COLUMNS} FROM run_summaries s
     WHERE s.run_id = $1 AND s.started_at >= $2 AND ($3::integer <= 0 OR s.started_at <= $3)
     ORDER BY s.started_at DESC, s.id DESC LIMIT $4`,
    [runId, from, to, limit],
  )
  return rows
}

/** The latest execution of each run that has one. */
export async function latestExecutions(store: Store, runIds: readonly string[]): Promise<ExecutionView[]> {
  const { rows } = await store.pool.query<ExecutionView>(
    `SELECT l.* FROM unnest($1::text[]) AS d (run_id) CROSS JOIN LATERAL (
       SELECT ${EXECUTION_COLUMNS} FROM run_summaries s WHERE s.run_id = d.run_id
       ORDER BY s.started_at DESC, s.id DESC LIMIT 1) l`,
    [runIds],
  )
  return rows
}

/** An execution, if every collection of its run is visible. */
export async function findExecution(
  store: Store,
  id: string,
  visible: readonly number[] | null,
): Promise<ExecutionView | undefined> {
  const { rows } = await store.pool.query<ExecutionView>(
    `SELECT ${EXECUTION_COLUMNS} FROM run_summaries s JOIN test_runs r ON r.id = s.run_id
     WHERE s.id = $1 AND ($2::integer[] IS NULL OR r.collection_ids <@ $2)`,
    [id, visible],
  )
  return rows[0]
}

/** Progress of what runs at this moment. */
interface ActiveRuns {
  /** Runs that wait, future and recurring ones included. */
  queued: number
  running: { runId: string; planned: number; stored: number }[]
}

/** What waits and what runs; executions that began before `since` are taken for dead. */
export async function activeRuns(
  store: Store,
  visible: readonly number[] | null,
  since: number,
): Promise<ActiveRuns> {
  const { rows: queued } = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM test_runs r
     WHERE r.state = 'SCHEDULED' AND ($1::integer[] IS NULL OR r.collection_ids <@ $1)`,
    [visible],
  )
  const { rows } = await store.pool.query<{ runId: string; planned: number; stored: number }>(
    `SELECT s.run_id AS "runId", sum(s.tests_count * s.endpoints_count)::integer AS planned,
       sum(s.results_count)::integer AS stored
     FROM run_summaries s JOIN test_runs r ON r.id = s.run_id
     WHERE s.state = 'RUNNING' AND s.started_at >= $2 AND ($1::integer[] IS NULL OR r.collection_ids <@ $1)
     GROUP BY s.run_id ORDER BY s.run_id`,
    [visible, since],
  )
  return { queued: queued[0]!.count, running: rows }
}

/** Identifiers of the runs that a CI job gave facts with, newest first, and whether there is any run at all. */
export async function runMarks(
  store: Store,
  visible: readonly number[] | null,
  limit: number,
): Promise<{ ciIds: string[]; isAny: boolean }> {
  const { rows: ci } = await store.pool.query<{ id: string }>(
    `SELECT r.id FROM test_runs r WHERE r.is_ci AND ($1::integer[] IS NULL OR r.collection_ids <@ $1)
     ORDER BY r.id DESC LIMIT $2`,
    [visible, limit],
  )
  const { rows: any } = await store.pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM test_runs r WHERE $1::integer[] IS NULL OR r.collection_ids <@ $1) AS found`,
    [visible],
  )
  return { ciIds: ci.map((row) => row.id), isAny: any[0]!.found }
}
