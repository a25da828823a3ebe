import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { CRAWL_COLUMNS, type CrawlRun } from './crawl-run.ts'

/** Anyone who starts the tests of a crawl and dies over it is followed by another after this time. */
const LEASE_SECONDS = 60

/** A crawl whose tests are due, for one process at a time; null when there is none. */
export async function claimDueTests(store: Store, now = nowSeconds()): Promise<CrawlRun | null> {
  const { rows } = await store.pool.query<CrawlRun>(
    `UPDATE crawls SET tests_due_at = $1::integer + $2::integer WHERE id = (
       SELECT id FROM crawls WHERE tests_due_at > 0 AND tests_due_at <= $1 ORDER BY tests_due_at, id LIMIT 1
       FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING ${CRAWL_COLUMNS}`,
    [now, LEASE_SECONDS],
  )
  return rows[0] ?? null
}

/** Notes the tests that were started for a crawl, or why there are none. */
export async function noteTests(
  store: Store,
  id: string,
  runId: string | null,
  note: string | null,
): Promise<void> {
  await store.pool.query(
    `UPDATE crawls SET tests_due_at = 0, tests_run_id = $2, error_message = coalesce($3, error_message)
     WHERE id = $1`,
    [id, runId, note],
  )
}
