import { nowSeconds } from '../kit/index.ts'
import {
  countRows,
  detachPartition,
  keyAt,
  listPartitions,
  makePartitions,
  type Partition,
  type PartitionedTable,
  partitionedTables,
  type Store,
  type StoreClient,
  withoutLimit,
} from '../store/index.ts'
import { type ArchiveRecord, listArchives, noteDetached } from './archive/archive-records.ts'

const DAY_SECONDS = 86_400
/** Rows of one statement, so that no other call waits long for it. */
const ROWS_PER_STATEMENT = 5_000

/** Days that rows are kept; 0 keeps them forever. */
interface KeptDays {
  readonly resultDays: number
  readonly requestLogDays: number
  readonly callStatsDays: number
}

/** Rows that stay whatever their age: those whose column has a value of this query. */
interface Stays {
  readonly column: string
  /** SQL of one column, given the first and the last key of the rows looked at. */
  readonly among: (from: string, to: string) => string
}

/** How long rows of a partitioned table are kept. */
interface KeptTable {
  readonly parent: PartitionedTable
  readonly setting: keyof KeptDays
  readonly stays: readonly Stays[]
  /** A partition stays while this table has one of the same times: most of its rows would stay. */
  readonly after: PartitionedTable | null
}

/** Results before their evidence, which stays as long as its result. */
const keptTables: readonly KeptTable[] = [
  {
    parent: partitionedTables.results,
    setting: 'resultDays',
    stays: [
      { column: 'id', among: () => 'SELECT i.result_id FROM issues i WHERE i.result_id IS NOT NULL' },
      {
        column: 'summary_id',
        among: () =>
          `SELECT coalesce(s.original_id, s.id) FROM run_summaries s WHERE s.state IN ('SCHEDULED', 'RUNNING')`,
      },
    ],
    after: null,
  },
  {
    parent: partitionedTables.evidence,
    setting: 'resultDays',
    stays: [
      {
        column: 'result_id',
        among: (from, to) => `SELECT r.id FROM run_results r WHERE r.id >= ${from} AND r.id < ${to}`,
      },
    ],
    after: partitionedTables.results,
  },
  { parent: partitionedTables.outgoingRequests, setting: 'requestLogDays', stays: [], after: null },
  { parent: partitionedTables.callMinutes, setting: 'callStatsDays', stays: [], after: null },
]

/** What keeping partitions needs. */
interface PartitionDeps {
  readonly store: Store
  readonly days: KeptDays
  /** Partitions that can be archived are kept out of their tables until they are, instead of being dropped. */
  readonly isArchived: boolean
  /** Asked between statements. */
  readonly mayGoOn: () => boolean
}

/**
 * Makes partitions for the time to come, and takes those out whose every row is kept no longer; rows that stay are
 * copied to the default partition. A table that is in use for too long is left for the next time.
 *
 * @returns rows removed by table; tables that lost none are absent
 */
export async function keepPartitions(deps: PartitionDeps): Promise<Record<string, number>> {
  const { store, mayGoOn } = deps
  const removed: Record<string, number> = {}
  for (const kept of keptTables) {
    if (!mayGoOn()) break
    await makePartitions(store, kept.parent, nowSeconds())
    const days = deps.days[kept.setting]
    if (days === 0) continue
    const before = Math.max(0, nowSeconds() - days * DAY_SECONDS)
    let count = await removePartitions(deps, kept, before)
    count += await removeStrays(store, kept, { before, mayGoOn })
    if (count > 0) removed[kept.parent.table] = count
  }
  return removed
}

async function removePartitions(deps: PartitionDeps, kept: KeptTable, before: number): Promise<number> {
  const { store } = deps
  const partitions = await listPartitions(store.pool, kept.parent)
  // After the partitions, so that one that has just been restored is known as that.
  const archives = (await listArchives(store)).filter(({ table }) => table === kept.parent.table)
  const first = kept.after === null ? [] : await listPartitions(store.pool, kept.after)
  let count = 0
  for (const partition of partitions) {
    const record = archives.find((one) => one.partition === partition.name)
    const isWanted =
      partition.to > before ||
      (record?.restoredUntil ?? 0) > nowSeconds() ||
      first.some(({ from, to }) => from < partition.to && partition.from < to)
    if (isWanted || !deps.mayGoOn()) continue
    const gone = await takeOut(deps, kept, { partition, record })
    if (gone === null) break
    count += gone
  }
  const there = new Set(partitions.map(({ name }) => name))
  await noteMissing(
    store,
    archives.filter(({ partition }) => !there.has(partition)),
  )
  return count
}

