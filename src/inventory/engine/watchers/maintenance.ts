import { nowSeconds } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import { REDELIVERY_WINDOW_SECONDS } from '../intake/index.ts'

const PROBES_KEPT = 20_000
/** Seconds after which no transaction that was open at some moment is open any more. */
const TRANSACTION_SECONDS = 60

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

/**
 * Marks the facts that were written at the same moment as the time of their endpoint was lowered: the list of changes
 * knows facts by their mark, and neither writer saw the other's row.
 */
export async function markMissedFacts(store: Store, now = nowSeconds()): Promise<void> {
  await store.pool.query(
    `WITH due AS (
       DELETE FROM lowered_endpoints WHERE noted_at < $1 RETURNING endpoint_id),
     missed AS (
       SELECT f.id FROM endpoint_facts f JOIN endpoints e ON e.id = f.endpoint_id
       WHERE f.endpoint_id IN (SELECT endpoint_id FROM due) AND NOT f.is_later AND f.first_seen > e.first_seen
       ORDER BY f.id FOR NO KEY UPDATE OF f)
     UPDATE endpoint_facts f SET is_later = true FROM missed WHERE f.id = missed.id`,
    [now - TRANSACTION_SECONDS],
  )
}
