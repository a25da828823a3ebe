import { nowSeconds } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import { CRAWL_COLUMNS, type CrawlRun } from './crawl-run.ts'
import { freeWork } from './stored-frontier.ts'

/** Pieces of work that have to wait before a further process is worth its browser. */
const WORTH_JOINING = 2
/** A crawl that ends sooner than this is left to those who work on it. */
const LEAST_SECONDS = 60

/** Who wants to join a crawl. */
interface CrawlJoining {
  /** Null: the built-in crawler. */
  readonly moduleName: string | null
  /** Identifier of the helper, which has its pieces of work. */
  readonly worker: string
  readonly leaseSeconds: number
  /** Processes on one crawl, its lease owner among them. */
  readonly most: number
  /** Collections that the caller may see; null = all. */
  readonly visible: readonly number[] | null
  /** Only crawls of this lease owner, or of any other; both when null. */
  readonly leaseOwner: { readonly name: string; readonly isOther: boolean } | null
  /** So long the crawl has to have its lease owner. */
  readonly afterSeconds: number
  /** Crawls that are left out. */
  readonly exceptFor: readonly string[]
}

/** A crawl that was joined. */
export interface JoinedCrawl {
  readonly crawl: CrawlRun
  /** Processes on it now, the new one among them. */
  readonly workers: number
}

/**
 * Joins the oldest crawl of a module that runs, has work for one more, and takes helpers at all.
 *
 * @returns null when there is none
 */
export async function joinCrawl(
  store: Store,
  joining: CrawlJoining,
  now = nowSeconds(),
): Promise<JoinedCrawl | null> {
  const { moduleName, worker, leaseSeconds, most, visible, leaseOwner, afterSeconds, exceptFor } = joining
  if (most < 2) return null
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM crawls c
     WHERE status = 'RUNNING' AND module_name IS NOT DISTINCT FROM $1 AND lease_until > $2 AND NOT is_alone
       AND NOT is_ending AND login_error IS NULL AND ($3::integer[] IS NULL OR collection_id = ANY ($3))
       AND held_since + $4::integer <= $2 AND lease_owner IS NOT NULL
       AND ($5::text IS NULL OR (lease_owner <> $5) = $6) AND id <> ALL ($8::text[])
       AND active_ms < (crawling_seconds - ${LEAST_SECONDS}) * 1000::bigint
       AND (SELECT count(*) FROM crawl_workers w WHERE w.crawl_id = c.id AND w.lease_until > $2) + 1 < $7
       AND (SELECT count(*) FROM (SELECT FROM crawl_work w WHERE w.crawl_id = c.id AND w.state = 'WAITING'
         AND w.lease_until <= $2 LIMIT ${WORTH_JOINING}) f) = ${WORTH_JOINING}
     ORDER BY place LIMIT 10`,
    [
      moduleName,
      now,
      visible,
      afterSeconds,
      leaseOwner?.name ?? null,
      leaseOwner?.isOther ?? true,
      most,
      exceptFor,
    ],
  )
  for (const { id } of rows) {
    const joined = await join(store, id, { worker, leaseUntil: now + leaseSeconds, most, now })
    if (joined !== null) return joined
  }
  return null
}

/** One at a time, or more than allowed would join in the same moment. */
async function join(
  store: Store,
  id: string,
  { worker, leaseUntil, most, now }: { worker: string; leaseUntil: number; most: number; now: number },
): Promise<JoinedCrawl | null> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<CrawlRun>(
      `SELECT ${CRAWL_COLUMNS} FROM crawls WHERE id = $1 AND status = 'RUNNING' FOR NO KEY UPDATE`,
      [id],
    )
    const [crawl] = rows
    if (crawl === undefined) return null
    const live = await client.query<{ total: number }>(
      'SELECT count(*) AS total FROM crawl_workers WHERE crawl_id = $1 AND lease_until > $2',
      [id, now],
    )
    const workers = live.rows[0]!.total + 2
    if (workers > most) return null
    await client.query(
      'INSERT INTO crawl_workers (crawl_id, worker, joined_at, lease_until) VALUES ($1, $2, $3, $4)',
      [id, worker, now, leaseUntil],
    )
    return { crawl, workers }
  })
}

/** What a heartbeat of a helper brings back. */
interface HelperSigns {
  /** It is to finish what it has in hand, deliver it and leave. */
  readonly isStopRequested: boolean
  readonly isWatched: boolean
  /** Processes on the crawl. */
  readonly workers: number
}

/** A heartbeat of a helper. @returns null when the crawl has ended or is gone, or it does not belong to it */
export async function keepWorker(
  store: Store,
  id: string,
  worker: string,
  leaseSeconds: number,
  now = nowSeconds(),
): Promise<HelperSigns | null> {
  const { rows } = await store.pool.query<{ is_over: boolean; watched_until: number; workers: number }>(
    `UPDATE crawl_workers w SET lease_until = $3::integer + $4::integer FROM crawls c
     WHERE w.crawl_id = $1 AND w.worker = $2 AND c.id = w.crawl_id AND c.status IN ('RUNNING', 'STOP_REQUESTED')
     RETURNING c.is_ending OR c.is_alone OR c.stop_requested_at > 0 AS is_over, c.watched_until,
       (SELECT count(*) FROM crawl_workers o WHERE o.crawl_id = $1 AND o.lease_until > $3) + 1 AS workers`,
    [id, worker, now, leaseSeconds],
  )
  const [row] = rows
  if (row === undefined) return null
  return { isStopRequested: row.is_over, isWatched: row.watched_until > now, workers: Number(row.workers) }
}

/** Notes whether a helper has anything to do; a crawl does not end while one has. */
export async function noteIdle(store: Store, id: string, worker: string, isIdle: boolean): Promise<void> {
  await store.pool.query('UPDATE crawl_workers SET is_idle = $3 WHERE crawl_id = $1 AND worker = $2', [
    id,
    worker,
    isIdle,
  ])
}

/** A helper is gone: what it had in work is free, and it delays nothing. */
export async function leaveCrawl(store: Store, id: string, worker: string): Promise<void> {
  await freeWork(store, id, worker)
  await store.pool.query('DELETE FROM crawl_workers WHERE crawl_id = $1 AND worker = $2', [id, worker])
}

/** Helpers of a crawl that live. */
export async function countHelpers(store: Store, id: string, now = nowSeconds()): Promise<number> {
  const { rows } = await store.pool.query<{ total: number }>(
    'SELECT count(*) AS total FROM crawl_workers WHERE crawl_id = $1 AND lease_until > $2',
    [id, now],
  )
  return rows[0]!.total
}

/** Whether a helper of a crawl lives somewhere. */
export async function isHelper(
  store: Store,
  id: string,
  worker: string,
  now = nowSeconds(),
): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'SELECT FROM crawl_workers WHERE crawl_id = $1 AND worker = $2 AND lease_until > $3',
    [id, worker, now],
  )
  return (rowCount ?? 0) > 0
}

/** The lease owner is done: helpers bring in what they have and leave. @returns how many are still there */
export async function dismissHelpers(store: Store, id: string, now = nowSeconds()): Promise<number> {
  await store.pool.query('UPDATE crawls SET is_ending = true WHERE id = $1 AND NOT is_ending', [id])
  return countHelpers(store, id, now)
}

/** The crawl continues without helpers: they leave, and nobody joins any more. */
export async function stopSharing(store: Store, id: string): Promise<void> {
  await store.pool.query('UPDATE crawls SET is_alone = true WHERE id = $1', [id])
}
