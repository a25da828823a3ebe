import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../../test/browser/browser.ts'
import { startTestServer } from '../../test/harness.ts'
import { juiceShopOperations, type Operation, operationOf } from './juice-shop-operations.ts'
import { startWatchingProxy } from './watching-proxy.ts'

/*
 * Coverage of a running OWASP Juice Shop by a customer whose session is ended again and again, crawled as the product
 * does it: node bench/crawler/session-loss.ts <address> <folder of its checkout> <seconds> [seconds of a session; 0: no end]
 * A proxy before it refuses tokens that are older than that. Operations count that were let in.
 */

const [, , address = '', folder = '', seconds = '240', life = '60'] = process.argv
const browser = await testBrowser()
if (!URL.canParse(address) || !existsSync(join(folder, 'server.ts')) || browser === null) {
  console.error(
    'Name the address of a running Juice Shop and the folder of its sources; a browser has to be there.',
  )
  process.exit(2)
}
const operations = juiceShopOperations(folder)
const reached = new Set<Operation>()
let logins = 0
const proxy = await startWatchingProxy({
  behind: address,
  tokenMs: life === '0' ? null : Number(life) * 1000,
  passed({ method, target, status }) {
    const operation = operationOf(method, target.split('?')[0] ?? '', operations)
    if (operation) reached.add(operation)
    if (method === 'POST' && target === '/rest/user/login' && status === 200) logins++
  },
})
const account = { email: `loss.${Date.now()}@example.com`, password: 'Bench-Customer-7!' }
await fetch(new URL('/api/Users', address), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    ...account,
    passwordRepeat: account.password,
    securityQuestion: { id: 1 },
    securityAnswer: 'bench',
  }),
})
const server = await startTestServer({ 'crawls-at-once': '1', browser: browser.path })
const answer = await server.post('/api/initiateCrawler', {
  hostname: `${proxy.origin}/#/login`,
  crawlingTime: Math.max(600, Number(seconds)),
  harmfulActions: 'ALLOW',
  username: account.email,
  password: account.password,
})
const crawlId = answer.headers.get(crawlIdHeader)
if (crawlId === null) throw new Error(`the crawl did not begin: ${await answer.text()}`)
const begunMs = performance.now()
while (performance.now() - begunMs < Number(seconds) * 1000) {
  if ((await server.client.op.fetchCrawlerRun({ crawlId })).crawlerRun.endTimestamp > 0) break
  await pause(1000)
}
const { crawlerRun } = await server.client.op.fetchCrawlerRun({ crawlId })
const { crawlLogs } = await server.client.op.fetchCrawlLogs({ crawlId, limit: 1000 })
const losses = crawlLogs.filter(({ log }) => log.startsWith('The session was lost')).map(({ log }) => log)
const frontEnd = [...reached].filter(({ isFrontEnd }) => isFrontEnd)
console.log(
  `after ${Math.round((performance.now() - begunMs) / 1000)} s (${crawlerRun.status}): ${logins} logins, ${losses.length} lost sessions noticed, ${losses.filter((log) => log.includes('given up')).length} given up`,
)
console.log(
  `operations let in: ${reached.size}, ${[...reached].filter(({ method }) => method !== 'GET').length} of them not GET; of the front end ${frontEnd.length}`,
)
if (crawlerRun.testRoleError) console.log(`login: ${crawlerRun.testRoleError}`)
await server.client.op.stopCrawler({ crawlId })
await server.close()
proxy.close()
process.exit(0)
