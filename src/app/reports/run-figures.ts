import type { LeftOut, OutcomeCount, TestedEndpoint, UntestedEndpoint } from '../../reports/index.ts'
import type { Store } from '../../store/index.ts'
import { countSelections } from '../../testing/index.ts'

/** Rows of a table of the report; the report says how many more there are. */
export const shownRows = 300
const SHOWN_REASONS = 30
const SHOWN_TESTS = 4

/** What one execution tested, and what it left out. */
interface RunFigures {
  readonly outcomes: OutcomeCount[]
  readonly tested: TestedEndpoint[]
  readonly testedTotal: number
  readonly leftOut: LeftOut[]
  readonly untested: UntestedEndpoint[]
  readonly untestedTotal: number
}

/** Counts pairs of an execution by outcome, by endpoint and by what kept them from a verdict. */
export async function runFigures(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
): Promise<RunFigures> {
  const { bySelection } = await countSelections(store, summaryId, visible)
  const { rows } = await store.pool.query<
    TestedEndpoint & { collection: string; reason: string | null; total: number }
  >(
    `SELECT r.method, r.url, coalesce(c.host_name, c.name, '') AS collection, count(*) AS tests,
       count(*) FILTER (WHERE r.selection = 'VULNERABLE') AS vulnerable,
       count(*) FILTER (WHERE r.selection = 'SECURED') AS passed,
       count(*) FILTER (WHERE r.selection NOT IN ('VULNERABLE', 'SECURED')) AS "leftOut",
       mode() WITHIN GROUP (ORDER BY r.errors[1]) AS reason, count(*) OVER () AS total
     FROM run_results r LEFT JOIN collections c ON c.id = r.collection_id
     WHERE r.summary_id = $1 AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))
     GROUP BY r.collection_id, c.host_name, c.name, r.method, r.url
     ORDER BY vulnerable DESC, passed DESC, r.url, r.method`,
    [summaryId, visible],
  )
  const tested = rows.filter((row) => row.vulnerable + row.passed > 0)
  const untested = rows.filter((row) => row.vulnerable + row.passed === 0)
  return {
    outcomes: [
      { label: 'Found a weakness', count: bySelection.VULNERABLE, tone: 'bad' },
      { label: 'Passed', count: bySelection.SECURED, tone: 'good' },
      {
        label: 'Left out: the test does not fit the endpoint',
        count: bySelection.SKIPPED_EXEC,
        tone: 'unknown',
      },
      {
        label: 'Left out: credentials are missing',
        count: bySelection.SKIPPED_EXEC_NEED_CONFIG,
        tone: 'unknown',
      },
      {
        label: 'Not verified: the target did not process the request',
        count: bySelection.SKIPPED_EXEC_API_REQUEST_FAILED,
        tone: 'unknown',
      },
    ],
    tested: tested.slice(0, shownRows),
    testedTotal: tested.length,
    leftOut: await leftOutOf(store, summaryId, visible),
    untested: untested.slice(0, shownRows).map((row) => ({ ...row, reason: row.reason ?? '' })),
    untestedTotal: untested.length,
  }
}

async function leftOutOf(
  store: Store,
  summaryId: string,
  visible: readonly number[] | null,
): Promise<LeftOut[]> {
  const { rows } = await store.pool.query<LeftOut>(
    `SELECT coalesce(r.errors[1], r.outcome) AS reason, count(*) AS pairs,
       count(DISTINCT (r.collection_id, r.method, r.url)) AS endpoints,
       (array_agg(DISTINCT r.test_id))[1:${SHOWN_TESTS}] AS tests
     FROM run_results r WHERE r.summary_id = $1 AND r.selection NOT IN ('VULNERABLE', 'SECURED')
       AND ($2::integer[] IS NULL OR r.collection_id = ANY ($2))
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${SHOWN_REASONS}`,
    [summaryId, visible],
  )
  return rows
}
