import { nowSeconds } from '../../kit/index.ts'
import {
  type Partition,
  type PartitionedTable,
  partitionedTables,
  type Queryable,
} from '../../store/index.ts'

/** The table of the audit log, which is archived in spans of 30 days without being partitioned. */
export const AUDIT_TABLE = 'audit_log'
const AUDIT_SPAN_SECONDS = 30 * 86_400

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

/** Notes a partition of events that is taken out in the same transaction, unless it is empty. */
export async function noteEvents(db: Queryable, partition: Partition): Promise<void> {
  const { rowCount } = await db.query(`SELECT FROM ${partition.name} LIMIT 1`)
  if (rowCount !== 0) await noteDetached(db, partitionedTables.events, partition, nowSeconds())
}

/** SQL that tells whether an entry of the audit log waits for the archive. */
export const AUDIT_WAITS = `EXISTS (SELECT FROM archives WHERE table_name = '${AUDIT_TABLE}' AND state = 'DETACHED'
  AND ${AUDIT_TABLE}.at >= from_at AND ${AUDIT_TABLE}.at < to_at)`

/**
 * Notes every span of the audit log that is too old as a whole; its entries stay until they are in its files. Where the
 * clock goes back, a span has entries again after it was archived: they get files beside those.
 *
 * @param before epoch seconds
 */
export async function noteAuditSpans(db: Queryable, before: number): Promise<void> {
  const span = AUDIT_SPAN_SECONDS
  await db.query(
    `INSERT INTO archives (table_name, partition_name, from_at, to_at, state, detached_at)
     SELECT '${AUDIT_TABLE}', '${AUDIT_TABLE}_' || to_char(to_timestamp(s * ${span}) AT TIME ZONE 'UTC', 'YYYYMMDD')
         || CASE before.times WHEN 0 THEN '' ELSE '_' || (before.times + 1) END,
       s * ${span}, (s + 1) * ${span}, 'DETACHED', $2
     FROM (SELECT DISTINCT at::bigint / ${span} AS s FROM ${AUDIT_TABLE} WHERE at < $1) old
     CROSS JOIN LATERAL (SELECT count(*) AS times, bool_or(state = 'DETACHED') AS waits FROM archives
       WHERE table_name = '${AUDIT_TABLE}' AND from_at = s * ${span}) before
     WHERE (s + 1) * ${span} <= $1 AND before.waits IS NOT TRUE ON CONFLICT (partition_name) DO NOTHING`,
    [before, nowSeconds()],
  )
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
     VALUES ($1, $2, $3, $4, 'DETACHED', $5) ON CONFLICT (partition_name) DO NOTHING`,
    [table, name, from, to, now],
  )
}
