import type { Store } from '../../store/index.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import { CELL_COUNTS, type CoverageCell } from './coverage-matrix.ts'

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

/** Checks of one family of tests on one endpoint of an execution. */
interface ProgressCell extends CoverageCell {
  /** Checks that are carried out. */
  readonly planned: number
}

/** How far the checks of an execution are. */
interface CheckProgress {
  /** Checks that are carried out; 0 until they are planned. */
  readonly planned: number
  /** Of these, checks with a result. */
  readonly done: number
  /** Families of tests, by name. */
  readonly categories: string[]
  /** One page of the endpoints: those with findings first, then those with the most checks. */
  readonly rows: { readonly endpoint: EndpointKey; readonly cells: ProgressCell[] }[]
  /** Endpoints, over all pages. */
  readonly rowsCount: number
}

/**
 * Counts planned checks and results of an execution.
 *
 * @param visible collections whose endpoints are listed; null for all. `planned` and `done` count every collection
 */
export async function checkProgress(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
  page: { readonly skip: number; readonly limit: number },
): Promise<CheckProgress> {
  const { rows } = await store.pool.query<CheckProgress>(
    `WITH planned AS MATERIALIZED (
       SELECT (p ->> 'collectionId')::integer AS collection_id, p ->> 'method' AS method, p ->> 'url' AS url, k.test_id
       FROM run_shards h CROSS JOIN LATERAL jsonb_array_elements(h.pairs::jsonb) AS p
         CROSS JOIN LATERAL jsonb_array_elements_text(p -> 'testIds') AS k (test_id)
       WHERE h.summary_id = $1),
     asked AS (
       SELECT p.collection_id, p.method, p.url, coalesce(t.category, p.test_id) AS category, count(*) AS planned
       FROM planned p LEFT JOIN test_templates t ON t.id = p.test_id
       WHERE $2::integer[] IS NULL OR p.collection_id = ANY ($2) GROUP BY 1, 2, 3, 4),
     found AS (
       SELECT r.collection_id, r.method, r.url, r.category, ${CELL_COUNTS}
       FROM run_results r WHERE r.summary_id = $1 AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))
       GROUP BY r.collection_id, r.method, r.url, r.category),
     cells AS MATERIALIZED (
       SELECT collection_id, method, url, category, coalesce(planned, 0) AS planned,
         coalesce(vulnerable, 0) AS vulnerable, coalesce(passed, 0) AS passed, coalesce("notVerified", 0) AS "notVerified",
         coalesce("needsConfiguration", 0) AS "needsConfiguration",
         coalesce(skipped, 0) AS skipped, coalesce("lastTestedAt", 0) AS "lastTestedAt"
       FROM asked FULL JOIN found USING (collection_id, method, url, category)),
     ranked AS (
       SELECT collection_id, method, url,
         row_number() OVER (ORDER BY sum(vulnerable) DESC, sum(planned) DESC, collection_id, url, method) AS rank
       FROM cells GROUP BY collection_id, method, url),
     page AS (
       SELECT collection_id, method, url, e.rank, jsonb_agg(jsonb_build_object('category', category, 'planned', planned,
           'vulnerable', vulnerable, 'passed', passed, 'notVerified', "notVerified",
           'needsConfiguration', "needsConfiguration", 'skipped', skipped,
           'lastTestedAt', "lastTestedAt") ORDER BY category) AS cells
       FROM cells JOIN ranked e USING (collection_id, method, url)
       WHERE e.rank > $3 AND e.rank <= $3::bigint + $4 GROUP BY collection_id, method, url, e.rank)
     SELECT (SELECT count(*) FROM planned) AS planned,
       (SELECT count(*) FROM planned p JOIN run_results r ON r.summary_id = $1 AND r.test_id = p.test_id
          AND r.collection_id = p.collection_id AND r.method = p.method AND r.url = p.url
        WHERE r.selection <> 'SKIPPED_EXEC') AS done,
       ARRAY(SELECT DISTINCT category FROM cells ORDER BY category) AS categories,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('cells', cells, 'endpoint', jsonb_build_object(
          'collectionId', collection_id, 'method', method, 'url', url)) ORDER BY rank), '[]') FROM page) AS rows,
       (SELECT count(*) FROM ranked) AS "rowsCount"`,
    [summaryId, visible, page.skip, page.limit],
  )
  return rows[0]!
}
