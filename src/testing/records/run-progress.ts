import type { Store } from '../../store/index.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import { CELL_COUNTS, type CoverageCell } from './coverage-matrix.ts'
import type { ShardPairs } from './shards.ts'

/** Planned checks of an execution that are looked at one by one; the others are not counted. */
const MOST_PLANNED = 50_000

/** Requests of an execution to one host. */
interface HostProgress {
  readonly host: string
  readonly requests: number
  readonly failures: number
  readonly serverErrors: number
  readonly refused: number
  readonly meanMs: number
  readonly lastFailure: string | null
  /** Of the last minute. */
  readonly recent: number
}

/** Requests by host, the most first. */
export async function hostProgress(store: Store, summaryId: string, now: number): Promise<HostProgress[]> {
  const { rows } = await store.pool.query<HostProgress>(
    `SELECT host, count(*) AS requests, count(*) FILTER (WHERE failure IS NOT NULL) AS failures,
       count(*) FILTER (WHERE status_code >= 500) AS "serverErrors",
       count(*) FILTER (WHERE status_code = 429) AS refused, coalesce(avg(duration_ms), 0)::float8 AS "meanMs",
       (array_agg(failure ORDER BY id DESC) FILTER (WHERE failure IS NOT NULL))[1] AS "lastFailure",
       count(*) FILTER (WHERE sent_at > $2 - 60) AS recent
     FROM outgoing_requests WHERE summary_id = $1 GROUP BY host ORDER BY count(*) DESC, host LIMIT 100`,
    [summaryId, now],
  )
  return rows
}

/** The checks that an execution carries out, as pairs of an endpoint and a test, and whether these are all. */
export async function plannedChecks(
  store: Store,
  summaryId: string,
): Promise<{ checks: { endpoint: EndpointKey; testId: string }[]; isComplete: boolean }> {
  const { rows } = await store.pool.query<{ pairs: string }>(
    'SELECT pairs FROM run_shards WHERE summary_id = $1 ORDER BY stage, number',
    [summaryId],
  )
  const checks: { endpoint: EndpointKey; testId: string }[] = []
  for (const { pairs } of rows)
    for (const { collectionId, method, url, testIds } of JSON.parse(pairs) as ShardPairs)
      for (const testId of testIds) {
        if (checks.length >= MOST_PLANNED) return { checks, isComplete: false }
        checks.push({ endpoint: { collectionId, method, url }, testId })
      }
  return { checks, isComplete: true }
}

/** Results of an execution as they are counted: test and endpoint, by family. */
export async function resultKeys(
  store: Store,
  summaryId: string,
): Promise<(EndpointKey & { testId: string })[]> {
  const { rows } = await store.pool.query<EndpointKey & { testId: string }>(
    `SELECT r.test_id AS "testId", r.collection_id AS "collectionId", r.method, r.url FROM run_results r
     WHERE r.summary_id = $1 AND r.selection <> 'SKIPPED_EXEC' LIMIT ${MOST_PLANNED}`,
    [summaryId],
  )
  return rows
}

/** Results of an execution by endpoint and family of tests. */
export async function resultCells(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
): Promise<(EndpointKey & CoverageCell)[]> {
  const { rows } = await store.pool.query<EndpointKey & CoverageCell>(
    `SELECT r.collection_id AS "collectionId", r.method, r.url, r.category, ${CELL_COUNTS}
     FROM run_results r WHERE r.summary_id = $1 AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))
     GROUP BY r.collection_id, r.method, r.url, r.category`,
    [summaryId, visible],
  )
  return rows
}
