import type { CrawlSummary } from '../../contract/index.ts'
import type { StoredContext } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'

/** Status of a crawl; null in runs of old versions. */
export type CrawlStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'STOP_REQUESTED' | 'STOPPED'

/** What a crawl does with actions that may do harm. */
export type HarmfulActions = 'AVOID' | 'LAST' | 'ALLOW'

/** Name that lists show for the crawler of this product. */
export const builtInModule = 'Built-in crawler'

/** A crawl. Times are epoch seconds. */
export interface CrawlRun {
  readonly id: string
  readonly hostname: string
  readonly startedBy: string
  readonly collectionId: number
  /** Null: the built-in crawler. */
  readonly moduleName: string | null
  readonly status: CrawlStatus | null
  readonly crawlingSeconds: number
  readonly harmfulActions: HarmfulActions
  readonly isTestedAfter: boolean
  readonly executor: string | null
  readonly outScopeUrls: string | null
  readonly urlTemplatePatterns: string | null
  readonly applicationPages: string | null
  readonly testRoleId: string | null
  readonly dashboardUrl: string
  readonly sealedSecrets: string | null
  readonly loginError: string | null
  readonly errorMessage: string | null
  readonly endReason: string | null
  readonly createdAt: number
  readonly startedAt: number
  /** 0 before the end. */
  readonly endedAt: number
  /** 0: nobody asked for a stop. */
  readonly stopRequestedAt: number
  readonly leaseOwner: string | null
  /** Until when the lease owner has it. */
  readonly leaseUntil: number
  readonly restarts: number
  readonly activeMs: number
  readonly acceptedUrls: number
  readonly rejectedUrls: number
  readonly capturedExchanges: number
  readonly steps: number
  readonly workCounts: WorkCounts | null
  /** What it said at its end; null before, and of modules that say nothing. */
  readonly summary: CrawlSummary | null
  readonly graphText: string | null
  readonly testsRunId: string | null
  readonly watchedUntil: number
  /** The request that it was started with. */
  readonly requestContext: StoredContext | null
}

/** Pieces of work: those that wait by kind, those done, those that failed permanently. */
interface WorkCounts {
  readonly waiting: Readonly<Record<string, number>>
  readonly done: number
  readonly dead: number
}

/** Statuses of a crawl that has not ended. */
const openStatuses = ['PENDING', 'RUNNING', 'STOP_REQUESTED'] as const

/** Columns of {@link CrawlRun} in SQL; the table has no other name. */
export const CRAWL_COLUMNS = `id, hostname, started_by AS "startedBy", collection_id AS "collectionId",
  module_name AS "moduleName", status, crawling_seconds AS "crawlingSeconds", harmful_actions AS "harmfulActions",
  is_tested_after AS "isTestedAfter", executor, out_scope_urls AS "outScopeUrls",
  url_template_patterns AS "urlTemplatePatterns", application_pages AS "applicationPages",
  test_role_id AS "testRoleId", dashboard_url AS "dashboardUrl", sealed_secrets AS "sealedSecrets",
  login_error AS "loginError", error_message AS "errorMessage", end_reason AS "endReason", created_at AS "createdAt",
  started_at AS "startedAt", ended_at AS "endedAt", stop_requested_at AS "stopRequestedAt", lease_owner AS "leaseOwner", lease_until AS "leaseUntil", restarts,
  active_ms AS "activeMs", accepted_urls AS "acceptedUrls", rejected_urls AS "rejectedUrls",
  captured_exchanges AS "capturedExchanges", steps, work_counts AS "workCounts", graph_text AS "graphText",
  summary, tests_run_id AS "testsRunId", watched_until AS "watchedUntil", request_context AS "requestContext"`

const MAX_LISTED = 1000

/** One crawl, or undefined. */
export async function findCrawl(store: Store, id: string): Promise<CrawlRun | undefined> {
  const { rows } = await store.pool.query<CrawlRun>(`SELECT ${CRAWL_COLUMNS} FROM crawls WHERE id = $1`, [id])
  return rows[0]
}

/**
 * The newest 1000 crawls, those that began last first.
 *
 * @param visible collections whose crawls are shown; null = all
 * @param isEvery PENDING and FAILED ones too
 */
export async function listCrawls(
  store: Store,
  visible: readonly number[] | null,
  isEvery: boolean,
): Promise<CrawlRun[]> {
  const { rows } = await store.pool.query<CrawlRun>(
    `SELECT ${CRAWL_COLUMNS} FROM crawls
     WHERE ($1::integer[] IS NULL OR collection_id = ANY ($1))
       AND ($2 OR status IS NULL OR status NOT IN ('PENDING', 'FAILED'))
     ORDER BY started_at DESC, place DESC LIMIT ${MAX_LISTED}`,
    [visible, isEvery],
  )
  return rows
}

/** Whether a crawl has come to its end. */
export function hasEnded({ status }: Pick<CrawlRun, 'status'>): boolean {
  return !(openStatuses as readonly (string | null)[]).includes(status)
}
