import { expect, test } from 'vitest'
import { checkAnswer } from '../../../test/check-answer.ts'
import { fillAnswer } from '../fill-answer.ts'
import { readRequest } from '../read-request.ts'
import { operations } from '../registry.ts'
import type { AnswerOf, OperationName, RequestBodyOf } from '../types.ts'

/** The complete body for an answer and a request as a client sends it. */
function wire<Name extends OperationName>(name: Name, answer: AnswerOf<Name>, sent: object) {
  const body = fillAnswer(name, answer, readRequest(name, sent))
  expect(checkAnswer(name, body)).toBeNull()
  return body as Record<string, unknown>
}

const live = {
  currentTestsStatus: {
    totalTestsCompleted: 0,
    testRunsScheduled: 0,
    testRunsQueued: 0,
    currentRunningTestsStatus: [],
  },
  issuesSummaryInfoMap: {},
  cicdTests: [],
  testRunsByUser: false,
}
const runId = '697dd7a4aabbccddeeff0001'

test('the test run object says SUCCESS where it always did and fills the rest', () => {
  expect(wire('stopTest', live, { testingRunHexId: runId })).toMatchObject({
    issueSummaryInfo: 'SUCCESS',
    currentTestStateStatus: 'SUCCESS',
    usageTestRuns: 'SUCCESS',
    testingRunHexId: runId,
    testingRunResultSummaryHexId: null,
    testingRuns: null,
    latestTestingRunResultSummaries: null,
    allTestsCountMap: {},
    errorEnums: {},
    limit: 0,
  })
})

test('a started run repeats its request but not its start time', () => {
  const answer = {
    ...live,
    testingRunHexId: runId,
    testingRunResultSummaryHexId: null,
    testingRuns: [],
    testingRunsCount: 0,
    latestTestingRunResultSummaries: {},
    authMechanism: null,
    startTimestamp: 0,
  }
  const { request } = operations.startTest.example
  const body = wire('startTest', answer, {
    ...request,
    startTimestamp: 1769854500,
    recurringDaily: true,
    metadata: { branch: 'main' },
  })
  expect(body).toMatchObject({
    testName: 'smoke',
    selectedTests: ['REPLACE_AUTH_TOKEN'],
    source: 'TESTING_UI',
    maxConcurrentRequests: -1,
    testRunTime: -1,
    recurringDaily: true,
    metadata: { branch: 'main' },
    startTimestamp: 0,
    endTimestamp: 0,
  })
})

test('a run is started again by only its identifier', () => {
  const body: RequestBodyOf<'startTest'> = { testingRunHexId: runId }
  expect(readRequest('startTest', body)).toMatchObject({
    type: null,
    selectedTests: null,
    source: 'TESTING_UI',
    testRunTime: -1,
    maxConcurrentRequests: -1,
    autoTicketingDetails: null,
  })
})

test('ticketing comes as nothing, as text or as an object', () => {
  const { request } = operations.startTest.example
  const read = (autoTicketingDetails: unknown) =>
    readRequest('startTest', { ...request, autoTicketingDetails }).autoTicketingDetails
  expect(read(null)).toBeNull()
  expect(read('')).toBe('')
  expect(read('{"shouldCreateTickets":true}')).toBe('{"shouldCreateTickets":true}')
  expect(read({ shouldCreateTickets: true, projectId: 'SHOP', severities: ['HIGH'] })).toEqual({
    shouldCreateTickets: true,
    projectId: 'SHOP',
    severities: ['HIGH'],
  })
})

test('latest executions stand under their own identifiers and name their runs', () => {
  const { response } = operations.retrieveAllCollectionTests.example
  const latest = (response as { latestTestingRunResultSummaries: Record<string, Record<string, unknown>> })
    .latestTestingRunResultSummaries
  for (const [key, summary] of Object.entries(latest)) {
    expect(summary['hexId']).toBe(key)
    expect(summary['testingRunHexId']).toBe(runId)
  }
})

