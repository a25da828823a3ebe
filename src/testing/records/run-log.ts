import type { Store } from '../../store/index.ts'

/** One request of a run, as its log tells it. */
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
}

/** Which lines: of one run, or of one execution of it, between two moments; 0 as the end means none. */
export interface RunLogQuestion {
  readonly runId: string
  readonly summaryId: string | null
  readonly from: number
  readonly to: number
  readonly skip: number
  readonly limit: number
}

/** What a run sent, the oldest first. */
export async function readRunLog(store: Store, question: RunLogQuestion): Promise<RunLogLine[]> {
  const { rows } = await store.pool.query<RunLogLine>(
    `SELECT sent_at AS "sentAt", summary_id AS "summaryId", test_id AS "testId", purpose, method, url,
       status_code AS status, failure, duration_ms AS "durationMs"
     FROM outgoing_requests
     WHERE summary_id IN (SELECT s.id FROM run_summaries s WHERE s.run_id = $1 AND ($2::text IS NULL OR s.id = $2))
       AND sent_at >= $3
       AND ($4::integer <= 0 OR sent_at <= $4)
     ORDER BY id OFFSET $5 LIMIT $6`,
    [question.runId, question.summaryId, question.from, question.to, question.skip, question.limit],
  )
  return rows
}
