import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/contract/index.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { until } from '../until.ts'
import { collectionOf, wholeCollection } from '../use-vigil.ts'
import { ask, refusal } from './ask.ts'

const ENDED = ['COMPLETED', 'STOPPED', 'FAILED']

let server: TestServer
let target: Server
let host: string
let shop: number
/** Whether the target shows the debug page that the test looks for. */
let isWeak = true
/** Requests that reached the target. */
let requests = 0

beforeAll(async () => {
  target = createServer((request, response) => {
    requests++
    const isShown = isWeak && (request.url ?? '').includes('debug=1')
    response.setHeader('content-type', 'application/json')
    response.end(isShown ? '{"debug":"stack of the shop"}' : '{"id":7}')
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  server = await startTestServer()
  await ask(server, 'ingestData', {
    batchData: ['/orders', '/users'].map((path, i) => ({
      method: 'GET',
      path: `${path}?debug=0`,
      requestHeaders: { host, accept: 'application/json' },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"id":7}',
      ip: '203.0.113.9',
      time: 1_795_000_000 + i,
      source: 'MIRRORING',
    })),
  })
  shop = await collectionOf({ call: (name, body) => ask(server, name as never, body) }, host)
})
afterAll(async () => {
  await server.close()
  target.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

function yamlOf(id: string, change = (text: string): string => text): string {
  return change(`id: ${id}
info:
  name: Debug page
  description: Shows its stack.
  details: A parameter switches it on.
  impact: Tells how the shop is made.
  category: { name: SM, shortName: SM, displayName: Security Misconfiguration }
  subCategory: ${id}
  severity: HIGH
attributes: { nature: NON_INTRUSIVE }
api_selection_filters:
  query_param: { for_one: { key: { eq: debug } } }
execute:
  type: single
  requests:
    - req:
        - modify_query_param: { debug: '1' }
validate:
  response_payload: { contains_either: stack of the shop }
`)
}

const save = (content: string, originalTestId = '') => ({ content, originalTestId })
const orders = (): { apiCollectionId: number; method: string; url: string } => ({
  apiCollectionId: shop,
  method: 'GET',
  url: '/orders',
})

/** Runs tests on the whole collection to the end. */
async function ran(selectedTests: readonly string[]): Promise<{ runId: string; summaryId: string }> {
  const started = await ask(server, 'startTest', wholeCollection(shop, selectedTests))
  const summaryId = started.testingRunResultSummaryHexId!
  await untilEnded(summaryId)
  return { runId: started.testingRunHexId!, summaryId }
}

async function untilEnded(testingRunSummaryId: string): Promise<void> {
  await until('the end of the run', async () => {
    const summary = await ask(server, 'fetchTestingRunResultsSummary' as never, { testingRunSummaryId })
    return ENDED.includes((summary as { state: string }).state)
  })
}

/** The log of a run: every request that left stands in it as soon as the run is over. */
async function logOf(testingRunHexId: string): Promise<string> {
  const { testRunLogs } = await ask(server, 'fetchTestRunLogs', { testingRunHexId })
  return testRunLogs.map((line) => line.log).join('\n')
}

async function issueStatuses(): Promise<Record<string, string>> {
  const { issues } = (await ask(server, 'fetchAllIssues', {
    ...operations.fetchAllIssues.example.request,
    filterStatus: null,
    filterCollectionsId: null,
    filterSeverity: null,
    filterSubCategory: null,
    startEpoch: 0,
    endTimeStamp: 0,
    skip: 0,
    limit: 100,
  })) as {
    issues: { id: { apiInfoKey: { url: string }; testSubCategory: string }; testRunIssueStatus: string }[]
  }
  return Object.fromEntries(
    issues.map(({ id, testRunIssueStatus }) => [
      `${id.testSubCategory} ${id.apiInfoKey.url}`,
      testRunIssueStatus,
    ]),
  )
}

test('a test that cannot be saved is refused with the sentences of the interface', async () => {
  const refused = async (content: string): Promise<string> =>
    (await refusal(server, 'saveTestEditorFile', save(content)))[1]
  expect(await refused('id: X\nexecute: {}\n')).toBe('Error in template: info key absent')
  for (const key of ['name', 'description', 'details', 'category', 'severity'])
    expect(await refused(yamlOf('X', (text) => text.replace(`  ${key}:`, `  # ${key}:`)))).toBe(
      `Error in template: ${key} key absent`,
    )
  expect(await refused(yamlOf('X', (text) => text.replace('  subCategory:', '  #')))).toBe(
    'Error in template: subcategory key absent',
  )
  expect(await refused(yamlOf('BOLA_READ'))).toBe('Cannot save template, specify a different test id')
  const misspelt = yamlOf('X', (text) => text.replace('contains_either', 'contains_eithr'))
  expect(await refused(misspelt)).toContain(
    'line 19, validate.response_payload.contains_eithr: contains_eithr is not a condition keyword. (contains_either?)',
  )
})

test('a test is saved, shown, replaced only by its own id, switched off and deleted', async () => {
  const saved = await ask(server, 'saveTestEditorFile', save(yamlOf('OWN_ONE')))
  expect(saved).toEqual({ finalTestId: 'OWN_ONE', templateProblems: [] })
  expect(await ask(server, 'fetchTestContent', { originalTestId: 'OWN_ONE' })).toEqual({
    content: yamlOf('OWN_ONE'),
  })
  const other = yamlOf('OWN_ONE', (text) => text.replace('HIGH', 'LOW'))
  expect((await refusal(server, 'saveTestEditorFile', save(other, 'ANOTHER')))[0]).toBe(422)
  await ask(server, 'saveTestEditorFile', save(other, 'OWN_ONE'))
  expect((await ask(server, 'fetchTestContent', { originalTestId: 'OWN_ONE' })).content).toBe(other)
  await ask(server, 'setTestInactive', { originalTestId: 'OWN_ONE', inactive: true })
  await ask(server, 'deleteTestTemplate', { originalTestId: 'OWN_ONE' })
  for (const name of ['fetchTestContent', 'deleteTestTemplate'] as const)
    expect(await refusal(server, name, { originalTestId: 'OWN_ONE' })).toEqual([422, 'Test not found'])
  const built = { originalTestId: 'BOLA_READ' }
  const { content: library } = await ask(server, 'fetchTestContent', built)
  await ask(server, 'saveTestEditorFile', save(yamlOf('OWN_COPY'), 'BOLA_READ'))
  await ask(server, 'saveTestEditorFile', save(yamlOf('OWN_COPY'), 'OWN_COPY'))
  expect(await ask(server, 'fetchTestContent', { originalTestId: 'OWN_COPY' })).toEqual({
    content: yamlOf('OWN_COPY'),
    original: { testId: 'BOLA_READ', content: library },
  })
  await ask(server, 'deleteTestTemplate', { originalTestId: 'OWN_COPY' })
  expect((await refusal(server, 'deleteTestTemplate', built))[1]).toBe(
    'Only tests written in the dashboard can be deleted',
  )
})

test('a test is tried on one endpoint, and nothing of it is kept', async () => {
  isWeak = true
  const tried = await ask(server, 'runTestForGivenTemplate', {
    content: yamlOf('TRIED'),
    apiInfoKey: orders(),
  })
  expect(tried.testingRunResult).toMatchObject({ vulnerable: true, testSubType: 'TRIED' })
  const { testingRunPlaygroundHexId } = tried
  const asked = await ask(server, 'fetchTestingRunPlaygroundStatus', { testingRunPlaygroundHexId })
  expect(asked.testingRunPlaygroundStatus).toBe('COMPLETED')
  expect(asked.testingRunResult?.vulnerable).toBe(true)
  expect(await issueStatuses()).toEqual({})
})

const casesText = (expect: string, more = '') => `cases:
  - name: the shop tells its stack
    expect: vulnerable
    sample: { request: GET /orders?debug=0, response: '{"ok":true}' }
    answers:
      - when: { path: debug=1 }
        body: stack of the shop
      - when: {}
        body: '{"ok":true}'
  - name: the shop answers as ever
    expect: ${expect}
    sample: { request: GET /orders?debug=0, response: '{"ok":true}' }
    answers:
      - when: {${more}}
        body: '{"ok":true}'
`

test('cases beside a test run at once, say where they differ, and are kept with it', async () => {
  const run = async (cases: string) => {
    const { testCases } = await ask(server, 'runTestCases', { content: yamlOf('CASED'), cases })
    return testCases
  }
  expect(await run(casesText('secure'))).toEqual([
    { name: 'the shop tells its stack', expected: 'vulnerable', got: 'vulnerable', story: '' },
    { name: 'the shop answers as ever', expected: 'secure', got: 'secure', story: '' },
  ])
  const [, wrong] = await run(casesText('vulnerable'))
  expect(wrong).toMatchObject({ expected: 'vulnerable', got: 'secure' })
  expect(wrong!.story).toContain('/orders?debug=1')
  const [, broken] = await run(casesText('secure', " path: '(' "))
  expect(broken).toMatchObject({ got: 'failed', story: expect.stringContaining('pattern of a case') })
  const body = { content: yamlOf('CASED'), cases: 'cases:\n  - name: a\n' }
  expect(await refusal(server, 'runTestCases', body)).toEqual([
    422,
    'The cases cannot be used: case "a" has no expect',
  ])
  expect((await refusal(server, 'runTestCases', { ...body, cases: 'cases:\n  - name: "a' }))[1]).toContain(
    'The cases cannot be used: line 2: ',
  )
  const kept = () => ask(server, 'fetchTestContent', { originalTestId: 'CASED' })
  await ask(server, 'saveTestEditorFile', { ...save(yamlOf('CASED')), cases: casesText('secure') })
  await ask(server, 'saveTestEditorFile', save(yamlOf('CASED'), 'CASED'))
  expect((await kept()).cases).toBe(casesText('secure'))
  await ask(server, 'saveTestEditorFile', { ...save(yamlOf('CASED'), 'CASED'), cases: '' })
  expect(await kept()).not.toHaveProperty('cases')
  expect(
    (
      await refusal(server, 'saveTestEditorFile', { ...save(yamlOf('CASED'), 'CASED'), ...{ cases: '-' } })
    )[0],
  ).toBe(422)
  await ask(server, 'deleteTestTemplate', { originalTestId: 'CASED' })
  const { cases } = await ask(server, 'fetchTestContent', { originalTestId: 'BOLA_READ' })
  expect(cases).toContain('the token of another customer')
})

test('a server of a case calls nothing but the listener for callbacks', async () => {
  const before = requests
  const cases = casesText('secure').replaceAll('when: {}', `when: {}\n        calls: http://${host}/called`)
  await ask(server, 'runTestCases', { content: yamlOf('CASED'), cases })
  expect(requests).toBe(before)
})

test('a trial goes only to hosts of its endpoint', async () => {
  const sample = JSON.stringify({ method: 'GET', path: 'http://127.0.0.1:1/orders?debug=0', statusCode: 200 })
  const body = { content: yamlOf('TRIED'), apiInfoKey: orders(), sampleDataList: [{ samples: [sample] }] }
  expect((await refusal(server, 'runTestForGivenTemplate', body))[1]).toContain(
    'it is not a host of the endpoint',
  )
  const none = { ...body, sampleDataList: [], apiInfoKey: { ...orders(), url: '/nowhere' } }
  expect(await refusal(server, 'runTestForGivenTemplate', none)).toEqual([
    422,
    'No sample data found for the API',
  ])
})

test('issues are tested again by exactly their tests and endpoints', async () => {
  isWeak = true
  await ask(server, 'saveTestEditorFile', save(yamlOf('OWN_TWO')))
  const { runId } = await ran(['OWN_TWO'])
  expect(await issueStatuses()).toEqual({ 'OWN_TWO /orders': 'OPEN', 'OWN_TWO /users': 'OPEN' })
  const sent = /^GET http.*\/orders answered 200 in \d+ ms$/m
  expect(await logOf(runId)).toMatch(sent)
  isWeak = false
  const id = { testSubCategory: 'OWN_TWO', testErrorSource: 'AUTOMATED_TESTING', apiInfoKey: orders() }
  const again = await ask(server, 'retestIssues', { issueIdArray: [id] })
  await untilEnded(again.testingRunResultSummaryHexId!)
  expect(await issueStatuses()).toEqual({ 'OWN_TWO /orders': 'FIXED', 'OWN_TWO /users': 'OPEN' })
  const unknown = { issueIdArray: [{ ...id, testSubCategory: 'NONE' }] }
  expect((await refusal(server, 'retestIssues', unknown))[0]).toBe(422)
})

test('a run is changed within its limits, counted, and stopped with all others', async () => {
  const later = { ...wholeCollection(shop, ['BOLA_READ']), startTimestamp: 2_000_000_000 }
  const started = await ask(server, 'startTest', { ...later, metadata: { branch: 'main' } })
  const { testIdConfig: testingRunConfigId } = started.testingRuns![0]!
  const change = (editableTestingRunConfig: object) => ({ testingRunConfigId, editableTestingRunConfig })
  const changed = await ask(
    server,
    'modifyTestingRunConfig',
    change({
      maxConcurrentRequests: 20,
      testRunTime: 600,
      overriddenTestAppUrl: `http://${host}`,
      recurringDaily: true,
      scheduleTimeZone: 'Europe/Berlin',
    }),
  )
  expect(changed.testingRun).toMatchObject({
    maxConcurrentRequests: 20,
    testRunTime: 600,
    periodInSeconds: 86_400,
    scheduleTimeZone: 'Europe/Berlin',
    testingRunConfig: { overriddenTestAppUrl: `http://${host}` },
  })
  const refused = async (given: object): Promise<string> =>
    (await refusal(server, 'modifyTestingRunConfig', change(given)))[1]
  expect(await refused({ testRunTime: 21_601 })).toBe("testRunTime can't exceed 21600 seconds")
  expect(await refused({ maxConcurrentRequests: 501 })).toBe("maxConcurrentRequests can't exceed 500")
  expect(await refused({ scheduleTimeZone: 'Mars/Olympus' })).toBe('Unknown time zone')
  expect(await refused({ testSubCategoryList: ['NO_SUCH_TEST'] })).toBe('Select at least one test')
  expect((await ask(server, 'fetchMetadataFilters', {})).metadataFilters).toEqual({ branch: ['main'] })
  const { allTestsCountsRanges } = await ask(server, 'fetchTestingRunsRanges', {
    startTimestamp: 1_990_000_000,
  })
  expect(allTestsCountsRanges).toEqual({ '1999814400': 1 })
  const summary = { testingRunResultSummaryHexId: started.testingRunResultSummaryHexId! }
  await ask(server, 'handleRefreshTableCount', summary)
  const stopped = await ask(server, 'stopAllTests', {})
  expect(stopped.testRunIds).toContain(started.testingRunHexId)
})

test('modules are listed with their last heartbeat', async () => {
  const moduleInfo = { id: 'm1', moduleType: 'MINI_TESTING', name: 'lab', currentVersion: '1', startedTs: 5 }
  const before = Math.floor(Date.now() / 1000)
  const kept = await ask(server, 'updateModuleInfo', { moduleInfo })
  expect(kept.moduleInfo.lastHeartbeatReceived).toBeGreaterThanOrEqual(before)
  const { moduleInfos } = await ask(server, 'fetchModuleInfo', {})
  expect(moduleInfos).toEqual([kept.moduleInfo])
  expect((await ask(server, 'fetchMiniTestingServiceNames', {})).miniTestingServiceNames).toEqual(['lab'])
})

test('editors get the language without a key', async () => {
  const answer = await fetch(`${server.baseUrl}/template-schema.json`)
  expect(answer.status).toBe(200)
  const schema = (await answer.json()) as { $defs: { condition: { properties: object } } }
  expect(Object.keys(schema.$defs.condition.properties)).toEqual(
    expect.arrayContaining(['percentage_match', 'regex']),
  )
})
