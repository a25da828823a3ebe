import type { Partition, PartitionedTable, Queryable } from '../../store/index.ts'

/** One file of an archived partition. */
export interface ArchivePart {
  readonly name: string
  readonly rows: number
  /** Of the compressed file. */
  readonly bytes: number
  /** SHA-256 of the compressed file in hex. */
  readonly sha256: string
  /** Id of its last row. */
  readonly lastId: string
}

type ArchiveState = 'DETACHED' | 'ARCHIVED' | 'RESTORED'

/** A partition that was taken out of its table. */
export interface ArchiveRecord {
  readonly id: number
  readonly table: string
  readonly partition: string
  /** Times of its rows, epoch seconds; 0 for everything older. */
  readonly from: number
  readonly to: number
  readonly state: ArchiveState
  readonly location: string
  readonly rows: number
  readonly bytes: number
  readonly parts: readonly ArchivePart[]
  /** Epoch seconds; 0 while its files are being written. */
  readonly archivedAt: number
  /** Of a restored one, epoch seconds. */
  readonly restoredUntil: number
}

/** What is archived or about to be, the oldest times first. */
export async function listArchives({ pool }: { pool: Queryable }): Promise<ArchiveRecord[]> {
  const { rows } = await pool.query<ArchiveRecord>(
    `SELECT id, table_name AS table, partition_name AS partition, from_at AS from, to_at AS to, state, location,
       row_count AS rows, byte_count AS bytes, parts, archived_at AS "archivedAt", restored_until AS "restoredUntil"
     FROM archives ORDER BY from_at, id`,
  )
  return rows
}

/** Notes a partition that is taken out in the same transaction; its files follow. */
export async function noteDetached(
  db: Queryable,
  { table }: PartitionedTable,
  { name, from, to }: Partition,
  now: number,
): Promise<void> {
  await db.query(
    `INSERT INTO archives (table_name, partition_name, from_at, to_at, state, detached_at)
     VALUES ($1, $2, $3, $4, 'DETACHED', $5)`,
    [table, name, from, to, now],
  )
}
