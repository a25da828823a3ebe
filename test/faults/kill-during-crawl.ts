/**
 * Kills a crawling process or its browser with SIGKILL at random moments within one crawl of the workshop, over and
 * over, and checks at the end that the crawl completed, that the inventory knows every call that the workshop answered,
 * that it reached what it reaches undisturbed, and that nothing is left behind. Tells how long after each kill the workshop
 * was asked for something again.
 *
 *   node test/faults/kill-during-crawl.ts [--kills 10] [--seed 1] [--workers 2]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { deadWork } from '../../src/crawler/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { endpointsOf } from '../scenarios/ask.ts'
import { workshopCalls, workshopStates } from '../targets/workshop/expectations.ts'
import { startWorkshop, type Workshop } from '../targets/workshop/server.ts'

/** Somebody is killed at least and at most so long after the last kill. */
const LIFE_MS = [1_500, 5_000] as const
const END_PATIENCE_MS = 600_000
/** Within this time what a killed browser still asked for has arrived. */
const LAST_WORDS_MS = 50
/** Longest time from the kill of a browser to the next request of the crawl. */
const RESUME_MS = 5_000
/** Share of the states and calls there are that has to be reached. */
const SHARE = 0.95

/** What came of it; `problems` is empty when all is well. */
export interface CrawlKillReport {
  readonly kills: { readonly worker: number; readonly browser: number }
  /** Milliseconds from each kill to the next request of the crawl; those that another kill cut off are left out. */
  readonly resumedMs: { readonly worker: readonly number[]; readonly browser: readonly number[] }
  readonly restarts: number
  readonly reached: number
  readonly expected: number
  readonly endpoints: number
  readonly captured: number
  /** Work that was given up, with the reason. */
  readonly givenUp: readonly string[]
  readonly seconds: number
  readonly problems: string[]
}

/** Crawls the workshop while whoever crawls is killed. */
export async function killDuringCrawl(options: {
  kills: number
  seed: number
  /** Processes on the crawl; 1 unless given. */
  workers?: number
}): Promise<CrawlKillReport> {
  const startedMs = performance.now()
  const random = seeded(options.seed)
  const workshop = await startWorkshop()
  const browser = await testBrowser()
  if (browser === null) throw new Error('there is no browser on this machine')
  const workers = options.workers ?? 1
  const server = await startTestServer({
    'crawls-at-once': '1',
    'crawl-workers': String(workers),
    browser: browser.path,
  })
  try {
    const crawlId = await begin(server, workshop)
    const kills = { worker: 0, browser: 0 }
    const resumedMs = { worker: [] as number[], browser: [] as number[] }
    while (kills.worker + kills.browser < options.kills) {
      await pause(LIFE_MS[0] + random() * (LIFE_MS[1] - LIFE_MS[0]))
      if ((await statusOf(server, crawlId)).crawlerRun.endTimestamp > 0) break
      const whom = random() < 0.5 ? 'worker' : 'browser'
      const alive = workersOf(process.pid)
      const worker = alive[Math.floor(random() * alive.length)]
      if (worker === undefined || alive.length < workers) continue
      const processId = whom === 'worker' ? worker : browserOfWorker(worker)
      if (processId === null) continue
      process.kill(processId, 'SIGKILL')
      const killed = ++kills[whom] + kills[whom === 'worker' ? 'browser' : 'worker']
      const killedMs = performance.now()
      void workshop.requestAfter(killedMs + LAST_WORDS_MS).then((atMs) => {
        if (kills.worker + kills.browser === killed) resumedMs[whom].push(Math.round(atMs - killedMs))
      })
    }
    const problems = await check(server, workshop, crawlId)
    const slowest = Math.max(0, ...resumedMs.browser)
    if (slowest > RESUME_MS)
      problems.push(`it took ${slowest} ms until work went on after a kill of the browser`)
    const killed = kills.worker + kills.browser
    if (killed < options.kills) problems.push(`the crawl ended after ${killed} of ${options.kills} kills`)
    const { crawlerRun, progress } = await statusOf(server, crawlId)
    return {
      kills,
      resumedMs,
      restarts: progress.restarts,
      reached: reachedOf(workshop).length,
      expected: workshopStates.length + workshopCalls.length,
      endpoints: (await endpointsOf(server, crawlerRun.collectionId)).length,
      captured: progress.capturedExchanges,
      givenUp: (await deadWork(server.running.app.store, crawlId, 20)).map(
        ({ key, reason }) => `${key}: ${reason}`,
      ),
      seconds: Math.round((performance.now() - startedMs) / 1000),
      problems,
    }
  } finally {
    await server.close()
    await workshop.close()
  }
}

