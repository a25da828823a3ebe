import type { IssueSeverity } from '../store/index.ts'

/** Numbers of findings by severity. */
export type SeverityCounts = Record<IssueSeverity, number>

/** One place where a weakness was found. */
export interface ReportFinding {
  readonly method: string
  readonly url: string
  readonly collection: string
  readonly severity: IssueSeverity
  /** The same for all places of one issue, which counts once. */
  readonly causeKey: string
  /** OPEN, FIXED or IGNORED; of a finding without an issue ''. */
  readonly status: string
  /** Why it is ignored, or the note on it; '' without. */
  readonly note: string
  /** Epoch seconds; 0 when unknown. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly ticketUrl: string | null
  /** What proved it, as a sentence. */
  readonly explanation: string
  /** What the control request showed, as a sentence; '' without a control. */
  readonly control: string
  /** The request that proved it and its answer, as text with secrets masked, cut; '' when no longer kept. */
  readonly request: string
  readonly answer: string
}

/** One weakness with all places where it was found. */
export interface ReportWeakness {
  readonly testId: string
  readonly name: string
  /** The worst of its findings. */
  readonly severity: IssueSeverity
  readonly category: string
  /** Categories of the OWASP API Security Top 10 that the test names. */
  readonly owasp: readonly string[]
  readonly cwe: readonly string[]
  readonly cve: readonly string[]
  /** Standard and clauses, one text each. */
  readonly compliance: readonly string[]
  readonly description: string
  readonly details: string
  readonly impact: string
  /** Markdown; '' without. */
  readonly remediation: string
  readonly links: readonly string[]
  /** The worst first. */
  readonly findings: readonly ReportFinding[]
}

/** Findings of one category. */
export interface CategoryCounts {
  readonly name: string
  readonly counts: SeverityCounts
}

/** Findings at one time. */
export interface TrendPoint {
  readonly label: string
  readonly counts: SeverityCounts
}

/** What became of the pairs of a run, or how far endpoints were tested. */
export interface OutcomeCount {
  readonly label: string
  readonly count: number
  readonly tone: 'bad' | 'good' | 'unknown'
}

/** One endpoint and what was tested there. */
export interface TestedEndpoint {
  readonly method: string
  readonly url: string
  readonly tests: number
  readonly vulnerable: number
  readonly passed: number
  readonly leftOut: number
}

/** Why tests came to no verdict. */
export interface LeftOut {
  readonly reason: string
  readonly pairs: number
  readonly endpoints: number
  /** Tests concerned, at most a few. */
  readonly tests: readonly string[]
}

/** An endpoint that no test was run on. */
export interface UntestedEndpoint {
  readonly method: string
  readonly url: string
  readonly collection: string
  readonly reason: string
}

/** Everything that a report tells; plain data, so that it can be handed to a thread. */
export interface ReportContent {
  readonly title: string
  /** What it is about, in a line. */
  readonly subject: string
  /** Name and value, for the cover. */
  readonly facts: readonly (readonly [string, string])[]
  /** Epoch seconds. */
  readonly madeAt: number
  readonly counts: SeverityCounts
  readonly categories: readonly CategoryCounts[]
  readonly outcomes: readonly OutcomeCount[]
  readonly outcomesTitle: string
  readonly endpointsInScope: number
  readonly endpointsTested: number
  readonly endpointsWithFindings: number
  /** Oldest first; fewer than two points are not a trend. */
  readonly trend: readonly TrendPoint[]
  readonly trendTitle: string
  readonly weaknesses: readonly ReportWeakness[]
  /** The first of them; {@link testedTotal} tells how many there are. */
  readonly tested: readonly TestedEndpoint[]
  readonly testedTotal: number
  readonly leftOut: readonly LeftOut[]
  readonly untested: readonly UntestedEndpoint[]
  readonly untestedTotal: number
}

/** Severities, the worst first. */
export const severityOrder = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const

/** The sum over all severities. */
export function totalOf(counts: SeverityCounts): number {
  return severityOrder.reduce((sum, severity) => sum + counts[severity], 0)
}
