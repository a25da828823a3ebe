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
/** Each process writes a sign of life every second, the next after it acted on the last: then both know of each other. */
const SIGNS_SECONDS = 4
/** A process that a busy machine keeps silent for longer may count as gone: the other then sends in full, as it should. */
const ALIVE_SECONDS = 3
/** Requests that are counted while both work; what one execution stores is told by the tests that kill its processes. */
const COUNTED = 400
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
    let counted = 0
    let settled = false
    let recent = { most: 0, counted: 0, since: Date.now() }
    target = createServer((_request, response) => {
      open++
      if (settled) {
        recent.most = Math.max(recent.most, open)
        recent.counted++
      }
      // Who hung up does not wait any more.
      let isOpen = true
      const leave = (): void => {
        if (isOpen) open--
        isOpen = false
      }
      response.once('close', leave)
      setTimeout(() => {
        leave()
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
    let joinedAt: number | null = null
    for (let state = 'SCHEDULED'; counted < COUNTED; await pause(50)) {
      const { rows } = await servers[0]!.running.app.store.pool.query<{ worker: string; seen_at: number }>(
        `SELECT worker, max(seen_at)::integer AS seen_at FROM run_shards
         WHERE summary_id = $1 AND worker IS NOT NULL AND done_at = 0 GROUP BY worker`,
        [summaryId],
      )
      for (const { worker } of rows) workers.add(worker)
      const [now, { since }] = [Date.now(), recent]
      // What was counted since the last look counts if both were heard of all the while.
      if (now - since < 1000 && rows.every(({ seen_at }) => seen_at > now / 1000 - ALIVE_SECONDS)) {
        most = Math.max(most, recent.most)
        counted += recent.counted
      }
      recent = { most: 0, counted: 0, since: now }
      // A process that joins is noticed at the next sign of life of the other; until then that one sends in full.
      // Who waits for the next stage of tests joins anew.
      joinedAt = rows.length < 2 ? null : (joinedAt ?? Math.floor(Date.now() / 1000))
      settled = joinedAt !== null && rows.every(({ seen_at }) => seen_at > joinedAt! + SIGNS_SECONDS)
      state = String(
        (await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId }))['state'],
      )
      if (state !== 'SCHEDULED' && state !== 'RUNNING') break
    }
    expect(workers.size).toBe(2)
    expect(counted).toBeGreaterThanOrEqual(COUNTED)
    expect(most).toBeLessThanOrEqual(AT_ONCE)
  },
  180_000,
)
