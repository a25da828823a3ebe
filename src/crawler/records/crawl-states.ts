import type { CrawlSummary } from '../../contract/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { type Queryable, type Store, type StoreClient, usingTransaction } from '../../store/index.ts'
import { CRAWL_COLUMNS, type CrawlRun, type CrawlStatus } from './crawl-run.ts'

/** Longest reason of a failure that is kept. */
const MAX_MESSAGE = 2000

/** So long a module that cannot resume holds a crawl after a heartbeat. */
export const moduleLeaseSeconds = 300

/** A status that a crawler reports. */
export type ReportedStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED'

/** What a report of an end carries beside the status. */
interface CrawlEndReport {
  readonly errorMessage?: string | null
  /** Why the engine ended, in its words. */
  readonly endReason?: string | null
  /** A remark on an end that is not a failure. */
  readonly note?: string | null
  readonly summary?: CrawlSummary | null
}

/**
 * Stores what a crawler reports. RUNNING begins (again) and forgets no stop that was asked for; any other status ends
 * the crawl: credentials, work and what was learned go, and the first COMPLETED makes tests due that were asked for.
 *
 * @param testsFrom moment before which these tests do not start
 * @returns false when there is no such crawl
 */
export async function reportStatus(
  store: Store,
  id: string,
  status: ReportedStatus,
  report: CrawlEndReport = {},
  now = nowSeconds(),
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    const known = await client.query('SELECT FROM crawls WHERE id = $1 FOR NO KEY UPDATE', [id])
    if (!known.rowCount) return false
    if (status === 'RUNNING') {
      await client.query(
        `UPDATE crawls SET status = 'RUNNING', started_at = $2, seen_at = $2, ended_at = 0,
           lease_owner = coalesce(lease_owner, module_name), lease_until = greatest(lease_until, $2::integer + $3::integer) WHERE id = $1`,
        [id, now, moduleLeaseSeconds],
      )
    } else await endCrawl(client, id, status, report, now)
    return true
  })
}

async function endCrawl(
  client: StoreClient,
  id: string,
  status: Exclude<ReportedStatus, 'RUNNING'>,
  { errorMessage, endReason, note, summary }: CrawlEndReport,
  now: number,
): Promise<void> {
  const message = status === 'FAILED' ? (errorMessage ?? null) : (note ?? null)
  await client.query(
    `UPDATE crawls SET status = $2, ended_at = $3, error_message = $4, end_reason = coalesce($5, end_reason),
       summary = coalesce($6::jsonb, summary),
       sealed_secrets = null, lease_owner = null, lease_until = 0, stop_requested_at = 0, watched_until = 0,
       tests_due_at = CASE WHEN $2 = 'COMPLETED' AND is_tested_after AND tests_run_id IS NULL THEN $3
         ELSE tests_due_at END,
       work_counts = coalesce(work_counts, (${WORK_COUNTS}))
     WHERE id = $1`,
    [
      id,
      status,
      now,
      message?.slice(0, MAX_MESSAGE) ?? null,
      endReason ?? null,
      summary ? JSON.stringify(summary) : null,
    ],
  )
  await client.query(`DELETE FROM crawl_work WHERE crawl_id = $1 AND state <> 'DEAD'`, [id])
  await client.query('DELETE FROM crawl_memories WHERE crawl_id = $1', [id])
  await client.query('DELETE FROM crawl_learned WHERE crawl_id = $1', [id])
  await client.query('DELETE FROM crawl_frames WHERE crawl_id = $1', [id])
}

const WORK_COUNTS = `SELECT jsonb_build_object(
    'waiting', jsonb_build_object(
      'load', count(*) FILTER (WHERE state = 'WAITING' AND kind = 'load'),
      'explore', count(*) FILTER (WHERE state = 'WAITING' AND kind = 'explore'),
      'probe', count(*) FILTER (WHERE state = 'WAITING' AND kind = 'probe')),
    'done', count(*) FILTER (WHERE state = 'DONE'),
    'dead', count(*) FILTER (WHERE state = 'DEAD'))
  FROM crawl_work WHERE crawl_id = $1`

