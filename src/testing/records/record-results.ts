import { Failure, newHexId, nowSeconds } from '../../kit/index.ts'
import {
  type IssueSeverity,
  type ResultSeverity,
  type RunState,
  type Store,
  type StoreClient,
  usingTransaction,
} from '../../store/index.ts'
import { isBlockPage } from '../run/block-page.ts'
import type { FindingCause } from '../run/finding-cause.ts'
import { isGenerated } from '../run/generated.ts'
import type { PairResult } from '../run/pair-result.ts'
import { keepEvidence, listMessage, maskExplanation, shownAttempt } from './evidence.ts'
import type { SecretMask } from './mask-secrets.ts'
import { countResults } from './recount.ts'
import { errorsOf, selectionOf } from './result-selection.ts'

/** Bytes of evidence that one statement writes. */
const EVIDENCE_STATEMENT_BYTES = 8_000_000

/** A result that was stored now, as others need it to follow. */
interface RecordedResult {
  readonly resultId: string
  readonly runId: string
  readonly summaryId: string
  readonly testId: string
  readonly category: string
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly severity: ResultSeverity
  /** `PASSED` is a test that really ran and really found nothing; `NONE` is everything that proves neither. */
  readonly verdict: 'VULNERABLE' | 'PASSED' | 'NONE'
  /** Of a finding. */
  readonly cause: FindingCause | null
  /** Why there is this verdict, masked. */
  readonly reason: string
  /** Status that the original request was answered with; null without a sample. */
  readonly baselineStatus: number | null
  /** End of the test, epoch seconds. */
  readonly at: number
}

/** What became of the issue of a result. */
interface ResultIssue {
  readonly resultId: string
  readonly issueId: number
  readonly severity: IssueSeverity
}

/**
 * What follows new results in the same transaction: the issues module, called through the app. Called with results that
 * were not stored before, so it never hears of a pair twice.
 */
type ResultFollower = (
  client: StoreClient,
  results: readonly RecordedResult[],
  keepsIssuesOpen: boolean,
) => Promise<readonly ResultIssue[]>

/** How results are stored. */
interface RecordOptions {
  readonly mask: SecretMask
  readonly follow: ResultFollower
  /** Seals what the masks of a result's evidence stand for; without it nobody can ask for it any more. */
  readonly seal?: (text: string, resultId: string) => string
}

/** What storing a batch came to. */
export interface RecordOutcome {
  /** Results that were not there before. */
  readonly recorded: readonly RecordedResult[]
  /** State of the execution afterwards: anything but RUNNING says stop. */
  readonly state: RunState
}

interface ExecutionRow {
  run_id: string
  state: RunState
  target_id: string
  is_repeat: boolean
  keeps_issues_open: boolean
}

/**
 * Stores results of an execution, their evidence, and what follows for issues and counts, in one transaction. A pair
 * that has a result already is passed over, so a batch may be reported again after a crash. Results of an execution
 * that repeats marked results replace those, in the original execution.
 *
 * @throws Failure TEST_RUN_SUMMARY_NOT_FOUND when the execution was deleted
 */
export async function recordResults(
  store: Store,
  summaryId: string,
  pairs: readonly PairResult[],
  { mask, follow, seal }: RecordOptions,
): Promise<RecordOutcome> {
  const outcome = await usingTransaction(store.pool, async (client) => {
    const execution = await lockExecution(client, summaryId)
    const { target_id: targetId, run_id: runId } = execution
    const replaced = execution.is_repeat ? await removeMarked(client, targetId, pairs) : 0
    const stored = await insertResults(client, runId, targetId, pairs, mask)
    await insertEvidence(client, stored, mask, seal)
    const recorded = [...stored].map(([resultId, pair]) =>
      recordedResult(resultId, runId, targetId, pair, mask),
    )
    const issues = await follow(client, recorded, execution.keeps_issues_open)
    await linkIssues(client, targetId, issues)
    if (replaced > 0) await countResults(client, targetId)
    else await addCounts(client, targetId, recorded, issues)
    if (execution.is_repeat) await sayAlive(client, summaryId)
    return { recorded, state: execution.state }
  })
  await markTested(store, outcome.recorded)
  return outcome
}

async function lockExecution(client: StoreClient, summaryId: string): Promise<ExecutionRow> {
  const { rows } = await client.query<ExecutionRow>(
    `SELECT s.run_id, s.state, coalesce(s.original_id, s.id) AS target_id, s.original_id IS NOT NULL AS is_repeat,
       r.keeps_issues_open
     FROM run_summaries s JOIN test_runs r ON r.id = s.run_id WHERE s.id = $1 FOR KEY SHARE OF s`,
    [summaryId],
  )
  if (!rows[0]) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND')
  return rows[0]
}

