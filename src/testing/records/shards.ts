import { nowSeconds, restoredContext, type StoredContext, type WorkContext } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'

/** Endpoints with the tests to run there. */
export type ShardPairs = readonly {
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly testIds: readonly string[]
}[]

/** A part of an execution. */
export interface NewShard {
  /** Shards of a stage begin when those of earlier stages are done. */
  readonly stage: number
  readonly pairs: ShardPairs
}

/** A shard that a process has taken. */
export interface ClaimedShard {
  readonly summaryId: string
  readonly number: number
  readonly pairs: ShardPairs
  /** What asked for the execution; null: a schedule. */
  readonly context: WorkContext | null
}

interface StoredShard extends Omit<ClaimedShard, 'pairs' | 'context'> {
  readonly pairs: string
  readonly stored: StoredContext | null
}

/**
 * Stores the shards of an execution, once, no matter who plans. Those of the first stage can be claimed from then on.
 *
 * @returns false when the execution has its shards already, or does not run any more
 */
export async function storeShards(
  store: Store,
  summaryId: string,
  shards: readonly NewShard[],
  now = nowSeconds(),
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    const first = Math.min(...shards.map(({ stage }) => stage), Number.MAX_SAFE_INTEGER)
    const { rowCount } = await client.query(
      `UPDATE run_summaries SET shards_at = $2, stage = $3 WHERE id = $1 AND state = 'RUNNING' AND shards_at = 0`,
      [summaryId, now, shards.length === 0 ? 0 : first],
    )
    if (rowCount === 0) return false
    await client.query(
      `INSERT INTO run_shards (summary_id, number, stage, pairs)
       SELECT $1, d.number, d.stage, d.pairs
       FROM unnest($2::integer[], $3::smallint[], $4::text[]) AS d (number, stage, pairs)`,
      [
        summaryId,
        shards.map((_shard, number) => number),
        shards.map(({ stage }) => stage),
        shards.map(({ pairs }) => JSON.stringify(pairs)),
      ],
    )
    return true
  })
}

/** Notes that the pairs that are not run have their results; the planner has nothing more to do. */
export async function noteLeftOut(store: Store, summaryId: string, now = nowSeconds()): Promise<void> {
  await store.pool.query(
    `UPDATE run_summaries SET left_out_at = $2, worker = null WHERE id = $1 AND state = 'RUNNING'`,
    [summaryId, now],
  )
}

/**
 * Takes a shard for a process: one that nobody has, or whose process sent no heartbeat for `silentSeconds`.
 *
 * @param but executions that the process has enough shards of
 */
export async function claimShard(
  store: Store,
  claim: { readonly worker: string; readonly but: readonly string[]; readonly silentSeconds: number },
  now = nowSeconds(),
): Promise<ClaimedShard | null> {
  const { rows } = await store.pool.query<StoredShard>(
    `UPDATE run_shards SET worker = $1, seen_at = $2 WHERE (summary_id, number) = (
       SELECT h.summary_id, h.number FROM run_shards h JOIN run_summaries s ON s.id = h.summary_id
       WHERE s.state = 'RUNNING' AND h.done_at = 0 AND h.stage <= s.stage AND h.seen_at < $3
         AND h.summary_id <> ALL ($4::text[])
       ORDER BY h.stage, s.shards_at, s.id, h.number LIMIT 1 FOR NO KEY UPDATE OF h SKIP LOCKED)
     RETURNING summary_id AS "summaryId", number, pairs,
       (SELECT s.request_context FROM run_summaries s WHERE s.id = summary_id) AS stored`,
    [claim.worker, now, now - claim.silentSeconds, claim.but],
  )
  if (rows[0] === undefined) return null
  const { summaryId, number, pairs, stored } = rows[0]
  return { summaryId, number, pairs: JSON.parse(pairs) as ShardPairs, context: restoredContext(stored) }
}

/** What a heartbeat brings back. */
interface ShardSigns {
  /** False when the execution was stopped, deleted or ended. */
  readonly isRunning: boolean
  /** Processes that work on it now, this one among them. */
  readonly processes: number
  /** Shards that this process still has. */
  readonly kept: ReadonlySet<number>
}

