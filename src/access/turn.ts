import { nowSeconds } from '../kit/index.ts'
import {
  lockTransaction,
  type Queryable,
  type Store,
  type StoreClient,
  usingTransaction,
} from '../store/index.ts'

/**
 * Runs `work` in a transaction that no other of this kind runs beside, in any process on the store. Rules such as
 * "the first user" or "the last administrator" span rows, so they need it; the writes are rare.
 */
export function inTurn<T>(store: Store, work: (client: StoreClient) => Promise<T>): Promise<T> {
  return usingTransaction(store.pool, async (client) => {
    await lockTransaction(client, 'access')
    return work(client)
  })
}

/** A free identifier: the current second, or the one after the highest there. Call it {@link inTurn}. */
export async function newId(client: Queryable, table: 'users' | 'api_keys'): Promise<number> {
  const { rows } = await client.query<{ next: number }>(
    `SELECT coalesce(max(id), 0) + 1 AS next FROM ${table}`,
  )
  return Math.max(nowSeconds(), rows[0]!.next)
}
