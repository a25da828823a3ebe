import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, vi } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { RUN_ORDER } from '../use-vigil.ts'

/**
 * Why checks are skipped: the sentence of the condition that decided stands in the result, counted in the execution.
 */

let server: TestServer
let target: Server
let summaryId: string

const call = (operation: string, body: unknown): Promise<Record<string, unknown>> =>
  vigilOf(server).call(operation, body)

test.beforeAll(async ({ shared }) => {
  server = shared
  target = createServer((request, response) => {
    const [path = ''] = request.url!.split('?')
    const isKnown = ['/orders', '/users', '/items', '/redirect'].includes(path)
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: true, path }))
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  await call('ingestData', {
    batchData: ['/orders', '/users', '/items?page=1', '/redirect?to=/home'].map((path) => ({
      method: 'GET',
      path,
      requestHeaders: { host, authorization: 'Bearer abcdefghijklmnop' },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    })),
  })
  const { apiCollections } = (await call('getAllCollectionsBasic', {})) as {
    apiCollections: { id: number; hostName: string | null }[]
  }
  const run = await call('startTest', {
    ...RUN_ORDER,
    testName: 'skipped',
    apiCollectionId: apiCollections.find(({ hostName }) => hostName === host)!.id,
    selectedTests: ['OPEN_REDIRECT_QUERY', 'CACHEABLE_PRIVATE_RESPONSE', 'NEGATIVE_QUANTITY'],
  })
  summaryId = String(run['testingRunResultSummaryHexId'])
  await vi.waitFor(async () => expect((await summary()).state).toBe('COMPLETED'), 60_000)
})

afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

interface Reason {
  queryMode: string
  error: string
  reason: string
  checks: number
  tests: number
  endpoints: number
}

const summary = () =>
  call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId }) as Promise<{
    state: string
    skippedCheckReasons: Reason[]
  }>

async function results(filters: Record<string, string[]> = {}) {
  const { testingRunResults } = (await call('fetchTestingRunResults', {
    testingRunResultSummaryHexId: summaryId,
    queryMode: 'SKIPPED_EXEC',
    sortKey: 'time',
    sortOrder: 1,
    limit: 100,
    skip: 0,
    queryValue: '',
    reportFilterList: filters,
  })) as { testingRunResults: { errorsList: string[]; testResults: { validationReason: string }[] }[] }
  return testingRunResults
}

const NO_PARAMETER = 'There is no query parameter.'
const PUBLIC = 'The endpoint gives the same answer (200) without credentials: it is public.'

test('a skipped check names the condition that decided, and its errorsList keeps its words', async () => {
  const skipped = await results()
  const reasons = skipped.map(({ testResults }) => testResults[0]!.validationReason)
  expect(reasons.filter((reason) => reason === NO_PARAMETER)).toHaveLength(2)
  expect(reasons).not.toContain('The test does not apply to the endpoint.')
  const errors = new Set(skipped.flatMap(({ errorsList }) => errorsList))
  expect([...errors].sort()).toEqual([
    'The endpoint did not pass the check of its token',
    'The test does not apply to the endpoint',
  ])
})

test('an execution counts its skipped checks by reason, and the counts add up', async () => {
  const { skippedCheckReasons: reasons } = await summary()
  expect(reasons).toContainEqual({
    queryMode: 'SKIPPED_EXEC',
    error: 'SKIPPING_EXECUTION_BECAUSE_FILTERS',
    reason: NO_PARAMETER,
    checks: 2,
    tests: 1,
    endpoints: 2,
  })
  expect(reasons).toContainEqual(
    expect.objectContaining({ error: 'SKIPPING_EXECUTION_BECAUSE_AUTH', reason: PUBLIC, checks: 4 }),
  )
  const listed = reasons.filter(({ queryMode }) => queryMode === 'SKIPPED_EXEC')
  const counted = listed.reduce((sum, { checks }) => sum + checks, 0)
  expect(counted).toBe((await results()).length)
})

test('a reason filters the results', async () => {
  const ofReason = await results({ reasonFilter: [PUBLIC] })
  expect(ofReason).toHaveLength(4)
  expect(new Set(ofReason.map(({ testResults }) => testResults[0]!.validationReason))).toEqual(
    new Set([PUBLIC]),
  )
})
