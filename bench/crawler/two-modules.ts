import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../../test/browser/browser.ts'
import { startCommand } from '../../test/cli-process.ts'
import { startTestServer, testKey } from '../../test/harness.ts'
import { workshopCalls, workshopStates } from '../../test/targets/workshop/expectations.ts'
import { startWorkshop, type Workshop } from '../../test/targets/workshop/server.ts'

/*
 * Two crawls of two workshops by two modules of one server, one after the other and then both at once:
 *   node bench/crawler/two-modules.ts
 * A crawl has one holder, so modules share the crawls there are, not one crawl.
 */

const browser = await testBrowser()
if (browser === null) {
  console.error('There is no browser on this machine.')
  process.exit(2)
}
const server = await startTestServer({ 'crawls-at-once': '0', browser: browser.path })
const folder = mkdtempSync(join(tmpdir(), 'vigil-modules-'))
const names = ['one', 'two']
const modules = names.map((name) => {
  const own = ['--name', name, '--data-dir', join(folder, name), '--browser', browser.path]
  return startCommand(['crawler', '--server', server.baseUrl, '--key', testKey, ...own])
})
while ((await server.client.op.fetchAvailableDastModules({})).availableModules.length < names.length)
  await pause(200)

const begunMs = performance.now()
for (const name of names) await crawlOf(name)
const middleMs = performance.now()
await Promise.all(names.map((name) => crawlOf(name)))
const endMs = performance.now()
const alone = (middleMs - begunMs) / 1000
const together = (endMs - middleMs) / 1000
console.log(
  `one after the other ${alone.toFixed(1)} s, at once ${together.toFixed(1)} s: ${(alone / together).toFixed(2)} times as fast`,
)
for (const { process: module } of modules) module.kill('SIGTERM')
await Promise.all(modules.map(({ ended }) => ended))
await server.close()
rmSync(folder, { recursive: true })
process.exit(0)

/** One crawl from its order to its end. */
async function crawlOf(name: string): Promise<void> {
  const workshop = await startWorkshop()
  const answer = await server.post('/api/initiateCrawler', {
    hostname: `${workshop.origin}/`,
    crawlingTime: 600,
    username: 'vera',
    password: 'workshop',
    selectedModuleName: name,
    collectionName: `workshop of ${name} at ${Date.now()}`,
  })
  const crawlId = answer.headers.get(crawlIdHeader)
  if (crawlId === null) throw new Error(`the crawl did not begin: ${await answer.text()}`)
  for (;;) {
    const { crawlerRun, progress } = await server.client.op.fetchCrawlerRun({ crawlId })
    if (crawlerRun.endTimestamp > 0) {
      console.log(
        `${name}: ${crawlerRun.status} by ${crawlerRun.moduleName}, ${progress.capturedExchanges} exchanges, ${reachedOf(workshop)} of ${workshopStates.length + workshopCalls.length} states and calls`,
      )
      break
    }
    await pause(200)
  }
  await workshop.close()
}

function reachedOf(workshop: Workshop): number {
  return (
    workshopStates.filter((state) => workshop.states.has(state)).length +
    workshopCalls.filter((call) => workshop.calls.has(call)).length
  )
}
