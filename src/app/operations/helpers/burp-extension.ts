import type { App } from '../../handler.ts'

/** Newest version of the Burp extension that this interface is made for. */
export const latestBurpVersion = 5

/** What is noted about an extension; times in epoch seconds. Fields left out stay as they are. */
interface BurpNote {
  readonly startedAt?: number
  readonly dataSentAt?: number
  readonly downloadedAt?: number
  readonly version?: number
}

/** Notes something about the extension of one user, whose row appears with the first note. */
export async function noteBurpExtension(app: App, userId: number, note: BurpNote): Promise<void> {
  await app.store.pool.query(
    `INSERT INTO burp_extensions AS b (user_id, last_bootup_at, last_data_sent_at, last_download_at, version)
     VALUES ($1, coalesce($2, 0), coalesce($3, 0), coalesce($4, 0), coalesce($5, 0))
     ON CONFLICT (user_id) DO UPDATE SET last_bootup_at = coalesce($2, b.last_bootup_at),
       last_data_sent_at = coalesce($3, b.last_data_sent_at),
       last_download_at = coalesce($4, b.last_download_at), version = coalesce($5, b.version)`,
    [userId, note.startedAt, note.dataSentAt, note.downloadedAt, note.version],
  )
}
