/**
 * Kills one of two module processes (`vigil crawler`) of one name with SIGKILL while both work on one crawl of the
 * workshop, and checks that its browser goes with it, that the other one goes on and ends the crawl, that what the dead one
 * had in work is done by the other, and that in the end the inventory knows what it knows after a crawl by two that
 * nobody killed, and every call that the workshop answered. Tells how long each took.
 *
 *   node test/faults/kill-one-of-two-modules.ts [--whom owner|helper] [--disturbed-only]
 *
 * The crawl of a dead lease owner has another one when its lease has lapsed, a minute after its last heartbeat; the
 * helper continues meanwhile.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { startCommand } from '../cli-process.ts'
import { startTestServer, type TestServer, testKey } from '../harness.ts'
import { endpointsOf } from '../scenarios/ask.ts'
import { workshopCalls, workshopStates } from '../targets/workshop/expectations.ts'
import { startWorkshop, type Workshop } from '../targets/workshop/server.ts'
import { until } from '../until.ts'
import { browserOf, goneAfter, isAlive, treeOf, workerOf } from './crawl-processes.ts'
import { isApi, templated } from './kill-during-crawl.ts'

const NAME = 'elsewhere'
/** Both work on it for so long before one is killed. */
const TOGETHER_MS = 5_000
const PATIENCE = { ms: 200_000 }
/** Nothing of the browser of the dead one is left then. */
const GONE_MS = 1_000
/** The other one has gone on by then, and has taken back what the dead one had in work. */
const TAKEN_MS = 65_000
/** What may be missing of what an undisturbed crawl knows. */
const MISSING_SHARE = 0.02

/** A process of the command, with what it said so far. */
interface Module {
  readonly process: ChildProcess
  said(): string
}

/** What a crawl left behind. */
interface Outcome {
  readonly endpoints: ReadonlySet<string>
  readonly reached: ReadonlySet<string>
}

const { values } = parseArgs({
  options: {
    whom: { type: 'string', default: 'owner' },
    'disturbed-only': { type: 'boolean', default: false },
  },
})
const found = await testBrowser()
if (found === null) throw new Error('there is no browser on this machine')
const browser = found
const problems: string[] = []
const undisturbed = values['disturbed-only'] ? null : await crawled(async () => ({}))
let facts: Record<string, unknown> = {}
const disturbed = await crawled(async (scene) => {
  facts = await killOne(scene)
})
const expected = [...workshopStates, ...workshopCalls]
const missing = [...(undisturbed?.endpoints ?? [])].filter((one) => !disturbed.endpoints.has(one))
if (missing.length > (undisturbed?.endpoints.size ?? 0) * MISSING_SHARE)
  problems.push(`the inventory lacks ${missing.join(', ')}`)
console.log(
  JSON.stringify(
    {
      whom: values.whom,
      ...facts,
      endpoints: {
        disturbed: disturbed.endpoints.size,
        undisturbed: undisturbed?.endpoints.size ?? null,
        missing,
      },
      reached: {
        of: expected.length,
        disturbed: disturbed.reached.size,
        undisturbed: undisturbed?.reached.size ?? null,
        missed: expected.filter((one) => !disturbed.reached.has(one)),
      },
      load: loadavg()[0]!.toFixed(1),
      problems,
    },
    null,
    2,
  ),
)
process.exit(problems.length === 0 ? 0 : 1)

interface Scene {
  readonly server: TestServer
  readonly workshop: Workshop
  readonly modules: readonly [Module, Module]
  readonly crawlId: string
}

/** A crawl of the workshop by two modules to its end; `meanwhile` begins when both are at it. */
async function crawled(meanwhile: (scene: Scene) => Promise<unknown>): Promise<Outcome> {
  const workshop = await startWorkshop()
  const server = await startTestServer({ 'crawl-workers': '2' })
  const folder = mkdtempSync(join(tmpdir(), 'vigil-two-modules-'))
  const modules: [Module, Module] = [start(server, join(folder, 'one')), start(server, join(folder, 'two'))]
  try {
    await until(
      'the modules',
      async () => modules.every(({ said }) => said().includes('waits for crawls')),
      PATIENCE,
    )
    const crawlId = await order(server, workshop)
    await until('both at it', async () => modules.every((one) => isAtWork(one)), PATIENCE)
    await meanwhile({ server, workshop, modules, crawlId })
    await until('the end', async () => (await runOf(server, crawlId)).crawlerRun.endTimestamp > 0, PATIENCE)
    return await outcomeOf(server, workshop, crawlId)
  } finally {
    for (const { process } of modules) process.kill('SIGTERM')
    await until(
      'the end of the modules',
      async () => modules.every(({ process }) => !isAlive(process.pid!)),
      PATIENCE,
    )
    await server.close()
    await workshop.close()
    rmSync(folder, { recursive: true })
  }
}

