/**
 * What clients of the reference platform send, as they send it, to a server with VIGIL_COMPATIBILITY=reference: its
 * dashboard, Burp extension, MCP server and run-scan action; and the same against the specification's shapes.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines, refusal } from './ask.ts'

const HOST = 'https://shop.test'
let reference: TestServer
let person: TestPerson
let shop: number
let runId: string
let summaryId: string

const store = () => reference.running.app.store

/** The answer of a call that must succeed, in whatever shape. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of these clients are declared nowhere.
async function call(operation: string, body: unknown = {}): Promise<any> {
  const answer = await reference.post(`/api/${operation}`, body)
  const text = await answer.text()
  expect([answer.status, text.slice(0, 500)]).toEqual([200, expect.anything()])
  return JSON.parse(text)
}

beforeAll(async () => {
  reference = await startTestServer({ compatibility: 'reference' })
  person = await signUpPerson(reference, 'admin@example.org')
  const taken = await call('importTraffic', {
    apiCollectionName: 'shop',
    content: messageLines([
      { path: `${HOST}/rest/a`, responsePayload: '{"email":"ann@shop.test"}' },
      { path: `${HOST}/rest/b` },
    ]),
  })
  shop = taken.apiCollectionId
  const run = await startedRun(store(), { collectionIds: [shop], name: 'nightly' })
  summaryId = run.summaryId
  await report(store(), summaryId, [
    pairOf({ collectionId: shop, url: `${HOST}/rest/a` }),
    pairOf({ collectionId: shop, url: `${HOST}/rest/b`, outcome: 'NO_AUTH_TOKEN_FOUND' }),
  ])
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  const { testingRunHexId } = await call('fetchTestingRunResultSummary', {
    testingRunResultSummaryHexId: summaryId,
  })
  runId = testingRunHexId
})
afterAll(() => reference.close())

test('the page of a run asks for executions without a window', async () => {
  const answer = await call('fetchTestingRunResultSummaries', { testingRunHexId: runId })
  expect(answer.testingRunResultSummaries[0].hexId).toBe(summaryId)
  expect(answer.testingRun.hexId).toBe(runId)
  const now = Date.now()
  const asked = { testingRunHexId: runId, startTimestamp: now, endTimestamp: now }
  expect((await call('fetchTestingRunResultSummaries', asked)).testingRun.hexId).toBe(runId)
})

test.each([
  ['COLLECTION_WISE', () => ({ apiCollectionId: shop })],
  ['MULTI_COLLECTION', () => ({ apiCollectionIds: [shop] })],
])('a run of type %s starts without a source', async (type, target) => {
  const started = await call('startTest', {
    type,
    ...target(),
    testName: 'of the reference',
    startTimestamp: Math.floor(Date.now() / 1000) + 86_400,
    testRunTime: -1,
    maxConcurrentRequests: -1,
    selectedTests: ['XSS_REFLECTED_QUERY'],
    recurringDaily: false,
    recurringWeekly: false,
    recurringMonthly: false,
    continuousTesting: false,
    overriddenTestAppUrl: '',
    testRoleId: '',
    cleanUpTestingResources: false,
    sendSlackAlert: false,
    sendMsTeamsAlert: false,
  })
  expect(started.testingRunHexId).toMatch(/^[0-9a-f]{24}$/)
  const listed = await call('retrieveAllCollectionTests', { searchString: 'of the reference' })
  expect(listed.testingRuns.map((run: { hexId: string }) => run.hexId)).toContain(started.testingRunHexId)
})

test('results are requested only by the execution id', async () => {
  const answer = await call('fetchTestingRunResults', { testingRunResultSummaryHexId: summaryId })
  expect(answer.testingRunResults).toHaveLength(2)
  expect(Object.keys(answer).sort()).toEqual([
    'errorEnums',
    'issuesDescriptionMap',
    'jiraIssuesMapForResults',
    'testingRunResults',
  ])
})

test('a recorded login may name no role', async () => {
  const steps = JSON.stringify({ title: 'login', steps: [{ type: 'navigate', url: 'http://127.0.0.1:9/' }] })
  const answer = await call('uploadRecordedFlow', { content: steps, tokenFetchCommand: 'document.cookie' })
  expect(answer.testingRunPlaygroundId).toBeNull()
})

test('the run-scan action starts a run with the fields that it has, and polls its executions by texts', async () => {
  const now = Math.floor(Date.now() / 1000)
  const started = await call('startTest', {
    apiCollectionId: shop,
    type: 'COLLECTION_WISE',
    startTimestamp: now + 86_400,
    recurringDaily: false,
    selectedTests: ['XSS_REFLECTED_QUERY', 'A_TEST_THAT_VIGIL_DOES_NOT_HAVE'],
    testName: 'of a pipeline',
    testRunTime: -1,
    maxConcurrentRequests: -1,
    overriddenTestAppUrl: '',
  })
  expect(started.testingRunHexId).toMatch(/^[0-9a-f]{24}$/)
  const polled = await call('fetchTestingRunResultSummaries', {
    startTimestamp: String(now - 86_400),
    endTimestamp: String(now + 1),
    testingRunHexId: runId,
  })
  expect(polled.testingRunResultSummaries[0]).toMatchObject({
    state: 'COMPLETED',
    countIssues: { HIGH: 1, MEDIUM: 0, LOW: 0 },
  })
  expect(Object.keys(polled).sort()).toEqual([
    'testingRun',
    'testingRunResultSummaries',
    'testingRunType',
    'workflowTest',
  ])
})

test('the run-scan action re-runs a test and reads state and counts of its execution', async () => {
  const started = await call('startTest', {
    testingRunHexId: runId,
    startTimestamp: Date.now() / 1000 + 60,
    metadata: { platform: 'Github Actions', repository: 'shop', branch: 'main' },
  })
  const id = started.testingRunResultSummaryHexId
  expect(id).toMatch(/^[0-9a-f]{24}$/)
  const polled = await call('fetchTestingRunResultSummary', { testingRunResultSummaryHexId: summaryId })
  expect(polled.testingRunResultSummaries[0]).toMatchObject({ state: 'COMPLETED', countIssues: { HIGH: 1 } })
})

test('runs of the list find their latest execution under the id of the run', async () => {
  const listed = await call('retrieveAllCollectionTests', {
    startTimestamp: 0,
    endTimestamp: Date.now(),
    sortKey: '',
    sortOrder: -1,
    skip: 0,
    limit: 50,
    filters: null,
    testingRunType: null,
    searchString: '',
  })
  expect(Object.keys(listed.latestTestingRunResultSummaries)).toContain(runId)
})

test('collections carry their environment, tags and conditions as lists, and maps carry numbers and lists', async () => {
  await call('updateEnvType', {
    apiCollectionIds: [shop],
    envType: [{ keyName: 'envType', value: 'STAGING' }],
  })
  for (const operation of ['getAllCollections', 'getAllCollectionsBasic']) {
    const { apiCollections } = await call(operation)
    const found = apiCollections.find(({ id }: { id: number }) => id === shop)
    expect(found.envType.map((tag: { value: string }) => tag.value)).toContain('STAGING')
  }
  const made = await call('createCollection', { collectionName: 'of the dashboard' })
  expect(made.apiCollections[0].envType).toEqual([])
  const listed = await call('fetchCollectionWiseApiEndpoints', { apiCollectionId: shop })
  expect([listed.endpoints, listed.listOfEndpointsInCollection.length]).toEqual([null, 2])
  const basic = await call('getAllCollectionsBasic')
  expect(Object.keys(basic)).toEqual(['apiCollections'])
  const sensitive = await call('getSensitiveInfoForCollections')
  expect(sensitive.sensitiveSubtypesInCollection[shop]).toContain('EMAIL')
  const risk = await call('getRiskScoreInfo')
  expect(risk.riskScoreOfCollectionsMap[shop]).toEqual(expect.any(Number))
  const seen = await call('getLastSeenTrafficInfoForCollections')
  expect(seen[shop]).toEqual(expect.any(Number))
  const people = await person.call('getAllUsersCollections')
  expect(Object.values((await people.json()) as object)).toEqual([null])
})

test('events are listed with what is known of them as JSON', async () => {
  const attack = {
    path: `${HOST}/rest/a?q=1%27%20UNION%20SELECT%20password%20FROM%20users--`,
    ip: '203.0.113.9',
    time: Math.floor(Date.now() / 1000),
  }
  await call('ingestData', { batchData: [JSON.parse(messageLines([attack]))] })
  const asked = {
    ...{ skip: 0, ips: [], urls: [], types: [], apiCollectionIds: [], sort: { detectedAt: -1 } },
    ...{ startTimestamp: 0, endTimestamp: Date.now(), latestAttack: [], limit: 50 },
    ...{ statusFilter: 'ACTIVE', label: 'threat' },
  }
  const { maliciousEvents, total } = await call('fetchSuspectSampleData', asked)
  expect(total).toBeGreaterThan(0)
  const known = JSON.parse(maliciousEvents[0].metadata)
  expect(known.schemaErrors[0]).toMatchObject({
    attribute: 'q',
    location: 'LOCATION_URL',
    phrase: expect.stringContaining("1' UNION SELECT"),
  })
  const { actorActivities } = await call('fetchThreatsForActor', { actor: '203.0.113.9' })
  expect(JSON.parse(actorActivities[0].metadata)).toEqual(expect.any(Object))
})

test('modules are a bare list', async () => {
  expect(await call('fetchAvailableDastModules')).toEqual([])
})

test('a crawl is listed while it waits, and its writes are answered with what they changed', async () => {
  const begun = await reference.post('/api/initiateCrawler', {
    hostname: 'https://shop.test',
    crawlingTime: 600,
  })
  const crawlId = begun.headers.get(crawlIdHeader)!
  expect([begun.status, crawlId]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{24,}$/)])
  const url = `${HOST}/orders`
  const link = { crawlId, url, accepted: true, sourceUrl: HOST }
  expect(await call('saveCrawlerUrl', link)).toBe(crawlId)
  expect(await call('fetchDastScan', { crawlId })).toMatchObject([{ url, accepted: true }])
  const exchange = messageLines([{ path: url }])
  const data = { apiCollectionId: String(shop), crawlerData: exchange }
  expect(await call('uploadCrawlerData', data)).toEqual({ apiCollectionId: shop })
  const listed = await call('fetchAllDastScans')
  expect(listed.map((one: { crawlId: string }) => one.crawlId)).toContain(crawlId)
  const failed = { crawlId, status: 'FAILED', errorMessage: 'no browser' }
  expect(await call('updateCrawlerStatus', failed)).toEqual(failed)
  expect(await call('stopCrawler', { crawlId })).toEqual({ crawlId })
  const again = await call('fetchAllDastScans')
  expect(again).toContainEqual(expect.objectContaining({ crawlId, status: 'FAILED' }))
})

test('a report is named by the text that its page cuts the id out of, and its first poll names the page', async () => {
  const made: string = await call('generateReportPDF', {
    reportFilterList: { testingRunResultSummaryId: [summaryId] },
    issuesIdsForReport: [],
  })
  const id = made.split('=')[1]!.split('}')[0]!
  expect((await call('getReportFilters', { generatedReportId: id })).filtersForReport).toEqual({
    testingRunResultSummaryId: [summaryId],
  })
  const first = {
    reportId: null,
    organizationName: 'Shop',
    reportDate: '1 Jan',
    reportUrl: `${reference.baseUrl}/dashboard/testing/summary/${id}?`,
    username: 'Admin',
    firstPollRequest: true,
  }
  const begun = await call('downloadReportPDF', first)
  expect(begun.reportId).toBe(id)
  const poll = async () =>
    (await call('downloadReportPDF', { ...first, reportId: id, firstPollRequest: false })).status
  await expect.poll(poll).toBe('COMPLETED')
  expect(await refusal(reference, 'downloadReportPDF', {})).toEqual([422, expect.stringContaining('eport')])
})

test('pages of runs and reports get hosts, open issues by test and error codes', async () => {
  expect(await call('getUniqueHostsTested', { testingRunId: runId })).toEqual(expect.any(String))
  expect(await call('getIssueSummaryInfo', { startTimestamp: 0, endTimestamp: 0 })).toEqual({
    REPLACE_AUTH_TOKEN: 1,
  })
  const now = Date.now()
  const one = { startTimestamp: 0, endTimestamp: now, issueSummaryFilterCollectionIds: [shop] }
  expect(await call('getIssueSummaryInfo', one)).toEqual({ REPLACE_AUTH_TOKEN: 1 })
  const statuses = await call('fetchTestRunStatusSummaries', { testingRunResultSummaryHexIds: [summaryId] })
  expect(statuses[summaryId]).toMatchObject({
    domainUnreachable: 0,
    skipped: expect.any(Number),
    cloudflare: 0,
  })
  expect(await call('fetchDistinctResponseCodes', { testingRunResultSummaryHexId: summaryId })).toEqual([])
  const counted = { testingRunResultSummaryHexId: summaryId, testingRunHexId: runId, patternType: 'HTTP_429' }
  expect(await call('fetchTestResultsStatsCount', counted)).toBe(0)
})

test('the Burp extension that does not know its version starts', async () => {
  expect((await call('sendHealthCheck', { version: '-1' })).latestVersion).toEqual(expect.any(Number))
})

test('an ended session is refused without a message, so that pages renew it', async () => {
  const ended = await reference.post(
    '/api/getAllCollections',
    {},
    { key: null, headers: { 'access-token': 'ended' } },
  )
  expect([ended.status, await ended.json()]).toEqual([403, { actionErrors: [] }])
})

test('reading operations answer GET, writing ones do not', async () => {
  const headers = { 'x-api-key': 'testkeytestkeytestkeytestkeytestkeytestk' }
  const read = await fetch(`${reference.baseUrl}/api/getRiskScoreInfo`, { headers })
  expect(read.status).toBe(200)
  const write = await fetch(`${reference.baseUrl}/api/stopAllTests`, { headers })
  expect(write.status).toBe(405)
})

test('without the setting, the same requests get the specification’s shapes', async () => {
  const plain = await startTestServer()
  try {
    expect(await refusal(plain, 'fetchTestingRunResultSummaries', { testingRunHexId: runId })).toEqual([
      422,
      'startTimestamp is required',
    ])
    expect(await ask(plain, 'fetchAllDastScans')).toEqual({ crawlerRuns: [], actionErrors: [] })
    const ended = await plain.post(
      '/api/getAllCollections',
      {},
      { key: null, headers: { 'access-token': 'x' } },
    )
    expect([ended.status, await ended.json()]).toEqual([403, { actionErrors: ['Session expired'] }])
    const get = await fetch(`${plain.baseUrl}/api/getRiskScoreInfo`)
    expect(get.status).toBe(405)
  } finally {
    await plain.close()
  }
})
