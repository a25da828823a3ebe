export type { Client } from './client.ts'
export { CallError, createClient } from './client.ts'
export { describeFailure, failure } from './describe-failure.ts'
export { errorPage } from './documents/error-page.ts'
export { interfaceVersion, openApiDocument } from './documents/openapi.ts'
export { operationSchema } from './documents/operation-schema.ts'
export { referencePage, referenceScriptSource } from './documents/reference.ts'
export { commonErrors } from './errors/common.ts'
export { errorRow } from './errors.ts'
export { fillAnswer } from './fill-answer.ts'
export {
  formatOfImporter,
  type ImporterName,
  importFormats,
  importFormatTable,
  kindOfImporter,
} from './import-formats.ts'
export {
  burpPageSize,
  changeHeartbeatSeconds,
  changeStreams,
  crawlerBatchItems,
  crawlerMessageLength,
  crawlerModuleSilence,
  crawlingSeconds,
  maxBodyDepth,
  pageLimits,
  runConcurrency,
  runSeconds,
  suppressionLimits,
} from './limits.ts'
export type { KeyKind, Operation, Role } from './operation.ts'
export { parameterDisplayName } from './parameter-names.ts'
export { type CheckedKind, checkedKinds, idFields, namesCollections, reachOf } from './reach/index.ts'
export { readRequest } from './read-request.ts'
export type {
  ApiCollection,
  ApiInfo,
  ApiToken,
  AuthMechanism,
  BucketStats,
  CrawlCoverage,
  CrawledUrl,
  CrawlerJob,
  CrawlerRun,
  CrawlerUrl,
  CrawlSummary,
  CurrentTestsStatus,
  DataType,
  EndpointChange,
  EndpointKey,
  EndpointOverview,
  FilterTemplate,
  FilterWarning,
  ImportRow,
  ImportSummary,
  Issue,
  IssueGroup,
  IssueId,
  MaliciousEvent,
  ParameterRecord,
  TestAttempt,
  TestCategory,
  TestResult,
  TestRole,
  TestRun,
  TestRunSummary,
  TestSuite,
  TestTemplate,
  ThreatActor,
  TypeImpactPlace,
  User,
} from './records.ts'
export { absentOperation } from './reference/absent-operations.ts'
export { referenceAnswer } from './reference/index.ts'
export { findOperation, operationList, operationNames, operations } from './registry.ts'
export { routes } from './routes.ts'
export { readServerEvents } from './server-events.ts'
export type { Searchable } from './test-search.ts'
export { matchesSearch } from './test-search.ts'
export type { AnswerOf, OperationName, RequestOf, ResponseOf } from './types.ts'
export type { ThreatBucket } from './vocabulary.ts'
export {
  answerPatterns,
  authTypes,
  type ChangeTopic,
  type Compatibility,
  crawlFactKinds,
  enforcementGaps,
  groups,
  keptKinds,
  keyKinds,
  reportedCrawlStatuses,
  resultErrors,
  resultModes,
  roles,
  severities,
  type WebhookType,
  webhookTypeTable,
} from './vocabulary.ts'
export {
  accessTokenHeader,
  apiKeyHeader,
  changesPath,
  crawlIdHeader,
  errorCodeHeader,
  requestIdHeader,
} from './wire.ts'
export { isTimeZone } from './zoned-time.ts'
