/**
 * Kills the whole server with SIGKILL within one crawl of the workshop, over and over, and checks that the crawling
 * process and its browser end with it, that the crawl goes on after each start and completes, and that the inventory
 * knows every call that the workshop answered.
 *
 *   node test/faults/kill-server-during-crawl.ts [--kills 3]
 *
 * A crawl goes on when the lease of the dead process has lapsed, a minute after its last sign of life.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Client, createClient } from '../../src/contract/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { startWorkshop } from '../targets/workshop/server.ts'
import { until } from '../until.ts'
import { CRAWL_KEY as KEY, orderCrawl } from './crawl-of-workshop.ts'
import { browserOf, goneAfter, treeOf, workerOf } from './crawl-processes.ts'
import { isApi, templated } from './kill-during-crawl.ts'

const PATIENCE = { ms: 600_000 }
/** Longest time until nothing of the crawling process and its browser is left. */
const GONE_MS = 1_000

interface Gone {
  readonly workerMs: number | null
  readonly browserMs: number | null
  /** Of the browser. */
  readonly processes: number
}

/** Kills the server while its browser is at work; @returns milliseconds until crawling process and browser were gone. */
async function killAtWork(server: CliServer, client: Client, crawlId: string): Promise<Gone> {
  const before = (await client.op.fetchCrawlerRun({ crawlId })).progress.capturedExchanges
  await until(
    'progress',
    async () => {
      const { crawlerRun, progress } = await client.op.fetchCrawlerRun({ crawlId })
      const isAtWork = browserOf(server.process.pid!) !== null && progress.capturedExchanges > before + 10
      return crawlerRun.endTimestamp > 0 || isAtWork
    },
    PATIENCE,
  )
  const [worker, browser] = [workerOf(server.process.pid!), browserOf(server.process.pid!)]
  const tree = browser === null ? [] : treeOf(browser)
  server.process.kill('SIGKILL')
  const killedMs = performance.now()
  const [workerMs, browserMs] = await Promise.all([
    goneAfter(worker === null ? [] : [worker], killedMs),
    goneAfter(tree, killedMs),
  ])
  await server.ended
  return { workerMs, browserMs, processes: tree.length }
}

const { values } = parseArgs({ options: { kills: { type: 'string', default: '3' } } })
const browser = await testBrowser()
if (browser === null) throw new Error('there is no browser on this machine')
const workshop = await startWorkshop()
const dataDir = mkdtempSync(join(tmpdir(), 'vigil-crawl-'))
const start = (): Promise<CliServer> =>
  startCli(['--data-dir', dataDir, '--api-key', KEY, '--browser', browser.path])
let server = await start()
const problems: string[] = []
const gone: Gone[] = []
const crawlId = await orderCrawl(server, workshop)
for (let kill = 0; kill < Number(values.kills); kill++) {
  const left = await killAtWork(server, createClient({ baseUrl: server.baseUrl, apiKey: KEY }), crawlId)
  gone.push(left)
  for (const ms of [left.workerMs, left.browserMs])
    if (ms === null || ms > GONE_MS) problems.push(`something outlived the server by ${ms} ms`)
  server = await start()
}
const client = createClient({ baseUrl: server.baseUrl, apiKey: KEY })
await until(
  'the end of the crawl',
  async () => (await client.op.fetchCrawlerRun({ crawlId })).crawlerRun.endTimestamp > 0,
  PATIENCE,
)
const { crawlerRun, progress } = await client.op.fetchCrawlerRun({ crawlId })
if (crawlerRun.status !== 'COMPLETED') problems.push(`the crawl is ${crawlerRun.status}`)
const known = new Set<string>()
for (let skip = 0; ; skip += 100) {
  const { endpoints } = await client.op.searchEndpoints({
    apiCollectionId: crawlerRun.collectionId,
    skip,
    limit: 100,
  })
  for (const { id } of endpoints) known.add(templated(`${id.method} ${id.url}`))
  if (endpoints.length < 100) break
}
for (const call of workshop.calls)
  if (isApi(call) && !known.has(call)) problems.push(`the inventory does not know ${call}`)
console.log(
  JSON.stringify(
    {
      kills: values.kills,
      gone,
      load: loadavg()[0]!.toFixed(1),
      restarts: progress.restarts,
      endpoints: known.size,
      problems,
    },
    null,
    2,
  ),
)
server.process.kill('SIGTERM')
await server.ended
await workshop.close()
rmSync(dataDir, { recursive: true })
process.exitCode = problems.length === 0 ? 0 : 1
