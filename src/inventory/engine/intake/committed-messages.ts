import { nowSeconds } from '../../../kit/index.ts'
import { advisoryLocks, type Queryable, type Store, type StoreClient } from '../../../store/index.ts'
import { insertHashes, type MessageHash, unpackHashes } from '../counts/index.ts'
import { REDELIVERY_WINDOW_SECONDS, RecentMessages } from './message-hashes.ts'

/**
 * The server rolls back a transaction that holds the lock and says nothing for so long: its process was paused, or lost
 * its network, and the others wait for it.
 */
const SILENT_MS = 5000

/** Thrown in a transaction of which another one, committed meanwhile, has some messages already. */
export class RepeatedMessages extends Error {}

interface HashesRow {
  id: number
  written_at: number
  hashes: Buffer
}

/**
 * The messages that any engine of the store committed lately. Each transaction ends with its hashes, under a lock that
 * it keeps to its commit: so the rows get their numbers in the order of the commits, and nobody commits a message
 * without having seen all that were committed before. That holds for messages sent again to another process while the
 * first one is still at work on them, and for a commit whose answer was lost.
 */
export class CommittedMessages {
  readonly #store: Store
  readonly #recent = new RecentMessages()
  /** The newest row that is in memory, or was written by this engine. */
  #lastRow = 0
  #written = 0
  /** Whether this engine alone could have written a row that it does not know: the answer to its commit was lost. */
  #isCertain = false

  constructor(store: Store) {
    this.#store = store
  }

  /** The window ends at the latest message, not now: a stream delivers again what was not acknowledged, after any time. */
  async begin(): Promise<void> {
    const { rows } = await this.#store.pool.query<HashesRow>(
      `SELECT id, written_at, hashes FROM recent_messages
       WHERE written_at >= (SELECT max(written_at) FROM recent_messages) - $1 ORDER BY id`,
      [REDELIVERY_WINDOW_SECONDS],
    )
    this.#learn(rows)
    this.#isCertain = true
  }

  /** Learns what was committed since the last look. */
  async catchUp(): Promise<void> {
    if (this.#store.kind === 'embedded' && this.#isCertain) return
    this.#learn(await newRows(this.#store.pool, this.#lastRow))
    this.#isCertain = true
  }

  has(hash: MessageHash): boolean {
    return this.#recent.has(hash)
  }

  /**
   * Writes the messages of a transaction, as its last statements.
   *
   * @throws RepeatedMessages when some were committed since they were looked up; they are known from now on
   */
  async write(client: StoreClient, hashes: readonly MessageHash[]): Promise<void> {
    if (hashes.length === 0) return
    if (this.#store.kind === 'postgres') this.#learn(await lockedNewRows(client, this.#lastRow))
    else if (!this.#isCertain) this.#learn(await newRows(client, this.#lastRow))
    if (hashes.some((hash) => this.#recent.has(hash))) throw new RepeatedMessages()
    this.#isCertain = false
    this.#written = await insertHashes(client, hashes, nowSeconds())
  }

  /** The transaction of {@link write} was committed. */
  settle(hashes: readonly MessageHash[]): void {
    const now = nowSeconds()
    for (const hash of hashes) this.#recent.add(hash, now)
    this.#lastRow = Math.max(this.#lastRow, this.#written)
    this.#isCertain = true
  }

  #learn(rows: readonly HashesRow[]): void {
    for (const { id, written_at, hashes } of rows) {
      for (const hash of unpackHashes(hashes)) this.#recent.add(hash, written_at)
      this.#lastRow = Math.max(this.#lastRow, id)
    }
  }
}

function selectNew(lastRow: number): string {
  return `SELECT id, written_at, hashes FROM recent_messages WHERE id > ${lastRow} ORDER BY id`
}

async function newRows(store: Queryable, lastRow: number): Promise<HashesRow[]> {
  return (await store.query<HashesRow>(selectNew(lastRow))).rows
}

/** Takes the lock and reads what was committed before it was free, in one message to the server. */
async function lockedNewRows(client: StoreClient, lastRow: number): Promise<HashesRow[]> {
  const answers = (await client.query(
    `SET LOCAL idle_in_transaction_session_timeout = ${SILENT_MS};
     SELECT pg_advisory_xact_lock(${advisoryLocks.committedMessages});
     ${selectNew(lastRow)}`,
  )) as unknown as readonly { rows: HashesRow[] }[]
  return answers[2]!.rows
}
