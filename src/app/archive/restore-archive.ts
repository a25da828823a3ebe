import { Failure, nowSeconds } from '../../kit/index.ts'
import {
  attachPartition,
  createDetached,
  lockingTables,
  moveFromDefault,
  type Store,
  writtenColumns,
} from '../../store/index.ts'
import type { ArchivePlace } from './archive-place.ts'
import { type ArchiveRecord, listArchives } from './archive-records.ts'
import { readPart, tableOf } from './write-archives.ts'

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
 * left out. A killed restoration begins anew.
 *
 * @throws Failure NO_SUCH_ARCHIVE, ARCHIVE_FAILED, ARCHIVE_IN_USE
 */
export async function restoreArchive(
  store: Store,
  place: ArchivePlace,
  { id, days }: { id: number; days: number },
): Promise<{ record: ArchiveRecord; rows: number; until: number }> {
  const record = (await listArchives(store)).find((one) => one.id === id)
  if (record === undefined || record.state !== 'ARCHIVED') throw new Failure('NO_SUCH_ARCHIVE')
  const { partition: name } = record
  const parent = tableOf(record)
  await createDetached(store.pool, parent, name)
  for (const part of record.parts) await insertLines(store, name, await readPart(place, part))
  const until = nowSeconds() + days * DAY_SECONDS
  let rows = 0
  const isDone = await lockingTables(store, async (client) => {
    // Rows that stayed when the partition was taken out.
    await client.query(
      `DELETE FROM ${name} x WHERE EXISTS (SELECT FROM ${parent.table}_other r WHERE r.${parent.id} = x.${parent.id})`,
    )
    for (const statement of fitting[parent.table] ?? []) await client.query(statement.replace('%s', name))
    const partition = { name, from: record.from, to: record.to }
    await moveFromDefault(client, parent, partition)
    await attachPartition(client, parent, partition)
    const noted = await client.query(
      `UPDATE archives SET state = 'RESTORED', restored_until = $2 WHERE id = $1 AND state = 'ARCHIVED'`,
      [id, until],
    )
    if (noted.rowCount === 0) throw new Failure('NO_SUCH_ARCHIVE')
    const counted = await client.query<{ count: number }>(`SELECT count(*) AS count FROM ${name}`)
    rows = Number(counted.rows[0]?.count ?? 0)
  })
  if (!isDone) throw new Failure('ARCHIVE_IN_USE', { table: parent.table })
  return { record, rows, until }
}

/** Columns that the lines do not have, because they are younger, keep their defaults. */
async function insertLines(store: Store, name: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const given = new Set(Object.keys(JSON.parse(lines[0]!) as object))
  const columns = (await writtenColumns(store.pool, name)).filter((column) =>
    given.has(column.replace(/^"(.*)"$/, '$1')),
  )
  for (let at = 0; at < lines.length; at += ROWS_PER_STATEMENT)
    await store.pool.query(
      `INSERT INTO ${name} (${columns.join(', ')})
       SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
      [`[${lines.slice(at, at + ROWS_PER_STATEMENT).join(',')}]`],
    )
}
