export type { ApiCollection } from './records/api-collection.ts'
export type { ApiInfo } from './records/api-info.ts'
export type { ApiToken } from './records/api-token.ts'
export type { AuthMechanism } from './records/auth-mechanism.ts'
export type { CrawlerRun, CrawlerUrl } from './records/crawl.ts'
export type {
  CrawlCoverage,
  CrawledUrl,
  CrawlerJob,
  CrawlProgress,
  CrawlStep,
  CrawlSummary,
} from './records/crawl-work.ts'
export type { DataType, TypeImpactPlace } from './records/data-type.ts'
export type { EndpointKey } from './records/endpoint-key.ts'
export type {
  EndpointChange,
  EndpointDetail,
  EndpointOverview,
  ParameterRecord,
} from './records/endpoint-overview.ts'
export type { FilterTemplate, FilterWarning } from './records/filter-template.ts'
export type { ImportRow, ImportSummary } from './records/import-report.ts'
export type { Issue, IssueGroup, IssueId } from './records/issue.ts'
export type { MaliciousEvent, ThreatActor } from './records/malicious-event.ts'
export type { TemplateEvidence } from './records/template-evidence.ts'
export type { TestAttempt, TestResult } from './records/test-result.ts'
export type { TestRole } from './records/test-role.ts'
export type { CurrentTestsStatus, SeverityCounts, TestRun, TestRunSummary } from './records/test-run.ts'
export type { TestSuite } from './records/test-suite.ts'
export type { TestCategory, TestTemplate } from './records/test-template.ts'
export type { BucketStats } from './records/traffic-object.ts'
export type { Invitation, User } from './records/user.ts'
