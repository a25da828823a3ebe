/**
 * Sends far more live batches than the server can take, and looks at what that costs: how long every refusal takes, from
 * the packets on the wire, and those of other clients and lists by the clients' clock; how much memory is left a minute
 * later. Then holds thousands of idle connections, and looks whether others get in.
 *
 *   node test/faults/overload.ts [--seconds 25] [--clients 700] [--sockets 2000] [--nice 15]
 *
 * Wire times need tcpdump and the right to capture on the loopback interface.
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
import { type WireTimes, WireWatch } from './wire-times.ts'

const KEY = 'overloadoverloadoverloadoverloadoverload'
/** Messages of a batch of 570 kB. */
const BATCH_MESSAGES = 230
const BATCHES = 48
const PROBE_EVERY_MS = 100
const INGEST = '/api/ingestData'
const WARM_BATCHES = 400
const SETTLE_MS = 10_000
const MOST_REFUSAL_MS = 1000
const BATCH_PROBES = 4
const RETURN_WITHIN_S = 60
const MOST_GROWTH = 1.2
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
    /** Of the process that sends: senders are other machines, so they must not take the server's processor time. */
    nice: { type: 'string', default: '15' },
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
  setPriority(Number(values.nice))
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
      const { status, ms } = await call(target, INGEST, one.batch.bytes, agent)
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

/** What an overload cost. */
interface Costs {
  /** From the wire; null where nobody may capture. */
  readonly wire: WireTimes | null
  readonly lists: Times
  /** Batches of the senders, and of other clients. */
  readonly sent: Times
  readonly batches: Times
  readonly idleMb: number
  /** Resident memory when the overload ended, and after every second of the minute after. */
  readonly course: readonly number[]
}

async function overload(server: CliServer): Promise<string[]> {
  const source = new MessageSource(3)
  const idleMb = await warmUp(server, source)
  let isOver = false
  const until = () => isOver
  const probing = Promise.all([
    callUntil(until, server, '/api/getAllCollections', () => '{}'),
    // Several, because one whose batch was accepted waits for its answer and learns nothing about refusals.
    ...Array.from({ length: BATCH_PROBES }, () =>
      callUntil(until, server, INGEST, () => new ReplayableBatch(source.take(BATCH_MESSAGES)).bytes),
    ),
  ])
  let peak = idleMb
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(server))
  }, 200)
  const wire = await WireWatch.start(Number(new URL(server.baseUrl).port), INGEST)
  const sent = await flood(server)
  isOver = true
  const [lists, ...batchesOfEach] = await probing
  const onWire = (await wire?.stop()) ?? null
  const course = await memoryCourse(server)
  clearInterval(watch)
  const costs = { wire: onWire, sent, lists: lists!, batches: joined(batchesOfEach), idleMb, course }
  tell(costs, peak)
  return problemsOf(costs)
}

/** Idle memory after ordinary work: what the server loads with it, and its bounded caches, belong to the idle value. */
async function warmUp(server: CliServer, source: MessageSource): Promise<number> {
  await pause(SETTLE_MS)
  const freshMb = memoryOf(server)
  for (let n = 0; n < WARM_BATCHES; n++) {
    const { bytes } = new ReplayableBatch(source.take(BATCH_MESSAGES))
    await call(server.baseUrl, INGEST, bytes)
  }
  await pause(SETTLE_MS)
  const idleMb = memoryOf(server)
  console.log(`memory: ${freshMb} MB after the start, idle after ordinary work ${idleMb} MB`)
  return idleMb
}

function tell({ wire, lists, batches, idleMb, course }: Costs, peak: number): void {
  const onWire = wire === null ? 'not measured' : `${describe(wire.byStatus)}; ${wire.unpaired} not paired`
  console.log(`all batches, on the wire: ${onWire}`)
  console.log(`batches of other clients: ${describe(batches)}`)
  console.log(`lists of another client: ${describe(lists)}`)
  const left = course.at(-1)!
  const back = course.findIndex((megabytes) => megabytes <= MOST_GROWTH * idleMb)
  console.log(
    `memory: peak ${peak} MB, below ${MOST_GROWTH} × idle ${back < 0 ? 'never' : `after ${back} s`}, ${left} MB (${(left / idleMb).toFixed(2)} × idle) after ${RETURN_WITHIN_S} s; by the second: ${course}`,
  )
}

function problemsOf({ wire, sent, lists, batches, idleMb, course }: Costs): string[] {
  const problems: string[] = []
  const refusals = batches[503] ?? []
  if (refusals.length === 0) problems.push('none of the other clients was refused: nothing is known')
  if (Math.max(...refusals) > MOST_REFUSAL_MS) problems.push('a refusal of another client took too long')
  if (wire !== null && (wire.byStatus[503]?.length ?? 0) < (sent[503]?.length ?? 0) + refusals.length)
    problems.push('the wire shows fewer refusals than the clients got')
  if ((wire?.byStatus[503] ?? []).some((ms) => ms > MOST_REFUSAL_MS))
    problems.push('a refusal took too long on the wire')
  if (course.at(-1)! > MOST_GROWTH * idleMb) problems.push('the memory did not come back within a minute')
  if (Object.keys(lists).some((status) => status !== '200')) problems.push('a list was not answered')
  return problems
}

/** Runs the process that sends, to its end. */
async function flood(server: CliServer): Promise<Times> {
  const sent = await new Promise<{ times: Times; bytes: number; sender: SenderLoad }>((resolve, reject) => {
    const args = ['--target', server.baseUrl, '--seconds', values.seconds, '--clients', values.clients]
    fork(import.meta.filename, [...args, `--nice=${values.nice}`])
      .on('message', resolve)
      .on('error', reject)
  })
  const { cores, lagMs } = sent.sender
  console.log(`batches of ${sent.bytes} bytes from ${clients} clients for ${seconds} s`)
  console.log(`answers by the senders' clock, with their own wait: ${describe(sent.times)}`)
  console.log(`the senders: ${cores.toFixed(2)} cores, lag of their event loop ${lagMs} ms`)
  return sent.times
}

/** Resident memory at once and after every second of a minute. */
async function memoryCourse(server: CliServer): Promise<number[]> {
  const course = [memoryOf(server)]
  while (course.length <= RETURN_WITHIN_S) {
    await pause(1000)
    course.push(memoryOf(server))
  }
  return course
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
