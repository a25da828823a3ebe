import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { memoryOfTree } from '../../src/crawler/browser/process-memory.ts'
import { testBrowser } from '../../test/browser/browser.ts'
import { browserOf, workerOf } from '../../test/faults/crawl-processes.ts'
import { startTestServer } from '../../test/harness.ts'

/*
 * Memory of a crawl as the product does it: a server, the process that crawls, its browser (Linux):
 *   node bench/crawler/worker-memory.ts <address> <seconds> [AVOID|LAST|ALLOW]
 * The crawling process counts with its resident memory, the browser with the proportional memory of all its processes.
 */

const [, , address = '', seconds = '600', harmfulActions = 'ALLOW'] = process.argv
const browser = await testBrowser()
if (!URL.canParse(address) || browser === null) {
  console.error('Name the address of an application; a browser has to be there.')
  process.exit(2)
}
const server = await startTestServer({ 'crawls-at-once': '1', browser: browser.path })
const answer = await server.post('/api/initiateCrawler', {
  hostname: address,
  crawlingTime: Math.max(600, Number(seconds)),
  harmfulActions,
})
const crawlId = answer.headers.get(crawlIdHeader)
if (crawlId === null) throw new Error(`the crawl did not begin: ${await answer.text()}`)
const peaks = { worker: 0, browser: 0 }
const begunMs = performance.now()
for (let look = 1; performance.now() - begunMs < Number(seconds) * 1000; look++) {
  const { crawlerRun, progress } = await server.client.op.fetchCrawlerRun({ crawlId })
  if (crawlerRun.endTimestamp > 0) break
  const worker = workerOf(process.pid)
  const shown = browserOf(process.pid)
  const now = {
    worker: worker === null ? 0 : residentBytes(worker),
    browser: shown === null ? 0 : await memoryOfTree(shown),
  }
  peaks.worker = Math.max(peaks.worker, now.worker)
  peaks.browser = Math.max(peaks.browser, now.browser)
  if (look % 20 === 0) {
    const at = Math.round((performance.now() - begunMs) / 1000)
    console.log(
      `${at} s: crawling process ${megabytes(now.worker)} MB, browser ${megabytes(now.browser)} MB, ${progress.capturedExchanges} exchanges, ${progress.restarts} restarts`,
    )
  }
  await pause(1000)
}
console.log(
  `at most: crawling process ${megabytes(peaks.worker)} MB resident, browser ${megabytes(peaks.browser)} MB proportional`,
)
await server.client.op.stopCrawler({ crawlId })
await server.close()
process.exit(0)

function residentBytes(processId: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    // It ended between two looks.
    return 0
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
