import { Failure, nowSeconds } from '../../kit/index.ts'
import {
  advisoryLocks,
  attachPartition,
  createDetached,
  listPartitions,
  lockingTables,
  moveFromDefault,
  type PartitionedTable,
  type Store,
  type StoreClient,
  withoutLimit,
  writtenColumns,
} from '../../store/index.ts'
import type { ArchivePlace } from './archive-place.ts'
import { type ArchiveRecord, listArchives } from './archive-records.ts'
import { sourceOf } from './archive-sources.ts'
import { readArchived } from './write-archives.ts'

const DAY_SECONDS = 86_400
const ROWS_PER_STATEMENT = 500

/** What no longer fits the rest of the store, by table: SQL of the restored table `%s`. */
const fitting: Readonly<Record<string, readonly string[]>> = {
  run_results: [
    'DELETE FROM %s x WHERE NOT EXISTS (SELECT FROM run_summaries s WHERE s.id = x.summary_id)',
    'UPDATE %s x SET issue_id = NULL WHERE issue_id IS NOT NULL AND NOT EXISTS (SELECT FROM issues i WHERE i.id = x.issue_id)',
  ],
}

/**
 * Brings an archived partition back for some days; its files stay. Results of executions that were deleted meanwhile are
 * left out. A killed restoration leaves nothing.
 *
 * @throws Failure NO_SUCH_ARCHIVE, ARCHIVE_FAILED, ARCHIVE_IN_USE
 */
export async function restoreArchive(
  store: Store,
  place: ArchivePlace,
  { id, days }: { id: number; days: number },
): Promise<{ record: ArchiveRecord; rows: number; until: number }> {
  const until = nowSeconds() + days * DAY_SECONDS
  const done: { record: ArchiveRecord; rows: number; until: number }[] = []
  let table = ''
  const isDone = await lockingTables(store, async (client) => {
    const record = await lockArchive(client, id)
    const parent = tableOf(record)
    table = parent.table
    await fillTable(client, place, { record, parent })
    const { rows: counted } = await client.query<{ count: number }>(
      withoutLimit(`SELECT count(*) AS count FROM ${record.partition}`),
    )
    const partition = { name: record.partition, from: record.from, to: record.to }
    // The table is locked from here on.
    const moved = await moveFromDefault(client, parent, partition)
    await attachPartition(client, parent, partition)
    await client.query(`UPDATE archives SET state = 'RESTORED', restored_until = $2 WHERE id = $1`, [
      id,
      until,
    ])
    done.push({ record, rows: (counted[0]?.count ?? 0) + moved, until })
  })
  const [restored] = done
  if (!isDone || restored === undefined) throw new Failure('ARCHIVE_IN_USE', { table })
  return restored
}

/** The table that an archived partition belongs to. @throws Failure ARCHIVE_FAILED when it can only be read */
function tableOf(record: ArchiveRecord): PartitionedTable & { readonly id: string } {
  const { parent } = sourceOf(record)
  if (parent === null)
    throw new Failure('ARCHIVE_FAILED', {
      reason: `${record.table} does not come back into the store, where figures no longer count it: read it with "vigil archive read ${record.id}"`,
    })
  return parent
}

/** The record of a partition that nobody else restores until the transaction ends. */
async function lockArchive(client: StoreClient, id: number): Promise<ArchiveRecord> {
  const { rows } = await client.query<{ isFree: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, $2) AS "isFree"',
    [advisoryLocks.restorations, id],
  )
  if (!rows[0]?.isFree)
    throw new Failure('ARCHIVE_FAILED', { reason: `another process is restoring archive ${id}` })
  const record = (await listArchives({ pool: client })).find((one) => one.id === id)
  if (record === undefined || record.state !== 'ARCHIVED') throw new Failure('NO_SUCH_ARCHIVE')
  const attached = await listPartitions(client, tableOf(record))
  const there = attached.find(({ from, to }) => from < record.to && record.from < to)
  if (there !== undefined)
    throw new Failure('ARCHIVE_FAILED', { reason: `${there.name}, with the same times, is in the store` })
  return record
}

/** Makes the table with what its files hold and the store does not. */
async function fillTable(
  client: StoreClient,
  place: ArchivePlace,
  { record, parent }: { record: ArchiveRecord; parent: PartitionedTable },
): Promise<void> {
  const name = record.partition
  await createDetached(client, parent, name)
  for (const part of record.parts) await insertLines(client, name, await readArchived(place, record, part))
  // Rows that stayed when the partition was taken out.
  const stayed = `DELETE FROM ${name} x WHERE EXISTS (SELECT FROM ${parent.table}_other r WHERE r.${parent.id} = x.${parent.id})`
  for (const statement of [stayed, ...(fitting[parent.table] ?? [])])
    await client.query(withoutLimit(statement.replace('%s', name)))
}

/** Columns that the lines do not have, because they are younger, keep their defaults. */
async function insertLines(client: StoreClient, name: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const given = new Set(Object.keys(JSON.parse(lines[0]!) as object))
  const columns = (await writtenColumns(client, name)).filter((column) =>
    given.has(column.replace(/^"(.*)"$/, '$1')),
  )
  for (let at = 0; at < lines.length; at += ROWS_PER_STATEMENT)
    await client.query(
      `INSERT INTO ${name} (${columns.join(', ')})
       SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
      [`[${lines.slice(at, at + ROWS_PER_STATEMENT).join(',')}]`],
    )
}
