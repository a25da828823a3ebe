import type pg from 'pg'
import { beginSpan, errorType } from '../kit/index.ts'

/** One connection inside a transaction. */
export type StoreClient = pg.PoolClient

/** What can be asked one statement: the pool, or a connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>

const SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

/**
 * Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. Inside,
 * use only the client given: on the embedded engine another connection would wait for this one for ever.
 */
export async function usingTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  // Not the parent of anything: work that a row asks for belongs to the request, not to the transaction that wrote it.
  const span = beginSpan('store transaction', SPAN)
  try {
    const result = await transact(pool, work)
    span?.end()
    return result
  } catch (error) {
    span?.end(errorType(error))
    throw error
  }
}

async function transact<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    try {
      await client.query('ROLLBACK')
    } catch (rollbackError) {
      broken = rollbackError as Error // the connection is gone; the server rolls back on its own
    }
    throw error
  } finally {
    client.release(broken)
  }
}
