/**
 * What the middleware costs an application: the same load on the application with and without it in turn, in short
 * blocks within one process, so that other work on the machine and the compilers of V8 meet both alike.
 *
 *   node bench/middleware/run.ts [--frameworks http,express,fastify] [--vigil answers,away,slow] [--work shop|none]
 *     [--share 0.02] [--rounds 80] [--requests 100] [--connections 16] [--spare]
 *
 * The middleware takes the application to be at full load, so that what it waits between its blocks is not counted as time
 * to spare, which it would use to capture more; with --spare it is counted. What a quiet time lets the middleware capture at once is used up before. `--vigil none` compares the application with itself: what that differs from 1 is noise of the machine.
 *
 * Prints for each framework and state of Vigil the median of the ratios with / without of CPU time per request, of the
 * rate, each with its standard error, and the counts of the middleware. CPU time is that of the whole process, sending
 * included.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'

const { values } = parseArgs({
  options: {
    frameworks: { type: 'string', default: 'http,express,fastify' },
    vigil: { type: 'string', default: 'answers,away,slow' },
    work: { type: 'string', default: 'shop' },
    share: { type: 'string', default: '0.02' },
    rounds: { type: 'string', default: '80' },
    requests: { type: 'string', default: '100' },
    connections: { type: 'string', default: '16' },
    spare: { type: 'boolean', default: false },
  },
})
const ROUNDS = Number(values.rounds)
const REQUESTS = Number(values.requests)
const CONNECTIONS = Number(values.connections)
/** Blocks before those that count, for the compilers of V8. */
const WARM_UP = 10

interface Counts {
  readonly captured: number
  readonly sent: number
  readonly skipped: number
  readonly dropped: number
}

/** The application, and connections to it without and with the middleware. */
interface App {
  readonly child: ChildProcess
  readonly plain: Pool
  readonly watched: Pool
}

async function startVigil(state: string): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((request, response) => {
    request.resume()
    if (state === 'slow') return // it takes what is sent, and never answers
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  if (state === 'away') close()
  return { url, close }
}

async function startApp(framework: string, vigil: string | null): Promise<App> {
  const args = [
    '--framework',
    framework,
    '--work',
    values.work,
    '--share',
    values.share,
    ...(values.spare ? [] : ['--full-load']),
    ...(vigil === null ? [] : ['--vigil', vigil]),
  ]
  const child = fork(new URL('app.ts', import.meta.url), args, {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [{ ports }] = (await once(child, 'message')) as [{ ports: [number, number] }]
  const [plain, watched] = ports.map(
    (port) => new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS }),
  )
  return { child, plain: plain!, watched: watched! }
}

async function tellOf({ child }: App): Promise<{ cpuMicroseconds: number; counts: Counts | null }> {
  const told = once(child, 'message')
  child.send('cpu')
  const [figures] = (await told) as [{ cpuMicroseconds: number; counts: Counts | null }]
  return figures
}

const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'user-agent': 'bench/1',
  accept: 'application/json',
  'accept-language': 'en',
}

/** One block; @returns CPU microseconds and wall microseconds per request. */
async function block(app: App, pool: Pool): Promise<{ cpu: number; wall: number }> {
  const before = await tellOf(app)
  const startedMs = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < REQUESTS; index = next++) {
      const body = JSON.stringify({ from: index % 500, text: 'neighbour', card_number: '4111111111111111' })
      const answer = await pool.request({
        method: 'POST',
        path: `/orders/${index % 9}?page=2`,
        headers,
        body,
      })
      if (answer.statusCode !== 200) throw new Error(`the application answered ${answer.statusCode}`)
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  const wall = ((performance.now() - startedMs) * 1000) / REQUESTS
  const after = await tellOf(app)
  return { cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / REQUESTS, wall }
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]!
}

/** Median of the ratios of neighbouring blocks, and its standard error, taken from their quartiles. */
function ratioOf(of: readonly number[], to: readonly number[]): { median: number; error: number } {
  const ratios = of.map((one, at) => one / to[at]!)
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 1.349
  return { median: quantile(ratios, 0.5), error: (1.253 * spread) / Math.sqrt(ratios.length) }
}

/** Blocks after which an application is measured even if its middleware has not skipped anything. */
const MOST_BLOCKS = 300

/** Loads an application until its middleware has used up what a quiet time gave it: what counts is what stays. */
async function spendBurst(app: App): Promise<void> {
  for (let blocks = 0; blocks < MOST_BLOCKS; blocks++) {
    const { counts } = await tellOf(app)
    if (counts === null || counts.skipped > 0) return
    await block(app, app.watched)
  }
}

/** The figures of one framework and one state of Vigil. */
async function compare(framework: string, state: string): Promise<void> {
  const vigil = await startVigil(state)
  const app = await startApp(framework, state === 'none' ? null : vigil.url)
  await spendBurst(app)
  const [plain, watched]: { cpu: number; wall: number }[][] = [[], []]
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    // The order changes, so that neither is always second.
    const order: [Pool, typeof plain][] = [
      [app.plain, plain],
      [app.watched, watched],
    ]
    for (const [pool, blocks] of round % 2 === 0 ? order : order.toReversed()) {
      const figures = await block(app, pool)
      if (round >= 0) blocks!.push(figures)
    }
  }
  const { counts } = await tellOf(app)
  const of = (blocks: { cpu: number; wall: number }[], what: 'cpu' | 'wall'): number[] =>
    blocks.map((one) => one[what])
  const cpu = ratioOf(of(watched!, 'cpu'), of(plain!, 'cpu'))
  const rate = ratioOf(of(plain!, 'wall'), of(watched!, 'wall'))
  const each = [plain!, watched!].map((blocks) => quantile(of(blocks, 'cpu'), 0.5).toFixed(0))
  const what =
    counts === null
      ? ''
      : `captured ${counts.captured}, sent ${counts.sent}, skipped ${counts.skipped}, dropped ${counts.dropped}`
  console.log(
    `${framework.padEnd(8)} Vigil ${state.padEnd(8)} CPU ×${cpu.median.toFixed(3)} ± ${cpu.error.toFixed(3)}  ` +
      `rate ×${rate.median.toFixed(3)} ± ${rate.error.toFixed(3)}  ` +
      `(${each[0]} µs of CPU a request without, ${each[1]} with; ${what})`,
  )
  await Promise.all([app.plain.close(), app.watched.close()])
  app.child.disconnect()
  vigil.close()
}

console.log(`${ROUNDS} rounds of ${REQUESTS} requests over ${CONNECTIONS} connections, work: ${values.work}`)
for (const framework of values.frameworks.split(','))
  for (const state of values.vigil.split(',')) await compare(framework, state)
