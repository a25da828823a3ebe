import type { Queryable } from '../../../store/index.ts'
import { unpackHashes } from '../counts/index.ts'
import { REDELIVERY_WINDOW_SECONDS, type RecentMessages } from './message-hashes.ts'

/**
 * Remembers the messages that any process committed lately. The window ends at the latest of them, not now: a stream
 * redelivers what was not acknowledged, however long no process was running.
 */
export async function loadRecent(store: Queryable, recent: RecentMessages): Promise<void> {
  const { rows } = await store.query<{ written_at: number; hashes: Buffer }>(
    `SELECT written_at, hashes FROM recent_messages
     WHERE written_at >= (SELECT max(written_at) FROM recent_messages) - $1 ORDER BY id`,
    [REDELIVERY_WINDOW_SECONDS],
  )
  for (const row of rows) for (const hash of unpackHashes(row.hashes)) recent.add(hash, row.written_at)
}
