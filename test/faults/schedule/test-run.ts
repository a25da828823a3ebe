import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../../until.ts'
import { allTests, collectionOf, type Installation, wholeCollection } from '../../use-vigil.ts'
import type { Cluster } from './cluster.ts'
import { postBatch } from './load.ts'

const ANSWER_MS = 25
const TESTS = 40
const PAGE = 500
const PATHS = ['orders', 'users', 'carts', 'items', 'invoices', 'payments', 'reports', 'coupons']

/** An application under test, and the tests of it. */
export interface TestedTarget {
  /** Starts a run. @returns its summary and its number of checks */
  startRun(): Promise<{ summaryId: string; checks: number }>
  close(): Promise<void>
}

/** A target that takes its time; the installation learns of it. */
export async function startTarget(cluster: Cluster): Promise<TestedTarget> {
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => {
      const [, noun = ''] = new URL(request.url ?? '/', 'http://target').pathname.split('/')
      if (!PATHS.includes(noun)) response.statusCode = 404
      response.setHeader('content-type', 'application/json')
      response.end('{"ok":true}')
    }, ANSWER_MS)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const batchData = PATHS.map((noun) => ({
    method: 'GET',
    path: `/${noun}?to=/home&q=a`,
    requestHeaders: { host, accept: 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: '{"ok":true}',
    ip: '203.0.113.9',
    time: 1_795_000_000,
    source: 'MIRRORING',
  }))
  const taker = cluster.processes.find(({ takesTraffic }) => takesTraffic)!
  const body = JSON.stringify({ batchData })
  await until("the target's traffic is taken", () => postBatch(taker.clients.port, body), {
    isRight: (problem) => problem === null,
  })
  const tests = (await allTests(cluster.vigil)).sort().slice(0, TESTS)
  return {
    async startRun() {
      const order = wholeCollection(await collectionOf(cluster.vigil, host), tests)
      const run = await cluster.vigil.call('startTest', { ...order, maxConcurrentRequests: 2 })
      const summaryId = String(run['testingRunResultSummaryHexId'])
      return { summaryId, checks: PATHS.length * tests.length }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** What is not right with a run yet; null when it is completed with one result for each check. */
export async function runProblem(
  vigil: Installation,
  summaryId: string,
  checks: number,
): Promise<string | null> {
  const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
  if (summary['state'] !== 'COMPLETED')
    return `the run is ${String(summary['state'])} with ${String(summary['testResultsCount'])} of ${checks} results`
  const keys: string[] = []
  for (;;) {
    const { testingRunResults } = (await vigil.call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode: 'ALL',
      sortKey: 'time',
      sortOrder: 1,
      limit: PAGE,
      skip: keys.length,
      queryValue: '',
    })) as { testingRunResults: { testSubType: string; apiInfoKey: { method: string; url: string } }[] }
    for (const { testSubType, apiInfoKey } of testingRunResults)
      keys.push(`${testSubType} ${apiInfoKey.method} ${apiInfoKey.url}`)
    if (testingRunResults.length < PAGE) break
  }
  const different = new Set(keys).size
  if (different < keys.length) return `${keys.length - different} checks of the run have two results`
  return keys.length === checks ? null : `the run has ${keys.length} results of ${checks} checks`
}
