import { nowSeconds } from '../kit/index.ts'
import {
  detachPartition,
  keyAt,
  listPartitions,
  makePartitions,
  type Partition,
  type PartitionedTable,
  partitionedTables,
  type Store,
  type StoreClient,
} from '../store/index.ts'
import { type ArchiveRecord, listArchives, noteDetached } from './archive/archive-records.ts'

const DAY_SECONDS = 86_400
/** Rows of one statement, so that no other call waits long for it. */
const ROWS_PER_STATEMENT = 5_000

/** Days that rows are kept; 0 keeps them forever. */
interface KeptDays {
  readonly resultDays: number
  readonly requestLogDays: number
}

/** How long rows of a partitioned table are kept. */
interface KeptTable {
  readonly parent: PartitionedTable
  readonly setting: keyof KeptDays
  /** SQL of rows `x` that stay whatever their age, given the first and the last key of those looked at. */
  readonly stays: ((from: string, to: string) => string) | null
}

/** Results before their evidence, which stays as long as its result. */
const keptTables: readonly KeptTable[] = [
  {
    parent: partitionedTables.results,
    setting: 'resultDays',
    stays: () =>
      `(x.id IN (SELECT i.result_id FROM issues i WHERE i.result_id IS NOT NULL) OR x.summary_id IN (
         SELECT coalesce(s.original_id, s.id) FROM run_summaries s WHERE s.state IN ('SCHEDULED', 'RUNNING')))`,
  },
  {
    parent: partitionedTables.evidence,
    setting: 'resultDays',
    stays: (from, to) =>
      `EXISTS (SELECT FROM run_results r WHERE r.id = x.result_id AND r.id >= ${from} AND r.id < ${to})`,
  },
  { parent: partitionedTables.outgoingRequests, setting: 'requestLogDays', stays: null },
]

/** What keeping partitions needs. */
interface PartitionDeps {
  readonly store: Store
  readonly days: KeptDays
  /** Partitions are kept out of their tables until they are archived, instead of being dropped. */
  readonly isArchived: boolean
  /** Asked between statements. */
  readonly mayGoOn: () => boolean
}

/**
 * Makes partitions for the time to come, and takes those out whose every row is kept no longer; rows that stay move to
 * the default partition. A table that is in use for too long is left for the next time.
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
    const before = nowSeconds() - days * DAY_SECONDS
    let count = await removePartitions(deps, kept, before)
    count += await removeStrays(store, kept, { before, mayGoOn })
    if (count > 0) removed[kept.parent.table] = count
  }
  return removed
}

async function removePartitions(deps: PartitionDeps, kept: KeptTable, before: number): Promise<number> {
  const archives = new Map((await listArchives(deps.store)).map((record) => [record.partition, record]))
  let count = 0
  for (const partition of await listPartitions(deps.store.pool, kept.parent)) {
    const record = archives.get(partition.name)
    const isWanted = partition.to > before || (record?.restoredUntil ?? 0) > nowSeconds()
    if (isWanted || !deps.mayGoOn()) continue
    const gone = await takeOut(deps, kept, { partition, record })
    if (gone === null) break
    count += gone
  }
  return count
}

/** Takes a partition out; @returns the number of rows that went with it, null when its table is in use */
async function takeOut(
  { store, isArchived }: PartitionDeps,
  { parent, stays }: KeptTable,
  { partition, record }: { partition: Partition; record: ArchiveRecord | undefined },
): Promise<number | null> {
  let count = 0
  const follow = async (client: StoreClient): Promise<void> => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${partition.name}`,
    )
    count = rows[0]?.count ?? 0
    if (isArchived && record === undefined && count > 0) {
      await noteDetached(client, parent, partition, nowSeconds())
      return
    }
    await client.query(`DROP TABLE ${partition.name}`)
    // One that was restored has its files still.
    await client.query(
      `UPDATE archives SET state = 'ARCHIVED', restored_until = 0 WHERE partition_name = $1`,
      [partition.name],
    )
  }
  const isDone = await detachPartition(store, parent, partition, {
    stays: stays?.(keyAt(parent, partition.from), keyAt(parent, partition.to)) ?? null,
    follow,
  })
  return isDone ? count : null
}

/** Removes what is too old from the default partition: rows that stayed once, and those no partition was made for. */
async function removeStrays(
  store: Store,
  { parent, stays }: KeptTable,
  { before, mayGoOn }: { before: number; mayGoOn: () => boolean },
): Promise<number> {
  const table = `${parent.table}_other`
  const [from, to] = [keyAt(parent, 0), keyAt(parent, before)]
  const condition = `x.${parent.key} < ${to} ${stays === null ? '' : `AND NOT ${stays(from, to)}`}`
  let count = 0
  while (mayGoOn()) {
    // Positions of rows are unique within one partition only, so the statement names it.
    const { rowCount } = await store.pool.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT x.ctid FROM ${table} x WHERE ${condition} LIMIT ${ROWS_PER_STATEMENT}))`,
    )
    count += rowCount ?? 0
    if ((rowCount ?? 0) < ROWS_PER_STATEMENT) break
  }
  return count
}