async function removeMarked(
  client: StoreClient,
  summaryId: string,
  pairs: readonly PairResult[],
): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM run_results r
     USING unnest($2::text[], $3::integer[], $4::text[], $5::text[]) AS d (test_id, collection_id, method, url)
     WHERE r.summary_id = $1 AND r.is_rerun AND r.test_id = d.test_id AND r.collection_id = d.collection_id
       AND r.method = d.method AND r.url = d.url`,
    [
      summaryId,
      pairs.map((pair) => pair.testId),
      pairs.map((pair) => pair.endpoint.collectionId),
      pairs.map((pair) => pair.endpoint.method),
      pairs.map((pair) => pair.endpoint.url),
    ],
  )
  return rowCount ?? 0
}

/** Inserts the pairs that have no result yet; @returns them by the id of their result. */
async function insertResults(
  client: StoreClient,
  runId: string,
  summaryId: string,
  pairs: readonly PairResult[],
  mask: SecretMask,
): Promise<Map<string, PairResult>> {
  const byId = new Map(pairs.map((pair) => [newHexId(seconds(pair.endedAtMs)), pair]))
  const all = [...byId.values()]
  const shown = all.map(shownAttempt)
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO run_results (id, run_id, summary_id, test_id, collection_id, method, url, category, outcome, selection,
       severity, explanation, errors, message, status_code, percentage_match, is_block_page, attempts_count,
       started_at, ended_at, is_generated, cause_key, baseline_status)
     SELECT d.id, $1, $2, d.test_id, d.collection_id, d.method, d.url, d.category, d.outcome, d.selection, d.severity,
       d.explanation, array(SELECT json_array_elements_text(d.errors::json)), d.message, d.status_code,
       d.percentage_match, d.is_block_page, d.attempts_count, d.started_at, d.ended_at,
       d.is_generated, issue_cause_key(d.scope, d.family, d.place, d.collection_id, d.method, d.url), d.baseline_status
     FROM unnest($3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
       $11::text[], $12::text[], $13::text[], $14::text[], $15::integer[], $16::real[], $17::boolean[],
       $18::integer[], $19::integer[], $20::integer[], $21::text[], $22::text[], $23::text[],
       $24::boolean[], $25::integer[])
       AS d (id, test_id, collection_id, method, url, category, outcome, selection, severity, explanation, errors,
         message, status_code, percentage_match, is_block_page, attempts_count, started_at, ended_at, scope, family, place,
         is_generated, baseline_status)
     ON CONFLICT (summary_id, test_id, collection_id, method, url) DO NOTHING RETURNING id`,
    [
      runId,
      summaryId,
      [...byId.keys()],
      all.map((pair) => pair.testId),
      all.map((pair) => pair.endpoint.collectionId),
      all.map((pair) => pair.endpoint.method),
      all.map((pair) => pair.endpoint.url),
      all.map((pair) => pair.category),
      all.map((pair) => pair.outcome),
      all.map((pair) => selectionOf(pair.outcome)),
      all.map((pair) => pair.severity),
      all.map((pair) => shownReason(pair, mask)),
      all.map((pair) => JSON.stringify(errorsOf(pair))),
      shown.map((attempt) => attempt && listMessage(attempt, mask)),
      shown.map((attempt) => attempt?.exchange.response.status ?? null),
      shown.map((attempt) => attempt?.percentageMatch ?? 0),
      shown.map((attempt) => attempt !== null && isBlockPage(attempt.exchange)),
      all.map((pair) => pair.attempts.length),
      all.map((pair) => seconds(pair.startedAtMs)),
      all.map((pair) => seconds(pair.endedAtMs)),
      all.map((pair) => pair.cause?.scope ?? null),
      all.map((pair) => pair.cause?.family ?? null),
      all.map((pair) => pair.cause?.place ?? null),
      all.map((pair) => isGenerated(pair.baseline)),
      all.map((pair) => pair.baseline?.response.status ?? null),
    ],
  )
  return new Map(rows.map(({ id }) => [id, byId.get(id)!]))
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** Evidence goes in several statements: a batch may hold hundreds of megabytes. */
async function insertEvidence(
  client: StoreClient,
  stored: ReadonlyMap<string, PairResult>,
  mask: SecretMask,
  seal: RecordOptions['seal'],
): Promise<void> {
  let ids: string[] = []
  let sealed: (string | null)[] = []
  let texts: string[] = []
  let cuts: boolean[] = []
  let length = 0
  const write = async (): Promise<void> => {
    if (ids.length === 0) return
    await client.query(
      `INSERT INTO result_evidence (result_id, evidence, is_truncated, sealed_secrets)
       SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[])`,
      [ids, texts, cuts, sealed],
    )
    ids = []
    texts = []
    cuts = []
    sealed = []
    length = 0
  }
  for (const [id, pair] of stored) {
    const { text, isTruncated, secrets } = keepEvidence(pair, mask)
    ids.push(id)
    texts.push(text)
    sealed.push(seal && secrets.size > 0 ? seal(JSON.stringify([...secrets]), id) : null)
    cuts.push(isTruncated)
    length += text.length
    if (length >= EVIDENCE_STATEMENT_BYTES) await write()
  }
  await write()
}

