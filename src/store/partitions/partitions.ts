import { withoutLimit } from '../engines/without-limit.ts'
import type { Store } from '../store.ts'
import { type Queryable, type StoreClient, usingTransaction } from '../transaction.ts'
import { keyAt, type PartitionedTable, secondsOf } from './partitioned-tables.ts'

/** Further spans that have a partition before their time comes. */
const SPANS_AHEAD = 2
/**
 * Locks of whole tables are waited for no longer, because everybody else would wait behind; the next pass tries again. It
 * is below PostgreSQL's deadlock_timeout, so that this gives up before a writer is made to.
 */
const LOCK_MS = 800
/** SQLSTATE lock_not_available and deadlock_detected. */
const IN_USE = ['55P03', '40P01']

/** One partition by its times, from the first second on, until just before the last. */
export interface Partition {
  readonly name: string
  /** 0 for the one that holds everything older. */
  readonly from: number
  /** Infinity for one that holds everything newer. */
  readonly to: number
}

/** The partitions of a table in order, without the default one. */
export async function listPartitions(db: Queryable, parent: PartitionedTable): Promise<Partition[]> {
  const { rows } = await db.query<{ name: string; bound: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
    [parent.table],
  )
  return rows
    .flatMap(({ name, bound }) => {
      const [, from, to] = /^FOR VALUES FROM \('?(\w+)'?\) TO \('?(\w+)'?\)$/.exec(bound) ?? []
      if (from === undefined || to === undefined) return []
      return {
        name,
        from: from === 'MINVALUE' ? 0 : secondsOf(parent, from),
        to: to === 'MAXVALUE' ? Number.POSITIVE_INFINITY : secondsOf(parent, to),
      }
    })
    .sort((a, b) => a.from - b.from)
}

/** Columns of a table that can be written, as SQL. */
export async function writtenColumns(db: Queryable, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/**
 * Makes the partitions of the present span and those to come, as far as they are not there. Rows of their times that
 * the default partition took meanwhile are moved.
 *
 * @returns names of the partitions made
 */
export async function makePartitions(store: Store, parent: PartitionedTable, now: number): Promise<string[]> {
  const { span } = parent
  const first = now - (now % span)
  const made: string[] = []
  for (let i = 0; i <= SPANS_AHEAD; i++) {
    const from = first + i * span
    const partition = { name: partitionName(parent, from), from, to: from + span }
    if (isCovered(partition, await listPartitions(store.pool, parent))) continue
    await lockingTables(store, async (client) => {
      if (await makePartition(client, parent, partition)) made.push(partition.name)
    })
  }
  return made
}

function isCovered({ from, to }: Partition, partitions: readonly Partition[]): boolean {
  return partitions.some((partition) => partition.from < to && from < partition.to)
}

/** run_results_20261116: by its first day. */
function partitionName({ table }: PartitionedTable, from: number): string {
  return `${table}_${new Date(from * 1_000).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** Makes an empty table like a partition; one that was left half-filled goes. The caller knows that it is not attached. */
export async function createDetached(
  db: Queryable,
  { table, storage }: PartitionedTable,
  name: string,
): Promise<void> {
  await db.query(withoutLimit(`DROP TABLE IF EXISTS ${name}`))
  await db.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL EXCLUDING IDENTITY) ${storage}`)
}

/** @returns false when another process made it since the partitions were listed */
async function makePartition(
  client: StoreClient,
  parent: PartitionedTable,
  partition: Partition,
): Promise<boolean> {
  // Nobody else attaches or detaches from here on.
  await client.query(`LOCK TABLE ${parent.table} IN SHARE UPDATE EXCLUSIVE MODE`)
  if (isCovered(partition, await listPartitions(client, parent))) return false
  await createDetached(client, parent, partition.name)
  await moveFromDefault(client, parent, partition)
  await attachPartition(client, parent, partition)
  return true
}

/**
 * Moves rows of the times of a table that is not attached yet from the default partition into it; attaching would be
 * refused otherwise. Nobody writes to the default partition until the transaction ends.
 *
 * @returns number of rows moved
 */
