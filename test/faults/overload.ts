/**
 * Sends far more live batches than the server can take, and looks at what that costs others: how long refusals and
 * lists take, and when the memory is back. Then holds thousands of idle connections, and looks whether others get in.
 *
 *   node test/faults/overload.ts [--seconds 25] [--clients 700] [--sockets 2000]
 */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { MessageSource, ReplayableBatch } from '../../bench/ingest/messages.ts'
import { startArguments } from '../../bench/start-arguments.ts'
import { type CliServer, startCli } from '../cli-process.ts'

const KEY = 'overloadoverloadoverloadoverloadoverload'
/** Messages of a batch of 570 kB. */
const BATCH_MESSAGES = 230
const BATCHES = 48
const PROBE_EVERY_MS = 100
const SENDER_NICENESS = 15
const WARM_BATCHES = 400
const BATCH_PROBES = 4
const RETURN_WITHIN_MS = 60_000
const MB = 1024 * 1024

/** Times of calls in milliseconds, by status. */
type Times = Record<string, number[]>

/** What sending cost the process that sends. */
interface SenderLoad {
  /** CPU seconds a second. */
  cores: number
  /** Lag of its event loop in milliseconds (p50, p95, maximum): what its times hold beyond the server's. */
  lagMs: number[]
}

interface Answer {
  status: number
  ms: number
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '25' },
    clients: { type: 'string', default: '700' },
    sockets: { type: 'string', default: '2000' },
    /** Set for the process that sends the batches. */
    target: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const clients = Number(values.clients)
const sockets = Number(values.sockets)

if (values.target === undefined) process.exitCode = await measure()
else await send(values.target)

/** The process that sends: batches from all clients at once, each again as soon as it was answered. */
async function send(target: string): Promise<void> {
  // Senders are other machines: they must not take the server's processor time.
  setPriority(SENDER_NICENESS)
  const source = new MessageSource(11)
  const batches = Array.from({ length: BATCHES }, (_, at) => ({
    batch: new ReplayableBatch(source.take(BATCH_MESSAGES)),
    users: 0,
    passes: at,
  }))
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: Times = {}
  const until = performance.now() + seconds * 1000
  const client = async (number: number): Promise<void> => {
    for (let turn = number; performance.now() < until; turn += 7) {
      const one = batches[turn % BATCHES]!
      // Bytes that nobody is sending may change: new messages cost the server most.
      if (one.users === 0) one.batch.renew(++one.passes, one.passes * 1000 + number)
      one.users++
      const { status, ms } = await call(target, '/api/ingestData', one.batch.bytes, agent)
      one.users--
      times[status] ??= []
      times[status].push(Math.round(ms))
    }
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  agent.destroy()
  const { user, system } = process.cpuUsage(before)
  const sender: SenderLoad = {
    cores: (user + system) / 1e6 / seconds,
    lagMs: [delay.percentile(50), delay.percentile(95), delay.max].map((ns) => Math.round(ns / 1e6)),
  }
  process.send!({ times, bytes: batches[0]!.batch.bytes.length, sender })
  process.disconnect()
}

/** Time from the call to the status of its answer; status 0 for a connection that was cut. */
function call(base: string, path: string, body: Uint8Array | string, agent?: Agent): Promise<Answer> {
  const started = performance.now()
  const headers = {
    'x-api-key': KEY,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve) => {
    let status = 0
    let ms = 0
    const done = (): void => resolve({ status, ms: ms || performance.now() - started })
    request(base + path, { method: 'POST', headers, ...(agent ? { agent } : {}) }, (answer) => {
      status = answer.statusCode ?? 0
      ms = performance.now() - started
      answer.resume().on('close', done)
    })
      .on('error', done)
      .end(body)
  })
}