async function begin(server: TestServer, workshop: Workshop): Promise<string> {
  const answer = await server.post('/api/initiateCrawler', {
    hostname: `${workshop.origin}/`,
    crawlingTime: 600,
    username: 'vera',
    password: 'workshop',
  })
  if (answer.status !== 200) throw new Error(`the crawl did not begin: ${await answer.text()}`)
  return answer.headers.get(crawlIdHeader)!
}

function statusOf(server: TestServer, crawlId: string) {
  return server.client.op.fetchCrawlerRun({ crawlId })
}

function reachedOf(workshop: Workshop): string[] {
  return [
    ...workshopStates.filter((state) => workshop.states.has(state)),
    ...workshopCalls.filter((call) => workshop.calls.has(call)),
  ]
}

async function check(server: TestServer, workshop: Workshop, crawlId: string): Promise<string[]> {
  const problems: string[] = []
  for (const until = Date.now() + END_PATIENCE_MS; Date.now() < until; await pause(250)) {
    if ((await statusOf(server, crawlId)).crawlerRun.endTimestamp > 0) break
  }
  const { crawlerRun } = await statusOf(server, crawlId)
  if (crawlerRun.status !== 'COMPLETED')
    problems.push(`the crawl is ${crawlerRun.status}: ${crawlerRun.errorMessage}`)
  const expected = workshopStates.length + workshopCalls.length
  const reached = reachedOf(workshop)
  if (reached.length < expected * SHARE) {
    const missed = [...workshopStates, ...workshopCalls].filter((one) => !reached.includes(one))
    problems.push(`${reached.length} of ${expected} reached; missed ${missed.join(', ')}`)
  }
  if (workshop.traps.length > 0) problems.push(`traps were sprung: ${workshop.traps.join(', ')}`)
  await server.running.app.inventory.settle()
  const known = new Set((await endpointsOf(server, crawlerRun.collectionId)).map(templated))
  for (const call of workshop.calls) {
    if (isApi(call) && !known.has(call)) problems.push(`the inventory does not know ${call}`)
  }
  const left = readdirSync(join(server.place.dataDir, 'crawls'))
  if (left.length > 0) problems.push(`${left.length} crawls have something left to deliver`)
  if (workerOf(process.pid) !== null) problems.push('a crawling process is left')
  return problems
}

/** Pages, files and the opening of a web socket (known by its messages) are no endpoints. */
export function isApi(call: string): boolean {
  return call.includes(' /api/') && !call.endsWith('.json')
}

/** An endpoint as the workshop names calls: method and path, whatever was learned as a parameter as `{}`. */
export function templated(endpoint: string): string {
  const [method = '', url = ''] = endpoint.split(' ')
  return `${method} ${new URL(url).pathname.replace(/\/(?:INTEGER|STRING|OBJECT_ID|FLOAT|VERSIONED|\d+)(?=\/|$)/g, '/{}')}`
}

/** The crawling process of a server; null while there is none. */
export function workerOf(server: number): number | null {
  return workersOf(server)[0] ?? null
}

/** All crawling processes of a server. */
export function workersOf(server: number): number[] {
  return childrenOf(server, 'crawl-worker')
}

/** The browser of a crawling process; null while there is none. */
export function browserOfWorker(worker: number): number | null {
  return childrenOf(worker, '--remote-debugging-pipe')[0] ?? null
}

/** The browser of a server's crawling process; null while there is none. */
export function browserOf(server: number): number | null {
  const worker = workerOf(server)
  return worker === null ? null : browserOfWorker(worker)
}

/** Child processes whose command line holds a text (Linux only). */
function childrenOf(parent: number, text: string): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      if (Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]) !== parent) continue
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text)) found.push(Number(name))
    } catch {
      // It ended between two looks.
    }
  }
  return found
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
    },
  })
  const report = await killDuringCrawl({
    kills: Number(values.kills),
    seed: Number(values.seed),
    workers: Number(values.workers),
  })
  console.log(JSON.stringify(report, null, 2))
  process.exitCode = report.problems.length === 0 ? 0 : 1
}
