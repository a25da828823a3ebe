/**
 * Attempts per second through the Sender (scope, rate, audit, limits, decoding, text) against a server with 1 ms of
 * latency, as a ratio to a bare loop of the same HTTP client sending the same requests and reading the same answers as
 * text. Short runs of both in turn; the ratio is
 * the median over the pairs. Then resident memory over one long run.
 *
 *   node bench/runner/sender.ts [--concurrency 50] [--requests 3000] [--rounds 15] [--long 100000]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { Sender, TargetScope } from '../../src/http/sender/index.ts'

const { values } = parseArgs({
  options: {
    concurrency: { type: 'string', default: '50' },
    requests: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '15' },
    long: { type: 'string', default: '100000' },
  },
})
const CONCURRENCY = Number(values.concurrency)
const REQUESTS = Number(values.requests)
const ROUNDS = Number(values.rounds)
const LONG = Number(values.long)

const HEADERS = [
  'content-type',
  'application/json',
  'accept',
  'application/json',
  'authorization',
  'Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'user-agent',
  'shop/1.0',
  'x-request-id',
  '5f2c1d3e',
  'cookie',
  'session=aaaaaaaaaaaaaaaaaaaaaaaa',
]
const BODY = Buffer.from(JSON.stringify({ query: 'shoes', page: 3, filter: { price: [10, 50] } }))

interface Measure {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

/** Sends so many requests, so many at once. */
async function loop(count: number, send: () => Promise<number>): Promise<Measure> {
  let left = count
  const started = performance.now()
  const cpu = process.cpuUsage()
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const length = await send()
      if (length < 500) throw new Error(`an answer of ${length} characters`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const used = process.cpuUsage(cpu)
  return {
    perSecond: (count * 1000) / (performance.now() - started),
    cpuMicroseconds: (used.user + used.system) / count,
  }
}

const server = spawn(process.execPath, [new URL('slow-server.ts', import.meta.url).pathname], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = (await once(server.stdout, 'data')) as [Buffer]
const host = `127.0.0.1:${line.toString().trim()}`
const path = '/api/v1/items/search?page=3&size=20'

const pool = new Pool(`http://${host}`, { connections: CONCURRENCY, pipelining: 1 })
const bare = async (): Promise<number> => {
  const { body } = await pool.request({ method: 'POST', path, headers: HEADERS, body: BODY })
  return (await body.text()).length
}

let audited = 0
const sender = new Sender({
  scope: new TargetScope([host]),
  requestsPerMinute: 0,
  verifiesTls: false,
  audit: () => {
    audited++
  },
  maxConcurrent: CONCURRENCY,
})
const { signal } = new AbortController()
const purpose = { kind: 'test', runId: 'run', summaryId: 'summary', testId: 'TEST', user: null } as const
const request = { method: 'POST', url: `http://${host}${path}`, headers: HEADERS, body: BODY }
const ours = async (): Promise<number> => {
  const { response } = await sender.send(request, { followRedirects: true, signal, purpose })
  return response.body.length
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

await loop(REQUESTS / 2, bare)
await loop(REQUESTS / 2, ours)
const bares: Measure[] = []
const sent: Measure[] = []
for (let round = 0; round < ROUNDS; round++) {
  bares.push(await loop(REQUESTS, bare))
  sent.push(await loop(REQUESTS, ours))
}
const show = (name: string, all: readonly Measure[]): void =>
  console.log(
    `${name}: ${Math.round(median(all.map((one) => one.perSecond)))} requests/s, ${median(all.map((one) => one.cpuMicroseconds)).toFixed(1)} µs of CPU each`,
  )
show('bare loop', bares)
show('sender', sent)
/** Median over the rounds of what ours is to the bare loop's. */
function ratioOf(compare: (ours: Measure, bare: Measure) => number): number {
  return median(sent.map((one, round) => compare(one, bares[round]!)))
}
const rate = ratioOf((one, other) => one.perSecond / other.perSecond)
const cpu = ratioOf((one, other) => other.cpuMicroseconds / one.cpuMicroseconds)
console.log(`ratio of rates: ${rate.toFixed(2)} (wanted: at least 0.85); ratio of CPU: ${cpu.toFixed(2)}`)

const resident: number[] = []
for (let tenth = 0; tenth < 10; tenth++) {
  await loop(LONG / 10, ours)
  resident.push(Math.round(process.memoryUsage().rss / 2 ** 20))
}
console.log(`resident memory in MiB at each tenth of ${LONG} requests: ${resident.join(' ')}`)
console.log(`audit records: ${audited}`)
await Promise.all([sender.close(), pool.close()])
server.kill()
