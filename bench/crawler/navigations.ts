import { setTimeout as pause } from 'node:timers/promises'
import { testBrowser } from '../../test/browser/browser.ts'
import { portalGuard, startCrawlBrowser } from '../../test/crawler/crawl-browser.ts'
import { startPortal } from '../../test/targets/portal/server.ts'

/**
 * Opens pages of the portal in turn in one tab with capture and guard on, and prints what that costs: heap of this
 * process after a collection, processor time, captured exchanges, memory of the browser.
 *
 * `node --expose-gc bench/crawler/navigations.ts [navigations, 2000 unless given]`
 */
const total = Number(process.argv[2] ?? 2000)
const found = await testBrowser()
if (found === null) throw new Error('no browser; "vigil doctor" says how to get one')
const portal = await startPortal()
const driver = await startCrawlBrowser(found, portal.origin)
let captured = 0
const context = await driver.newContext({
  guard: portalGuard(portal.origin),
  sink: { captured: () => void captured++ },
})
const page = await context.newPage()
const paths = ['/calm', '/login', '/spa', '/start', '/two-step', '/digits']

const heaps: { at: number; bytes: number }[] = []
const begunMs = performance.now()
const cpu = process.cpuUsage()
for (let at = 1; at <= total; at++) {
  await page.goto(portal.origin + paths[at % paths.length])
  if (at % Math.max(1, Math.floor(total / 10)) !== 0) continue
  portal.asked.length = 0
  await pause(200)
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  heaps.push({ at, bytes: heapUsed })
  const browser = Math.round((await driver.memoryBytes()) / 2 ** 20)
  console.log(
    `${at} navigations: heap ${(heapUsed / 2 ** 20).toFixed(1)} MB, resident ${Math.round(rss / 2 ** 20)} MB, browser ${browser} MB, ${captured} exchanges`,
  )
}
const seconds = (performance.now() - begunMs) / 1000
const { user, system } = process.cpuUsage(cpu)
const first = heaps[1] ?? heaps[0]!
const last = heaps.at(-1)!
console.log(
  [
    `${(total / seconds).toFixed(1)} navigations/s`,
    `${((user + system) / 1000 / total).toFixed(1)} ms of Node's processor time each`,
    `heap slope ${((last.bytes - first.bytes) / Math.max(1, last.at - first.at)).toFixed(0)} bytes each`,
  ].join(', '),
)
await driver.close()
await portal.close()
