import { PgBoss } from 'pg-boss'
import { type Log, reportError } from '../../kit/index.ts'
import type { Queryable, Store, StoreClient } from '../../store/index.ts'

const QUEUE = 'test-shards'
const SCHEMA = 'queue'
/** A job whose process has not touched it for so long goes to another; the least that the library takes. */
const HEARTBEAT_SECONDS = 10
/** How often one of the processes looks for such jobs. */
const MONITOR_SECONDS = 5
/** A shard that works is never cut off for its age: executions have their own limits. */
const EXPIRE_SECONDS = 23 * 3600
/** A job is retried however often its process dies. */
const RETRIES = 100_000
const KEPT_SECONDS = 3600

/** A shard that was taken. */
export interface ShardJob {
  readonly jobId: string
  readonly summaryId: string
  readonly number: number
}

interface ShardData {
  summaryId: string
  number: number
}

/** The queue of shards, shared by all processes of the store. */
export class ShardQueue {
  readonly #boss: PgBoss

  private constructor(boss: PgBoss) {
    this.#boss = boss
  }

  /** Opens the queue, and makes it in a store that has none. */
  static async open(store: Store, log: Log): Promise<ShardQueue> {
    const boss = new PgBoss({
      db: executor(store.pool),
      schema: SCHEMA,
      backend: store.kind === 'embedded' ? 'pglite' : 'postgres',
      schedule: false,
      superviseIntervalSeconds: MONITOR_SECONDS,
      monitorIntervalSeconds: MONITOR_SECONDS,
    })
    boss.on('error', (error: Error) => log.warn('part.failed', { part: 'queue', error: reportError(error) }))
    await boss.start()
    await boss.createQueue(QUEUE, {
      expireInSeconds: EXPIRE_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retryLimit: RETRIES,
      retryDelay: 0,
      deleteAfterSeconds: KEPT_SECONDS,
    })
    return new ShardQueue(boss)
  }

  /** Adds shards of an execution in the caller's transaction. */
  async send(client: Queryable, summaryId: string, numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return
    await this.#boss.insert(
      QUEUE,
      numbers.map((number) => ({ data: { summaryId, number }, group: { id: summaryId } })),
      { db: executor(client) },
    )
  }

  /** Takes a shard of any execution but those given; null when none waits. */
  async take(but: readonly string[]): Promise<ShardJob | null> {
    const [job] = await this.#boss.fetch<ShardData>(QUEUE, { batchSize: 1, ignoreGroups: [...but] })
    return job === undefined ? null : { jobId: job.id, ...job.data }
  }

  /** Heartbeats; due more often than every ten seconds. */
  async touch(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length > 0) await this.#boss.touch(QUEUE, [...jobIds])
  }

  /** Ends a job, in the caller's transaction. */
  async complete(client: Queryable, jobId: string): Promise<void> {
    await this.#boss.complete(QUEUE, jobId, null, { db: executor(client) })
  }

  /** Puts jobs back at once: their process is gone, or about to go. */
  async giveBack(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length > 0) await this.#boss.fail(QUEUE, [...jobIds])
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false })
  }
}

function executor(queryable: Queryable | StoreClient): {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
} {
  return { executeSql: (text, values) => queryable.query(text, values) }
}
