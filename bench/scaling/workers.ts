import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'
import { installationAt } from '../../test/server-process.ts'
import { until } from '../../test/until.ts'
import { allTests, collectionOf, wholeCollection } from '../../test/use-vigil.ts'
import { cpuSeconds, databaseFigures } from './figures.ts'
import { KEY, type Started, startProcess, stopAll } from './start-process.ts'

const ANSWER_MS = 50
const TESTS = 40
const PATIENCE_MS = 3_600_000
/** The database counts results for each answer. */
const ASK_EVERY_MS = 500
const WORDS = ['order', 'user', 'cart', 'item', 'invoice', 'payment', 'report', 'session', 'coupon', 'review']

/** Words only, so that none is taken for a parameter; up to 1,000 of them. */
function pathOf(i: number): string {
  const [first, second, third] = [i, Math.floor(i / 10), Math.floor(i / 100)].map((n) => WORDS[n % 10])
  return `/${first}/${second}s/of-${third}`
}

/** A run to measure. */
interface MeasuredRun {
  readonly checks: number
  /**
   * Most requests at once in each worker: with many on few cores, the cores are the limit instead of the target. A run's
   * own limit is for all workers together, so it is as many times as large.
   */
  readonly atOnce: number
}

/** Seconds in which a number of worker processes finish the checks of one run against a target that answers after 50 ms. */
export async function runChecks(
  pair: PostgresPair,
  workers: number,
  { checks, atOnce }: MeasuredRun,
): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"ok":true}'), ANSWER_MS)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const database = `workers_${workers}`
  await pair.query(`CREATE DATABASE ${database}`)
  const servers: Started[] = []
  try {
    servers.push(await startProcess(pair, database, ['--roles', 'serve,ingest']))
    for (let i = 0; i < workers; i++) servers.push(await startProcess(pair, database, ['--roles', 'worker']))
    const vigil = installationAt(servers[0]!.baseUrl, KEY)
    const batchData = Array.from({ length: Math.ceil(checks / TESTS) }, (_, i) => ({
      method: 'GET',
      path: `${pathOf(i)}?to=/home&q=a`,
      requestHeaders: { host, accept: 'application/json' },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_795_000_000 + i,
      source: 'MIRRORING',
    }))
    await vigil.call('ingestData', { batchData })
    const tests = (await allTests(vigil)).sort().slice(0, TESTS)
    const order = wholeCollection(await collectionOf(vigil, host), tests)
    const run = await vigil.call('startTest', { ...order, maxConcurrentRequests: workers * atOnce })
    const used = (): number[] => servers.slice(1).map(({ process }) => cpuSeconds(process.pid!))
    const databaseCpu = async (): Promise<number> => (await databaseFigures(pair, database)).cpu
    const [before, databaseBefore, started] = [used(), await databaseCpu(), performance.now()]
    const state = async (): Promise<unknown> => {
      const testingRunSummaryId = run['testingRunResultSummaryHexId']
      return (await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId }))['state']
    }
    await until('the run is completed', state, {
      isRight: (now) => now === 'COMPLETED',
      ms: PATIENCE_MS,
      everyMs: ASK_EVERY_MS,
    })
    const seconds = (performance.now() - started) / 1000
    const cpu = used().map((now, index) => (now - before[index]!).toFixed(1))
    const ofDatabase = ((await databaseCpu()) - databaseBefore).toFixed(1)
    console.log(
      `${workers} workers: ${batchData.length * tests.length} checks in ${seconds.toFixed(1)} s, ` +
        `CPU ${cpu.join(' + ')} s, of the database ${ofDatabase} s`,
    )
    return seconds
  } finally {
    await stopAll(servers)
    server.closeAllConnections()
    server.close()
  }
}
