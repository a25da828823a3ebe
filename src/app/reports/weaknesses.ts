import {
  type CategoryCounts,
  type ReportFinding,
  type ReportWeakness,
  type SeverityCounts,
  severityOrder,
} from '../../reports/index.ts'
import type { IssueSeverity } from '../../store/index.ts'
import type { DescribedTest } from '../../testing/index.ts'

/** A finding and the test that made it. */
interface FoundBy {
  readonly testId: string
  readonly category: string
  readonly finding: ReportFinding
}

const OWASP = /^API\d{1,2}:\d{4}\b/

/** The findings by weakness: the worst first, then the most widespread, then by name. */
export function weaknessesOf(found: readonly FoundBy[], tests: readonly DescribedTest[]): ReportWeakness[] {
  const entries = new Map(tests.map((test) => [test.id, test]))
  const groups = new Map<string, FoundBy[]>()
  for (const one of found) {
    const group = groups.get(one.testId)
    if (group === undefined) groups.set(one.testId, [one])
    else group.push(one)
  }
  return [...groups]
    .map(([testId, group]) => weaknessOf(testId, group, entries.get(testId)))
    .sort(
      (a, b) =>
        rank(a.severity) - rank(b.severity) ||
        b.findings.length - a.findings.length ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    )
}

/** The place of a severity among all, the worst is 0. */
function rank(severity: IssueSeverity): number {
  return severityOrder.indexOf(severity)
}

function weaknessOf(
  testId: string,
  group: readonly FoundBy[],
  test: DescribedTest | undefined,
): ReportWeakness {
  const findings = group
    .map(({ finding }) => finding)
    .sort((a, b) => rank(a.severity) - rank(b.severity) || (a.url < b.url ? -1 : a.url > b.url ? 1 : 0))
  return {
    testId,
    name: test?.name ?? testId,
    severity: findings[0]!.severity,
    category: test?.categoryDisplay ?? group[0]!.category,
    owasp: owaspOf(test),
    cwe: test?.cwe ?? [],
    cve: test?.cve ?? [],
    compliance: Object.entries(test?.compliance ?? {}).map(([standard, clauses]) =>
      `${standard} ${clauses.join(', ')}`.trim(),
    ),
    description: test?.description ?? '',
    details: test?.details ?? '',
    impact: test?.impact ?? '',
    remediation: test?.remediation ?? '',
    links: test?.links ?? [],
    findings,
  }
}

function owaspOf(test: DescribedTest | undefined): string[] {
  return test?.tags.filter((tag) => OWASP.test(tag)) ?? []
}

/** Counts of nothing. */
export function noCounts(): SeverityCounts {
  return { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }
}

/** Causes of the findings by their worst severity. */
export function countsOf(weaknesses: readonly ReportWeakness[]): SeverityCounts {
  return countsOfCauses(weaknesses.flatMap(({ findings }) => findings))
}

function countsOfCauses(findings: readonly ReportFinding[]): SeverityCounts {
  const worst = new Map<string, IssueSeverity>()
  for (const { causeKey, severity } of findings) {
    const known = worst.get(causeKey)
    if (known === undefined || rank(severity) < rank(known)) worst.set(causeKey, severity)
  }
  const counts = noCounts()
  for (const severity of worst.values()) counts[severity]++
  return counts
}

/** Causes by the first category of the OWASP API Security Top 10 that their test names, else by its own category. */
export function categoriesOf(weaknesses: readonly ReportWeakness[]): CategoryCounts[] {
  const byName = new Map<string, ReportFinding[]>()
  for (const { owasp, category, findings } of weaknesses) {
    const name = owasp[0] ?? category
    byName.set(name, [...(byName.get(name) ?? []), ...findings])
  }
  // API10 comes after API2.
  return [...byName]
    .map(([name, findings]) => ({ name, counts: countsOfCauses(findings) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** Endpoints with a finding. */
export function placesOf(weaknesses: readonly ReportWeakness[]): number {
  return new Set(
    weaknesses.flatMap(({ findings }) => findings.map((one) => `${one.collection} ${one.method} ${one.url}`)),
  ).size
}
