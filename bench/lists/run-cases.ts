import { operations } from '../../src/contract/index.ts'
import type { ListCase } from '../list-bench.ts'
import { SEED } from './seed.ts'
import { RUNS } from './seed-runs.ts'

const END = SEED.at + 1_000_000
const all = { filterStatus: null, filterSeverity: null, filterSubCategory: null, filterCollectionsId: null }

const issues = (note: string, body: (round: number) => object): ListCase => ({
  operation: 'fetchAllIssues',
  note,
  body: (round) => ({
    ...operations.fetchAllIssues.example.request,
    ...all,
    endTimeStamp: END,
    skip: (round % 10) * 20,
    ...body(round),
  }),
})

const results = (note: string, body: object): ListCase => ({
  operation: 'fetchTestingRunResults',
  note,
  body: (round) => ({
    ...operations.fetchTestingRunResults.example.request,
    testingRunResultSummaryHexId: RUNS.summaryId,
    skip: (round % 10) * 50,
    ...body,
  }),
})

const runs = (note: string, body: object): ListCase => ({
  operation: 'retrieveAllCollectionTests',
  note,
  body: (round) => ({
    ...operations.retrieveAllCollectionTests.example.request,
    testingRunType: null,
    endTimestamp: 0,
    skip: (round % 5) * 50,
    ...body,
  }),
})

/** Every list operation of runs, results and issues, with its filters and sorts. */
export const runCases: readonly ListCase[] = [
  ...['severity', 'creationTime', 'lastSeen'].map((sortKey) => issues(`by ${sortKey}`, () => ({ sortKey }))),
  issues('open', () => ({ filterStatus: ['OPEN'] })),
  issues('one severity', () => ({ filterSeverity: ['HIGH'] })),
  issues('one test', (round) => ({ filterSubCategory: [`TEST_${round}`] })),
  issues('one collection', (round) => ({ filterCollectionsId: [SEED.at + 1 + round * 7] })),
  issues('last page', () => ({ skip: 19_980 })),
  { ...issues('granted', () => ({})), isRestricted: true },
  { operation: 'fetchIssuesByApis', body: () => ({}) },
  {
    operation: 'fetchCriticalIssuesTrend',
    body: () => ({ severityToFetch: ['CRITICAL'], startTimeStamp: SEED.at, endTimeStamp: END }),
  },
  { operation: 'findTotalIssuesByDay', body: () => ({ startEpoch: SEED.at, endTimeStamp: END }) },
  { operation: 'fetchSeverityInfoForIssues', body: () => ({ endTimeStamp: END }) },
  { operation: 'fetchTestCoverageData', body: () => ({ startTimeStamp: SEED.at, endTimeStamp: END }) },
  ...['scheduleTimestamp', 'endTimestamp', 'name'].map((sortKey) => runs(`by ${sortKey}`, { sortKey })),
  runs('text', { searchString: 'run 1' }),
  {
    operation: 'fetchTestingRunResultSummaries',
    body: () => ({ testingRunHexId: RUNS.runId, startTimestamp: 0, endTimestamp: 0 }),
  },
  results('vulnerable', {}),
  results('secured', { queryMode: 'SECURED' }),
  results('all by time', { queryMode: 'ALL', sortKey: 'timestamp' }),
  { operation: 'fetchTestRunResultsCount', body: () => ({ testingRunResultSummaryHexId: RUNS.summaryId }) },
  { operation: 'getAllTestsCountMap', body: () => ({ filters: '{}', startTimestamp: 0, endTimestamp: END }) },
  { operation: 'fetchTestingRunResultsSummary', body: () => ({ testingRunSummaryId: RUNS.summaryId }) },
  { operation: 'fetchActiveTestRunsStatus', body: () => ({}) },
  {
    operation: 'fetchTestResultsStatsCount',
    body: () => ({ testingRunResultSummaryHexId: RUNS.summaryId, testingRunHexId: RUNS.runId }),
  },
  {
    operation: 'fetchAllSubCategories',
    body: (round) => ({ mode: 'Dashboard', fetchOnlyActive: false, limit: 50, skip: (round % 3) * 50 }),
  },
]