/** The store keeps no U+0000, which answers may hold. */
function shownReason(pair: PairResult, mask: SecretMask): string {
  return maskExplanation(pair, mask).replaceAll('\0', '')
}

function recordedResult(
  resultId: string,
  runId: string,
  summaryId: string,
  pair: PairResult,
  mask: SecretMask,
): RecordedResult {
  return {
    resultId,
    runId,
    summaryId,
    testId: pair.testId,
    category: pair.category,
    collectionId: pair.endpoint.collectionId,
    method: pair.endpoint.method,
    url: pair.endpoint.url,
    severity: pair.severity,
    verdict: pair.outcome === 'VULNERABLE' ? 'VULNERABLE' : pair.outcome === 'SECURE' ? 'PASSED' : 'NONE',
    cause: pair.cause ?? null,
    reason: shownReason(pair, mask),
    baselineStatus: pair.baseline?.response.status ?? null,
    at: seconds(pair.endedAtMs),
  }
}

/** Joins results to their issues; the severity that a person chose for the issue before counts for the result too. */
async function linkIssues(
  client: StoreClient,
  summaryId: string,
  issues: readonly ResultIssue[],
): Promise<void> {
  if (issues.length === 0) return
  await client.query(
    `UPDATE run_results r SET issue_id = d.issue_id,
       severity = CASE WHEN r.selection = 'VULNERABLE' THEN d.severity ELSE r.severity END
     FROM unnest($1::text[], $2::bigint[], $3::text[]) AS d (id, issue_id, severity)
     WHERE r.id = d.id AND r.summary_id = $4`,
    [
      issues.map((issue) => issue.resultId),
      issues.map((issue) => issue.issueId),
      issues.map((issue) => issue.severity),
      summaryId,
    ],
  )
}

/** Adds the new results to the counts of their execution, which shows that it is alive. */
async function addCounts(
  client: StoreClient,
  summaryId: string,
  recorded: readonly RecordedResult[],
  issues: readonly ResultIssue[],
): Promise<void> {
  const issueOf = new Map(issues.map((issue) => [issue.resultId, issue]))
  const counts: Record<ResultSeverity, number> = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 }
  for (const { resultId, verdict, severity } of recorded) {
    if (verdict === 'VULNERABLE') counts[issueOf.get(resultId)?.severity ?? severity]++
  }
  await client.query(
    `UPDATE run_summaries SET results_count = results_count + $2, critical_count = critical_count + $3,
       high_count = high_count + $4, medium_count = medium_count + $5, low_count = low_count + $6,
       seen_at = greatest(seen_at, $7) WHERE id = $1`,
    [summaryId, recorded.length, counts.CRITICAL, counts.HIGH, counts.MEDIUM, counts.LOW, nowSeconds()],
  )
}

async function sayAlive(client: StoreClient, summaryId: string): Promise<void> {
  await client.query('UPDATE run_summaries SET seen_at = greatest(seen_at, $2) WHERE id = $1', [
    summaryId,
    nowSeconds(),
  ])
}

/**
 * Notes on endpoints when they were last tested. An endpoint that traffic is being written to at this moment is
 * passed over: waiting could stop both, and the next result tells again.
 */
async function markTested(store: Store, recorded: readonly RecordedResult[]): Promise<void> {
  const tested = recorded.filter((result) => result.verdict !== 'NONE')
  if (tested.length === 0) return
  await store.pool.query(
    `WITH k AS (
       SELECT x.id, max(d.at) AS at FROM endpoints x
       JOIN unnest($1::integer[], $2::text[], $3::text[], $4::integer[]) AS d (collection_id, method, url, at)
         ON x.collection_id = d.collection_id AND x.method = d.method AND x.url = d.url
       WHERE x.last_tested < d.at GROUP BY x.id),
     free AS (
       SELECT x.id FROM endpoints x WHERE x.id IN (SELECT k.id FROM k) ORDER BY x.id
       FOR NO KEY UPDATE SKIP LOCKED)
     UPDATE endpoints e SET last_tested = greatest(e.last_tested, k.at) FROM k JOIN free ON free.id = k.id
     WHERE e.id = k.id`,
    [
      tested.map((result) => result.collectionId),
      tested.map((result) => result.method),
      tested.map((result) => result.url),
      tested.map((result) => result.at),
    ],
  )
}
