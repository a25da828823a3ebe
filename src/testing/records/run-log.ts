import type { Store } from '../../store/index.ts'

/** Longest sentence of a problem that is kept. */
const MAX_SENTENCE = 500

/** One request of a run, or a problem that kept a role of it from acting, as its log tells it. */
export interface RunLogLine {
  readonly sentAt: number
  readonly summaryId: string | null
  readonly testId: string | null
  readonly purpose: string
  readonly method: string
  readonly url: string
  /** Null when nothing was answered. */
  readonly status: number | null
  /** Code of the failure; null when it was answered. */
  readonly failure: string | null
  readonly durationMs: number
  /** A sentence in place of a request; null for requests. */
  readonly problem: string | null
}

/** Which lines: of one run, or of one execution of it, between two moments; 0 as the end means none. */
interface RunLogQuestion {
  readonly runId: string
  readonly summaryId: string | null
  readonly from: number
  readonly to: number
  readonly skip: number
  readonly limit: number
}

/** Keeps what keeps a role of an execution from acting, each sentence once, until the execution is deleted. */
export async function noteProblem(
  store: Store,
  summaryId: string,
  sentence: string,
  at: number,
): Promise<void> {
  await store.pool.query(
    `INSERT INTO run_problems (summary_id, sentence, at)
     SELECT s.id, $2, $3 FROM run_summaries s WHERE s.id = $1 FOR KEY SHARE OF s ON CONFLICT DO NOTHING`,
    [summaryId, sentence.slice(0, MAX_SENTENCE).replaceAll('\0', ''), at],
  )
}

/** What a run sent and which problems it met, the oldest first. */
export async function readRunLog(store: Store, question: RunLogQuestion): Promise<RunLogLine[]> {
  const { rows } = await store.pool.query<RunLogLine>(
    `WITH asked AS (
       SELECT s.id FROM run_summaries s WHERE s.run_id = $1 AND ($2::text IS NULL OR s.id = $2))
     SELECT "sentAt", "summaryId", "testId", purpose, method, url, status, failure, "durationMs", problem FROM (
       SELECT sent_at AS "sentAt", summary_id AS "summaryId", test_id AS "testId", purpose, method, url,
         status_code AS status, failure, duration_ms AS "durationMs", null AS problem, id
       FROM outgoing_requests WHERE summary_id IN (SELECT id FROM asked)
       UNION ALL
       SELECT at, summary_id, null, 'problem', '', '', null, null, 0, sentence, 0
       FROM run_problems WHERE summary_id IN (SELECT id FROM asked)
     ) AS line
     WHERE "sentAt" >= $3 AND ($4::integer <= 0 OR "sentAt" <= $4)
     ORDER BY "sentAt", id, problem OFFSET $5 LIMIT $6`,
    [question.runId, question.summaryId, question.from, question.to, question.skip, question.limit],
  )
  return rows
}
