/**
 * Kills one of two servers on one PostgreSQL database with SIGKILL while both work on one crawl of the workshop, and
 * checks that the other one ends it, that it reached what there is, that the inventory knows every call that the workshop
 * answered, and that no browser is left. Tells how long each took.
 *
 *   node test/faults/kill-one-of-two-servers.ts [--whom owner|helper]
 *
 * The crawl of a dead lease owner has another one when its lease has lapsed, a minute after its last heartbeat; the
 * helper continues meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.ts'
import { createClient } from '../../src/contract/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { workshopCalls, workshopStates } from '../targets/workshop/expectations.ts'
import { startWorkshop } from '../targets/workshop/server.ts'
import { until } from '../until.ts'
import { CRAWL_KEY as KEY, orderCrawl } from './crawl-of-workshop.ts'
import { browserOf, goneAfter, treeOf, workerOf } from './crawl-processes.ts'
import { isApi, templated } from './kill-during-crawl.ts'

/** Both work on it for so long before one is killed. */
const TOGETHER_MS = 5_000
const PATIENCE = { ms: 150_000 }
/** Nothing of the browser of the one that was killed is left then. */
const GONE_MS = 1_000
const SHARE = 0.95

const { values } = parseArgs({ options: { whom: { type: 'string', default: 'owner' } } })
const browser = await testBrowser()
const postgres = await startPostgres()
if (browser === null || postgres === null) throw new Error('there is no browser or no PostgreSQL here')
const workshop = await startWorkshop()
const folder = mkdtempSync(join(tmpdir(), 'vigil-two-servers-'))
const problems: string[] = []
const servers: CliServer[] = []
try {
  const [one, two] = [await start('one'), await start('two')]
  const crawlId = await orderCrawl(one, workshop)
  const isAtIt = (server: CliServer): boolean => workerOf(server.process.pid!) !== null
  await until('a lease owner', async () => isAtIt(one) || isAtIt(two), PATIENCE)
  const [owner, helper] = isAtIt(one) ? [one, two] : [two, one]
  await until('a helper', async () => isAtIt(helper), PATIENCE)
  await pause(TOGETHER_MS)
  const [victim, other] = values.whom === 'helper' ? [helper, owner] : [owner, helper]
  const left = treeOf(browserOf(victim.process.pid!)!)
  victim.process.kill('SIGKILL')
  const killedMs = performance.now()
  const since = (): number => Math.round(performance.now() - killedMs)
  const { op } = createClient({ baseUrl: other.baseUrl, apiKey: KEY })
  const browserMs = await goneAfter(left, killedMs)
  if (browserMs === null || browserMs > GONE_MS) problems.push(`its browser was gone after ${browserMs} ms`)
  const before = (await op.fetchCrawlerRun({ crawlId })).progress
  await until(
    'work',
    async () => (await op.fetchCrawlerRun({ crawlId })).progress.done > before.done,
    PATIENCE,
  )
  const workMs = since()
  await until(
    'the end',
    async () => (await op.fetchCrawlerRun({ crawlId })).crawlerRun.endTimestamp > 0,
    PATIENCE,
  )
  const endMs = since()
  const { crawlerRun, progress } = await op.fetchCrawlerRun({ crawlId })
  if (crawlerRun.status !== 'COMPLETED') problems.push(`the crawl is ${crawlerRun.status}`)
  const expected = [...workshopStates, ...workshopCalls]
  const missed = expected.filter((one) => !workshop.states.has(one) && !workshop.calls.has(one))
  if (missed.length > expected.length * (1 - SHARE)) problems.push(`missed ${missed.join(', ')}`)
  if (workshop.traps.length > 0) problems.push(`traps were sprung: ${workshop.traps.join(', ')}`)
  const { endpoints } = await op.searchEndpoints({ apiCollectionId: crawlerRun.collectionId, limit: 100 })
  const known = new Set(endpoints.map(({ id }) => templated(`${id.method} ${id.url}`)))
  for (const call of workshop.calls)
    if (isApi(call) && !known.has(call)) problems.push(`the inventory does not know ${call}`)
  const reached = `${expected.length - missed.length} of ${expected.length}`
  const { restarts } = progress
  const load = loadavg()[0]!.toFixed(1)
  console.log(
    JSON.stringify(
      { whom: values.whom, browserMs, workMs, endMs, restarts, reached, missed, load, problems },
      null,
      2,
    ),
  )
} finally {
  for (const server of servers) server.process.kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  await workshop.close()
  postgres.stop()
  rmSync(folder, { recursive: true })
}
process.exit(problems.length === 0 ? 0 : 1)

async function start(name: string): Promise<CliServer> {
  const flags = ['--data-dir', join(folder, name), '--api-key', KEY, '--browser', browser!.path]
  const server = await startCli([...flags, '--crawl-workers', '2', '--database-url', postgres!.url])
  servers.push(server)
  return server
}
