/**
 * Kills a crawling process or its browser with SIGKILL at random moments within one crawl of the workshop, over and
 * over, and checks at the end that the crawl completed, that the inventory knows every call that the workshop answered,
 * that it reached what it reaches undisturbed, and that nothing is left behind. Tells how long after each kill the workshop
 * was asked for something again, step by step, and what the crawl itself says of it.
 *
 *   node test/faults/kill-during-crawl.ts [--kills 10] [--seed 1] [--workers 2]
 */
import { readdirSync } from 'node:fs'
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
import { browserOfWorker, goneAfter, isAlive, treeOf, workerOf, workersOf } from './crawl-processes.ts'

/** Somebody is killed at least and at most so long after the last kill. */
const LIFE_MS = [1_500, 5_000] as const
const END_PATIENCE_MS = 600_000
/** Within this time what a killed browser still asked for has arrived. */
const LAST_WORDS_MS = 50
/** Longest time from the kill of a browser to the next request of the crawl. */
const RESUME_MS = 5_000
/** Longest time from a kill until nothing of the browser is left. */
const GONE_MS = 1_000
/** Share of the states and calls there are that has to be reached. */
const SHARE = 0.95

/** One kill, in milliseconds since it; null where another kill came first. */
export interface Kill {
  readonly whom: 'worker' | 'browser'
  /** Nothing of the browser that it had is left. */
  readonly goneMs: number | null
  /** Another browser was started. */
  readonly startedMs: number | null
  /** The crawl asked the workshop for something on a new connection. */
  readonly resumedMs: number | null
}

/** What came of it; `problems` is empty when all is well. */
export interface CrawlKillReport {
  readonly kills: readonly Kill[]
  /** What the crawl says of browsers that died. */
  readonly log: readonly string[]
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
    const kills: Promise<Kill>[] = []
    let cutOff = new AbortController()
    while (kills.length < options.kills) {
      await pause(LIFE_MS[0] + random() * (LIFE_MS[1] - LIFE_MS[0]))
      if ((await statusOf(server, crawlId)).crawlerRun.endTimestamp > 0) break
      const whom = random() < 0.5 ? 'worker' : 'browser'
      const alive = workersOf(process.pid)
      const worker = alive[Math.floor(random() * alive.length)]
      if (worker === undefined || alive.length < workers) continue
      const processId = whom === 'worker' ? worker : browserOfWorker(worker)
      if (processId === null) continue
      cutOff.abort()
      cutOff = new AbortController()
      kills.push(kill(whom, processId, workshop, cutOff.signal))
    }
    const problems = await check(server, workshop, crawlId)
    cutOff.abort()
    const told = await Promise.all(kills)
    for (const { whom, goneMs, resumedMs } of told) {
      if (whom === 'browser' && (resumedMs ?? 0) > RESUME_MS)
        problems.push(`it took ${resumedMs} ms until work went on after a kill of the browser`)
      if (goneMs !== null && goneMs > GONE_MS)
        problems.push(`the browser was gone ${goneMs} ms after a kill of the ${whom}`)
    }
    if (told.length < options.kills)
      problems.push(`the crawl ended after ${told.length} of ${options.kills} kills`)
    const { crawlerRun, progress } = await statusOf(server, crawlId)
    const { crawlLogs } = await server.client.op.fetchCrawlLogs({ crawlId })
    return {
      kills: told,
      log: crawlLogs.map(({ log }) => log).filter((line) => /^The (?:browser|crawl process) died/.test(line)),
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

/** Kills a process, and sees what follows until the next kill. */
async function kill(
  whom: 'worker' | 'browser',
  processId: number,
  workshop: Workshop,
  cutOff: AbortSignal,
): Promise<Kill> {
  const browser = whom === 'browser' ? processId : browserOfWorker(processId)
  const tree = browser === null ? [] : treeOf(browser)
  process.kill(processId, 'SIGKILL')
  const killedMs = performance.now()
  const since = (): number => Math.round(performance.now() - killedMs)
  const next = new Promise<null>((resolve) =>
    cutOff.addEventListener('abort', () => resolve(null), { once: true }),
  )
  const started = async (): Promise<number | null> => {
    while (!cutOff.aborted) {
      if (workersOf(process.pid).some((worker) => isAlive(worker) && isNew(browserOfWorker(worker))))
        return since()
      await pause(20)
    }
    return null
  }
  // Browsers of other workers were there before.
  const others = new Set(workersOf(process.pid).map(browserOfWorker))
  const isNew = (one: number | null): boolean => one !== null && one !== browser && !others.has(one)
  const asked = workshop.requestAfter(killedMs + LAST_WORDS_MS).then((atMs) => Math.round(atMs - killedMs))
  const [goneMs, startedMs, resumedMs] = await Promise.all([
    goneAfter(tree, killedMs),
    started(),
    Promise.race([asked, next]),
  ])
  return { whom, goneMs, startedMs, resumedMs }
}

async function begin(server: TestServer, workshop: Workshop): Promise<string> {
  const answer = await server.post('/api/initiateCrawler', {
    hostname: `${workshop.origin}/`,
    crawlingTime: 600,
    // What the workshop has shows only to a crawl that may change it.
    harmfulActions: 'LAST',
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
  // The rest is allowed to a crawl that keeps what destroys for the end.
  const sprung = workshop.traps.filter((trap) => ['log out', 'end the session'].includes(trap))
  if (sprung.length > 0) problems.push(`traps were sprung: ${sprung.join(', ')}`)
  await server.running.app.inventory.flush()
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
