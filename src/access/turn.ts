import { type Kysely, sql, type Transaction } from 'kysely'
import { nowSeconds } from '../kit/index.ts'
import { advisoryLocks, type Schema } from '../store/index.ts'

/**
 * Runs `work` in a transaction that no other of this kind runs beside, in any process on the store. Rules such as
 * "the first user" or "the last administrator" span rows, so they need it; the writes are rare.
 */
export function inTurn<T>(db: Kysely<Schema>, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(advisoryLocks.access)})`.execute(trx)
    return work(trx)
  })
}

/** A free identifier: the current second, or the one after the highest there. Call it {@link inTurn}. */
export async function newId(trx: Transaction<Schema>, table: 'users' | 'api_keys'): Promise<number> {
  const row = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.max('id').as('highest'))
    .executeTakeFirst()
  return Math.max(nowSeconds(), Number(row?.highest ?? 0) + 1)
}
