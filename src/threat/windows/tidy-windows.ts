import type { Store } from '../../store/index.ts'
import { logEnds } from './value-stage.ts'

/** Counters removed by one statement, and statements of one tidying: what is left waits for the next. */
const STEP = 2000
const MAX_STEPS = 25

/**
 * Removes counters that mean nothing any more, with the messages kept for events that did not come; in bounded steps,
 * never waiting for those that are being counted.
 *
 * @returns how many were removed
 */
export async function tidyWindows(store: Store, now: number): Promise<number> {
  await store.pool.query('DELETE FROM threat_window_log WHERE written_at < $1', [logEnds(now)])
  let removed = 0
  for (let step = 0; step < MAX_STEPS; step++) {
    const { rows } = await store.pool.query<{ removed: number }>(
      `WITH gone AS (
         DELETE FROM threat_windows WHERE key IN (
           SELECT key FROM threat_windows WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING ref_id),
       messages AS (DELETE FROM threat_messages WHERE ref_id IN (SELECT ref_id FROM gone))
       SELECT count(*)::integer AS removed FROM gone`,
      [now, STEP],
    )
    removed += rows[0]!.removed
    if (rows[0]!.removed < STEP) break
  }
  return removed
}