/** Kills one of them and tells what follows, up to the end of the crawl. */
async function killOne({ server, modules, crawlId }: Scene): Promise<Record<string, unknown>> {
  const { store } = server.running.app
  await pause(TOGETHER_MS)
  const owner = modules.find(({ said }) => said().includes(`Crawl ${crawlId} of`))!
  const helper = modules.find((one) => one !== owner)!
  const [victim, other] = values.whom === 'helper' ? [helper, owner] : [owner, helper]
  const tree = treeOf(browserOf(victim.process.pid!)!)
  victim.process.kill('SIGKILL')
  const killedMs = performance.now()
  const since = (): number => Math.round(performance.now() - killedMs)
  const gone = goneAfter(tree, killedMs)
  const before = (await runOf(server, crawlId)).progress
  // Helpers have a name of their own in the store, the lease owner has that of the module.
  const condition = values.whom === 'helper' ? 'lease_owner <> $2' : 'lease_owner = $2'
  const { rows } = await store.pool.query<{ id: number; attempts: number }>(
    `SELECT id, attempts FROM crawl_work WHERE crawl_id = $1 AND state = 'WAITING' AND lease_until > 0 AND ${condition}`,
    [crawlId, NAME],
  )
  const isOver = async (): Promise<boolean> => (await runOf(server, crawlId)).crawlerRun.endTimestamp > 0
  const taken = async (): Promise<number> => {
    for (const { id, attempts } of rows) {
      await until(
        'work taken back',
        async () => {
          const found = await store.pool.query<{ attempts: number }>(
            `SELECT attempts FROM crawl_work WHERE id = $1 AND state = 'WAITING'`,
            [id],
          )
          return (found.rows[0]?.attempts ?? Infinity) > attempts
        },
        PATIENCE,
      )
    }
    return since()
  }
  const takenBack = taken()
  const browserMs = await gone
  await until(
    'work',
    async () => (await isOver()) || (await runOf(server, crawlId)).progress.done > before.done,
    PATIENCE,
  )
  const workMs = since()
  const takenMs = await takenBack
  const held = (): boolean => other.said().includes(`Crawl ${crawlId} of`)
  await until('a lease owner', async () => held() || isOver(), PATIENCE)
  const ownerMs = values.whom === 'helper' ? null : since()
  await until('the end', isOver, PATIENCE)
  const endMs = since()
  const { crawlerRun, progress } = await runOf(server, crawlId)
  if (crawlerRun.status !== 'COMPLETED')
    problems.push(`the crawl is ${crawlerRun.status}: ${crawlerRun.errorMessage}`)
  if (browserMs === null || browserMs > GONE_MS) problems.push(`its browser was gone after ${browserMs} ms`)
  if (workMs > TAKEN_MS || takenMs > TAKEN_MS || (ownerMs ?? 0) > TAKEN_MS)
    problems.push(
      `the other one went on after ${workMs} ms, took work back within ${takenMs} ms, held it after ${ownerMs} ms`,
    )
  return {
    browserMs,
    processes: tree.length,
    workMs,
    inWork: rows.length,
    takenMs,
    ownerMs,
    endMs,
    restarts: progress.restarts,
  }
}

async function outcomeOf(server: TestServer, workshop: Workshop, crawlId: string): Promise<Outcome> {
  const { crawlerRun } = await runOf(server, crawlId)
  await server.running.app.inventory.flush()
  const endpoints = new Set((await endpointsOf(server, crawlerRun.collectionId)).map(templated))
  for (const call of workshop.calls)
    if (isApi(call) && !endpoints.has(call)) problems.push(`the inventory does not know ${call}`)
  // The rest is allowed to a crawl that keeps what destroys for the end.
  const sprung = workshop.traps.filter((trap) => ['log out', 'end the session'].includes(trap))
  if (sprung.length > 0) problems.push(`traps were sprung: ${sprung.join(', ')}`)
  const reached = [...workshopStates, ...workshopCalls].filter(
    (one) => workshop.states.has(one) || workshop.calls.has(one),
  )
  return { endpoints, reached: new Set(reached) }
}

async function order(server: TestServer, { origin }: Workshop): Promise<string> {
  const answer = await server.post('/api/initiateCrawler', {
    hostname: `${origin}/`,
    crawlingTime: 1200,
    harmfulActions: 'LAST',
    username: 'vera',
    password: 'workshop',
    selectedModuleName: NAME,
  })
  if (answer.status !== 200) throw new Error(`the crawl did not begin: ${await answer.text()}`)
  return answer.headers.get(crawlIdHeader)!
}

function start(server: TestServer, dataDir: string): Module {
  const flags = ['--server', server.baseUrl, '--key', testKey, '--name', NAME]
  const { process, ended } = startCommand([
    'crawler',
    ...flags,
    '--data-dir',
    dataDir,
    '--browser',
    browser.path,
  ])
  ended.catch(() => {}) // its end is waited for by its id
  let said = ''
  process.stdout?.on('data', (text: Buffer) => {
    said += text.toString()
  })
  return { process, said: () => said }
}

function isAtWork({ process }: Module): boolean {
  return workerOf(process.pid!) !== null && browserOf(process.pid!) !== null
}

function runOf(server: TestServer, crawlId: string) {
  return server.client.op.fetchCrawlerRun({ crawlId })
}
