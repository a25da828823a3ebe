import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { REDELIVERY_WINDOW_SECONDS } from './message-hashes.ts'

const PROBES_KEPT = 20_000

/**
 * Removes what only bounds keep small: hashes of messages that cannot be delivered again, and probes beyond their
 * number. What people ask to be kept for a time is the affair of the settings.
 */
export async function purgeExpired(store: Store): Promise<void> {
  const now = nowSeconds()
  await store.pool.query('DELETE FROM recent_messages WHERE written_at < $1', [
    now - REDELIVERY_WINDOW_SECONDS,
  ])
  await store.pool.query(
    `DELETE FROM probes WHERE last_seen < (
       SELECT last_seen FROM probes ORDER BY last_seen DESC OFFSET $1 LIMIT 1)`,
    [PROBES_KEPT],
  )
}
