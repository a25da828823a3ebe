import type { IssueSeverity, IssueStatus, ResultSelection, ResultSeverity, Store } from '../../store/index.ts'
import type { EndpointKey } from '../run/pair-result.ts'

/**
 * A selection of the results of one execution. VULNERABLE is everything that was found, whatever became of the issues;
 * IGNORED_ISSUES is the part of it whose issues are ignored or fixed now.
 */
export type ResultMode = ResultSelection | 'IGNORED_ISSUES' | 'ALL'

/** Which results of an execution. Null and empty lists filter nothing; everything given must fit. */
export interface ResultFilter {
  readonly summaryId: string
  readonly mode: ResultMode
  /** Collections that the caller may see; null = all. */
  readonly visible: readonly number[] | null
  /** Found in url, method or test id without regard to case; '' for all. */
  readonly search?: string
  /** Tests that the search text finds; their results fit it too. */
  readonly searchTestIds?: readonly string[]
  readonly methods?: readonly string[] | null
  readonly collectionIds?: readonly number[] | null
  readonly categories?: readonly string[] | null
  readonly severities?: readonly string[] | null
  readonly testIds?: readonly string[] | null
  readonly urls?: readonly string[] | null
  readonly statusCodes?: readonly number[] | null
  /** Sentences that explain results, as they are counted for skipped checks. */
  readonly reasons?: readonly string[] | null
}

/** One result as lists show it. */
export interface ResultView {
  id: string
  runId: string
  summaryId: string
  testId: string
  collectionId: number
  method: string
  url: string
  category: string
  outcome: string
  selection: ResultSelection
  severity: ResultSeverity
  explanation: string
  errors: string[]
  /** The shown attempt as JSON text, cut down. */
  message: string | null
  statusCode: number | null
  percentageMatch: number
  attemptsCount: number
  isRerun: boolean
  startedAt: number
  endedAt: number
  /** The same for findings of one cause; else the id. */
  causeKey: string
  /** The request was made from a document, not recorded. */
  isGenerated: boolean
  /** Status and severity of its issue now; null without one. */
  issueStatus: IssueStatus | null
  issueSeverity: IssueSeverity | null
  issueDescription: string | null
  ticketUrl: string | null
}

const COLUMNS = `r.id, r.run_id AS "runId", r.summary_id AS "summaryId", r.test_id AS "testId",
  r.collection_id AS "collectionId", r.method, r.url, r.category, r.outcome, r.selection, r.severity, r.explanation,
  r.errors, r.message, r.status_code AS "statusCode", r.percentage_match AS "percentageMatch",
  r.attempts_count AS "attemptsCount", r.is_rerun AS "isRerun",
  r.started_at AS "startedAt", r.ended_at AS "endedAt", i.status AS "issueStatus", i.severity AS "issueSeverity",
  i.description AS "issueDescription", i.ticket_url AS "ticketUrl", coalesce(r.cause_key, r.id) AS "causeKey",
  r.is_generated AS "isGenerated"`

const CONDITIONS = `r.summary_id = $1
  AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))
  AND ($3::text = '' OR strpos(lower(r.url), lower($3)) > 0 OR strpos(lower(r.method), lower($3)) > 0
    OR strpos(lower(r.test_id), lower($3)) > 0 OR r.test_id = ANY ($4::text[]))
  AND ($5::text[] IS NULL OR r.method = ANY ($5))
  AND ($6::integer[] IS NULL OR r.collection_id = ANY ($6))
  AND ($7::text[] IS NULL OR r.category = ANY ($7))
  AND ($8::text[] IS NULL OR r.severity = ANY ($8))
  AND ($9::text[] IS NULL OR r.test_id = ANY ($9))
  AND ($10::text[] IS NULL OR r.url = ANY ($10))
  AND ($11::integer[] IS NULL OR r.status_code = ANY ($11))
  AND ($12::text[] IS NULL OR r.explanation = ANY ($12))`

function conditionOf(mode: ResultMode): string {
  if (mode === 'ALL') return ''
  if (mode === 'IGNORED_ISSUES') return ` AND r.selection = 'VULNERABLE' AND i.status IN ('IGNORED', 'FIXED')`
  return ` AND r.selection = '${mode}'`
}

function parameters(filter: ResultFilter): unknown[] {
  const orNull = <T>(list: readonly T[] | null | undefined): readonly T[] | null =>
    list && list.length > 0 ? list : null
  return [
    filter.summaryId,
    filter.visible,
    filter.search ?? '',
    filter.searchTestIds ?? [],
    orNull(filter.methods),
    orNull(filter.collectionIds),
    orNull(filter.categories),
    orNull(filter.severities),
    orNull(filter.testIds),
    orNull(filter.urls),
    orNull(filter.statusCodes),
    orNull(filter.reasons),
  ]
}

/** What a list of results can be sorted by; ties, and 'newest', show the newest first. */
export type ResultSort = 'severity' | 'time' | 'newest'

/** One page of the results that fit. */
export async function listResults(
  store: Store,
  filter: ResultFilter,
  page: { sort: ResultSort; isAscending: boolean; skip: number; limit: number },
): Promise<ResultView[]> {
  const way = page.isAscending ? 'ASC' : 'DESC'
  const first = { severity: `r.severity_rank ${way}, `, time: `r.ended_at ${way}, `, newest: '' }[page.sort]
  const { rows } = await store.pool.query<ResultView>(
    `SELECT ${COLUMNS} FROM run_results r LEFT JOIN issues i ON i.id = r.issue_id
     WHERE ${CONDITIONS}${conditionOf(filter.mode)} ORDER BY ${first}r.id DESC OFFSET $13 LIMIT $14`,
    [...parameters(filter), page.skip, page.limit],
  )
  return rows
}

