import type { TestRunSummary } from '../../contract/index.ts'
import { programVersion } from '../program-version.ts'
import { countChecks, type ExecutionId, listChecks, readRunLog } from './gather-checks.ts'
import { type FindingSource, gatherFindings, gatherRules } from './gather-findings.ts'
import { namedAsGiven } from './give-roles.ts'
import {
  failingFindings,
  SCAN_FORMAT,
  SCAN_VERSION,
  type ScanCheck,
  type ScanResult,
  type Verdict,
} from './scan-result.ts'
import type { ProvenResult } from './watch-run.ts'

/** What reports are written from. */
export interface FinishedScan {
  readonly result: ScanResult
  /** Checks without a finding; empty unless they were asked for. */
  readonly checks: readonly ScanCheck[]
}

interface EndedExecution extends ExecutionId {
  readonly summary: TestRunSummary
  readonly proven: readonly ProvenResult[]
}

/** What the execution itself does not tell. */
interface ScanFacts
  extends Pick<ScanResult, 'target' | 'inputs' | 'startedAt' | 'seconds' | 'failOn' | 'tests'> {
  /** Also gather the checks without a finding, which takes long. */
  readonly listsChecks: boolean
}

/** Everything that reports tell of an execution. */
export async function gatherScan(
  source: FindingSource,
  { summary, proven, ...run }: EndedExecution,
  { listsChecks, ...facts }: ScanFacts,
): Promise<FinishedScan> {
  const { client, tests } = source
  const findings = await gatherFindings(source, proven)
  const { checks, notTested, unreached } = await countChecks(client, run, summary)
  const { requests, warnings } = await readRunLog(client, run)
  const outcome = { findings, failOn: facts.failOn, state: summary.state, checks }
  const result: ScanResult = {
    format: SCAN_FORMAT,
    version: SCAN_VERSION,
    toolVersion: programVersion(),
    ...facts,
    verdict: verdictOf(outcome),
    problem: namedAsGiven(summary.metadata?.['error'] ?? unreachedText(unreached)),
    endpoints: summary.totalApis,
    requests,
    notTested,
    warnings,
    rules: await gatherRules(source, findings),
    ...outcome,
  }
  return { result, checks: listsChecks ? await listChecks(client, run, summary, tests) : [] }
}

/** A run that ended early says so beside its verdict. */
function unreachedText(checks: number): string {
  return checks === 0 ? '' : `it ended with ${checks} checks left; see --max-time`
}

function verdictOf(facts: Pick<ScanResult, 'findings' | 'failOn' | 'state' | 'checks'>): Verdict {
  if (facts.state !== 'COMPLETED') return 'FAILED'
  if (failingFindings(facts).length > 0) return 'FINDINGS'
  return facts.checks.found + facts.checks.passed === 0 ? 'NOTHING_TESTED' : 'PASSED'
}
