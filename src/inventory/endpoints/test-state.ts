import { testStates } from '../../contract/vocabulary.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import { IS_IGNORED, IS_SET_ASIDE, visibleTo } from './endpoint-view.ts'

/** How long a test counts as coverage, in seconds: 30 days. */
export const TESTED_SECONDS = 2_592_000

/** One of {@link testStates}. */
type TestState = (typeof testStates)[number]

/** The result selection that shows each state of an endpoint whose checks gave no verdict. */
const SELECTIONS = {
  NOT_VERIFIED: 'SKIPPED_EXEC_API_REQUEST_FAILED',
  NEEDS_CONFIGURATION: 'SKIPPED_EXEC_NEED_CONFIG',
  SKIPPED: 'SKIPPED_EXEC',
} as const

/** Endpoints `e` that have results in a selection since moment `since`; the set is hashed once. */
function hasResults(selection: string, since: string): string {
  return `(e.collection_id, e.method, e.url) IN (SELECT r.collection_id, r.method, r.url FROM run_results r
    WHERE r.selection = '${selection}' AND r.ended_at >= ${since})`
}

/** SQL of the {@link TestState} of endpoints `e`; `since` is SQL of the earliest test that counts, epoch seconds. */
export function testStateOf(since: string): string {
  return `CASE WHEN e.last_tested > 0 AND e.last_tested >= ${since} THEN 'TESTED'
    WHEN e.last_tested > 0 THEN 'OUTDATED'
    WHEN e.collection_id IN (SELECT o.id FROM collections o WHERE o.is_out_of_testing_scope) THEN 'OUT_OF_SCOPE'
    WHEN ${IS_SET_ASIDE} THEN 'OUT_OF_SCOPE'
    WHEN ${hasResults(SELECTIONS.NOT_VERIFIED, since)} THEN 'NOT_VERIFIED'
    WHEN ${hasResults(SELECTIONS.NEEDS_CONFIGURATION, since)} THEN 'NEEDS_CONFIGURATION'
    WHEN ${hasResults(SELECTIONS.SKIPPED, since)} THEN 'SKIPPED'
    ELSE 'NEVER_RUN' END`
}

/**
 * Numbers of endpoints of active collections by whether they were tested since a moment, and why not. Ignored endpoints
 * are left out, as of lists, and states without endpoints.
 *
 * @param visible collections and groups the asker was granted; null = all
 */
export async function countTestStates(
  source: CountSource,
  visible: readonly number[] | null,
  since: number,
): Promise<{ state: TestState; count: number }[]> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<{ state: TestState; count: number }>(
    `SELECT state, count(*) AS count FROM (
       SELECT ${testStateOf('$2::integer')} AS state FROM endpoints e
       WHERE e.is_listed AND NOT ${IS_IGNORED} AND ${visibleTo('$1')}
         AND e.collection_id NOT IN (SELECT c.id FROM collections c WHERE c.is_deactivated)) s
     GROUP BY state`,
    [visible, since],
  )
  return rows.sort((a, b) => testStates.indexOf(a.state) - testStates.indexOf(b.state))
}
