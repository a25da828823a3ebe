import { either, flag, integer, list, mapOf, oneOf, openObject, text } from '../schema.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { authMechanism } from './auth-mechanism.ts'
import { issue } from './issue.ts'
import { objectId } from './object-id.ts'
import { testResult } from './test-result.ts'
import { currentTestsStatus, testRun, testRunSummary } from './test-run.ts'

const idle = {
  totalTestsCompleted: 0,
  testRunsScheduled: 0,
  testRunsQueued: 0,
  currentRunningTestsStatus: [],
}

/** Filters of test runs and results: name of the filter to the values any of which must fit. */
export const filterMap = mapOf(list(either(text(), integer())), {
  description: 'Name of a filter to the values of which one must fit.',
})

/** The test run result object (TRO). */
export const testRunObject = wideRecord(
  'TestRunObject',
  'Shared answer of the operations about test runs. currentTestsStatus, issuesSummaryInfoMap, cicdTests and testRunsByUser are current in each.',
  {
    ...filledEach(
      [
        'testingRunHexId',
        'testingRunResultSummaryHexId',
        'testRoleId',
        'testName',
        'source',
        'sortKey',
        'testingRunType',
        'overriddenTestAppUrl',
        'triggeredBy',
      ],
      text(),
      null,
    ),
    ...filledEach(
      [
        'continuousTesting',
        'sendMsTeamsAlert',
        'testRunByTestEditor',
        'cleanUpTestingResources',
        'recurringDaily',
      ],
      flag(),
      false,
    ),
    testRunsByUser: filled(flag({ description: 'True once there is any run.' }), false),
    ...filledEach(
      [
        'limit',
        'skip',
        'sortOrder',
        'selectedSlackWebhook',
        'maxConcurrentRequests',
        'endTimestamp',
        'startTimestamp',
        'testRunTime',
        'misConfiguredTestsCount',
      ],
      integer(),
      0,
    ),
    testingRunsCount: filled(integer({ description: 'Runs that fit, over all pages.' }), 0),
    ...filledEach(
      ['issueSummaryInfo', 'currentTestStateStatus', 'usageTestRuns'],
      oneOf(['SUCCESS'], { description: 'Historic; always SUCCESS.' }),
      'SUCCESS',
    ),
    selectedTests: filled(list(text(), { description: 'Ids of the tests.' }), null),
    miniTestingServiceNames: filled(list(text(), { description: 'Executors that answered lately.' }), null),
    issuesSummaryInfoMap: filled(
      mapOf(integer(), {
        description: 'Id of a test to its OPEN issues, last seen between the two timestamps of the answer.',
      }),
      {},
    ),
    cicdTests: filled(list(objectId, { description: 'Runs that a CI job started.' }), []),
    currentTestsStatus: filled(currentTestsStatus, idle),
    latestTestingRunResultSummaries: filled(
      mapOf(testRunSummary, {
        description: 'Identifier of an execution to the execution: the latest of each listed run.',
      }),
      null,
    ),
    authMechanism: filled(authMechanism, null),
    testingRuns: filled(list(testRun), null),
    metadata: filled(mapOf(text(), { description: 'Facts of a CI job.' }), null),
    metadataFilters: filled(mapOf(list(text())), null),
    allTestsCountMap: filled(mapOf(integer()), {}),
    ...filledEach(['testRunIds', 'selectedTestRunResultHexIds', 'latestSummaryIds'], list(text()), null),
    testingRunResult: filled(testResult, null),
    testCountMap: filled(mapOf(integer()), null),
    issuesDescriptionMap: filled(
      mapOf(text(), { description: 'Identifier of a result to the note on its issue.' }),
      null,
    ),
    testingRunResults: filled(list(testResult), null),
    testingRunResultSummaries: filled(list(testRunSummary), null),
    runIssues: filled(issue, null),
    jiraIssuesMapForResults: filled(
      mapOf(text(), { description: 'Identifier of a result to the URL of its ticket.' }),
      null,
    ),
    allTestsCountsRanges: filled(mapOf(integer()), null),
    sampleDataVsCurlMap: filled(mapOf(text()), null),
    filters: filled(filterMap, null),
    workflowTest: filled(openObject(), null),
    testingRun: filled(testRun, null),
    errorEnums: filled(mapOf(text(), { description: 'Name of an error of a result to its sentence.' }), {}),
  },
  [
    'testingRunHexId',
    'testingRunResultSummaryHexId',
    'testRoleId',
    'testName',
    'source',
    'sortKey',
    'testingRunType',
    'overriddenTestAppUrl',
    'triggeredBy',
    'continuousTesting',
    'sendMsTeamsAlert',
    'testRunByTestEditor',
    'cleanUpTestingResources',
    'recurringDaily',
    'limit',
    'skip',
    'sortOrder',
    'selectedSlackWebhook',
    'maxConcurrentRequests',
    'endTimestamp',
    'startTimestamp',
    'testRunTime',
    'selectedTests',
    'metadata',
    'selectedTestRunResultHexIds',
    'filters',
  ],
)

/** Fields of the test run object that are current in every answer. */
export const liveFields = [
  'currentTestsStatus',
  'issuesSummaryInfoMap',
  'cicdTests',
  'testRunsByUser',
] as const
