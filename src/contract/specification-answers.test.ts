import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { answerSchema } from './answer-schema.ts'
import { findOperation } from './registry.ts'

/** Fields of each answer that the specification names; `list.field` leads through lists, `map.*.field` through maps. */
const answers: [operations: string, fields: string][] = [
  [
    'startTest stopTest fetchTestingRunResults retrieveAllCollectionTests fetchMiniTestingServiceNames fetchTestRunResultDetails fetchIssueFromTestRunResultDetails fetchTestingRunResultSummaries',
    'testingRunHexId testingRunResultSummaryHexId testRoleId testName source sortKey testingRunType overriddenTestAppUrl triggeredBy continuousTesting sendMsTeamsAlert testRunByTestEditor cleanUpTestingResources testRunsByUser recurringDaily limit skip sortOrder selectedSlackWebhook maxConcurrentRequests endTimestamp startTimestamp testRunTime testingRunsCount misConfiguredTestsCount issueSummaryInfo currentTestStateStatus usageTestRuns selectedTests miniTestingServiceNames issuesSummaryInfoMap cicdTests.date cicdTests.timestamp currentTestsStatus.totalTestsCompleted currentTestsStatus.testRunsScheduled currentTestsStatus.testRunsQueued currentTestsStatus.currentRunningTestsStatus.testingRunId currentTestsStatus.currentRunningTestsStatus.testsInitiated currentTestsStatus.currentRunningTestsStatus.testsInsertedInDb authMechanism.type authMechanism.authParams.showHeader authMechanism.authParams.where authMechanism.authParams.key authMechanism.authParams.value authMechanism.uuid authMechanism.cacheExpired authMechanism.apiCollectionIds authMechanism.id authMechanism.requestData authMechanism.recordedLoginFlowInput testingRuns.periodInSeconds testingRuns.testingRunConfig testingRuns.miniTestingServiceName testingRuns.sendMsTeamsAlert testingRuns.testingEndpoints.apisList.url metadata metadataFilters allTestsCountMap testRunIds selectedTestRunResultHexIds testingRunResult testCountMap issuesDescriptionMap testingRunResults testingRunResultSummaries runIssues jiraIssuesMapForResults latestSummaryIds allTestsCountsRanges sampleDataVsCurlMap filters workflowTest testingRun errorEnums',
  ],
  [
    'retrieveAllCollectionTests',
    'hexId id.date id.timestamp testingRunId.date testingRunId.timestamp originalTestingRunResultSummaryId testingRunHexId state testResultsCount totalApis testInitiatedCount testIdConfig startTimestamp endTimestamp countIssues.HIGH countIssues.MEDIUM countIssues.LOW countIssues.CRITICAL newTestingSummary metadata'
      .split(' ')
      .map((field) => `latestTestingRunResultSummaries.*.${field}`)
      .join(' '),
  ],
  [
    'fetchActiveTestRunsStatus',
    'totalTestsCompleted testRunsScheduled testRunsQueued currentRunningTestsStatus.testingRunId currentTestsStatus.testRunsQueued',
  ],
  [
    'fetchAuthMechanismData',
    'workflowTestingRun authMechanismDoc authParamData responses requestData workflowTestResult type nodeId uuid authMechanism.authParams.value',
  ],
  [
    'fetchSlackWebhooks',
    'apiTokenId apiTokenDeleted webhookName tokenUtility error webhookUrl frequencyInSeconds',
  ],
  [
    'updateIssueDescription fetchAllIssues fetchAllSubCategories fetchSeverityInfoForIssues fetchTestingRunResult fetchVulnerableTestingRunResultsFromIssues findTotalIssuesByDay fetchTestCoverageData generateReportPDF',
    'historicalData filterCollectionsId showApiInfo testingRunResults reportFilters description filterCompliance skip limit filterSeverity issues openIssuesCount buaCategoryCount fixedIssuesCount ignoredIssuesCount endpointsCount subCategories generatedReportId testingRunResult ignoreReason testingRunResultList categories removedRunResultsIssuesList severityInfo filterSubCategory vulnerableRequests sampleDataVsCurlMap issueId similarlyAffectedIssues openIssuesCountDayWise filterStatus testSourceConfigs issueIdArray testingRunResultSummary fetchOnlyActive criticalIssuesCountDayWise response totalIssuesCountDayWise statusToBeUpdated issuesDescriptionMap',
  ],
  [
    'fetchAllIssues',
    'issues.id.testSubCategory issues.id.testErrorSource issues.id.testCategoryFromSourceConfig issues.id.testSourceConfig issues.id.apiInfoKey.method issues.id.apiInfoKey.apiCollectionId issues.id.apiInfoKey.url issues.description',
  ],
  [
    'fetchThreatActors fetchAggregateMaliciousRequests fetchFiltersForThreatActors modifyThreatActorStatus',
    'country splunkUrl splunkToken startTs endTs skip total sort eventType actor filterId refId actorIp status actorId latestAttack actors.id actors.latestAttack actors.country actors.latestApiEndpoint actors.latestApiIp actors.latestApiMethod actors.discoveredAt actors.activity.severity actors.activity.subCategory actors.activity.method actors.activity.detectedAt actors.activity.url actorsCountPerCounty actorsCountPerCountry maliciousPayloadsResponses.metadata maliciousPayloadsResponses.orig maliciousPayloadsResponses.ts',
  ],
  [
    'fetchSuspectSampleData fetchFiltersThreatTable',
    'severity total urls subCategory types sampleData limit skip sort startTimestamp endTimestamp maliciousEvents.id maliciousEvents.refId maliciousEvents.country maliciousEvents.metadata maliciousEvents.subCategory maliciousEvents.category maliciousEvents.method maliciousEvents.ip maliciousEvents.actor maliciousEvents.url maliciousEvents.filterId maliciousEvents.payload maliciousEvents.type maliciousEvents.eventType maliciousEvents.apiCollectionId maliciousEvents.timestamp',
  ],
  ['fetchFiltersThreatTable', 'apiCollectionIds ips latestAttack'],
  [
    'fetchThreatApis',
    'total apis.api apis.method apis.requestsCount apis.actorsCount apis.discoveredAt threatActivityTimeline dailyThreatActorsCount actorsCounts categoryCounts startTs endTs skip sort',
  ],
  [
    'fetchCountBySeverity fetchThreatCategoryCount',
    'categoryCounts.subCategory categoryCounts.count categoryCounts.category',
  ],
  [
    'fetchFilterYamlTemplate saveFilterYamlTemplate',
    'content templates.id templates.author templates.createdAt templates.updatedAt templates.content templates.info.name templates.info.description templates.info.details templates.info.impact templates.info.remediation templates.info.severity templates.info.subCategory templates.info.references templates.info.tags templates.info.cwe templates.info.cve templates.info.compliance templates.info.category.displayName templates.info.category.name templates.info.category.shortName',
  ],
  [
    'fetchAllDastScans',
    'actionErrors crawlerRuns.crawlId crawlerRuns.hostname crawlerRuns.startedBy crawlerRuns.startTimestamp crawlerRuns.endTimestamp crawlerRuns.status crawlerRuns.moduleName crawlerRuns.collectionId crawlerRuns.crawlingTime crawlerRuns.runTestAfterCrawling crawlerRuns.errorMessage',
  ],
  [
    'fetchDastScan',
    'actionErrors crawlerUrls.url crawlerUrls.crawlId crawlerUrls.accepted crawlerUrls.timestamp crawlerUrls.sourceUrl crawlerUrls.sourceXpath crawlerUrls.buttonText',
  ],
  ['fetchAvailableDastModules', 'actionErrors availableModules'],
  [
    'importInBurp',
    'importInBurpResult.url importInBurpResult.req importInBurpResult.res lastUrlFetched lastMethodFetched actionErrors',
  ],
  ['uploadRecordedFlow', 'testingRunPlaygroundId actionErrors'],
  [
    'getAllCollections getAllCollectionsBasic',
    'id name displayName description hostName urlsCount startTs vxlanId type envType userSetEnvType tagsList conditions runDependencyAnalyser redact mcpCollection deactivated automated matchDependencyWithOtherCollections genAICollection isOutOfTestingScope sampleCollectionsDropped sseCallbackUrl'
      .split(' ')
      .map((field) => `apiCollections.${field}`)
      .join(' '),
  ],
  [
    'fetchApiInfosForCollection',
    `redacted ${'id.method id.apiCollectionId id.url responseCodes discoveredTimestamp lastCalculatedTime lastTested lastSeen sources.*.timestamp violations description apiType severityScore riskScore actualAuthType allAuthTypesFound isSensitive collectionIds'
      .split(' ')
      .map((field) => `apiInfoList.${field}`)
      .join(' ')}`,
  ],
  [
    'fetchApiInfosFromSTIs',
    'list._id.method list._id.apiCollectionId list._id.url list.startTs list.changesCount',
  ],
]

