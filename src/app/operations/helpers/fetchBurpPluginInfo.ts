import type { ResponseOf } from '../../../contract/index.ts'
import type { Handler } from '../../handler.ts'

type BurpInfo = Omit<NonNullable<ResponseOf<'fetchBurpPluginInfo'>['burpPluginInfo']>, 'username'>

/** What is known of the caller's extension; null before it was downloaded or started. */
export const fetchBurpPluginInfo: Handler<'fetchBurpPluginInfo'> = async (_input, { app, caller }) => {
  const { rows } = await app.store.pool.query<BurpInfo>(
    `SELECT last_bootup_at AS "lastBootupTimestamp", last_bootup_at AS "lastBootUpTimestamp",
       last_data_sent_at AS "lastDataSentTimestamp", version, last_download_at AS "lastDownloadTimestamp"
     FROM burp_extensions WHERE user_id = $1`,
    [caller.userId],
  )
  return { burpPluginInfo: rows[0] ? { username: caller.login, ...rows[0] } : null }
}
