import { createHmac } from 'node:crypto'
import { lockTransaction, type Store, usingTransaction } from '../store/index.ts'

/** A failure counts for so long. */
export const FAILURE_WINDOW_MS = 3_600_000
/** Old rows that one attempt removes; more than one, so that they come to an end. */
const REMOVED_AT_ONCE = 20

export interface CountedAttempt {
  readonly atMs: number
  readonly account: string
  readonly network: string
  /** Not null: counts for this browser only. */
  readonly device: string | null
}

/** Failures of the last hour that an attempt is judged by. */
export interface SeenFailures {
  readonly ofDevice: number
  /** Of the account, from all networks and from this one. */
  readonly ofAccount: number
  readonly ofAccountHere: number
  readonly lastOfAccountMs: number | null
  /** Different accounts that failed from this network. */
  readonly accountsHere: number
  readonly lastHereMs: number | null
}

/** Failed sign-ins of all processes of a store. What was typed is kept as a keyed hash: it may be a password. */
export class SharedFailures {
  readonly #store: Store
  readonly #key: Uint8Array

  constructor(store: Store, key: Uint8Array) {
    this.#store = store
    this.#key = key
  }

  /**
   * Counts an attempt as `judge` returns it; attempts on one account take turns.
   *
   * @param judge throws what the attempt is refused with
   * @returns a function that takes the attempt out of the counts
   */
  async take(
    attempt: CountedAttempt,
    judge: (seen: SeenFailures) => CountedAttempt,
  ): Promise<() => Promise<void>> {
    const account = this.#mark(attempt.account)
    const device = attempt.device && this.#mark(attempt.device)
    const since = attempt.atMs - FAILURE_WINDOW_MS
    const id = await usingTransaction(this.#store.pool, async (client) => {
      await lockTransaction(client, 'signInAttempts', account)
      const { rows: seen } = await client.query<SeenFailures>(
        `SELECT count(*) FILTER (WHERE device = $3) AS "ofDevice",
           count(*) FILTER (WHERE device IS NULL AND account = $1) AS "ofAccount",
           count(*) FILTER (WHERE device IS NULL AND account = $1 AND network = $2) AS "ofAccountHere",
           max(at_ms) FILTER (WHERE device IS NULL AND account = $1) AS "lastOfAccountMs",
           count(DISTINCT account) FILTER (WHERE device IS NULL AND network = $2) AS "accountsHere",
           max(at_ms) FILTER (WHERE device IS NULL AND network = $2) AS "lastHereMs"
         FROM sign_in_failures WHERE at_ms > $4 AND (account = $1 OR network = $2 OR device = $3)`,
        [account, attempt.network, device, since],
      )
      const counted = judge(seen[0]!)
      const { rows } = await client.query<{ id: number }>(
        `WITH old AS (DELETE FROM sign_in_failures WHERE id IN (
           SELECT id FROM sign_in_failures WHERE at_ms <= $5 LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED))
         INSERT INTO sign_in_failures (at_ms, account, network, device) VALUES ($1, $2, $3, $4) RETURNING id`,
        [attempt.atMs, account, attempt.network, counted.device === null ? null : device, since],
      )
      return rows[0]!.id
    })
    return async () => {
      await this.#store.pool.query('DELETE FROM sign_in_failures WHERE id = $1', [id])
    }
  }

  #mark(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}
