import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { collectionOf, RUN_ORDER } from '../use-vigil.ts'
import { ask } from './ask.ts'

/** An endpoint that needs no credentials although its siblings do; endpoints that are public on purpose. */

let server: TestServer
const targets: Server[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const target of targets) {
    target.closeAllConnections()
    await new Promise((resolve) => target.close(resolve))
  }
  await server?.close()
})

const GUARDED = ['costs', 'margins', 'forecast', 'budget'].map((name) => `/api/reports/${name}`)
const PUBLIC = ['/api/products', '/api/health', '/api/exchange-rates']
/** Revenue figures, and a summary of them. */
const FORGOTTEN = ['/api/reports/revenue', '/api/reports/summary']
const ALL = [...GUARDED, ...PUBLIC, ...FORGOTTEN]

/** A target of figures; @returns its host */
async function startTarget(isOpen: (path: string) => boolean): Promise<string> {
  const target = createServer((request, response) => {
    const [path = ''] = request.url!.split('?')
    const isKnown = ALL.includes(path)
    const isWelcome = isOpen(path) || request.headers.authorization === 'Bearer token-of-ann'
    response.writeHead(isKnown ? (isWelcome ? 200 : 401) : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(isKnown && isWelcome ? { figure: path.length * 1000, quarter: 3, of: path } : {}),
    )
  })
  targets.push(target)
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(target.address() as AddressInfo).port}`
}

/** Records calls of the whole API with credentials, and what visitors call without. */
async function record(host: string, visited: readonly string[]): Promise<number> {
  const message = (path: string, headers: object, at: number) => ({
    method: 'GET',
    path,
    requestHeaders: { host, ...headers },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: JSON.stringify({ figure: path.length * 1000, quarter: 3, of: path }),
    ip: `203.0.113.${at % 200}`,
    time: 1_795_000_000 + at,
    source: 'MIRRORING',
  })
  const signedIn = ALL.map((path, at) => message(path, { authorization: 'Bearer token-of-ann' }, at))
  const visitors = visited.flatMap((path) => [1, 2, 3, 4].map((at) => message(path, {}, 100 + at)))
  await vigilOf(server).call('ingestData', { batchData: [...signedIn, ...visitors] })
  const collectionId = await collectionOf(vigilOf(server), host)
  // What was seen of credentials is counted in the background.
  await vi.waitFor(
    async () => {
      const { rows } = await server.running.app.store.pool.query<{ known: number }>(
        `SELECT count(*) AS known FROM endpoints WHERE collection_id = $1 AND cardinality(actual_auth_types) > 0`,
        [collectionId],
      )
      expect(rows[0]!.known).toBe(ALL.length)
    },
    { timeout: 30_000, interval: 100 },
  )
  return collectionId
}

async function findingsOf(apiCollectionId: number) {
  const started = await vigilOf(server).call('startTest', {
    ...RUN_ORDER,
    testName: 'open among guarded',
    apiCollectionId,
    selectedTests: ['MISSING_AUTHENTICATION_OUTLIER', 'MISSING_AUTHENTICATION'],
  })
  const testingRunSummaryId = String(started['testingRunResultSummaryHexId'])
  await vi.waitFor(
    async () =>
      expect((await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId })).state).toBe(
        'COMPLETED',
      ),
    { timeout: 60_000, interval: 200 },
  )
  const { issueGroups } = await ask(server, 'fetchIssueGroups', {
    filterStatus: ['OPEN'],
    filterCollectionsId: [apiCollectionId],
  })
  return issueGroups
}

test('an endpoint that answers strangers although its siblings refuse them is one issue with all such endpoints', async () => {
  const host = await startTarget((path) => PUBLIC.includes(path) || FORGOTTEN.includes(path))
  const groups = await findingsOf(await record(host, ['/api/exchange-rates']))
  expect(groups).toHaveLength(1)
  expect(groups[0]).toMatchObject({
    severity: 'MEDIUM',
    causeScope: 'collection',
    testSubCategories: ['MISSING_AUTHENTICATION_OUTLIER'],
  })
  expect(groups[0]!.issueIds.map(({ apiInfoKey }) => apiInfoKey.url).sort()).toEqual(FORGOTTEN)
})

test('a sound target with public endpoints is not reported', async () => {
  const host = await startTarget((path) => PUBLIC.includes(path))
  expect(await findingsOf(await record(host, ['/api/exchange-rates']))).toEqual([])
})

test('where no endpoint refuses strangers, none is unlike its siblings', async () => {
  const host = await startTarget(() => true)
  expect(await findingsOf(await record(host, []))).toEqual([])
})
