import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { REDELIVERY_WINDOW_SECONDS } from './message-hashes.ts'

/** Per-address statistics are kept this long, in minutes. */
const IP_WINDOW_KEPT_MINUTES = 8 * 60
/** Statistics per minute are kept this long, in minutes. */
const CALL_STATS_KEPT_MINUTES = 60 * 24 * 60
const PROBES_KEPT_SECONDS = 30 * 86_400
const PROBES_KEPT = 20_000

/** Removes what has outlived its purpose; every statement is bounded by an index. */
export async function purgeExpired(store: Store): Promise<void> {
  const now = nowSeconds()
  const minute = Math.floor(now / 60)
  await store.pool.query('DELETE FROM recent_messages WHERE written_at < $1', [
    now - REDELIVERY_WINDOW_SECONDS,
  ])
  await store.pool.query('DELETE FROM ip_windows WHERE window_start < $1', [minute - IP_WINDOW_KEPT_MINUTES])
  await store.pool.query('DELETE FROM call_stats WHERE minute < $1', [minute - CALL_STATS_KEPT_MINUTES])
  await store.pool.query('DELETE FROM probes WHERE last_seen < $1', [now - PROBES_KEPT_SECONDS])
  await store.pool.query(
    `DELETE FROM probes WHERE last_seen < (
       SELECT last_seen FROM probes ORDER BY last_seen DESC OFFSET $1 LIMIT 1)`,
    [PROBES_KEPT],
  )
}