/** A heartbeat for the shards of one execution that a process has, to be given every second. */
export async function keepShards(
  store: Store,
  summaryId: string,
  worker: string,
  numbers: readonly number[],
  silentSeconds: number,
  now = nowSeconds(),
): Promise<ShardSigns> {
  const { rows: kept } = await store.pool.query<{ number: number }>(
    `UPDATE run_shards SET seen_at = $4 WHERE summary_id = $1 AND worker = $2 AND number = ANY ($3::integer[])
       AND done_at = 0 RETURNING number`,
    [summaryId, worker, numbers, now],
  )
  const { rows } = await store.pool.query<{ state: string; processes: number }>(
    `SELECT s.state, (SELECT count(DISTINCT h.worker)::integer FROM run_shards h WHERE h.summary_id = $1
       AND greatest(h.seen_at, h.done_at) > $2) AS processes FROM run_summaries s WHERE s.id = $1`,
    [summaryId, now - silentSeconds],
  )
  return {
    isRunning: rows[0]?.state === 'RUNNING',
    processes: Math.max(1, rows[0]?.processes ?? 1),
    kept: new Set(kept.map(({ number }) => number)),
  }
}

/** Ends a shard: all its pairs have results. */
export async function finishShard(
  store: Store,
  { summaryId, number }: Pick<ClaimedShard, 'summaryId' | 'number'>,
  now = nowSeconds(),
): Promise<void> {
  await store.pool.query(
    'UPDATE run_shards SET done_at = $3 WHERE summary_id = $1 AND number = $2 AND done_at = 0',
    [summaryId, number, now],
  )
}

/** Gives one shard back unfinished; any process can take it at once. */
export async function giveBackShard(
  store: Store,
  { summaryId, number }: Pick<ClaimedShard, 'summaryId' | 'number'>,
  worker: string,
): Promise<void> {
  await store.pool.query(
    `UPDATE run_shards SET worker = null, seen_at = 0
     WHERE summary_id = $1 AND number = $2 AND worker = $3 AND done_at = 0`,
    [summaryId, number, worker],
  )
}

/** Gives all unfinished shards of a process back, as at a shutdown; null: of every process. */
export async function giveBackShards(store: Store, worker: string | null): Promise<void> {
  await store.pool.query(
    `UPDATE run_shards SET worker = null, seen_at = 0
     WHERE done_at = 0 AND worker IS NOT NULL AND ($1::text IS NULL OR worker = $1)`,
    [worker],
  )
}

/** An execution that has its shards and runs. */
export interface ActiveExecution {
  readonly id: string
  readonly startedAt: number
  readonly runSeconds: number
  /** Every shard of every stage up to now is done. */
  readonly isStageDone: boolean
  /** A later stage waits. */
  readonly hasMore: boolean
  readonly isLeftOutDone: boolean
}

/** The executions that run and have their shards, with how far they are. */
export async function activeExecutions(store: Store): Promise<ActiveExecution[]> {
  const { rows } = await store.pool.query<ActiveExecution>(
    `SELECT s.id, s.started_at AS "startedAt", r.run_seconds AS "runSeconds",
       NOT EXISTS (SELECT FROM run_shards h WHERE h.summary_id = s.id AND h.done_at = 0 AND h.stage <= s.stage)
         AS "isStageDone",
       EXISTS (SELECT FROM run_shards h WHERE h.summary_id = s.id AND h.stage > s.stage) AS "hasMore",
       s.left_out_at > 0 AS "isLeftOutDone"
     FROM run_summaries s JOIN test_runs r ON r.id = s.run_id WHERE s.state = 'RUNNING' AND s.shards_at > 0
     ORDER BY s.id`,
  )
  return rows
}

/** Lets the next stage of an execution begin, once, no matter who asks. */
export async function nextStage(store: Store, summaryId: string): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ stage: number }>(
      `SELECT s.stage FROM run_summaries s WHERE s.id = $1 AND s.state = 'RUNNING'
         AND NOT EXISTS (SELECT FROM run_shards h WHERE h.summary_id = s.id AND h.done_at = 0 AND h.stage <= s.stage)
       FOR NO KEY UPDATE OF s`,
      [summaryId],
    )
    if (!rows[0]) return
    const { rows: next } = await client.query<{ stage: number | null }>(
      'SELECT min(stage) AS stage FROM run_shards WHERE summary_id = $1 AND stage > $2',
      [summaryId, rows[0].stage],
    )
    const stage = next[0]?.stage
    if (stage != null)
      await client.query('UPDATE run_summaries SET stage = $2 WHERE id = $1', [summaryId, stage])
  })
}
