import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { headerValue, parseSampleMessage } from '../../src/http/index.ts'
import { testBrowser } from '../../test/browser/browser.ts'
import { startTestServer } from '../../test/harness.ts'
import { juiceShopOperations, type Operation, operationOf } from './juice-shop-operations.ts'
import { type JudgedCall, numberHeader, startWatchingProxy, tokenOf } from './watching-proxy.ts'

/*
 * Coverage of a running OWASP Juice Shop by a customer whose session is ended again and again, crawled as the product
 * does it: node bench/crawler/session-loss.ts <address> <folder of its checkout> <seconds> [seconds of a session; 0: no end]
 * A proxy before it refuses tokens that are older than that. Operations count that were let in. Every call of a script that
 * reaches the inventory is compared with what the proxy knows of it: whose token it came with, and whether that lived. At
 * the end the crawl is stopped, and calls are told that were answered and are not in the inventory.
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
/** What the proxy knows of calls, by the number of their answers, and what became of them in the inventory. */
const judged = new Map<string, JudgedCall>()
const recorded = new Map<string, Label>()
const proxy = await startWatchingProxy({
  behind: address,
  tokenMs: life === '0' ? null : Number(life) * 1000,
  passed({ method, target, status }) {
    const operation = operationOf(method, target.split('?')[0] ?? '', operations)
    if (operation) reached.add(operation)
    if (method === 'POST' && target === '/rest/user/login' && status === 200) logins++
  },
  judged: (call) => void judged.set(call.number, call),
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
const { crawls } = server.running.app
const take = crawls.take.bind(crawls)
crawls.take = (collectionId, messages, login) => {
  for (const message of messages) note(message)
  return take(collectionId, messages, login)
}
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
await stop(crawlId)
await server.close()
proxy.close()
compareLabels()
process.exit(0)

/** Stops the crawl if it has not ended, and tells how long that took. */
async function stop(id: string): Promise<void> {
  const askedMs = performance.now()
  await server.client.op.stopCrawler({ crawlId: id })
  for (;;) {
    const run = (await server.client.op.fetchCrawlerRun({ crawlId: id })).crawlerRun
    if (run.endTimestamp > 0) {
      console.log(
        `${run.status} ${((performance.now() - askedMs) / 1000).toFixed(1)} s after it was asked to stop`,
      )
      return
    }
    await pause(50)
  }
}

/** What the inventory goes by: the token that a request carries, and what came back. */
interface Label {
  readonly token: string | null
  readonly status: number
  readonly line: string
}

function note(message: string): void {
  const { request, response } = parseSampleMessage(message)
  const number = headerValue(response.headers, numberHeader)
  if (number === undefined) return
  const token = tokenOf(
    headerValue(request.headers, 'authorization') ?? '',
    headerValue(request.headers, 'cookie') ?? '',
  )
  const line = `${request.method} ${request.target}`
  recorded.set(number, { token, status: response.status, line })
}

/** Prints how the labels fit: wrong is another token than the call came with, or another answer than it got. */
function compareLabels(): void {
  const states = { lives: 0, over: 0, none: 0 }
  const wrong: string[] = []
  for (const [number, { token, status, line }] of recorded) {
    const call = judged.get(number)
    if (!call) continue
    states[call.state]++
    if (token !== call.token || status !== call.status) {
      const said = token === null ? 'nobody' : token === call.token ? 'the same' : 'another'
      wrong.push(`${line}: ${call.state}, ${call.status}; recorded as of ${said}, ${status}`)
    }
  }
  const { lives, over, none } = states
  console.log(
    `recorded calls: ${recorded.size} of ${judged.size}; in a session ${lives}, in one that was over ${over}, without any ${none}`,
  )
  console.log(
    `recorded with another token or answer than they had: ${wrong.length} (${((wrong.length / Math.max(1, recorded.size)) * 100).toFixed(2)} %)`,
  )
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`)
  const lost = [...judged.values()].filter(({ number, status }) => status > 0 && !recorded.has(number))
  console.log(`answered whole and not recorded: ${lost.length}`)
  for (const { line, status } of lost.slice(0, 20)) console.log(`  ${line} ${status}`)
}
