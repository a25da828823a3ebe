/**
 * Whether runs keep their limits, counted by the target: a run of 60 seconds, and the time from stopTest to the last
 * request that still came in, with 50 at a time and a target that is slow.
 *
 *   node bench/runner/limits.ts [seconds]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer } from '../../test/harness.ts'
import { vigilOf } from '../../test/scorecard/vigil-of.ts'
import { RUN_ORDER } from '../../test/use-vigil.ts'

const seconds = Number(process.argv[2] ?? 60)
const TESTS = ['SQLI_ERROR_QUERY', 'CMDI_QUERY', 'SSTI_QUERY', 'CORS_ORIGIN_REFLECTED']
const WORDS = [
  'orders',
  'users',
  'carts',
  'items',
  'bills',
  'payments',
  'reports',
  'coupons',
  'reviews',
  'notes',
]

let answerMs = 200
let last = 0
let count = 0
const target = createServer((_request, response) => {
  count++
  last = performance.now()
  setTimeout(() => response.setHeader('content-type', 'application/json').end('{"ok":true}'), answerMs)
})
await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
const server = await startTestServer({ 'log-level': 'error' })
const vigil = vigilOf(server)

const batchData = WORDS.flatMap((noun) => WORDS.map((verb) => `/${noun}/of-${verb}`)).map((path, i) => ({
  method: 'GET',
  path: `${path}?q=a`,
  requestHeaders: { host, accept: 'application/json' },
  responseHeaders: { 'content-type': 'application/json' },
  statusCode: 200,
  responsePayload: '{"ok":true}',
  ip: '203.0.113.9',
  time: 1_795_000_000 + i,
  source: 'MIRRORING',
}))
await vigil.call('ingestData', { batchData })
const { apiCollections } = (await vigil.call('getAllCollectionsBasic', {})) as {
  apiCollections: { id: number; hostName: string | null }[]
}
const apiCollectionId = apiCollections.find(({ hostName }) => hostName === host)!.id

function start(testRunTime: number, maxConcurrentRequests: number): Promise<Record<string, unknown>> {
  return vigil.call('startTest', {
    ...RUN_ORDER,
    apiCollectionId,
    selectedTests: TESTS,
    testName: 'limits',
    testRunTime,
    maxConcurrentRequests,
  })
}

async function stateOf(run: Record<string, unknown>): Promise<string> {
  const testingRunSummaryId = String(run['testingRunResultSummaryHexId'])
  const summary = (await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId })) as {
    state: string
  }
  return summary.state
}

const began = performance.now()
const limited = await start(seconds, 2)
while (/SCHEDULED|RUNNING/.test(await stateOf(limited))) await pause(100)
const ended = performance.now()
process.stdout.write(
  `run limited to ${seconds} s: ended ${await stateOf(limited)} after ${((ended - began) / 1000).toFixed(1)} s, last request after ${((last - began) / 1000).toFixed(1)} s, ${count} requests\n`,
)

answerMs = 3_000
count = 0
const stopped = await start(600, 50)
while (count < 60) await pause(20)
const before = performance.now()
await vigil.call('stopTest', { testingRunHexId: stopped['testingRunHexId'] })
await pause(6_000)
process.stdout.write(
  `stopTest with 50 at a time and answers after 3 s: last request ${((last - before) / 1000).toFixed(2)} s after the call, state ${await stateOf(stopped)}\n`,
)
target.closeAllConnections()
target.close()
await server.close()
