import type { Client, Issue, TestResult, TestRunSummary } from '../../contract/index.ts'
import { causeFingerprint } from './fingerprint.ts'
import { pathOf } from './path-of.ts'
import type { Severity } from './scan-result.ts'

const POLL_MS = 400
const PAGE = 1000
/** Results of one second may change places between two pages. */
const OVERLAP = 100
const MOST_ISSUES = 20_000

/** A result that found something, with its issue. */
export interface ProvenResult {
  readonly result: TestResult
  readonly issue: Issue
  readonly severity: Severity
  readonly fingerprint: string
}

/** What a run was seen to do. */
interface RunWatcher {
  /** Called at each look. */
  progress(summary: TestRunSummary, found: number): void
  /** Called once for each cause, when its first place was proven. */
  proven(finding: ProvenResult): void
}

/** An execution and its collection. */
interface WatchedRun {
  readonly summaryId: string
  /** Collections that it tests; empty for any. */
  readonly collectionIds: readonly number[]
}

/** Watches an execution until it ended; @returns its last state and everything that it found. */
export async function watchRun(
  client: Client,
  run: WatchedRun,
  watcher: RunWatcher,
): Promise<{ summary: TestRunSummary; proven: ProvenResult[] }> {
  const proven = new Map<string, ProvenResult>()
  const causes = new Set<string>()
  for (;;) {
    const summary = await client.op.fetchTestingRunResultsSummary({ testingRunSummaryId: run.summaryId })
    for (const finding of await newFindings(client, run, proven)) {
      if (causes.has(finding.fingerprint)) continue
      causes.add(finding.fingerprint)
      watcher.proven(finding)
    }
    watcher.progress(summary, causes.size)
    if (summary.state !== 'SCHEDULED' && summary.state !== 'RUNNING')
      return { summary, proven: [...proven.values()] }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Notes the findings that were not there at the last look, and returns them. */
async function newFindings(
  client: Client,
  { summaryId, collectionIds }: WatchedRun,
  proven: Map<string, ProvenResult>,
): Promise<ProvenResult[]> {
  const results = await newResults(client, summaryId, proven)
  if (results.length === 0) return []
  const issues = await issuesOf(client, collectionIds)
  const added: ProvenResult[] = []
  for (const result of results) {
    const issue = issues.get(keyOf(result.testSubType, result.apiInfoKey))
    // Committed with the result; one that went since belongs to an endpoint that was removed.
    if (issue === undefined) continue
    const finding = {
      result,
      issue,
      severity: (result.issueSeverity ?? issue.severity) as Severity,
      fingerprint: causeFingerprint({
        scope: issue.causeScope,
        family: issue.causeFamily,
        place: issue.causePlace,
        method: result.apiInfoKey.method,
        path: pathOf(result.apiInfoKey.url),
      }),
    }
    proven.set(result.hexId, finding)
    added.push(finding)
  }
  return added
}

async function newResults(
  client: Client,
  summaryId: string,
  known: ReadonlyMap<string, ProvenResult>,
): Promise<TestResult[]> {
  const fresh: TestResult[] = []
  for (let skip = Math.max(0, known.size - OVERLAP); ; skip += PAGE) {
    const { testingRunResults } = await client.op.fetchTestingRunResults({
      ...{ testingRunResultSummaryHexId: summaryId, queryMode: 'VULNERABLE', sortKey: 'time', sortOrder: 1 },
      ...{ limit: PAGE, skip, queryValue: '' },
    })
    const page = testingRunResults ?? []
    fresh.push(...page.filter(({ hexId }) => !known.has(hexId)))
    if (page.length < PAGE) return fresh
  }
}

async function issuesOf(client: Client, collectionIds: readonly number[]): Promise<Map<string, Issue>> {
  const { issues } = await client.op.fetchAllIssues({
    ...{
      filterCollectionsId: [...collectionIds],
      filterSubCategory: [],
      filterStatus: [],
      activeCollections: false,
    },
    ...{ sortKey: 'lastSeen', sortOrder: -1, limit: MOST_ISSUES, skip: 0, startEpoch: 0, endTimeStamp: 0 },
  })
  return new Map((issues ?? []).map((issue) => [keyOf(issue.id.testSubCategory, issue.id.apiInfoKey), issue]))
}

function keyOf(testId: string, { method, url }: { method: string; url: string }): string {
  return `${testId} ${method} ${url}`
}
