import type { Store } from '../../store/index.ts'

/** Values of one fact that are listed. */
const MAX_VALUES = 1000
/** Weeks that are counted. */
const MAX_WEEKS = 520
const WEEK_SECONDS = 604_800
/** The first Monday of the epoch, 1970-01-05. */
const FIRST_MONDAY = 345_600

/** Every fact that CI jobs gave, with its values in order; why executions failed is none of them. */
export async function ciFacts(
  store: Store,
  visible: readonly number[] | null,
): Promise<Map<string, string[]>> {
  const { rows } = await store.pool.query<{ name: string; values: string[] }>(
    `SELECT f.name, (array_agg(DISTINCT f.value))[1:$2] AS values
     FROM run_summaries s JOIN test_runs r ON r.id = s.run_id
       CROSS JOIN LATERAL jsonb_each_text(s.metadata) AS f (name, value)
     WHERE s.metadata IS NOT NULL AND f.name <> 'error' AND ($1::integer[] IS NULL OR r.collection_ids <@ $1)
     GROUP BY f.name ORDER BY f.name`,
    [visible, MAX_VALUES],
  )
  return new Map(rows.map(({ name, values }) => [name, values]))
}

/** Runs by the first second of the week they are scheduled in (Monday, UTC), the latest weeks that have any. */
export async function runsByWeek(
  store: Store,
  visible: readonly number[] | null,
  from: number,
  to: number,
): Promise<Map<number, number>> {
  const { rows } = await store.pool.query<{ week: number; count: number }>(
    `SELECT w.week, count(*)::integer AS count FROM (
       SELECT (r.scheduled_at - ${FIRST_MONDAY}) / ${WEEK_SECONDS} * ${WEEK_SECONDS} + ${FIRST_MONDAY} AS week
       FROM test_runs r WHERE r.triggered_by IS DISTINCT FROM 'test_editor'
         AND ($1::integer[] IS NULL OR r.collection_ids <@ $1)
         AND r.scheduled_at >= $2 AND ($3::integer <= 0 OR r.scheduled_at <= $3)) w
     GROUP BY w.week ORDER BY w.week DESC LIMIT ${MAX_WEEKS}`,
    [visible, from, to],
  )
  return new Map(rows.toReversed().map(({ week, count }) => [week, count]))
}