const pairs = answers.flatMap(([operations, fields]) =>
  operations.split(' ').map((operation) => [operation, fields] as const),
)

test.each(pairs)('%s answers the fields that the specification names: %.60s…', (name, fields) => {
  const schema = answerSchema(findOperation(name)!)!
  expect(fields.split(' ').filter((path) => !leadsSomewhere(schema, path.split('.')))).toEqual([])
})

/** Answers whose body is empty with status 200. */
test.each(['initiateCrawler', 'uploadCrawlerData', 'updateCrawlerStatus', 'stopCrawler', 'saveCrawlerUrl'])(
  '%s answers no content',
  (name) => {
    expect(findOperation(name)?.answer.shape).toBe('none')
  },
)

function leadsSomewhere(schema: TSchema, path: string[]): boolean {
  const [first, ...rest] = path
  if (first === undefined) return true
  const shape = schema as Record<string, unknown>
  if (Array.isArray(shape['anyOf'])) {
    return (shape['anyOf'] as TSchema[]).some((branch) => leadsSomewhere(branch, path))
  }
  if (shape['type'] === 'array') return leadsSomewhere(shape['items'] as TSchema, path)
  if (first === '*') return leadsSomewhere(shape['additionalProperties'] as TSchema, rest)
  const properties = (shape['properties'] ?? {}) as Record<string, TSchema>
  return Object.hasOwn(properties, first) && leadsSomewhere(properties[first]!, rest)
}
