/**
 * Kills a worker with SIGKILL at random moments within one test run, over and over, and checks at the end that the run
 * completed with exactly one result for every pair of endpoint and test, and one issue for every finding.
 *
 *   node test/faults/kill-during-run.ts [--kills 30] [--seed 1] [--endpoints 40]
 *
 * On the embedded store one process works; with VIGIL_TEST_DATABASE_URL two work on that server, and one of them is
 * killed each time.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'
import { allTests, collectionOf, type Installation, wholeCollection } from '../use-vigil.ts'

const KEY = 'faultsfaultsfaultsfaultsfaultsfaultsfaul'
const ANSWER_MS = 40
/** A worker lives at least and at most so long after it is ready. */
const LIFE_MS = [300, 1_500] as const
const END_PATIENCE_MS = 300_000

/** What came of it; `problems` is empty when all is well. */
export interface KillReport {
  readonly kills: number
  readonly pairs: number
  readonly findings: number
  readonly requests: number
  readonly seconds: number
  readonly problems: string[]
}

/** How it is done. */
export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly endpoints: number
  readonly processes: number
}

/** Runs the library on a slow target while its workers are killed. */
export async function killDuringRun(place: StorePlace, options: KillOptions): Promise<KillReport> {
  const startedMs = performance.now()
  const random = seeded(options.seed)
  const target = await slowTarget()
  const workers: ServerProcess[] = []
  const start = (): Promise<ServerProcess> =>
    startServerProcess(place.dataDir, 0, KEY, new AbortController().signal, [
      '--log-level',
      'error',
      ...(place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]),
    ])
  try {
    for (let i = 0; i < options.processes; i++) workers.push(await start())
    const { summaryId, pairs } = await begin(workers[0]!.installation, target.host, options.endpoints)
    let kills = 0
    for (; kills < options.kills; kills++) {
      await pause(LIFE_MS[0] + random() * (LIFE_MS[1] - LIFE_MS[0]))
      const at = Math.floor(random() * workers.length)
      const worker = workers[at]!
      if ((await stateOf(worker.installation, summaryId)) !== 'RUNNING') break
      worker.process.kill('SIGKILL')
      await worker.ended
      workers[at] = await start()
    }
    const { installation } = workers[0]!
    const problems = await check(installation, summaryId, pairs)
    // Where processes start slowly, the others have tested everything meanwhile.
    if (kills < options.kills / 2) problems.push(`the run ended after ${kills} of ${options.kills} kills`)
    const found = await resultsOf(installation, summaryId, 'VULNERABLE')
    return {
      kills,
      pairs,
      findings: found.length,
      requests: target.requests(),
      seconds: Math.round((performance.now() - startedMs) / 1000),
      problems,
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await target.close()
  }
}

async function begin(
  vigil: Installation,
  host: string,
  endpoints: number,
): Promise<{ summaryId: string; pairs: number }> {
  const batchData = Array.from({ length: endpoints }, (_, i) => ({
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
  const tests = await allTests(vigil)
  const run = await vigil.call('startTest', wholeCollection(await collectionOf(vigil, host), tests))
  const summaryId = String(run['testingRunResultSummaryHexId'])
  while ((await stateOf(vigil, summaryId)) === 'SCHEDULED') await pause(50)
  return { summaryId, pairs: endpoints * tests.length }
}

/** Path of an endpoint by its number: words, so that none is taken for a parameter; up to 1,000 of them. */
function pathOf(i: number): string {
  const [first, second, third] = [i, Math.floor(i / 10), Math.floor(i / 100)].map((n) => WORDS[n % 10])
  return i < 100 ? `/${first}/${second}s` : `/${first}/${second}s/of-${third}`
}

const WORDS = ['order', 'user', 'cart', 'item', 'invoice', 'payment', 'report', 'session', 'coupon', 'review']

async function stateOf(vigil: Installation, summaryId: string): Promise<string> {
  const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
  return String(summary['state'])
}

async function check(vigil: Installation, summaryId: string, pairs: number): Promise<string[]> {
  const problems: string[] = []
  for (const until = Date.now() + END_PATIENCE_MS; ; await pause(250)) {
    const state = await stateOf(vigil, summaryId)
    if (state === 'COMPLETED') break
    if (state === 'RUNNING' && Date.now() < until) continue
    problems.push(`the execution is ${state}`)
    break
  }
  const results = await resultsOf(vigil, summaryId, 'ALL')
  const keys = new Set(results.map(keyOf))
  if (results.length !== pairs) problems.push(`${results.length} results of ${pairs} pairs`)
  if (keys.size !== results.length) problems.push(`${results.length - keys.size} pairs were reported twice`)
  const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
  if (summary['testResultsCount'] !== results.length)
    problems.push(`the summary counts ${String(summary['testResultsCount'])} results`)
  const found = await resultsOf(vigil, summaryId, 'VULNERABLE')
  const { openIssuesCount } = await vigil.call('fetchAllIssues', {
    filterSubCategory: [],
    activeCollections: true,
    sortKey: 'severity',
    sortOrder: -1,
    limit: 1,
    skip: 0,
    filterStatus: ['OPEN'],
    startEpoch: 0,
    endTimeStamp: 0,
  })
  const severe = found.filter(({ testResults }) => testResults[0]?.confidence !== 'INFO')
  if (openIssuesCount !== severe.length)
    problems.push(`${String(openIssuesCount)} issues for ${severe.length} findings`)
  return problems
}

interface ResultItem {
  testSubType: string
  apiInfoKey: { method: string; apiCollectionId: number; url: string }
  testResults: { confidence: string }[]
}

async function resultsOf(vigil: Installation, summaryId: string, queryMode: string): Promise<ResultItem[]> {
  const results: ResultItem[] = []
  for (;;) {
    const { testingRunResults } = (await vigil.call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode,
      sortKey: 'time',
      sortOrder: 1,
      limit: 1000,
      skip: results.length,
      queryValue: '',
    })) as { testingRunResults: ResultItem[] }
    results.push(...testingRunResults)
    if (testingRunResults.length < 1000) return results
  }
}

function keyOf({ testSubType, apiInfoKey }: ResultItem): string {
  return `${testSubType} ${apiInfoKey.apiCollectionId} ${apiInfoKey.method} ${apiInfoKey.url}`
}

/** A target that takes its time, and says too much about itself. */
async function slowTarget(): Promise<{ host: string; requests: () => number; close(): Promise<void> }> {
  let requests = 0
  const server: Server = createServer((request, response) => {
    requests++
    request.resume()
    setTimeout(() => {
      // A host that answered everything alike would prove nothing.
      const [, noun = '', list = ''] = new URL(request.url ?? '/', 'http://target').pathname.split('/')
      if (!WORDS.includes(noun) || !WORDS.includes(list.replace(/s$/, ''))) response.statusCode = 404
      response.setHeader('content-type', 'application/json')
      response.setHeader('x-powered-by', 'Express 4.16.1')
      response.end('{"ok":true}')
    }, ANSWER_MS)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { kills: { type: 'string' }, seed: { type: 'string' }, endpoints: { type: 'string' } },
  })
  const place = await freshStorePlace()
  try {
    const report = await killDuringRun(place, {
      kills: Number(values.kills ?? 30),
      seed: Number(values.seed ?? 1),
      endpoints: Number(values.endpoints ?? 40),
      processes: testedEngine === 'postgres' ? 2 : 1,
    })
    console.log(`${testedEngine}:`, report)
    process.exitCode = report.problems.length === 0 ? 0 : 1
  } finally {
    await place.dispose()
  }
}