export async function moveFromDefault(
  client: StoreClient,
  parent: PartitionedTable,
  { name, from, to }: Partition,
): Promise<number> {
  const { table, key } = parent
  const columns = (await writtenColumns(client, table)).join(', ')
  const lower = from === 0 ? '' : `${key} >= ${keyAt(parent, from)} AND `
  await client.query(`LOCK TABLE ${table}_other IN ACCESS EXCLUSIVE MODE`)
  const { rowCount } = await client.query(
    withoutLimit(
      `WITH moved AS (DELETE FROM ${table}_other WHERE ${lower}${key} < ${keyAt(parent, to)} RETURNING ${columns})
       INSERT INTO ${name} (${columns}) SELECT ${columns} FROM moved`,
    ),
  )
  return rowCount ?? 0
}

/** Makes a table with rows of these times a partition. */
export async function attachPartition(
  client: StoreClient,
  parent: PartitionedTable,
  { name, from, to }: Partition,
): Promise<void> {
  const bounds = `FROM (${from === 0 ? 'MINVALUE' : keyAt(parent, from)}) TO (${keyAt(parent, to)})`
  await client.query(
    withoutLimit(`ALTER TABLE ${parent.table} ATTACH PARTITION ${name} FOR VALUES ${bounds}`),
  )
}

/** Rows of a table, counted for as long as it takes; nobody waits for it on a server. */
export function countRows(store: Store, table: string): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    const { rows } = await client.query<{ count: number }>(
      withoutLimit(`SELECT count(*) AS count FROM ${table}`),
    )
    return rows[0]?.count ?? 0
  })
}

/** A table that was a partition. */
interface Detached {
  /**
   * Its name from now on, which no other table ever had: where the clock goes back, there may be another partition of the
   * same times before this one is archived, or long after it was.
   */
  readonly name: string
  /** Rows that were copied to the default partition. */
  readonly staying: number
}

/**
 * Takes a partition out of its table and renames it. The rows that stay are copied to the default partition. The table is
 * locked meanwhile, so nothing here may read the whole partition.
 *
 * @param stays SQL of rows `x` that stay, found by an index; null when none does
 * @param follow what else belongs to the transaction
 * @returns false when the table was in use for too long; nothing changed then
 */
export function detachPartition(
  store: Store,
  parent: PartitionedTable,
  partition: Partition,
  {
    stays,
    follow,
  }: { stays: string | null; follow: (client: StoreClient, detached: Detached) => Promise<unknown> },
): Promise<boolean> {
  return lockingTables(store, async (client) => {
    await client.query(withoutLimit(`ALTER TABLE ${parent.table} DETACH PARTITION ${partition.name}`))
    const name = await renamed(client, partition.name)
    let staying = 0
    if (stays !== null) {
      const columns = (await writtenColumns(client, parent.table)).join(', ')
      const { rowCount } = await client.query(
        withoutLimit(
          `INSERT INTO ${parent.table} (${columns}) SELECT ${columns} FROM ${name} x WHERE ${stays}`,
        ),
      )
      staying = rowCount ?? 0
    }
    await follow(client, { name, staying })
  })
}

/** Renames a table by the transaction, of which there is only one. @returns its new name */
async function renamed(client: StoreClient, name: string): Promise<string> {
  const { rows } = await client.query<{ unique: string }>(
    `SELECT $1 || '_' || pg_current_xact_id()::text AS "unique"`,
    [name],
  )
  const { unique } = rows[0]!
  await client.query(`ALTER TABLE ${name} RENAME TO ${unique}`)
  return unique
}

/** Works in a transaction that gives up when it has to wait for a table. @returns whether it was done */
export async function lockingTables(
  store: Store,
  work: (client: StoreClient) => Promise<unknown>,
): Promise<boolean> {
  try {
    await usingTransaction(store.pool, async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`)
      await client.query('SET LOCAL statement_timeout = 0')
      await work(client)
    })
    return true
  } catch (error) {
    if (IN_USE.includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}
