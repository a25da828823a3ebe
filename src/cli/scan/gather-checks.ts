import type { Client, TestRunSummary, TestTemplate } from '../../contract/index.ts'
import { namedAsGiven } from './give-roles.ts'
import { pathOf } from './path-of.ts'
import type { NotTestedReason, ScanCheck, ScanResult } from './scan-result.ts'

const PAGE = 1000
/** The test does not concern the endpoint: nothing was left out. */
const NOT_APPLICABLE = 'SKIPPING_EXECUTION_BECAUSE_FILTERS'
const REQUEST_LINE = / (?:answered \d+|failed with .*) in \d+ ms$/
const MOST_WARNINGS = 20

/** An execution on a server. */
export interface ExecutionId {
  readonly runId: string
  readonly summaryId: string
}

/** Checks by what came of them. */
interface CountedChecks {
  readonly checks: ScanResult['checks']
  readonly notTested: readonly NotTestedReason[]
  /** Checks that the run ended before; a part of `checks.notTested`. */
  readonly unreached: number
}

/** Numbers of checks by what came of them, and why the untested ones were not. */
export async function countChecks(
  client: Client,
  { summaryId }: ExecutionId,
  summary: TestRunSummary,
): Promise<CountedChecks> {
  const counts = await client.op.fetchTestRunResultsCount({ testingRunResultSummaryHexId: summaryId })
  const reasons = summary.skippedCheckReasons ?? []
  const notTested = reasons.filter(({ error }) => error !== NOT_APPLICABLE)
  const skipped =
    counts.SKIPPED_EXEC + counts.SKIPPED_EXEC_NEED_CONFIG + counts.SKIPPED_EXEC_API_REQUEST_FAILED
  const sum = (rows: readonly { checks: number }[]): number =>
    rows.reduce((all, { checks }) => all + checks, 0)
  // The list of reasons is bounded; what is beyond it is not taken for "does not apply".
  const unlisted = Math.max(0, skipped - sum(reasons))
  const untested = sum(notTested) + unlisted
  const unreached = Math.max(0, summary.totalApis * summary.testInitiatedCount - counts.ALL)
  return {
    checks: {
      found: counts.VULNERABLE,
      passed: counts.ALL - counts.VULNERABLE - skipped,
      notTested: untested + unreached,
      notApplicable: skipped - untested,
    },
    notTested: [
      ...(unreached === 0 ? [] : [unreachedReason(summary, unreached)]),
      ...notTested.map(({ reason, checks, tests, endpoints }) => ({ reason, checks, tests, endpoints })),
      ...(unlisted === 0 ? [] : [{ reason: 'Rarer reasons', checks: unlisted, tests: 0, endpoints: 0 }]),
    ],
    unreached,
  }
}

function unreachedReason(summary: TestRunSummary, checks: number): NotTestedReason {
  return {
    reason:
      summary.metadata?.['error'] === undefined
        ? 'The run ended before these checks: its time was over, or it was stopped.'
        : 'The run failed before these checks.',
    checks,
    tests: summary.testInitiatedCount,
    endpoints: summary.totalApis,
  }
}

/** Every check that passed or could not be tested; those that do not apply are left out. */
export async function listChecks(
  client: Client,
  { summaryId }: ExecutionId,
  summary: TestRunSummary,
  tests: ReadonlyMap<string, TestTemplate>,
): Promise<ScanCheck[]> {
  const lists = [
    { queryMode: 'SECURED', reason: '' },
    ...(summary.skippedCheckReasons ?? []).filter(({ error }) => error !== NOT_APPLICABLE),
  ]
  const checks: ScanCheck[] = []
  for (const { queryMode, reason } of lists) {
    for (let skip = 0; ; skip += PAGE) {
      const { testingRunResults } = await client.op.fetchTestingRunResults({
        ...{ testingRunResultSummaryHexId: summaryId, queryMode, sortKey: 'time', sortOrder: 1 },
        ...{ limit: PAGE, skip, queryValue: '' },
        ...(reason === '' ? {} : { reportFilterList: { reasonFilter: [reason] } }),
      })
      const page = testingRunResults ?? []
      for (const { testSubType, testSuperType, apiInfoKey } of page) {
        checks.push({
          outcome: reason === '' ? 'PASSED' : 'NOT_TESTED',
          testId: testSubType,
          testName: tests.get(testSubType)?.testName ?? testSubType,
          category: tests.get(testSubType)?.superCategory.displayName ?? testSuperType,
          method: apiInfoKey.method,
          path: pathOf(apiInfoKey.url),
          reason,
        })
      }
      if (page.length < PAGE) break
    }
  }
  return checks
}

/** Number of requests that a run sent, and what failed it as a whole. */
export async function readRunLog(
  client: Client,
  { runId, summaryId }: ExecutionId,
): Promise<{ requests: number; warnings: string[] }> {
  let requests = 0
  const warnings = new Set<string>()
  for (let skip = 0; ; skip += PAGE) {
    const { testRunLogs } = await client.op.fetchTestRunLogs({
      ...{ testingRunHexId: runId, testingRunResultSummaryHexId: summaryId, skip, limit: PAGE },
    })
    for (const { log } of testRunLogs) {
      if (REQUEST_LINE.test(log)) requests++
      else if (warnings.size < MOST_WARNINGS) warnings.add(namedAsGiven(log))
    }
    if (testRunLogs.length < PAGE) return { requests, warnings: [...warnings] }
  }
}
