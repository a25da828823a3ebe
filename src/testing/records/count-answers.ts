import type { Store } from '../../store/index.ts'

/** What the results of one execution that are not vulnerable hint at. */
export interface AnswerOverview {
  summaryId: string
  unreachable: number
  skipped: number
  needConfig: number
  blockPages: number
  /** 4xx or 5xx code of the last attempt to its number of results. */
  codes: Readonly<Record<string, number>>
}

/** The overviews of executions, of those collections only that the caller may see; null for all. */
export async function answerOverviews(
  store: Store,
  summaryIds: readonly string[],
  visible: readonly number[] | null,
): Promise<AnswerOverview[]> {
  const { rows } = await store.pool.query<AnswerOverview>(
    `WITH results AS (
       SELECT r.summary_id, r.selection, r.is_block_page, r.status_code FROM run_results r
       WHERE r.summary_id = ANY ($1::text[]) AND r.selection <> 'VULNERABLE'
         AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))),
     codes AS (
       SELECT summary_id, status_code, count(*) AS count FROM results
       WHERE status_code BETWEEN 400 AND 599 GROUP BY summary_id, status_code)
     SELECT summary_id AS "summaryId",
       count(*) FILTER (WHERE selection = 'SKIPPED_EXEC_API_REQUEST_FAILED') AS unreachable,
       count(*) FILTER (WHERE selection = 'SKIPPED_EXEC') AS skipped,
       count(*) FILTER (WHERE selection = 'SKIPPED_EXEC_NEED_CONFIG') AS "needConfig",
       count(*) FILTER (WHERE is_block_page) AS "blockPages",
       coalesce((SELECT jsonb_object_agg(c.status_code::text, c.count) FROM codes c
         WHERE c.summary_id = results.summary_id), '{}') AS codes
     FROM results GROUP BY summary_id`,
    [summaryIds, visible],
  )
  return rows
}
