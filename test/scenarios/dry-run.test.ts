import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { until } from '../until.ts'
import { collectionOf, giveIdentities, RUN_ORDER, resultsOfRun } from '../use-vigil.ts'

/** What a run would send is told before it sends anything, and the run then keeps to it. */

const OWNER = 'Bearer ann-7f3a9c11d2'
const ATTACKER = 'bob-51c02e77ab'

let server: TestServer
let target: Server
let host: string
let collectionId: number
let requests = 0

interface DryRun {
  endpoints: number
  planned: number
  skipped: number
  requests: number
  writes: number
  seconds: number
  measuredMs: number | null
  hosts: { host: string; requests: number }[]
  roles: { role: string; checks: number }[]
  byTest: { testSubCategory: string; checks: number; skipped: number; requests: number }[]
  reasons: { outcome: string; reason: string; checks: number; tests: number }[]
  checks: { testSubCategory: string; skipped: boolean; requests: number; reason: string | null }[]
  checksCount: number
}

const TESTS = ['BOLA_READ', 'BOLA_UPDATE', 'OPEN_REDIRECT_QUERY', 'SQLI_ERROR_QUERY', 'XSS_REFLECTED_QUERY']
const call = (operation: string, body: unknown): Promise<Record<string, unknown>> =>
  vigilOf(server).call(operation, body)
const dry = async (more: Record<string, unknown> = {}): Promise<DryRun> =>
  (await call('dryRunTest', {
    type: 'COLLECTION_WISE',
    apiCollectionId: collectionId,
    selectedTests: TESTS,
    ...more,
  })) as unknown as DryRun

beforeAll(async () => {
  server = await startTestServer()
  target = createServer((request, response) => {
    requests++
    const { authorization } = request.headers
    const [path = ''] = request.url!.split('?')
    const owned = /^\/orders\/\d+$/.test(path)
    const isKnown = owned || ['/orders', '/search'].includes(path)
    const status = !isKnown
      ? 404
      : authorization === OWNER
        ? 200
        : owned || authorization === undefined
          ? 401
          : 403
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? bodyOf(path) : { error: status }))
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  await call('ingestData', {
    batchData: ['/orders', '/orders/1', '/orders/2', '/search?q=soup&next=/home'].map((path) => ({
      method: 'GET',
      path,
      requestHeaders: { host, authorization: OWNER },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: JSON.stringify(bodyOf(path.split('?')[0]!)),
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    })),
  })
  collectionId = await collectionOf(vigilOf(server), host)
  await giveIdentities(vigilOf(server), { bob: ATTACKER, carol: 'carol-99' })
})

afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
  await server?.close()
})

function bodyOf(path: string): object {
  return path === '/search' ? { found: [] } : { id: path.split('/')[2] ?? 'all', owner: 'ann' }
}

test('tells requests, identities, time and skipped checks, and sends nothing', async () => {
  const told = await dry()
  expect(requests).toBe(0)
  expect(told.planned + told.skipped).toBe(told.endpoints * TESTS.length)
  expect(told.planned).toBeGreaterThan(0)
  expect(told.requests).toBeGreaterThan(told.planned)
  expect(told.seconds).toBeGreaterThan(0)
  expect(told.measuredMs).toBeNull()
  expect(told.hosts).toEqual([{ host, requests: told.requests }])
  expect(told.roles.map(({ role }) => role)).toContain('ATTACKER_TOKEN_ALL')
  expect(told.reasons.reduce((sum, { checks }) => sum + checks, 0)).toBe(told.skipped)
  expect(told.byTest.map(({ testSubCategory }) => testSubCategory).sort()).toEqual([...TESTS].sort())
})

test('lists the checks of one test, and only the skipped ones, in pages', async () => {
  const skipped = await dry({ skipped: true, limit: 2 })
  expect(skipped.checks).toHaveLength(2)
  expect(skipped.checksCount).toBe(skipped.skipped)
  for (const { skipped: isSkipped, reason } of skipped.checks) {
    expect(isSkipped).toBe(true)
    expect(reason).toMatch(/\w+ .*\.$/)
  }
  const ofTest = await dry({ testSubCategory: 'BOLA_READ' })
  expect(new Set(ofTest.checks.map(({ testSubCategory }) => testSubCategory))).toEqual(new Set(['BOLA_READ']))
})

test('a run that follows sends what was told, give or take a fifth', async () => {
  const told = await dry()
  expect(requests).toBe(0)
  await resultsOfRun(vigilOf(server), { ...RUN_ORDER, apiCollectionId: collectionId, selectedTests: TESTS })
  expect(Math.abs(requests - told.requests)).toBeLessThanOrEqual(Math.ceil(requests / 5))
  await until('the requests of the run are kept', async () => {
    const { rowCount } = await server.running.app.store.pool.query('SELECT FROM outgoing_requests LIMIT 1')
    return rowCount === 1
  })
  expect((await dry({ maxConcurrentRequests: 5 })).measuredMs).toBeGreaterThan(0)
})

test('refuses a run without tests, and an unknown collection', async () => {
  await expect(dry({ selectedTests: [] })).rejects.toThrow(/NO_TEST_SELECTED|test/i)
  await expect(dry({ apiCollectionId: 987_654 })).rejects.toThrow()
})

test('many dry runs of one person at once are refused, equal ones are one, and later ones are welcome', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => dry({ maxConcurrentRequests: at + 20 })),
  )
  const refused = outcomes.filter((one) => one.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(8)
  for (const { reason } of refused) expect(String(reason)).toMatch(/Too many requests/)
  const equal = await Promise.all(Array.from({ length: 8 }, () => dry({ maxConcurrentRequests: 40 })))
  expect(new Set(equal.map(({ requests: count }) => count)).size).toBe(1)
})