async function measure(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-overload-'))
  const args = ['--data-dir', folder, '--api-key', KEY, '--log-level', 'error']
  const server = await startCli(args, await startArguments())
  try {
    const problems = [...(await overload(server)), ...(await holdIdleSockets(server))]
    console.log(problems.length === 0 ? 'no problem' : problems.join('\n'))
    return problems.length === 0 ? 0 : 1
  } finally {
    server.process.kill('SIGTERM')
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function overload(server: CliServer): Promise<string[]> {
  // What the server loads with ordinary work, and its bounded caches, belong to the idle value.
  const source = new MessageSource(3)
  for (let n = 0; n < WARM_BATCHES; n++) {
    const { bytes } = new ReplayableBatch(source.take(BATCH_MESSAGES))
    await call(server.baseUrl, '/api/ingestData', bytes)
  }
  await pause(10_000)
  const idle = memoryOf(server)
  let isOver = false
  const probing = Promise.all([
    callUntil(
      () => isOver,
      server,
      '/api/getAllCollections',
      () => '{}',
    ),
    // Several, because one whose batch was accepted waits for its answer and learns nothing about refusals.
    ...Array.from({ length: BATCH_PROBES }, () =>
      callUntil(
        () => isOver,
        server,
        '/api/ingestData',
        () => new ReplayableBatch(source.take(BATCH_MESSAGES)).bytes,
      ),
    ),
  ])
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(server))
  }, 200)
  const sent = await new Promise<{ times: Times; bytes: number; sender: SenderLoad }>((resolve, reject) => {
    const args = ['--target', server.baseUrl, '--seconds', String(seconds), '--clients', String(clients)]
    fork(import.meta.filename, args)
      .on('message', resolve)
      .on('error', reject)
  })
  const ended = performance.now()
  isOver = true
  const [lists, ...batchesOfEach] = await probing
  const batches = joined(batchesOfEach)
  let now = memoryOf(server)
  const course: number[] = []
  while (now > 1.2 * idle && performance.now() - ended < RETURN_WITHIN_MS) {
    await pause(1000)
    now = memoryOf(server)
    course.push(now)
  }
  clearInterval(watch)
  const returned = Math.round((performance.now() - ended) / 1000)
  console.log(`batches of ${sent.bytes} bytes from ${clients} clients for ${seconds} s`)
  console.log(`answers: ${describe(sent.times)}`)
  console.log(
    `the sender: ${sent.sender.cores.toFixed(2)} cores, lag of its event loop ${sent.sender.lagMs} ms`,
  )
  console.log(`lists of another client: ${describe(lists!)}`)
  console.log(`batches of other clients: ${describe(batches)}`)
  console.log(
    `memory: idle ${idle} MB, peak ${peak} MB, ${now} MB after ${returned} s; by the second: ${course}`,
  )
  const problems: string[] = []
  // Those of the senders hold their own wait for a processor, of which they get what the server leaves.
  const refusals = batches[503] ?? []
  if (refusals.length === 0) problems.push('none of the other clients was refused: nothing is known')
  if (Math.max(...refusals) > 1000) problems.push('a refusal took longer than a second')
  if (now > 1.2 * idle) problems.push('the memory did not come back within a minute')
  if (Object.keys(lists!).some((status) => status !== '200')) problems.push('a list was not answered')
  return problems
}

/** Calls of another client, one after the other: their times hold no wait for a sender that is overloaded itself. */
async function callUntil(
  isOver: () => boolean,
  server: CliServer,
  path: string,
  bodyOf: () => Uint8Array | string,
): Promise<Times> {
  const times: Times = {}
  while (!isOver()) {
    const { status, ms } = await call(server.baseUrl, path, bodyOf())
    times[status] ??= []
    times[status].push(Math.round(ms))
    await pause(PROBE_EVERY_MS)
  }
  return times
}

async function holdIdleSockets(server: CliServer): Promise<string[]> {
  const { hostname, port } = new URL(server.baseUrl)
  const held: Socket[] = []
  const keepOpen = (): void => {
    const socket = connect(Number(port), hostname)
    held.push(socket)
    // Whoever wants to lock others out comes back at once.
    socket
      .on('error', () => {})
      .on('close', () => {
        held.splice(held.indexOf(socket), 1)
        if (!isOver) setTimeout(keepOpen, 10)
      })
  }
  let isOver = false
  for (let n = 0; n < sockets; n++) keepOpen()
  const times: Times = {}
  const until = performance.now() + 15_000
  while (performance.now() < until) {
    const { status, ms } = await call(server.baseUrl, '/api/fetchOwnUser', '{}')
    const health = performance.now()
    const ok = await isHealthy(server.baseUrl)
    times[status] ??= []
    times[status].push(Math.round(ms))
    const name = ok ? 'health' : 'no health'
    times[name] ??= []
    times[name].push(Math.round(performance.now() - health))
    await pause(PROBE_EVERY_MS)
  }
  isOver = true
  for (const socket of held) socket.destroy()
  console.log(`calls beside ${sockets} idle connections: ${describe(times)}`)
  const isOut = Object.keys(times).some((name) => name !== '200' && name !== 'health')
  return isOut ? ['idle connections kept somebody out'] : []
}

function joined(each: readonly Times[]): Times {
  const statuses = new Set(each.flatMap((times) => Object.keys(times)))
  return Object.fromEntries(
    [...statuses].map((status) => [status, each.flatMap((times) => times[status] ?? [])]),
  )
}

/** Whether the server says that it lives, on a new connection, as probes of orchestrators ask. */
function isHealthy(base: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${base}/health?live=1`, { agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

function describe(times: Times): string {
  return Object.entries(times)
    .map(([status, list]) => {
      const sorted = list.toSorted((a, b) => a - b)
      const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
      return `${list.length} × ${status} (p50 ${at(0.5)}, p95 ${at(0.95)}, max ${sorted.at(-1)} ms)`
    })
    .join('; ')
}

/** Resident memory in MB; where the system does not tell, 0. */
function memoryOf(server: CliServer): number {
  const status = readFileSync(`/proc/${serverPid(server)}/status`, 'utf8')
  return Math.round((Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MB)
}

function serverPid(server: CliServer): number {
  return server.process.pid!
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
