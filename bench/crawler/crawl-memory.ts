import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeCost, runCrawl } from './run-crawl.ts'

/*
 * Memory over many page loads: `node --expose-gc bench/crawler/crawl-memory.ts [loads] [tabs]`. A server on loopback has
 * pages without end, each with its own name, a call and four links. Prints heap and resident memory of Node every 250 loads
 * and the slope of the heap, after a collection where the process allows one; then loads a second and a CPU-second, the work of
 * the server among it.
 */

const loads = Number(process.argv[2] ?? 10_000)
const tabs = Number(process.argv[3] ?? 4)
let served = 0

const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://endless').pathname
  if (path === '/api/note') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
    return
  }
  if (path !== '/' && !path.startsWith('/p/')) {
    response.writeHead(404).end()
    return
  }
  if (++served % 250 === 0) note()
  const links = Array.from({ length: 4 }, () => `<p><a href="/p/${word()}">${word()}</a></p>`).join('')
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(
      `<!doctype html><title>${word()}</title><h1>${word()}</h1>${links}<script>fetch('/api/note')</script>`,
    )
})

const points: { loads: number; heap: number }[] = []

function note(): void {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  points.push({ loads: served, heap: heapUsed })
  console.log(
    `${served} loads: heap ${(heapUsed / 1e6).toFixed(1)} MB, resident ${(rss / 1e6).toFixed(0)} MB`,
  )
}

/** A word without digits, another one every time. */
function word(): string {
  return Array.from({ length: 12 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const measure = await runCrawl({
  start: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  seconds: 3600,
  mode: 'safe',
  tabs,
  loads,
  keepsNothing: true,
})
server.closeAllConnections()
server.close()
const late = points.slice(Math.floor(points.length / 3))
const first = late[0]
const last = late.at(-1)
if (first && last && last.loads > first.loads) {
  const slope = (last.heap - first.heap) / (last.loads - first.loads)
  console.log(`slope after the first third: ${slope.toFixed(0)} bytes of heap a load`)
}
const { outcome, browserSeconds, nodeSeconds } = measure
console.log(describeCost(measure))
console.log(
  `${(outcome.loads / outcome.seconds).toFixed(1)} loads a second, ${(outcome.loads / (browserSeconds + nodeSeconds)).toFixed(1)} a CPU-second`,
)
process.exit(0)
