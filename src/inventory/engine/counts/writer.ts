import { randomBytes } from 'node:crypto'
import { nowSeconds } from '../../../kit/index.ts'
import { advisoryLocks, type Store, type StoreClient, usingTransaction } from '../../../store/index.ts'
import { foldStored } from './tallies.ts'

const FORGOTTEN_AFTER_SECONDS = 86_400

/** The second key of the lock that says "this engine lives". */
function lockKey(writer: string): number {
  return Number.parseInt(writer.slice(0, 8), 16) | 0
}

function newWriterId(): string {
  return randomBytes(8).toString('hex')
}

/**
 * Identity of this engine among all that write to the store. On a server it holds an advisory lock on a connection
 * of its own for as long as it lives, so that others see its death at once and take over its unflushed counts. The
 * embedded store has one owner by its folder lock: whatever other writer is named there is dead.
 */
export class Writer {
  #id = newWriterId()
  #isRegistered = false
  /** Former identities whose counts were not folded yet. */
  readonly #left = new Set<string>()
  readonly #store: Store
  #lockHolder: StoreClient | null = null
  #beating: Promise<unknown> = Promise.resolve()

  constructor(store: Store) {
    this.#store = store
  }

  get id(): string {
    return this.#id
  }

  /** Counts of a former identity wait for {@link adoptDead}. */
  get hasLeft(): boolean {
    return this.#left.size > 0
  }

  /** Registers this writer; does nothing when it is registered. */
  async begin(): Promise<void> {
    if (this.#isRegistered) return
    if (this.#store.kind === 'postgres') {
      // A broken holder stays checked out until `renew`: others may take over, and the next fold notices.
      this.#lockHolder ??= await this.#store.pool.connect()
      await this.#lockHolder.query('SELECT pg_advisory_lock($1, $2)', [
        advisoryLocks.engines,
        lockKey(this.id),
      ])
    }
    const now = nowSeconds()
    await this.#store.pool.query('INSERT INTO writers (id, started_at, seen_at) VALUES ($1, $2, $2)', [
      this.id,
      now,
    ])
    this.#isRegistered = true
  }

  /**
   * Becomes a new writer after a failed transaction: what the old one has committed is folded like that of a dead
   * one. Takes effect even while the store is away; {@link begin} registers the new identity when it is back.
   */
  renew(): void {
    this.#lockHolder?.release(true)
    this.#lockHolder = null
    this.#left.add(this.#id)
    this.#id = newWriterId()
    this.#isRegistered = false
  }

  /** Folds what dead writers left; returns how many writers that were. */
  async adoptDead(): Promise<number> {
    const { rows } = await this.#store.pool.query<{ writer: string }>(
      'SELECT DISTINCT writer FROM pending_tallies WHERE writer <> $1',
      [this.id],
    )
    let adopted = 0
    for (const id of this.#left) if (!rows.some(({ writer }) => writer === id)) this.#left.delete(id)
    for (const { writer } of rows) {
      if (!(await usingTransaction(this.#store.pool, (client) => this.#adopt(client, writer)))) continue
      this.#left.delete(writer)
      adopted++
    }
    return adopted
  }

  /** Says that this writer lives, and forgets others that have not for a day and left no counts. */
  beat(now = nowSeconds()): Promise<void> {
    const done = this.#beating.then(() => this.#beat(now))
    this.#beating = done.catch(() => {}) // the caller hears of it
    return done
  }

  async #beat(now: number): Promise<void> {
    if (!this.#isRegistered) return
    await this.#store.pool.query(
      `INSERT INTO writers (id, started_at, seen_at) VALUES ($1, $2, $2)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [this.id, now],
    )
    await this.#store.pool.query(
      'DELETE FROM writers WHERE seen_at < $1 AND id NOT IN (SELECT writer FROM pending_tallies)',
      [now - FORGOTTEN_AFTER_SECONDS],
    )
  }

  /** Removes the registration; unflushed counts must have been folded. */
  async end(): Promise<void> {
    // A heartbeat under way would register it again.
    this.#isRegistered = false
    await this.#beating
    try {
      await this.#store.pool.query('DELETE FROM writers WHERE id = $1', [this.id])
    } finally {
      // Closing the connection gives its lock back.
      this.#lockHolder?.release(true)
      this.#lockHolder = null
    }
  }

  async #adopt(client: StoreClient, writer: string): Promise<boolean> {
    // The server may see the end of a connection late, so a former identity of this engine can still count as alive.
    // Should another process adopt it as well, folds take turns: one of the two finds no rows.
    if (this.#store.kind === 'postgres' && !this.#left.has(writer)) {
      const { rows } = await client.query<{ free: boolean }>(
        'SELECT pg_try_advisory_xact_lock($1, $2) AS free',
        [advisoryLocks.engines, lockKey(writer)],
      )
      if (!rows[0]!.free) return false
    }
    for (const tier of ['COUNTS', 'DETAILS'] as const) await foldStored(client, writer, tier)
    await client.query('DELETE FROM writers WHERE id = $1', [writer])
    return true
  }
}
