import { nowSeconds } from '../../kit/index.ts'
import type {
  CheckCounts,
  RecordedEndpoint,
  RecordedExecution,
  RecordedFinding,
  RecordedGap,
  RecordedTest,
  TestRecord,
} from '../../reports/index.ts'
import type { Store } from '../../store/index.ts'

const MOST = { executions: 2_000, endpoints: 20_000, findings: 5_000, tests: 2_000 } as const
/** Why an endpoint without any check in the period has none. */
const NEVER_RUN = 'No execution of the period included it.'

/** What a record is about. */
export interface RecordScope {
  /** Epoch seconds; the end is not included. */
  readonly from: number
  readonly to: number
  /** Collections; null for all that the person may see. */
  readonly collectionIds: readonly number[] | null
  /** Collections that the person may see; null for all. */
  readonly visible: readonly number[] | null
  readonly madeBy: string
  readonly installation: string
  readonly vigilVersion: string
}

/** Results `r` of the period, in the collections of the scope: $1 from, $2 to, $3 collections, $4 visible. */
const OF_SCOPE = `r.summary_id IN (SELECT s.id FROM run_summaries s WHERE s.started_at >= $1 AND s.started_at < $2)
  AND ($3::integer[] IS NULL OR r.collection_id = ANY ($3))
  AND ($4::integer[] IS NULL OR r.collection_id = ANY ($4))`

const COUNTS = `count(*) FILTER (WHERE r.selection = 'VULNERABLE') AS vulnerable,
  count(*) FILTER (WHERE r.selection = 'SECURED') AS passed,
  count(*) FILTER (WHERE r.selection = 'SKIPPED_EXEC_API_REQUEST_FAILED') AS "notVerified",
  count(*) FILTER (WHERE r.selection = 'SKIPPED_EXEC_NEED_CONFIG') AS "needsConfiguration",
  count(*) FILTER (WHERE r.selection = 'SKIPPED_EXEC') AS skipped`

const VERDICTS = `('VULNERABLE', 'SECURED')`

/** Reads what was tested in a period. */
export async function gatherTestRecord(store: Store, scope: RecordScope): Promise<TestRecord> {
  const values = [scope.from, scope.to, scope.collectionIds, scope.visible]
  const executions = await readExecutions(store, values)
  const tests = await readTests(store, values)
  const { endpoints, gaps } = await readEndpoints(store, values)
  const findings = await readFindings(store, values)
  const collections = await readCollections(store, scope)
  const sum = (key: keyof CheckCounts): number => tests.reduce((total, one) => total + one[key], 0)
  const lists = { executions, tests, endpoints, findings }
  return {
    format: 'vigil-test-record/1',
    vigilVersion: scope.vigilVersion,
    installation: scope.installation,
    madeAt: iso(nowSeconds()),
    madeBy: scope.madeBy,
    periodFrom: iso(scope.from),
    periodTo: iso(scope.to),
    collections,
    totals: {
      executions: executions.length,
      tests: tests.length,
      endpoints: endpoints.length,
      endpointsTested: endpoints.length - gaps.length,
      vulnerable: sum('vulnerable'),
      passed: sum('passed'),
      notVerified: sum('notVerified'),
      needsConfiguration: sum('needsConfiguration'),
      skipped: sum('skipped'),
    },
    ...lists,
    gaps,
    cut: Object.entries(MOST).flatMap(([name, most]) =>
      lists[name as keyof typeof MOST].length >= most ? [name] : [],
    ),
  }
}

/** ISO 8601 in UTC with seconds; '' for 0. */
function iso(seconds: number): string {
  return seconds <= 0 ? '' : new Date(seconds * 1000).toISOString().replace('.000', '')
}

async function readExecutions(store: Store, values: readonly unknown[]): Promise<RecordedExecution[]> {
  const { rows } = await store.pool.query<
    CheckCounts & { id: string; run: string; by: string; state: string; startedAt: number; endedAt: number }
  >(
    `SELECT s.id, t.name AS run, t.user_login AS by, s.state, s.started_at AS "startedAt", s.ended_at AS "endedAt",
       ${COUNTS}
     FROM run_results r JOIN run_summaries s ON s.id = r.summary_id JOIN test_runs t ON t.id = s.run_id
     WHERE ${OF_SCOPE} GROUP BY s.id, t.id ORDER BY s.started_at, s.id LIMIT ${MOST.executions}`,
    [...values],
  )
  return rows.map((row) => ({ ...row, startedAt: iso(row.startedAt), endedAt: iso(row.endedAt) }))
}

