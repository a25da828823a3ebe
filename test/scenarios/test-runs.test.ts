import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { scoreMarket } from '../scorecard/score-market.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { until } from '../until.ts'
import { RUN_ORDER } from '../use-vigil.ts'

let server: TestServer
let target: Server | null = null

afterEach(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => (target === null ? resolve(null) : target.close(resolve)))
  target = null
})

/** A server that ends with the test: people and roles of others would change what it finds. */
async function serverOfTest(settings: Record<string, string> = {}): Promise<TestServer> {
  const started = await startTestServer(settings)
  onTestFinished(() => started.close())
  return started
}

const START = { ...RUN_ORDER, testName: 'run' }

async function call(operation: string, body: unknown): Promise<Record<string, unknown>> {
  return vigilOf(server).call(operation, body)
}

/** A target that answers every request after a while, with the number of requests so far. */
async function slowTarget(answerMs: number): Promise<{ host: string; requests: () => number }> {
  let requests = 0
  target = createServer((_request, response) => {
    requests++
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"ok":true}'), answerMs)
  })
  await new Promise<void>((resolve) => target!.listen(0, '127.0.0.1', resolve))
  return { host: `127.0.0.1:${(target.address() as AddressInfo).port}`, requests: () => requests }
}

const NOUNS = [
  'orders',
  'users',
  'carts',
  'items',
  'invoices',
  'payments',
  'reports',
  'sessions',
  'coupons',
  'reviews',
]
const VERBS = [
  'list',
  'search',
  'export',
  'count',
  'latest',
  'archive',
  'summary',
  'pending',
  'drafts',
  'history',
  'totals',
  'recent',
]

/** Makes endpoints of a host known; @returns their collection. */
async function observe(host: string, endpoints: number): Promise<number> {
  const batchData = Array.from({ length: endpoints }, (_, i) => ({
    method: 'GET',
    path: `/${NOUNS[i % NOUNS.length]}/${VERBS[Math.floor(i / NOUNS.length)]}?to=/home&q=a`,
    requestHeaders: { host, accept: 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: '{"ok":true}',
    ip: '203.0.113.9',
    time: 1_795_000_000 + i,
    source: 'MIRRORING',
  }))
  await call('ingestData', { batchData })
  const { apiCollections } = (await call('getAllCollectionsBasic', {})) as {
    apiCollections: { id: number; hostName: string | null }[]
  }
  return apiCollections.find(({ hostName }) => hostName === host)!.id
}

async function summaryOf(
  summaryId: string,
): Promise<{ state: string; testResultsCount: number; startTimestamp: number; endTimestamp: number }> {
  return (await call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })) as never
}

function completed(summaryId: string): ReturnType<typeof summaryOf> {
  return until('the end of the run', () => summaryOf(summaryId), {
    isRight: ({ state }) => state === 'COMPLETED',
  })
}

const TESTS = [
  'OPEN_REDIRECT_QUERY',
  'CRLF_INJECTION_QUERY',
  'SQLI_ERROR_QUERY',
  'CMDI_QUERY',
  'SSTI_QUERY',
  'CORS_ORIGIN_REFLECTED',
]

test('the sound market raises no alarm', { tags: ['marathon'], timeout: 240_000 }, async () => {
  server = await serverOfTest()
  const score = await scoreMarket(vigilOf(server), 'none')
  expect(score.state).toBe('COMPLETED')
  expect([...score.found.entries()]).toEqual([])
  expect(score.others).toEqual([])
})

describe('a run', () => {
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test('sends nothing more two seconds after it was stopped', async () => {
    const { host, requests } = await slowTarget(50)
    const apiCollectionId = await observe(host, 60)
    const run = await call('startTest', { ...START, apiCollectionId, selectedTests: TESTS })
    await until('twenty requests', () => requests() > 20)
    await call('stopTest', { testingRunHexId: run['testingRunHexId'] })
    await pause(2_000)
    const after = requests()
    await pause(1_000)
    expect(requests()).toBe(after)
    expect((await summaryOf(String(run['testingRunResultSummaryHexId']))).state).toBe('STOPPED')
  })

  test('stops fifty slow requests at once', { tags: ['marathon'] }, async () => {
    const { host, requests } = await slowTarget(4_000)
    const apiCollectionId = await observe(host, 60)
    const run = await call('startTest', {
      ...START,
      apiCollectionId,
      selectedTests: TESTS,
      maxConcurrentRequests: 50,
    })
    await until('fifty requests', () => requests() > 50)
    await call('stopTest', { testingRunHexId: run['testingRunHexId'] })
    await pause(2_000)
    const after = requests()
    await pause(4_000)
    expect(requests()).toBe(after)
  })

  test('ends when its time is used up, and keeps what it found out', async () => {
    const { host } = await slowTarget(100)
    const apiCollectionId = await observe(host, 120)
    const run = await call('startTest', {
      ...START,
      apiCollectionId,
      selectedTests: TESTS,
      testRunTime: 10,
      maxConcurrentRequests: 2,
    })
    const summaryId = String(run['testingRunResultSummaryHexId'])
    const end = await completed(summaryId)
    expect(end.endTimestamp - end.startTimestamp).toBeLessThanOrEqual(30)
    expect(end.testResultsCount).toBeGreaterThan(0)
  })

  test('continues after its process died, and reports every check once', async () => {
    const { host, requests } = await slowTarget(20)
    const apiCollectionId = await observe(host, 40)
    const run = await call('startTest', {
      ...START,
      apiCollectionId,
      selectedTests: TESTS,
      maxConcurrentRequests: 4,
    })
    const summaryId = String(run['testingRunResultSummaryHexId'])
    await until('sixty requests', () => requests() > 60)
    const { place } = server
    await server.stop()
    server = await startTestServer({}, place)
    const end = await completed(summaryId)
    expect(end.testResultsCount).toBe(40 * TESTS.length)
  })

  test('without an authentication for a role says what is missing', async () => {
    const { host } = await slowTarget(1)
    const apiCollectionId = await observe(host, 1)
    const run = await call('startTest', {
      ...START,
      apiCollectionId,
      selectedTests: ['BOLA_READ'],
    })
    const summaryId = String(run['testingRunResultSummaryHexId'])
    await completed(summaryId)
    const { testingRunResults } = (await call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode: 'ALL',
      sortKey: 'time',
      sortOrder: 1,
      limit: 10,
      skip: 0,
      queryValue: '',
    })) as { testingRunResults: { errorsList: string[]; vulnerable: boolean }[] }
    expect(testingRunResults).toHaveLength(1)
    expect(testingRunResults[0]).toMatchObject({ vulnerable: false })
    expect(testingRunResults[0]!.errorsList.length).toBeGreaterThan(0)
  })
})

test('a callback from the target proves that it fetches injected URLs', {
  tags: ['marathon'],
}, async () => {
  const port = await freePort()
  server = await serverOfTest({ 'callback-port': String(port) })
  const weak = await scoreMarket(vigilOf(server), ['webhook-fetch'], ['SSRF_CALLBACK_BODY'])
  expect(weak.found.get('webhook-fetch')).toEqual(['SSRF_CALLBACK_BODY'])
  const sound = await scoreMarket(vigilOf(server), 'none', ['SSRF_CALLBACK_BODY'])
  expect([...sound.found.keys()]).toEqual([])
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
