import { describe, expect, test } from 'vitest'
import type { Operation } from './operation.ts'
import { findOperation, operationList } from './registry.ts'

/**
 * The operations of the interface specification with the fields it marks (R), in its order. An operation that its
 * tables list twice stands once.
 */
const specification: Record<string, string> = {
  getAllCollectionsBasic: '',
  getAllCollections: '',
  getAllUsersCollections: '',
  getCoverageInfoForCollections: '',
  getSeverityInfoForCollections: '',
  getSeveritiesCountPerCollection: 'apiCollectionId',
  getLastSeenTrafficInfoForCollections: '',
  getSensitiveInfoForCollections: '',
  getRiskScoreInfo: '',
  fetchCollectionWiseApiEndpoints: 'apiCollectionId',
  fetchApiInfosForCollection: 'apiCollectionId',
  fetchApiInfosFromSTIs: 'apiCollectionId',
  fetchEndpointsCount: 'startTimestamp endTimestamp',
  fetchApiCallStats: 'method url apiCollectionId startEpoch endEpoch',
  fetchIpLevelApiCallStats: 'method url apiCollectionId startWindow endWindow',
  fetchSampleData: 'method url apiCollectionId',
  generateOpenApiFile: '',
  fetchOpenApiSchema: '',
  fetchSwaggerImportLogs: '',
  fetchPostmanImportLogs: '',
  startTest:
    'autoTicketingDetails continuousTesting sendMsTeamsAlert sendSlackAlert selectedTests source maxConcurrentRequests type cleanUpTestingResources recurringDaily recurringWeekly recurringMonthly overriddenTestAppUrl testRunTime startTimestamp testRoleId testName',
  stopTest: 'testingRunHexId',
  fetchTestingRunResults: 'queryMode sortKey sortOrder limit skip testingRunResultSummaryHexId queryValue',
  fetchActiveTestRunsStatus: '',
  retrieveAllCollectionTests:
    'searchString sortKey sortOrder limit skip startTimestamp endTimestamp testingRunType',
  fetchMiniTestingServiceNames: '',
  fetchTestRoles: '',
  fetchAuthMechanismData: '',
  fetchSlackWebhooks: '',
  importInBurp: 'collectionName',
  uploadRecordedFlow: 'content tokenFetchCommand roleName',
  fetchRecordedFlowOutput: '',
  fetchRecordedLoginScreenshots: '',
  convertSamleDataToBurpRequest: '',
  downloadBurpPluginJar: '',
  fetchBurpPluginDownloadLink: '',
  fetchBurpCredentials: '',
  fetchBurpPluginInfo: '',
  fetchSuspectSampleData: '',
  fetchThreatActors: '',
  fetchFiltersThreatTable: '',
  getThreatActivityTimeline: '',
  fetchAggregateMaliciousRequests: '',
  fetchCountBySeverity: '',
  fetchThreatApis: '',
  fetchThreatCategoryCount: '',
  fetchFilterYamlTemplate: '',
  fetchFiltersForThreatActors: '',
  getDailyThreatActorsCount: '',
  getActorsCountPerCounty: '',
  modifyThreatActorStatus: 'actorIp status',
  saveFilterYamlTemplate: 'content',
  fetchTestRunResultsCount: 'testingRunResultSummaryHexId',
  fetchSeverityInfoForIssues: 'endTimeStamp',
  fetchIssueFromTestRunResultDetails: 'testingRunResultHexId',
  fetchAllSubCategories: 'mode fetchOnlyActive limit skip',
  fetchRemediationInfo: 'testId',
  fetchTestRunResultDetails: 'testingRunResultHexId',
  findTotalIssuesByDay: 'startEpoch endTimeStamp',
  fetchAllIssues:
    'filterSubCategory activeCollections sortKey sortOrder limit skip filterStatus startEpoch endTimeStamp',
  fetchTestingRunResultSummaries: 'testingRunHexId startTimestamp endTimestamp',
  generateReportPDF: '',
  fetchTestResultsStatsCount: 'testingRunResultSummaryHexId testingRunHexId',
  fetchTestingRunResult: '',
  fetchVulnerableTestingRunResultsFromIssues: 'activeCollections filterStatus skip startEpoch endTimeStamp',
  getAllTestsCountMap: 'filters startTimestamp endTimestamp',
  fetchTestingRunResultsSummary: 'testingRunSummaryId',
  fetchIssuesByApis: '',
  fetchIssuesFromResultIds: 'issueStatusQuery',
  fetchCriticalIssuesTrend: 'severityToFetch startTimeStamp endTimeStamp',
  fetchTestCoverageData: 'startTimeStamp endTimeStamp',
  updateIssueDescription: '',
  fetchAllDastScans: '',
  fetchDastScan: 'crawlId',
  fetchAvailableDastModules: '',
  initiateCrawler: 'hostname crawlingTime',
  uploadCrawlerData: 'apiCollectionId crawlerData',
  updateCrawlerStatus: 'crawlId status',
  stopCrawler: 'crawlId',
  saveCrawlerUrl: 'url crawlId',
}