/** Results of one endpoint at most: more than there are tests in a large library. */
const MOST_OF_ENDPOINT = 2_000

/** The newest result of each test on one endpoint: findings, what was not verified, the others; by test. */
export async function latestResults(store: Store, endpoint: EndpointKey): Promise<ResultView[]> {
  const { rows } = await store.pool.query<ResultView>(
    `SELECT * FROM (
       SELECT DISTINCT ON (r.test_id) ${COLUMNS} FROM run_results r LEFT JOIN issues i ON i.id = r.issue_id
       WHERE r.collection_id = $1 AND r.url = $2 AND r.method = $3
       ORDER BY r.test_id, r.ended_at DESC, r.id DESC LIMIT ${MOST_OF_ENDPOINT}) latest
     ORDER BY array_position(array['VULNERABLE', 'SKIPPED_EXEC_API_REQUEST_FAILED', 'SKIPPED_EXEC_NEED_CONFIG',
       'SECURED', 'SKIPPED_EXEC'], selection), "testId"`,
    [endpoint.collectionId, endpoint.url, endpoint.method],
  )
  return rows
}

/** Numbers of the results of an execution by selection; ignored counts findings of issues that are ignored or fixed. */
export async function countSelections(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
): Promise<{ bySelection: Record<ResultSelection, number>; ignored: number }> {
  const { rows } = await store.pool.query<{ selection: ResultSelection; count: number; ignored: number }>(
    `SELECT r.selection, count(*) AS count,
       count(*) FILTER (WHERE i.status IN ('IGNORED', 'FIXED')) AS ignored
     FROM run_results r LEFT JOIN issues i ON i.id = r.issue_id AND r.selection = 'VULNERABLE'
     WHERE r.summary_id = $1 AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2)) GROUP BY r.selection`,
    [summaryId, visible],
  )
  const bySelection: Record<ResultSelection, number> = {
    VULNERABLE: 0,
    SECURED: 0,
    SKIPPED_EXEC: 0,
    SKIPPED_EXEC_API_REQUEST_FAILED: 0,
    SKIPPED_EXEC_NEED_CONFIG: 0,
  }
  for (const { selection, count } of rows) bySelection[selection] = count
  return { bySelection, ignored: rows.reduce((sum, row) => sum + row.ignored, 0) }
}

/** Numbers of answers that hint at problems, over results that found nothing. */
export interface AnswerCounts {
  HTTP_429: number
  HTTP_5XX: number
  HTTP_401: number
  HTTP_403: number
  CLOUDFLARE: number
}

/** Counts the answers of the shown attempts of an execution by what they hint at. */
export async function countAnswers(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
): Promise<AnswerCounts> {
  const { rows } = await store.pool.query<AnswerCounts>(
    `SELECT count(*) FILTER (WHERE r.status_code = 429) AS "HTTP_429",
       count(*) FILTER (WHERE r.status_code BETWEEN 500 AND 599) AS "HTTP_5XX",
       count(*) FILTER (WHERE r.status_code = 401) AS "HTTP_401",
       count(*) FILTER (WHERE r.status_code = 403) AS "HTTP_403",
       count(*) FILTER (WHERE r.is_block_page) AS "CLOUDFLARE"
     FROM run_results r WHERE r.summary_id = $1 AND r.selection <> 'VULNERABLE'
       AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))`,
    [summaryId, visible],
  )
  return rows[0]!
}

/** A result with its evidence: JSON text of an Evidence, null when it is no longer kept. */
export type ResultDetail = ResultView & {
  evidence: string | null
  isTruncated: boolean
  /** What the masks in it stand for, sealed for the purpose `evidence:<id>`. */
  sealedSecrets: string | null
}

const DETAIL = `SELECT ${COLUMNS}, v.evidence, coalesce(v.is_truncated, false) AS "isTruncated",
  v.sealed_secrets AS "sealedSecrets"
  FROM run_results r LEFT JOIN issues i ON i.id = r.issue_id LEFT JOIN result_evidence v ON v.result_id = r.id`

/** One result with its evidence. */
export async function findResult(store: Store, id: string): Promise<ResultDetail | undefined> {
  const { rows } = await store.pool.query<ResultDetail>(`${DETAIL} WHERE r.id = $1`, [id])
  return rows[0]
}

/** The collection of the endpoint that a result is about; undefined without such a result. */
export async function collectionOfResult(store: Store, id: string): Promise<number | undefined> {
  const { rows } = await store.pool.query<{ id: number }>(
    'SELECT collection_id AS id FROM run_results WHERE id = $1',
    [id],
  )
  return rows[0]?.id
}

/** The result of an issue in one execution, with its evidence. */
export async function findResultOfIssue(
  store: Store,
  issueId: number,
  summaryId: string,
): Promise<ResultDetail | undefined> {
  const { rows } = await store.pool.query<ResultDetail>(
    `${DETAIL} WHERE r.issue_id = $1 AND r.summary_id = $2 ORDER BY r.id DESC LIMIT 1`,
    [issueId, summaryId],
  )
  return rows[0]
}

/** Several results with their evidence; those that are gone are left out. */
export async function findResults(store: Store, ids: readonly string[]): Promise<ResultDetail[]> {
  const { rows } = await store.pool.query<ResultDetail>(`${DETAIL} WHERE r.id = ANY ($1::text[])`, [ids])
  return rows
}
