import { trafficLedger } from '../../inventory/index.ts'
import type { Store } from '../../store/index.ts'
import type { App } from '../handler.ts'

const DAY = 86_400

/** Messages of one day, by what became of them. */
interface TrafficStages {
  readonly since: number
  readonly arrived: number
  readonly unreadable: number
  readonly duplicates: number
  readonly dropped: Readonly<Record<string, number>>
  readonly stored: number
  readonly lastMessageAt: number
}

/** What became of the messages of the present day (UTC). */
export async function trafficStages(app: App, now: number): Promise<TrafficStages> {
  const today = Math.floor(now / DAY)
  const sums: Record<string, number> = {}
  for (const { outcomes } of await trafficLedger(app, today, today, []))
    for (const [outcome, count] of Object.entries(outcomes)) sums[outcome] = (sums[outcome] ?? 0) + count
  const { accepted: stored = 0, duplicate: duplicates = 0, rejected: unreadable = 0, ...dropped } = sums
  const arrived = Object.values(sums).reduce((total, count) => total + count, 0)
  const { rows } = await app.store.pool.query<{ last: number | null }>(
    'SELECT max(last_traffic_at) AS last FROM collections',
  )
  return {
    since: today * DAY,
    arrived,
    unreadable,
    duplicates,
    dropped,
    stored,
    lastMessageAt: rows[0]!.last ?? 0,
  }
}

/** Work of one kind that is not done yet. */
interface BackgroundWork {
  readonly kind: 'IMPORT' | 'TEST_RUN' | 'CRAWL' | 'ALERT'
  readonly waiting: number
  readonly running: number
  readonly oldestSince: number
}

/** What the processes of the installation work on, and what waits for them. Planned runs of later do not wait. */
export async function backgroundWork(store: Store, now: number): Promise<BackgroundWork[]> {
  const { rows } = await store.pool.query<BackgroundWork>(
    `SELECT 'IMPORT' AS kind, 0 AS waiting, count(*)::integer AS running, coalesce(min(created_at), 0) AS "oldestSince"
     FROM imports WHERE status = 'IN_PROGRESS'
     UNION ALL
     SELECT 'TEST_RUN', count(*) FILTER (WHERE state = 'SCHEDULED')::integer,
       count(*) FILTER (WHERE state = 'RUNNING')::integer, coalesce(min(started_at), 0)
     FROM run_summaries WHERE state = 'RUNNING' OR (state = 'SCHEDULED' AND started_at <= $1)
     UNION ALL
     SELECT 'CRAWL', count(*) FILTER (WHERE status = 'PENDING')::integer,
       count(*) FILTER (WHERE status <> 'PENDING')::integer, coalesce(min(started_at), 0)
     FROM crawls WHERE status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED')
     UNION ALL
     SELECT 'ALERT', count(*) FILTER (WHERE lease_until <= $1)::integer,
       count(*) FILTER (WHERE lease_until > $1)::integer, coalesce(min(created_at), 0)
     FROM outgoing_messages WHERE state = 'WAITING' AND next_at <= $1`,
    [now],
  )
  return rows
}

/** A process that writes to the store. */
interface Instance {
  readonly id: string
  readonly startedAt: number
  readonly seenAt: number
}

/** The processes of the installation, the oldest first. */
export async function listInstances(store: Store): Promise<Instance[]> {
  const { rows } = await store.pool.query<Instance>(
    'SELECT id, started_at AS "startedAt", seen_at AS "seenAt" FROM writers ORDER BY started_at, id LIMIT 100',
  )
  return rows
}
