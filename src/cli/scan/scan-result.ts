/** Severities of findings, the worst first. */
export const severityOrder = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const

/** Severity of a finding. */
export type Severity = (typeof severityOrder)[number]

/** Format and version of the JSON report, which `--baseline` reads. */
export const SCAN_FORMAT = 'vigil-scan'
/** Raised when a reader of version 1 could not read it any more. */
export const SCAN_VERSION = 1

/** What a scan came to. */
const verdicts = ['PASSED', 'FINDINGS', 'NOTHING_TESTED', 'FAILED'] as const
/** One of {@link verdicts}. */
export type Verdict = (typeof verdicts)[number]

/** NEW: fails the scan from the chosen severity on. KNOWN: in the baseline. IGNORED: by a person, on the server. */
export type FindingStatus = 'NEW' | 'KNOWN' | 'IGNORED'

/** One endpoint where a finding was proven, by one test. */
export interface FindingPlace {
  readonly method: string
  /** Path of the endpoint without its host. */
  readonly path: string
  readonly testId: string
  readonly testName: string
  readonly severity: Severity
  /** What the proof showed. */
  readonly reason: string
  /** Identifier of the result on the server. */
  readonly resultId: string
}

/** The exchange that proves a finding, masked, as raw HTTP. */
export interface FindingProof {
  readonly request: string
  readonly response: string
}

/** One cause with all places where it was proven. */
export interface ScanFinding {
  /** The same in every scan of the same API, on any host. */
  readonly fingerprint: string
  readonly status: FindingStatus
  /** Why a person ignores it; null unless the status is IGNORED and a reason was given. */
  readonly ignoreReason: string | null
  readonly severity: Severity
  /** Test that proved it at its worst place. */
  readonly testId: string
  readonly name: string
  readonly category: string
  /** host, collection, endpoint or parameter. */
  readonly scope: string
  /** The changed part of the request, or the host; empty for an endpoint. */
  readonly part: string
  /** The worst first. */
  readonly places: readonly FindingPlace[]
  readonly proof: FindingProof | null
}

/** What is known of a test that found something. */
export interface ScanRule {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly severity: Severity
  readonly description: string
  readonly impact: string
  /** Markdown; empty when there is none. */
  readonly remediation: string
  readonly references: readonly string[]
  /** Such as CWE-639. */
  readonly cwe: readonly string[]
  readonly tags: readonly string[]
}

/** One test on one endpoint that was tried. */
export interface ScanCheck {
  readonly outcome: 'PASSED' | 'NOT_TESTED'
  readonly testId: string
  readonly testName: string
  readonly category: string
  readonly method: string
  readonly path: string
  /** Why it was not tested; empty for a pass. */
  readonly reason: string
}

/** Why checks came to no verdict. */
export interface NotTestedReason {
  readonly reason: string
  readonly checks: number
  readonly tests: number
  readonly endpoints: number
}

/** An imported file. */
export interface ScanInput {
  /** As it was named on the command line. */
  readonly file: string
  readonly format: string
  readonly taken: number
  readonly skipped: number
}

/** Everything that reports tell about a scan. */
export interface ScanResult {
  readonly format: typeof SCAN_FORMAT
  readonly version: typeof SCAN_VERSION
  readonly toolVersion: string
  readonly target: string
  readonly inputs: readonly ScanInput[]
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly seconds: number
  /** COMPLETED, STOPPED or FAILED. */
  readonly state: string
  readonly verdict: Verdict
  /** Why the run failed or ended early; empty otherwise. */
  readonly problem: string
  readonly failOn: Severity | 'NONE'
  readonly endpoints: number
  readonly tests: number
  readonly requests: number
  readonly checks: {
    readonly found: number
    readonly passed: number
    readonly notTested: number
    /** The test does not concern the endpoint. */
    readonly notApplicable: number
  }
  readonly notTested: readonly NotTestedReason[]
  /** What kept roles from acting, and other warnings of the run. */
  readonly warnings: readonly string[]
  readonly findings: readonly ScanFinding[]
  readonly rules: readonly ScanRule[]
}

/** Whether `severity` is at or above `least`. */
function isAtLeast(severity: Severity, least: Severity | 'NONE'): boolean {
  return least !== 'NONE' && severityOrder.indexOf(severity) <= severityOrder.indexOf(least)
}

/** Findings that fail the scan. */
export function failingFindings({
  findings,
  failOn,
}: Pick<ScanResult, 'findings' | 'failOn'>): ScanFinding[] {
  return findings.filter(({ status, severity }) => status === 'NEW' && isAtLeast(severity, failOn))
}

/** Numbers of findings by severity, the worst first, absent ones as 0. */
export function countBySeverity(findings: readonly ScanFinding[]): Record<Severity, number> {
  const counts = Object.fromEntries(severityOrder.map((severity) => [severity, 0])) as Record<
    Severity,
    number
  >
  for (const { severity } of findings) counts[severity]++
  return counts
}

/** `GET /orders/INTEGER`, and how many places more. */
export function placeText({ places }: ScanFinding): string {
  const [first, ...rest] = distinctPlaces(places)
  if (first === undefined) return ''
  return rest.length === 0 ? first : `${first} and ${rest.length} more`
}

/** Endpoints of a finding, each once. */
export function distinctPlaces(places: readonly FindingPlace[]): string[] {
  return [...new Set(places.map(({ method, path }) => `${method} ${path}`))]
}