/** Archived partitions that were restored and are not there any more can be restored again. */
async function noteMissing({ pool }: Store, archives: readonly ArchiveRecord[]): Promise<void> {
  await pool.query(
    `UPDATE archives SET state = 'ARCHIVED', restored_until = 0
     WHERE id = ANY ($1) AND state = 'RESTORED' AND restored_until <= $2`,
    [archives.map(({ id }) => id), nowSeconds()],
  )
}

/** Takes a partition out; @returns the number of rows that went with it, null when its table is in use */
async function takeOut(
  { store, isArchived }: PartitionDeps,
  { parent, stays }: KeptTable,
  { partition, record }: { partition: Partition; record: ArchiveRecord | undefined },
): Promise<number | null> {
  // Before the table is locked. A few more rows may come meanwhile.
  const total = await countRows(store, partition.name)
  let count = 0
  const follow = async (
    client: StoreClient,
    { name, staying }: { name: string; staying: number },
  ): Promise<void> => {
    count = Math.max(0, total - staying)
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`)
    if (isArchived && parent.id !== null && record?.state !== 'RESTORED' && rowCount !== 0) {
      await noteDetached(client, parent, { ...partition, name }, nowSeconds())
      return
    }
    await client.query(withoutLimit(`DROP TABLE ${name}`))
    // One that was restored has its files still.
    await client.query(
      `UPDATE archives SET state = 'ARCHIVED', restored_until = 0
       WHERE partition_name = $1 AND state = 'RESTORED'`,
      [partition.name],
    )
  }
  const [from, to] = [keyAt(parent, partition.from), keyAt(parent, partition.to)]
  // As arrays, so that the rows are found by an index: the table is locked meanwhile.
  const conditions = stays.map(({ column, among }) => `x.${column} = ANY (ARRAY(${among(from, to)}))`)
  const isDone = await detachPartition(store, parent, partition, {
    stays: conditions.length === 0 ? null : conditions.join(' OR '),
    follow,
  })
  return isDone ? count : null
}

/**
 * Removes what is too old row by row where no partition goes as a whole: rows that stayed once, those no partition was made
 * for, and those of before there were partitions, unless they are to be archived.
 */
async function removeStrays(
  store: Store,
  { parent, stays }: KeptTable,
  { before, mayGoOn }: { before: number; mayGoOn: () => boolean },
): Promise<number> {
  const [from, to] = [keyAt(parent, 0), keyAt(parent, before)]
  const condition = [
    `x.${parent.key} < ${to}`,
    ...stays.map(
      ({ column, among }) =>
        `NOT EXISTS (SELECT FROM (${among(from, to)}) AS kept (value) WHERE kept.value = x.${column})`,
    ),
  ].join(' AND ')
  const longer = parent.id === null ? await listLonger(store, parent) : []
  let count = 0
  for (const table of [...longer, `${parent.table}_other`]) {
    while (mayGoOn()) {
      // Positions of rows are unique within one partition only, so the statement names it.
      const { rowCount } = await store.pool.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT x.ctid FROM ${table} x WHERE ${condition} LIMIT ${ROWS_PER_STATEMENT}))`,
      )
      count += rowCount ?? 0
      if ((rowCount ?? 0) < ROWS_PER_STATEMENT) break
    }
  }
  return count
}

/** Partitions of more than one span: those of before the upgrade. */
async function listLonger({ pool }: Store, parent: PartitionedTable): Promise<string[]> {
  const partitions = await listPartitions(pool, parent)
  return partitions.filter(({ from, to }) => to - from > parent.span).map(({ name }) => name)
}
