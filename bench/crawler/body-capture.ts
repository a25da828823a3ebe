import type { CapturedExchange } from '../../src/crawler/browser/capture.ts'
import { describeCost, runCrawl } from './run-crawl.ts'
import { answerKey, startWatchingProxy } from './watching-proxy.ts'

/*
 * Share of the answers to calls of scripts whose bodies a crawl captures whole, compared byte for byte with what went
 * through a proxy before the application: `node bench/crawler/body-capture.ts <address> [seconds] [mode] [tabs]`.
 */

const [, , address = '', seconds = '180', mode = 'full', tabs = '4'] = process.argv
if (!URL.canParse(address)) {
  console.error('Name the address of a running application.')
  process.exit(2)
}
/** Answers that went through and were not captured yet. */
const passed = new Map<string, number>()
/** What was captured without a body, and why. */
const partial: string[] = []
let count = 0
let deletions = 0
const proxy = await startWatchingProxy({
  behind: address,
  tokenMs: null,
  passed({ method, target, status, body, isCall }) {
    if (method === 'DELETE') deletions++
    // Browsers show nobody the body of a redirect.
    if (!isCall || body.length === 0 || (status >= 300 && status < 400)) return
    count++
    note(answerKey(method, target, status, body), 1)
  },
})
const measure = await runCrawl({
  start: `${proxy.origin}/`,
  seconds: Number(seconds),
  mode: mode === 'safe' || mode === 'last' ? mode : 'full',
  tabs: Number(tabs),
  keepsNothing: true,
  hears(captured) {
    note(keyOf(captured), -1)
    const { outcome, reason, isCut, kind, exchange } = captured
    if (kind !== 'XHR' && kind !== 'Fetch') return
    if (outcome === 'failed' || (isCut && exchange.response.body === ''))
      partial.push(
        `${exchange.request.method} ${new URL(captured.url).pathname}: ${outcome}, ${reason ?? 'no body'}`,
      )
  },
})
proxy.close()
const missing = [...passed].filter(([, left]) => left > 0)
const lost = missing.reduce((sum, [, left]) => sum + left, 0)
console.log(
  `answers with a body to calls of scripts: ${count}; captured whole: ${count - lost} (${((1 - lost / count) * 100).toFixed(2)} %)`,
)
for (const [key, left] of missing.slice(0, 10)) console.log(`  lost ${left} of ${key}`)
for (const line of new Set(partial))
  console.log(`  without a body: ${partial.filter((one) => one === line).length} of ${line}`)
console.log(`requests of method DELETE that reached the application: ${deletions}`)
console.log(describeCost(measure))
process.exit(0)

function note(key: string, by: number): void {
  passed.set(key, (passed.get(key) ?? 0) + by)
}

function keyOf({ exchange, url }: CapturedExchange): string {
  const { request, response } = exchange
  const { pathname, search } = new URL(url)
  const body = Buffer.from(response.body, response.bodyIsBase64 === true ? 'base64' : 'utf8')
  return answerKey(request.method, pathname + search, response.status, body)
}
