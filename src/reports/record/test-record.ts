/** Numbers of checks by what they came to. */
export interface CheckCounts {
  readonly vulnerable: number
  readonly passed: number
  readonly notVerified: number
  /** A role or setting is missing. */
  readonly needsConfiguration: number
  readonly skipped: number
}

/** One execution of a run in the period. */
export interface RecordedExecution extends CheckCounts {
  readonly id: string
  readonly run: string
  readonly by: string
  readonly state: string
  /** ISO 8601 in UTC; '' before the end. */
  readonly startedAt: string
  readonly endedAt: string
}

/** One test that was carried out in the period. */
export interface RecordedTest extends CheckCounts {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly cwe: readonly string[]
  /** SHA-256 of its YAML as it is now; '' when the test is gone. */
  readonly definition: string
}

/** One endpoint of the scope and what was tested there in the period. */
export interface RecordedEndpoint extends CheckCounts {
  readonly collection: string
  readonly method: string
  readonly url: string
  /** ISO 8601 in UTC; '' when no check came to a verdict. */
  readonly lastTestedAt: string
}

/** One finding of the period. */
export interface RecordedFinding {
  readonly test: string
  readonly severity: string
  readonly collection: string
  readonly method: string
  readonly url: string
  readonly foundAt: string
  readonly executionId: string
  /** OPEN, IGNORED or FIXED when the record was made; '' without an issue. */
  readonly issueStatus: string
}

/** An endpoint of the scope without a verdict in the period, and why. */
export interface RecordedGap {
  readonly collection: string
  readonly method: string
  readonly url: string
  readonly reason: string
}

/** What was tested in a period: with which version, by whom, with which results, and what was not. */
export interface TestRecord {
  readonly format: 'vigil-test-record/1'
  readonly vigilVersion: string
  /** Address of the installation. */
  readonly installation: string
  readonly madeAt: string
  readonly madeBy: string
  readonly periodFrom: string
  readonly periodTo: string
  readonly collections: readonly string[]
  readonly totals: CheckCounts & {
    readonly executions: number
    readonly tests: number
    readonly endpoints: number
    readonly endpointsTested: number
  }
  readonly executions: readonly RecordedExecution[]
  readonly tests: readonly RecordedTest[]
  readonly endpoints: readonly RecordedEndpoint[]
  readonly findings: readonly RecordedFinding[]
  readonly gaps: readonly RecordedGap[]
  /** Names of the lists that were cut. */
  readonly cut: readonly string[]
}

export type RecordFormat = 'JSON' | 'HTML' | 'PDF'