test('the threat object says SUCCESS for the misspelt county and shows no secret', () => {
  const body = wire('fetchThreatActors', { actors: [], total: 0, endTs: 1769854500 }, {})
  expect(body).toMatchObject({
    actorsCountPerCounty: 'SUCCESS',
    actorsCountPerCountry: null,
    splunkUrl: null,
    splunkToken: null,
    endTs: 1769854500,
    startTs: 0,
    sort: null,
    country: null,
  })
})

test('filters of threat actors are not repeated as text fields', () => {
  const sent = { country: ['US'], latestAttack: ['SQLInjection'], actorId: ['203.0.113.9'], skip: 50 }
  const body = wire('fetchThreatActors', { actors: [], total: 0, endTs: 1 }, sent)
  expect(body).toMatchObject({ country: null, latestAttack: null, actorId: null, skip: 50 })
})

test('the list of events repeats its filters', () => {
  const sent = { types: ['Rule-Based'], urls: ['/a'], sort: { detectedAt: -1 }, severity: ['HIGH'] }
  expect(wire('fetchSuspectSampleData', { maliciousEvents: [], total: 0 }, sent)).toEqual({
    severity: ['HIGH'],
    total: 0,
    urls: ['/a'],
    subCategory: null,
    types: ['Rule-Based'],
    sampleData: null,
    maliciousEvents: [],
    limit: 50,
    skip: 0,
    sort: { detectedAt: -1 },
    startTimestamp: 0,
    endTimestamp: 0,
  })
})

test('endpoints under attack keep the historic texts', () => {
  expect(wire('fetchThreatApis', { apis: [], total: 0 }, {})).toMatchObject({
    threatActivityTimeline: 'SUCCESS',
    dailyThreatActorsCount: 'SUCCESS',
    actorsCounts: null,
    categoryCounts: null,
  })
})

test('the issue object repeats filters and leaves the rest at its fillers', () => {
  const answer = { issues: [], openIssuesCount: 1, fixedIssuesCount: 0, ignoredIssuesCount: 0 }
  const sent = {
    activeCollections: 'true',
    sortKey: 'severity',
    sortOrder: -1,
    limit: 20,
    skip: 40,
    filterStatus: ['OPEN'],
    startTimeStamp: 5,
    endTimeStamp: 0,
    filterSeverity: ['HIGH'],
  }
  expect(wire('fetchAllIssues', answer, sent)).toMatchObject({
    filterStatus: ['OPEN'],
    filterSeverity: ['HIGH'],
    filterSubCategory: null,
    skip: 40,
    limit: 20,
    reportFilters: null,
    severityInfo: {},
    showApiInfo: false,
    response: null,
  })
  expect(readRequest('fetchAllIssues', sent)).toMatchObject({ startEpoch: 5, activeCollections: true })
})

test('an issue may be named without the two historic fields, or with the text null there', () => {
  const { issueId } = operations.fetchTestingRunResult.example.request as { issueId: Record<string, unknown> }
  const { testSourceConfig: _one, testCategoryFromSourceConfig: _two, ...short } = issueId
  for (const sent of [short, { ...short, testSourceConfig: null }, { ...short, testSourceConfig: 'null' }]) {
    expect(readRequest('fetchTestingRunResult', { issueId: sent }).issueId).toMatchObject(short)
  }
})

test('coverage takes either spelling of its start', () => {
  expect(readRequest('fetchTestCoverageData', { startEpoch: 7, endTimeStamp: 9 })).toMatchObject({
    startTimeStamp: 7,
    endTimeStamp: 9,
  })
})

test('filters of the run counts come as JSON text, as an object or not at all', () => {
  const read = (sent: object) =>
    readRequest('getAllTestsCountMap', { startTimestamp: 0, endTimestamp: 0, ...sent }).filters
  expect(read({ filters: '{"severity":["HIGH"]}' })).toBe('{"severity":["HIGH"]}')
  expect(read({ filters: { severity: ['HIGH'], apiCollectionId: [5] } })).toEqual({
    severity: ['HIGH'],
    apiCollectionId: [5],
  })
  expect(read({})).toBeNull()
})