/** How much work of a crawl waits, is done, and was given up. */
export async function workCounts(
  queryable: Queryable,
  id: string,
): Promise<NonNullable<CrawlRun['workCounts']>> {
  const { rows } = await queryable.query<{ counts: NonNullable<CrawlRun['workCounts']> }>(
    `SELECT (${WORK_COUNTS}) AS counts`,
    [id],
  )
  return rows[0]!.counts
}

/**
 * Asks a crawl to stop: one that nobody has ends at once, one that ended stays as it is.
 *
 * @returns its status afterwards; undefined when there is no such crawl
 */
export async function requestStop(
  store: Store,
  id: string,
  now = nowSeconds(),
): Promise<CrawlStatus | null | undefined> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ status: CrawlStatus | null; leaseOwner: string | null }>(
      'SELECT status, lease_owner AS "leaseOwner" FROM crawls WHERE id = $1 FOR NO KEY UPDATE',
      [id],
    )
    const [known] = rows
    if (known === undefined) return undefined
    if (known.status === 'PENDING' && known.leaseOwner === null) {
      await endCrawl(client, id, 'STOPPED', {}, now)
      return 'STOPPED'
    }
    if (known.status !== 'PENDING' && known.status !== 'RUNNING') return known.status
    await client.query(`UPDATE crawls SET status = 'STOP_REQUESTED', stop_requested_at = $2 WHERE id = $1`, [
      id,
      now,
    ])
    return 'STOP_REQUESTED'
  })
}

/** Who takes a crawl. */
interface CrawlClaim {
  /** Null: the built-in crawler. */
  readonly moduleName: string | null
  /** The process, or the module. */
  readonly leaseOwner: string
  readonly leaseSeconds: number
  /** Collections that the caller may see; null = all. */
  readonly visible: readonly number[] | null
}

/**
 * Takes the oldest crawl of a module that nobody has: one that waits, or one whose lease owner let its lease lapse. Of the
 * built-in crawler a crawl that waits is RUNNING from then on.
 */
export async function claimCrawl(
  store: Store,
  { moduleName, leaseOwner, leaseSeconds, visible }: CrawlClaim,
  now = nowSeconds(),
): Promise<CrawlRun | null> {
  const { rows } = await store.pool.query<CrawlRun>(
    `UPDATE crawls SET lease_owner = $2, held_since = $4, lease_until = $4::integer + $3::integer, seen_at = $4,
       restarts = restarts + (status <> 'PENDING')::integer, is_ending = false,
       started_at = CASE WHEN status = 'PENDING' AND module_name IS NULL THEN $4 ELSE started_at END,
       status = CASE WHEN status = 'PENDING' AND module_name IS NULL THEN 'RUNNING' ELSE status END
     WHERE id = (SELECT id FROM crawls
       WHERE status IN ('PENDING', 'RUNNING') AND module_name IS NOT DISTINCT FROM $1
         AND (lease_owner IS NULL OR lease_until <= $4) AND ($5::integer[] IS NULL OR collection_id = ANY ($5))
       ORDER BY place LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING ${CRAWL_COLUMNS}`,
    [moduleName, leaseOwner, leaseSeconds, now, visible],
  )
  return rows[0] ?? null
}

/** Whether a module has a crawl in hand, whose lease has not lapsed. */
export async function holdsCrawl(store: Store, moduleName: string, now = nowSeconds()): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `SELECT FROM crawls WHERE module_name = $1 AND lease_owner IS NOT NULL AND lease_until > $2
       AND status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED') LIMIT 1`,
    [moduleName, now],
  )
  return (rowCount ?? 0) > 0
}

/** What a heartbeat of a crawl brings back. */
interface CrawlSigns {
  readonly status: CrawlStatus | null
  readonly isStopRequested: boolean
  /** Somebody looks at it. */
  readonly isWatched: boolean
  /** Processes on it, the lease owner among them. */
  readonly workers: number
}

