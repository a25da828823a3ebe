import type { ChangeTopic, OperationName } from '../../../contract/browser.ts'

const threats: readonly OperationName[] = [
  'fetchAggregateMaliciousRequests',
  'fetchCountBySeverity',
  'fetchFiltersForThreatActors',
  'fetchFiltersThreatTable',
  'fetchSuspectSampleData',
  'fetchThreatActorHistory',
  'fetchThreatActorOverview',
  'fetchThreatActors',
  'fetchThreatApis',
  'fetchThreatCategoryCount',
  'fetchThreatTimeline',
  'fetchThreatsForActor',
  'getActorsCountPerCounty',
  'getDailyThreatActorsCount',
  'getThreatActivityTimeline',
]

/** The reads whose answers a change of each topic may outdate. */
export const outdatedReads: Readonly<Record<ChangeTopic, readonly OperationName[]>> = {
  inventory: [
    'countTestStates',
    'fetchApiCallStats',
    'fetchChanges',
    'fetchTrafficLedger',
    'getAllCollections',
    'getAllCollectionsBasic',
    'getCollection',
    'getLastSeenTrafficInfoForCollections',
    'getRiskScoreInfo',
    'getSensitiveInfoForCollections',
    'getSingleEndpoint',
    'loadParamsOfEndpoint',
    'searchEndpoints',
  ],
  // Recordings may hold attacks of earlier days, which the topic of threats leaves out.
  imports: ['fetchImportReport', 'fetchImports', 'fetchTrafficLedger', ...threats],
  runs: [
    'countTestStates',
    'fetchEndpointResults',
    'fetchTestResultsStatsCount',
    'fetchTestRunLogs',
    'fetchTestRunResultsCount',
    'fetchTestingRunResultSummaries',
    'fetchTestingRunResults',
    'fetchTestingRunResultsSummary',
    'getAllTestsCountMap',
    'retrieveAllCollectionTests',
  ],
  issues: [
    'fetchAffectedEndpoints',
    'fetchAllIssues',
    'fetchIssueGroups',
    'fetchIssueHistory',
    'fetchOpenIssuesTrend',
    'fetchSeverityInfoForIssues',
    'findTotalIssuesByDay',
    'getSeveritiesCountPerCollection',
  ],
  crawls: ['fetchAllDastScans', 'fetchCrawlLogs', 'fetchCrawlerRun', 'fetchCrawlerUrls', 'fetchDastScan'],
  threats,
}