describe('the specification', () => {
  test('lists 80 operations', () => {
    expect(Object.keys(specification)).toHaveLength(80)
  })

  test.each(Object.entries(specification))('%s is an operation with its required fields', (name, marked) => {
    const operation = findOperation(name)
    expect(operation).toBeDefined()
    expect(operation?.inSpecification).toBe(true)
    const needed = marked === '' ? [] : marked.split(' ')
    if (operation !== undefined) expect(neededFields(operation)).toEqual(expect.arrayContaining(needed))
  })

  test('no other operation claims to be of it', () => {
    const claimed = operationList.filter((operation) => operation.inSpecification)
    const known = claimed.map(({ name }) => name).filter((name) => !Object.hasOwn(specification, name))
    expect(known).toEqual([])
  })
})

/** Fields of the wide answers whose names the specification fixes, checked against the filled answers. */
const wideAnswers: [string, string][] = [
  [
    'getAllCollections',
    'apiCollections sensitiveUrlsInResponse shadowApisCount apiCount sensitiveUnauthenticatedEndpointsCount criticalEndpointsCount apiCollectionId mcpDataCount highRiskThirdPartyEndpointsCount redacted hasUsageEndpoints riskScoreOfCollectionsMap sensitiveSubtypesInCollection usersCollectionList response lastTrafficSeenMap uningestedApiCountMap endpointsFromConditions endpointsListFromConditions apiStatsStart apiStatsEnd deactivatedHostnameCountMap countForHostnameDeactivatedCollections testedEndpointsMaps severityInfo apiList countForUningestedApis timerInfo allUsersCollections conditions uningestedApiList',
  ],
  [
    'fetchEndpointsCount',
    'endpoints notTestedEndpointsCount newCount oldCount onlyOnceTestedEndpointsCount skip limit sortOrder apiCollectionId method description url urls sortKey response severitiesCountPerCollection accessTypes summaryInfoForChanges filters deMergedApis filterOperators severityMapForCollection listOfEndpointsInCollection',
  ],
  [
    'fetchIpLevelApiCallStats',
    'limit skip startWindow endWindow apiCollectionId sensitiveSampleData traffic sampleDataList result',
  ],
]

test.each(wideAnswers)('%s answers every field of its wide object', (name, fields) => {
  const answer = findOperation(name)!.answer
  if (answer.shape !== 'wide') throw new Error(`${name} is not wide`)
  expect(Object.keys({ ...answer.record.fields, ...answer.extra })).toEqual(
    expect.arrayContaining(fields.split(' ')),
  )
})

function neededFields(operation: Operation): string[] {
  return Object.entries(operation.request)
    .filter(([, field]) => field.needed)
    .map(([name]) => name)
}