/**
 * A heartbeat of the process that has the crawl, with the active time so far. Anyone who tells that time comes every second, and
 * has the crawl for no longer than asked for here: after a death it continues soon.
 *
 * @param leaseOwner only when this one still has it; null for modules, which are known by their crawl alone
 * @returns null when the crawl is gone, has ended, or has another lease owner
 */
export async function keepCrawl(
  store: Store,
  id: string,
  signs: {
    readonly leaseOwner: string | null
    readonly leaseSeconds: number
    readonly activeMs: number | null
  },
  now = nowSeconds(),
): Promise<CrawlSigns | null> {
  const { rows } = await store.pool.query<{
    status: CrawlStatus
    stop_requested_at: number
    watched_until: number
    helpers: number
  }>(
    `UPDATE crawls SET seen_at = $4,
       lease_until = CASE WHEN $5::bigint IS NULL THEN greatest(lease_until, $4::integer + $3::integer)
         ELSE $4::integer + $3::integer END,
       active_ms = greatest(active_ms, coalesce($5::bigint, 0))
     WHERE id = $1 AND status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED') AND ($2::text IS NULL OR lease_owner = $2)
     RETURNING status, stop_requested_at, watched_until,
       (SELECT count(*) FROM crawl_workers w WHERE w.crawl_id = crawls.id AND w.lease_until > $4) AS helpers`,
    [
      id,
      signs.leaseOwner,
      signs.leaseSeconds,
      now,
      signs.activeMs === null ? null : Math.round(signs.activeMs),
    ],
  )
  const [row] = rows
  if (row === undefined) return null
  return {
    status: row.status,
    isStopRequested: row.stop_requested_at > 0,
    isWatched: row.watched_until > now,
    workers: Number(row.helpers) + 1,
  }
}

/** Gives a crawl back, so that another process takes it at once. */
export async function releaseCrawl(store: Store, id: string, leaseOwner: string): Promise<void> {
  await store.pool.query(
    'UPDATE crawls SET lease_owner = null, lease_until = 0 WHERE id = $1 AND lease_owner = $2',
    [id, leaseOwner],
  )
}

/** Gives back what any process of the built-in crawler had; for a store that one process owns, at its start. */
export async function releaseBuiltIn(store: Store): Promise<void> {
  await store.pool.query(
    'DELETE FROM crawl_workers w USING crawls c WHERE c.id = w.crawl_id AND c.module_name IS NULL',
  )
  await store.pool.query(
    `UPDATE crawls SET lease_until = 0 WHERE module_name IS NULL AND lease_owner IS NOT NULL
       AND status IN ('RUNNING', 'STOP_REQUESTED')`,
  )
}

/** Notes that a crawl was taken up again after its worker died. */
export async function noteRestart(store: Store, id: string): Promise<void> {
  await store.pool.query('UPDATE crawls SET restarts = restarts + 1 WHERE id = $1', [id])
}

/** Keeps why signing in failed; null takes it back. */
export async function noteLogin(store: Store, id: string, error: string | null): Promise<void> {
  await store.pool.query('UPDATE crawls SET login_error = $2 WHERE id = $1', [
    id,
    error?.slice(0, MAX_MESSAGE) ?? null,
  ])
}

/** Notes that somebody looks at a crawl, for this many seconds. */
export async function watchCrawl(
  store: Store,
  id: string,
  seconds: number,
  now = nowSeconds(),
): Promise<void> {
  await store.pool.query('UPDATE crawls SET watched_until = $2 WHERE id = $1', [id, now + seconds])
}

/** Removes a crawl that ended. @returns false when there is none, or it has not ended */
export async function deleteCrawl(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `DELETE FROM crawls WHERE id = $1 AND (status IS NULL OR status NOT IN ('PENDING', 'RUNNING', 'STOP_REQUESTED'))`,
    [id],
  )
  return (rowCount ?? 0) > 0
}
