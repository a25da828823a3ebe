import type { Client, TestAttempt, TestTemplate } from '../../contract/index.ts'
import { pathOf } from './path-of.ts'
import { rawExchange } from './raw-exchange.ts'
import {
  type FindingPlace,
  type FindingProof,
  type FindingStatus,
  type ScanFinding,
  type ScanRule,
  type Severity,
  severityOrder,
} from './scan-result.ts'
import type { ProvenResult } from './watch-run.ts'

/** What turns results into findings. */
export interface FindingSource {
  readonly client: Client
  readonly tests: ReadonlyMap<string, TestTemplate>
  /** Fingerprints of an earlier scan; null without a baseline. */
  readonly baseline: ReadonlySet<string> | null
}

/** Results gathered by cause, the worst and then the first by path in front, each with one proof. */
export async function gatherFindings(
  source: FindingSource,
  proven: readonly ProvenResult[],
): Promise<ScanFinding[]> {
  const byCause = Map.groupBy(proven, ({ fingerprint }) => fingerprint)
  const findings: ScanFinding[] = []
  for (const results of byCause.values()) findings.push(await findingOf(source, results))
  return sortFindings(findings)
}

/** The worst first, then by name and first place. */
export function sortFindings(findings: readonly ScanFinding[]): ScanFinding[] {
  return findings.toSorted(
    (a, b) =>
      severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) ||
      a.name.localeCompare(b.name) ||
      placeKey(a.places[0]!).localeCompare(placeKey(b.places[0]!)),
  )
}

async function findingOf(source: FindingSource, results: readonly ProvenResult[]): Promise<ScanFinding> {
  // What a person ignores at some places is still open at the others.
  const open = results.filter(({ issue }) => issue.testRunIssueStatus !== 'IGNORED')
  const shown = open.length > 0 ? open : results
  const sorted = [...shown].sort(
    (a, b) =>
      severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) ||
      placeKey(placeOf(source, a)).localeCompare(placeKey(placeOf(source, b))),
  )
  const worst = sorted[0]!
  const test = source.tests.get(worst.result.testSubType)
  return {
    fingerprint: worst.fingerprint,
    status: statusOf(source, worst.fingerprint, open.length > 0),
    ignoreReason: open.length > 0 ? null : worst.issue.ignoreReason,
    severity: worst.severity,
    testId: worst.result.testSubType,
    name: test?.testName ?? worst.result.testSubType,
    category: test?.superCategory.displayName ?? worst.result.testSuperType,
    scope: worst.issue.causeScope,
    part: worst.issue.causePlace,
    places: sorted.map((one) => placeOf(source, one)),
    proof: await proofOf(source.client, worst.result.hexId),
  }
}

function statusOf({ baseline }: FindingSource, fingerprint: string, isOpen: boolean): FindingStatus {
  if (!isOpen) return 'IGNORED'
  return baseline?.has(fingerprint) ? 'KNOWN' : 'NEW'
}

function placeOf({ tests }: FindingSource, { result, severity }: ProvenResult): FindingPlace {
  return {
    method: result.apiInfoKey.method,
    path: pathOf(result.apiInfoKey.url),
    testId: result.testSubType,
    testName: tests.get(result.testSubType)?.testName ?? result.testSubType,
    severity,
    reason: result.testResults[0]?.validationReason ?? '',
    resultId: result.hexId,
  }
}

function placeKey({ path, method, testId }: FindingPlace): string {
  return `${path} ${method} ${testId}`
}

async function proofOf(client: Client, testingRunResultHexId: string): Promise<FindingProof | null> {
  const { testingRunResult } = await client.op.fetchTestRunResultDetails({ testingRunResultHexId })
  const attempts: readonly TestAttempt[] = testingRunResult?.testResults ?? []
  const attempt = attempts.findLast(({ vulnerable }) => vulnerable) ?? attempts.at(-1)
  return attempt?.message ? rawExchange(attempt.message) : null
}

/** What is known of the tests that found something, by id. */
export async function gatherRules(
  source: FindingSource,
  findings: readonly ScanFinding[],
): Promise<ScanRule[]> {
  const ids = [...new Set(findings.map(({ testId }) => testId))].sort()
  const rules: ScanRule[] = []
  for (const id of ids) {
    const test = source.tests.get(id)
    const remediation = test?.remediation || (await source.client.op.fetchRemediationInfo({ testId: id }))
    rules.push(ruleOf(id, test, withoutTitle(String(remediation ?? ''))))
  }
  return rules
}

/** Documents begin with the name of the test, which stands above them in every report. */
function withoutTitle(markdown: string): string {
  return markdown.replace(/^\s*# [^\n]*\n+/, '').trim()
}

function ruleOf(id: string, test: TestTemplate | undefined, remediation: string): ScanRule {
  return {
    id,
    name: test?.testName ?? id,
    category: test?.superCategory.displayName ?? '',
    severity: (test?.superCategory.severity._name ?? 'MEDIUM') as Severity,
    description: test?.issueDetails || test?.issueDescription || '',
    impact: test?.issueImpact ?? '',
    remediation,
    references: test?.references ?? [],
    cwe: test?.cwe ?? [],
    tags: test?.issueTags ?? [],
  }
}
