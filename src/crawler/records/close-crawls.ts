import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { type ReportedStatus, reportStatus } from './crawl-states.ts'

/** A crawl that continues so long after its time is closed by the server. */
const OVERTIME_SECONDS = 600
/** So long without a heartbeat a module is taken for dead. */
const SILENT_SECONDS = 600

/** Ends crawls that will not end on their own: stopped or silent without lease owner, not picked up, far beyond their time. */
export async function closeCrawls(store: Store, now = nowSeconds()): Promise<void> {
  const { rows } = await store.pool.query<{ id: string; status: ReportedStatus; message: string | null }>(
    `SELECT id, CASE why WHEN 'late' THEN 'COMPLETED' WHEN 'stopped' THEN 'STOPPED' ELSE 'FAILED' END AS status,
       CASE why WHEN 'unclaimed' THEN 'No crawler module picked up the job'
         WHEN 'silent' THEN 'Crawler module stopped responding' END AS message
     FROM (SELECT id, CASE
         WHEN status = 'STOP_REQUESTED' AND lease_until < $1 THEN 'stopped'
         WHEN status = 'PENDING' AND lease_owner IS NULL AND created_at + crawling_seconds < $1 AND (
           module_name IS NOT NULL OR NOT EXISTS (SELECT FROM crawls o WHERE o.module_name IS NULL
             AND o.status IN ('RUNNING', 'STOP_REQUESTED'))) THEN 'unclaimed'
         WHEN status IN ('RUNNING', 'STOP_REQUESTED') AND module_name IS NOT NULL
           AND started_at + crawling_seconds + $2 < $1 THEN 'late'
         WHEN status IN ('RUNNING', 'STOP_REQUESTED') AND module_name IS NULL
           AND active_ms > (crawling_seconds + $2) * 1000::bigint THEN 'late'
         WHEN (status IN ('RUNNING', 'STOP_REQUESTED') OR status = 'PENDING' AND lease_owner IS NOT NULL)
           AND module_name IS NOT NULL AND seen_at + $3 < $1 THEN 'silent' END AS why
       FROM crawls WHERE status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED')) c WHERE why IS NOT NULL`,
    [now, OVERTIME_SECONDS, SILENT_SECONDS],
  )
  await store.pool.query('DELETE FROM crawl_workers WHERE lease_until < $1', [now - OVERTIME_SECONDS])
  for (const { id, status, message } of rows) {
    const endReason = status === 'COMPLETED' ? 'budget' : status === 'STOPPED' ? 'stopped' : 'failed'
    await reportStatus(store, id, status, { errorMessage: message, endReason }, now)
  }
}
