import type { Queryable } from '../../store/index.ts'

/** When a client last fetched a form of the block list with an API key. */
interface BlockListRead {
  readonly format: string
  readonly fetchedAt: number
}

/** Gateways may ask every second: a note is that exact. */
const EXACT_TO_SECONDS = 5

/** Notes that a client fetched a form of the block list. */
export async function noteBlockListRead(db: Queryable, format: string, now: number): Promise<void> {
  await db.query(
    `INSERT INTO block_list_reads AS r (format, fetched_at) VALUES ($1, $2)
     ON CONFLICT (format) DO UPDATE SET fetched_at = excluded.fetched_at
     WHERE r.fetched_at < excluded.fetched_at - ${EXACT_TO_SECONDS}`,
    [format, now],
  )
}

/** When each form was fetched last, the newest first. */
export async function blockListReads(db: Queryable): Promise<BlockListRead[]> {
  const { rows } = await db.query<BlockListRead>(
    'SELECT format, fetched_at AS "fetchedAt" FROM block_list_reads ORDER BY fetched_at DESC, format',
  )
  return rows
}
