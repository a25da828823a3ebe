/*
 * The public API of this module for code that runs in a browser: the client, the types, the lists of words. Nothing reached
 * from here imports a schema library, a validator or Node.
 */
export { CallError, createClient } from './client.ts'
export { importFormatTable } from './import-formats.ts'
export {
  actorHeaders,
  changeHeartbeatSeconds,
  crawlingSeconds,
  eventDays,
  pageLimits,
  suppressionLimits,
} from './limits.ts'
export type { KeyKind, Role } from './operation.ts'
export { parameterNames, parameterSegment, templateSegments } from './parameter-names.ts'
export type {
  ApiCollection,
  ApiToken,
  CrawlCoverage,
  CrawledUrl,
  CrawlerRun,
  CrawlProgress,
  CrawlStep,
  CrawlSummary,
  DataType,
  EndpointChange,
  EndpointDetail,
  EndpointKey,
  EndpointOverview,
  ImportRow,
  ImportSummary,
  Invitation,
  Issue,
  IssueGroup,
  IssueId,
  MaliciousEvent,
  ParameterRecord,
  SeverityCounts,
  TemplateEvidence,
  TestCategory,
  TestResult,
  TestRole,
  TestRun,
  TestRunSummary,
  TestSuite,
  TestTemplate,
  TypeImpactPlace,
  User,
} from './records.ts'
export { readServerEvents } from './server-events.ts'
export type { Searchable } from './test-search.ts'
export { matchesSearch } from './test-search.ts'
export type { OperationName, RequestBodyOf, ResponseOf } from './types.ts'
export type { FilterState, ThreatBucket } from './vocabulary.ts'
export {
  accessStates,
  accessTypes,
  actorStatuses,
  apiTypes,
  authTypeLabels,
  authTypes,
  type ChangeTopic,
  changeTopics,
  type dataSources,
  environments,
  eventStatuses,
  findingChanges,
  httpMethods,
  issueStatuses,
  parameterPositionLabels,
  predicateTypes,
  rolePredicateTypes,
  runStates,
  runTypes,
  sensitivePositions,
  severities,
  testStates,
  threatBuckets,
  trackerTypes,
  type WebhookType,
  webhookOptions,
  webhookTypes,
  webhookTypeTable,
} from './vocabulary.ts'
export { accessTokenHeader, changesPath, errorCodeHeader } from './wire.ts'
export { isTimeZone, localTime, secondsOf } from './zoned-time.ts'