async function readTests(store: Store, values: readonly unknown[]): Promise<RecordedTest[]> {
  const { rows } = await store.pool.query<RecordedTest>(
    `SELECT r.test_id AS id, coalesce(max(t.name), r.test_id) AS name, coalesce(max(t.category_display), max(r.category)) AS category,
       coalesce((array_agg(t.cwe::text) FILTER (WHERE t.id IS NOT NULL))[1]::text[], '{}') AS cwe,
       coalesce(max(t.content_hash), '') AS definition, ${COUNTS}
     FROM run_results r LEFT JOIN test_templates t ON t.id = r.test_id
     WHERE ${OF_SCOPE} GROUP BY r.test_id ORDER BY r.test_id LIMIT ${MOST.tests}`,
    [...values],
  )
  return rows
}

type EndpointRow = Omit<RecordedEndpoint, 'lastTestedAt'> & { lastTestedAt: number; reason: string | null }

/** Endpoints of the scope with what was tested there, and those without a verdict. */
async function readEndpoints(
  store: Store,
  values: readonly unknown[],
): Promise<{ endpoints: RecordedEndpoint[]; gaps: RecordedGap[] }> {
  const { rows } = await store.pool.query<EndpointRow>(
    `WITH tested AS (
       SELECT r.collection_id, r.method, r.url, ${COUNTS},
         max(r.ended_at) FILTER (WHERE r.selection IN ${VERDICTS}) AS at,
         mode() WITHIN GROUP (ORDER BY r.explanation) FILTER (WHERE r.selection NOT IN ${VERDICTS}) AS reason
       FROM run_results r WHERE ${OF_SCOPE} GROUP BY r.collection_id, r.method, r.url)
     SELECT c.name AS collection, e.method, e.url, coalesce(t.vulnerable, 0) AS vulnerable,
       coalesce(t.passed, 0) AS passed, coalesce(t."notVerified", 0) AS "notVerified",
       coalesce(t."needsConfiguration", 0) AS "needsConfiguration", coalesce(t.skipped, 0) AS skipped,
       coalesce(t.at, 0) AS "lastTestedAt", t.reason
     FROM endpoints e JOIN collections c ON c.id = e.collection_id
       LEFT JOIN tested t ON t.collection_id = e.collection_id AND t.method = e.method AND t.url = e.url
     WHERE e.is_listed AND NOT c.is_deactivated AND ($3::integer[] IS NULL OR e.collection_id = ANY ($3))
       AND ($4::integer[] IS NULL OR e.collection_id = ANY ($4)) AND (t.url IS NOT NULL OR e.discovered_at < $2)
     ORDER BY c.name, e.url, e.method LIMIT ${MOST.endpoints}`,
    [...values],
  )
  return {
    endpoints: rows.map(({ reason: _, ...row }) => ({ ...row, lastTestedAt: iso(row.lastTestedAt) })),
    gaps: rows
      .filter((row) => row.lastTestedAt === 0)
      .map(({ collection, method, url, reason }) => ({
        ...{ collection, method, url },
        reason: reason ?? NEVER_RUN,
      })),
  }
}

async function readFindings(store: Store, values: readonly unknown[]): Promise<RecordedFinding[]> {
  const { rows } = await store.pool.query<Omit<RecordedFinding, 'foundAt'> & { foundAt: number }>(
    `SELECT coalesce(t.name, r.test_id) AS test, r.severity, c.name AS collection, r.method, r.url,
       r.ended_at AS "foundAt", r.summary_id AS "executionId", coalesce(i.status, '') AS "issueStatus"
     FROM run_results r JOIN collections c ON c.id = r.collection_id
       LEFT JOIN test_templates t ON t.id = r.test_id LEFT JOIN issues i ON i.id = r.issue_id
     WHERE ${OF_SCOPE} AND r.selection = 'VULNERABLE'
     ORDER BY r.severity_rank DESC, r.ended_at, r.id LIMIT ${MOST.findings}`,
    [...values],
  )
  return rows.map((row) => ({ ...row, foundAt: iso(row.foundAt) }))
}

async function readCollections(store: Store, scope: RecordScope): Promise<string[]> {
  if (scope.collectionIds === null) return [scope.visible === null ? 'All' : 'All that were granted']
  const { rows } = await store.pool.query<{ name: string }>(
    'SELECT name FROM collections WHERE id = ANY ($1::integer[]) ORDER BY name',
    [scope.collectionIds],
  )
  return rows.map(({ name }) => name)
}
