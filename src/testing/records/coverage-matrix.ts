import type { Store } from '../../store/index.ts'
import type { EndpointKey } from '../run/pair-result.ts'

/** Days of {@link coverageDays}. */
const MOST_DAYS = 92

/** Checks of one family of tests on one endpoint. */
export interface CoverageCell {
  readonly category: string
  readonly vulnerable: number
  readonly passed: number
  readonly notVerified: number
  /** A role or setting is missing. */
  readonly needsConfiguration: number
  readonly skipped: number
  /** 0 when none came to a verdict. */
  readonly lastTestedAt: number
}

/** What was tested on one endpoint. */
interface CoverageRow {
  readonly endpoint: EndpointKey
  readonly cells: readonly CoverageCell[]
}

/** Which endpoints and executions. */
interface CoverageQuestion {
  /** Collections; null for all. */
  readonly collectionIds: readonly number[] | null
  /** Collections that the caller may see; null for all. */
  readonly visible: readonly number[] | null
  /** Epoch seconds; executions that began in between, the end not included. */
  readonly from: number
  readonly to: number
}

/** SQL that counts results `r` by selection. */
export const CELL_COUNTS = `count(*) FILTER (WHERE r.selection = 'VULNERABLE') AS vulnerable,
  count(*) FILTER (WHERE r.selection = 'SECURED') AS passed,
  count(*) FILTER (WHERE r.selection = 'SKIPPED_EXEC_API_REQUEST_FAILED') AS "notVerified",
  count(*) FILTER (WHERE r.selection = 'SKIPPED_EXEC_NEED_CONFIG') AS "needsConfiguration",
  count(*) FILTER (WHERE r.selection = 'SKIPPED_EXEC') AS skipped,
  coalesce(max(r.ended_at) FILTER (WHERE r.selection IN ('VULNERABLE', 'SECURED')), 0) AS "lastTestedAt"`

const OF_EXECUTIONS = `r.summary_id IN (
  SELECT s.id FROM run_summaries s WHERE s.started_at >= $3 AND s.started_at < $4)`
const OF_PERIOD = `${OF_EXECUTIONS}
  AND ($1::integer[] IS NULL OR r.collection_id = ANY ($1)) AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))`
/** SQL of results that are a verdict. */
const VERDICT = `r.selection IN ('VULNERABLE', 'SECURED')`

/** SQL of the cells of an endpoint `p`: the newest result of each test, counted. */
const CELLS = `SELECT jsonb_agg(c ORDER BY c.category) AS cells FROM (
  SELECT r.category, ${CELL_COUNTS} FROM (
    SELECT DISTINCT ON (r.test_id) r.category, r.selection, r.ended_at FROM run_results r
    WHERE r.collection_id = p.collection_id AND r.url = p.url AND r.method = p.method AND ${OF_EXECUTIONS}
    ORDER BY r.test_id, r.ended_at DESC, r.id DESC) r
  GROUP BY r.category) c`

function valuesOf(question: CoverageQuestion): unknown[] {
  return [question.collectionIds, question.visible, question.from, question.to]
}

/**
 * One page of the endpoints with the newest result of each test there in the period, how many endpoints there are, and
 * how many of them had a verdict in it.
 */
export async function coverageRows(
  store: Store,
  question: CoverageQuestion,
  page: { readonly onlyUntested: boolean; readonly skip: number; readonly limit: number },
): Promise<{ rows: CoverageRow[]; total: number; tested: number }> {
  const { rows } = await store.pool.query<
    { [Key in keyof EndpointKey]: EndpointKey[Key] | null } & {
      cells: CoverageCell[] | null
      total: number
      tested: number
    }
  >(
    `WITH tested AS (
       SELECT DISTINCT r.collection_id, r.method, r.url FROM run_results r WHERE ${OF_PERIOD} AND ${VERDICT}),
     scope AS (
       SELECT e.collection_id, e.method, e.url, t.url IS NOT NULL AS is_tested
       FROM endpoints e JOIN collections c ON c.id = e.collection_id
         LEFT JOIN tested t ON t.collection_id = e.collection_id AND t.method = e.method AND t.url = e.url
       WHERE e.is_listed AND NOT c.is_deactivated AND ($1::integer[] IS NULL OR e.collection_id = ANY ($1))
         AND ($2::integer[] IS NULL OR e.collection_id = ANY ($2)))
     SELECT p.collection_id AS "collectionId", p.method, p.url, k.cells, n.total, n.tested
     FROM (SELECT count(*) FILTER (WHERE NOT ($5::boolean AND is_tested)) AS total,
         count(*) FILTER (WHERE is_tested) AS tested FROM scope) n
       LEFT JOIN (SELECT * FROM scope WHERE NOT ($5::boolean AND is_tested)
         ORDER BY collection_id, url, method OFFSET $6 LIMIT $7) p ON true
       LEFT JOIN LATERAL (${CELLS}) k ON true
     ORDER BY p.collection_id, p.url, p.method`,
    [...valuesOf(question), page.onlyUntested, page.skip, page.limit],
  )
  return {
    // A page without endpoints is one row with the counts only.
    rows: rows.flatMap(({ collectionId, method, url, cells }) =>
      collectionId === null || method === null || url === null
        ? []
        : [{ endpoint: { collectionId, method, url }, cells: cells ?? [] }],
    ),
    total: rows[0]?.total ?? 0,
    tested: rows[0]?.tested ?? 0,
  }
}

/** Endpoints and tests that came to a verdict on each day of a period, in UTC, the newest days of it. */
export async function coverageDays(
  store: Store,
  question: CoverageQuestion,
): Promise<{ day: number; endpoints: number; tests: number }[]> {
  const { rows } = await store.pool.query<{ day: number; endpoints: number; tests: number }>(
    `SELECT day, endpoints, tests FROM (
       SELECT r.ended_at / 86400 * 86400 AS day, count(DISTINCT (r.collection_id, r.method, r.url)) AS endpoints,
         count(DISTINCT r.test_id) AS tests
       FROM run_results r WHERE ${OF_PERIOD} AND ${VERDICT}
       GROUP BY 1 ORDER BY 1 DESC LIMIT ${MOST_DAYS}) d ORDER BY day`,
    valuesOf(question),
  )
  return rows
}
