import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'
import { allTests, collectionOf, wholeCollection } from '../use-vigil.ts'

const ENDPOINTS = 64
const AT_ONCE = 6
/** Slow enough that the run lasts well beyond the moment from which its limit is counted. */
const ANSWER_MS = 50
const WORDS = ['order', 'user', 'cart', 'item', 'invoice', 'payment', 'report', 'session']
let place: StorePlace | null = null
let servers: TestServer[] = []
let target: Server | null = null

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  servers = []
  target?.closeAllConnections()
  target?.close()
  await place?.dispose()
})

test.runIf(testedEngine === 'postgres')(
  'two processes share one execution and its limit of requests at a time',
  async () => {
    let open = 0
    let most = 0
    let settled = false
    target = createServer((request, response) => {
      if (request.method === 'GET' || request.method === 'POST') open++
      if (settled) most = Math.max(most, open)
      setTimeout(() => {
        open--
        response.setHeader('content-type', 'application/json').end('{"ok":true}')
      }, ANSWER_MS)
    })
    await new Promise<void>((resolve) => target!.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
    place = await freshStorePlace()
    servers = [await startTestServer({}, place), await startTestServer({}, place)]
    const vigil = vigilOf(servers[0]!)
    const batchData = Array.from({ length: ENDPOINTS }, (_, i) => ({
      method: 'GET',
      path: `/${WORDS[i % WORDS.length]}/${WORDS[Math.floor(i / WORDS.length)]}s?to=/home&q=a`,
      requestHeaders: { host },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_795_000_000 + i,
      source: 'MIRRORING',
    }))
    await vigil.call('ingestData', { batchData })
    const tests = await allTests(vigil)
    const run = await vigil.call('startTest', {
      ...wholeCollection(await collectionOf(vigil, host), tests),
      maxConcurrentRequests: AT_ONCE,
    })
    const summaryId = String(run['testingRunResultSummaryHexId'])
    const workers = new Set<string>()
    for (let state = 'SCHEDULED'; state === 'SCHEDULED' || state === 'RUNNING'; await pause(50)) {
      const { rows } = await servers[0]!.running.app.store.pool.query<{ worker: string }>(
        'SELECT DISTINCT worker FROM run_shards WHERE summary_id = $1 AND worker IS NOT NULL AND done_at = 0',
        [summaryId],
      )
      for (const { worker } of rows) workers.add(worker)
      // A process that joins is noticed within a second; until then both send in full.
      if (workers.size === 2 && !settled) setTimeout(() => (settled = true), 2_500)
      state = String(
        (await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId }))['state'],
      )
    }
    expect(workers.size).toBe(2)
    expect(settled).toBe(true)
    expect(most).toBeLessThanOrEqual(AT_ONCE)
    const counts = await vigil.call('fetchTestRunResultsCount', { testingRunResultSummaryHexId: summaryId })
    expect(counts['ALL']).toBe(ENDPOINTS * tests.length)
  },
  180_000,
)
