import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../../test/browser/browser.ts'
import { startTestServer, type TestServer, testKey } from '../../test/harness.ts'
import { endpointsOf } from '../../test/scenarios/ask.ts'
import { startDepartments } from './departments.ts'

/*
 * The same crawl by one worker and by two, as if each was on a machine of its own: every worker is a module process
 * (`vigil crawler`) with its browser, tied to one core (taskset, so Linux alone), two tabs each; the application answers
 * after a time, as over a line. Server and application are not tied to a core.
 *
 *   node bench/crawler/two-workers.ts [--departments 40] [--latency 150] [--rounds 1]
 */

const { values } = parseArgs({
  options: {
    departments: { type: 'string', default: '40' },
    latency: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '1' },
  },
})
const program = new URL('../../src/cli/main.ts', import.meta.url).pathname
const browser = await testBrowser()
if (browser === null) {
  console.error('There is no browser on this machine.')
  process.exit(2)
}
const server = await startTestServer({ 'crawls-at-once': '0', 'crawl-workers': '2', browser: browser.path })
const folder = mkdtempSync(join(tmpdir(), 'vigil-workers-'))
const modules: ChildProcess[] = []
const ends: Promise<unknown>[] = []
try {
  await startModule(0)
  const rounds = Number(values.rounds)
  const one: Measured[] = []
  const two: Measured[] = []
  for (let round = 0; round < rounds; round++) one.push(await measure(server, `one ${round}`))
  await startModule(1)
  for (let round = 0; round < rounds; round++) two.push(await measure(server, `two ${round}`))
  for (let round = 0; round < rounds; round++) {
    const [alone, together] = [one[round]!, two[round]!]
    console.log(
      `${(together.perMinute / alone.perMinute).toFixed(2)} times as many a minute; the same kinds: ${areSame(alone.found, together.found)}; ` +
        `the same ${together.inventory.size} endpoints in the inventory: ${areSame(alone.inventory, together.inventory)}`,
    )
  }
} finally {
  for (const module of modules) module.kill('SIGTERM')
  await Promise.all(ends)
  await server.close()
  rmSync(folder, { recursive: true })
}
process.exit(0)

function areSame(left: ReadonlySet<string>, right: ReadonlySet<string>): 'yes' | 'no' {
  return [...left].sort().join() === [...right].sort().join() ? 'yes' : 'no'
}

/** Starts a module tied to a core. */
async function startModule(core: number): Promise<void> {
  const own = ['--name', 'house', '--data-dir', join(folder, String(core)), '--browser', browser!.path]
  const command = ['crawler', '--server', server.baseUrl, '--key', testKey, ...own]
  const module = spawn('taskset', ['-c', String(core), process.execPath, program, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ready = new Promise<void>((resolve) => {
    module.stdout.on('data', (text: Buffer) => {
      if (text.includes('is known to the server')) resolve()
    })
  })
  modules.push(module)
  ends.push(new Promise((resolve) => module.once('close', resolve)))
  await ready
}

interface Measured {
  readonly found: ReadonlySet<string>
  /** Endpoints, as the inventory knows them at the end. */
  readonly inventory: ReadonlySet<string>
  readonly perMinute: number
}

/** One crawl from its order to its end. */
async function measure(to: TestServer, name: string): Promise<Measured> {
  const house = await startDepartments(Number(values.departments), Number(values.latency))
  const begunMs = performance.now()
  const answer = await to.post('/api/initiateCrawler', {
    hostname: `${house.origin}/`,
    crawlingTime: 600,
    selectedModuleName: 'house',
    collectionName: `house ${name}`,
  })
  const crawlId = answer.headers.get(crawlIdHeader)
  if (crawlId === null) throw new Error(`the crawl did not begin: ${await answer.text()}`)
  let workers = 0
  for (;;) {
    const { crawlerRun, progress } = await to.client.op.fetchCrawlerRun({ crawlId })
    workers = Math.max(workers, progress.workers)
    if (crawlerRun.endTimestamp > 0) {
      const endMs = performance.now()
      await to.running.app.inventory.flush()
      const found = new Set(house.seen.keys())
      const endpoints = await endpointsOf(to, crawlerRun.collectionId)
      const inventory = new Set(endpoints.map((one) => one.replace(house.origin, '')))
      // From the first request: how long a module sleeps between its questions for work says nothing here.
      const firstMs = Math.min(...house.seen.values())
      const lastMs = Math.max(...house.seen.values())
      const perMinute = (60_000 * found.size) / (lastMs - firstMs)
      console.log(
        `${workers} worker${workers === 1 ? '' : 's'}: ${crawlerRun.status}, ${found.size} of ${house.kinds.size} kinds of requests, ` +
          `the last after ${((lastMs - firstMs) / 1000).toFixed(1)} s: ${perMinute.toFixed(0)} a minute; ` +
          `ended ${((endMs - begunMs) / 1000).toFixed(1)} s after it was asked for, load ${loadavg()[0]!.toFixed(1)}`,
      )
      await house.close()
      return { found, inventory, perMinute }
    }
    await pause(200)
  }
}
