import type { Handler } from '../../handler.ts'

/** What is known of the caller's extension; null before it was downloaded or started. */
export const fetchBurpPluginInfo: Handler<'fetchBurpPluginInfo'> = async (_input, { app, caller }) => {
  const row = await app.store.db
    .selectFrom('burp_extensions')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .executeTakeFirst()
  if (!row) return { burpPluginInfo: null }
  return {
    burpPluginInfo: {
      username: caller.login,
      lastBootupTimestamp: row.last_bootup_at,
      lastBootUpTimestamp: row.last_bootup_at,
      lastDataSentTimestamp: row.last_data_sent_at,
      version: row.version,
      lastDownloadTimestamp: row.last_download_at,
    },
  }
}
