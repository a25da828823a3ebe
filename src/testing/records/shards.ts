import { nowSeconds } from '../../kit/index.ts'
import { type Store, type StoreClient, usingTransaction } from '../../store/index.ts'

/** Endpoints with the tests to run there. */
export type ShardPairs = readonly {
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly testIds: readonly string[]
}[]

/** A part of an execution. */
export interface NewShard {
  /** Shards of a wave begin when those of earlier waves are done. */
  readonly wave: number
  readonly pairs: ShardPairs
}

/** Puts shards into the queue in the caller's transaction. */
export type SendShards = (client: StoreClient, numbers: readonly number[]) => Promise<void>

/**
 * Stores the shards of an execution and sends those of the first wave, once, no matter who plans.
 *
 * @returns false when the execution has its shards already, or does not run any more
 */
export async function storeShards(
  store: Store,
  summaryId: string,
  shards: readonly NewShard[],
  send: SendShards,
  now = nowSeconds(),
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    const first = Math.min(...shards.map(({ wave }) => wave), Number.MAX_SAFE_INTEGER)
    const { rowCount } = await client.query(
      `UPDATE run_summaries SET shards_at = $2, wave = $3 WHERE id = $1 AND state = 'RUNNING' AND shards_at = 0`,
      [summaryId, now, shards.length === 0 ? 0 : first],
    )
    if (rowCount === 0) return false
    await client.query(
      `INSERT INTO run_shards (summary_id, number, wave, pairs)
       SELECT $1, d.number, d.wave, d.pairs
       FROM unnest($2::integer[], $3::smallint[], $4::text[]) AS d (number, wave, pairs)`,
      [
        summaryId,
        shards.map((_shard, number) => number),
        shards.map(({ wave }) => wave),
        shards.map(({ pairs }) => JSON.stringify(pairs)),
      ],
    )
    await send(
      client,
      shards.flatMap(({ wave }, number) => (wave === first ? [number] : [])),
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
 * Takes a shard for a process.
 *
 * @returns its pairs; null when it is done, or its execution does not run any more
 */
export async function beginShard(
  store: Store,
  shard: { readonly summaryId: string; readonly number: number; readonly jobId: string },
  worker: string,
  now = nowSeconds(),
): Promise<ShardPairs | null> {
  const { rows } = await store.pool.query<{ pairs: string }>(
    `UPDATE run_shards h SET worker = $3, job_id = $4, seen_at = $5
     WHERE h.summary_id = $1 AND h.number = $2 AND h.done_at = 0
       AND EXISTS (SELECT FROM run_summaries s WHERE s.id = $1 AND s.state = 'RUNNING') RETURNING h.pairs`,
    [shard.summaryId, shard.number, worker, shard.jobId, now],
  )
  return rows[0] === undefined ? null : (JSON.parse(rows[0].pairs) as ShardPairs)
}

/** What a heartbeat brings back. */
export interface ShardSigns {
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

/** Ends a shard together with its job. */
export async function finishShard(
  store: Store,
  shard: { readonly summaryId: string; readonly number: number },
  complete: (client: StoreClient) => Promise<void>,
  now = nowSeconds(),
): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    await client.query(
      'UPDATE run_shards SET done_at = $3 WHERE summary_id = $1 AND number = $2 AND done_at = 0',
      [shard.summaryId, shard.number, now],
    )
    await complete(client)
  })
}

/** Gives shards back unfinished, as at a shutdown. */
export async function giveBackShards(store: Store, worker: string): Promise<void> {
  await store.pool.query(
    'UPDATE run_shards SET worker = null, seen_at = 0 WHERE worker = $1 AND done_at = 0',
    [worker],
  )
}

/** Jobs that somebody had and did not finish; where one process owns the store, all of them at its start. */
export async function orphanedJobs(store: Store): Promise<string[]> {
  const { rows } = await store.pool.query<{ job_id: string }>(
    `SELECT h.job_id FROM run_shards h JOIN run_summaries s ON s.id = h.summary_id
     WHERE s.state = 'RUNNING' AND h.done_at = 0 AND h.job_id IS NOT NULL`,
  )
  return rows.map((row) => row.job_id)
}

/** An execution that has its shards and runs. */
export interface ActiveExecution {
  readonly id: string
  readonly startedAt: number
  readonly runSeconds: number
  /** Every shard of every wave up to now is done. */
  readonly isWaveDone: boolean
  /** A later wave waits. */
  readonly hasMore: boolean
  readonly isLeftOutDone: boolean
  /** Seconds since a process last sent a heartbeat for a shard that is not done, or since the plan. */
  readonly silentSeconds: number
}

/** The executions that run and have their shards, with how far they are. */
export async function activeExecutions(store: Store, now = nowSeconds()): Promise<ActiveExecution[]> {
  const { rows } = await store.pool.query<ActiveExecution>(
    `SELECT s.id, s.started_at AS "startedAt", r.run_seconds AS "runSeconds",
       NOT EXISTS (SELECT FROM run_shards h WHERE h.summary_id = s.id AND h.done_at = 0 AND h.wave <= s.wave)
         AS "isWaveDone",
       EXISTS (SELECT FROM run_shards h WHERE h.summary_id = s.id AND h.wave > s.wave) AS "hasMore",
       s.left_out_at > 0 AS "isLeftOutDone",
       $1 - greatest(s.shards_at, (SELECT max(greatest(h.seen_at, h.done_at)) FROM run_shards h
         WHERE h.summary_id = s.id)) AS "silentSeconds"
     FROM run_summaries s JOIN test_runs r ON r.id = s.run_id WHERE s.state = 'RUNNING' AND s.shards_at > 0
     ORDER BY s.id`,
    [now],
  )
  return rows
}

/** Sends the next wave of an execution, once, no matter who asks. */
export async function nextWave(store: Store, summaryId: string, send: SendShards): Promise<void> {
  await usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ wave: number }>(
      `SELECT s.wave FROM run_summaries s WHERE s.id = $1 AND s.state = 'RUNNING'
         AND NOT EXISTS (SELECT FROM run_shards h WHERE h.summary_id = s.id AND h.done_at = 0 AND h.wave <= s.wave)
       FOR NO KEY UPDATE OF s`,
      [summaryId],
    )
    if (!rows[0]) return
    const { rows: waiting } = await client.query<{ number: number; wave: number }>(
      `SELECT number, wave FROM run_shards WHERE summary_id = $1 AND wave = (
         SELECT min(wave) FROM run_shards WHERE summary_id = $1 AND wave > $2) ORDER BY number`,
      [summaryId, rows[0].wave],
    )
    if (!waiting[0]) return
    await client.query('UPDATE run_summaries SET wave = $2 WHERE id = $1', [summaryId, waiting[0].wave])
    await send(
      client,
      waiting.map(({ number }) => number),
    )
  })
}

/** Shards of the waves up to now that are not done: what a queue that lost its jobs is given again. */
export async function waitingShards(store: Store, summaryId: string): Promise<number[]> {
  const { rows } = await store.pool.query<{ number: number }>(
    `SELECT h.number FROM run_shards h JOIN run_summaries s ON s.id = h.summary_id
     WHERE s.id = $1 AND h.done_at = 0 AND h.wave <= s.wave ORDER BY h.number`,
    [summaryId],
  )
  return rows.map(({ number }) => number)
}
