/**
 * Sends live traffic at an even rate for a long time, with lists read beside it, and looks whether memory or latency
 * grow: the quarter after the warm-up is compared with the last quarter. CPU of a message is compared as well: other work
 * on the machine changes latency, and hardly that. Exits with 1 when one grows, when a quarter has no figure, or when a
 * message was refused.
 *
 *   node test/faults/soak.ts [--minutes 30] [--rate 1000] [--warm-up 5]
 *
 * The rate is in messages (about 2.4 KB each) per second; 80 % of what `node bench/ingest/run.ts` prints is a hard day.
 * With VIGIL_DATABASE_URL set the server uses that PostgreSQL database, which must be empty.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MessageSource, ReplayableBatch } from '../../bench/ingest/messages.ts'
import { cpuSeconds } from '../../bench/scaling/figures.ts'
import { startArguments } from '../../bench/start-arguments.ts'
import { type CliServer, startCli } from '../cli-process.ts'

const KEY = 'soaksoaksoaksoaksoaksoaksoaksoaksoaksoak'
const BATCH = 100
const BATCHES = 16
const LISTS_EVERY_MS = 1000
const MEMORY_EVERY_MS = 1000
const MOST_GROWTH = 0.05
const MINUTE_MS = 60_000

/** A value at a time, in milliseconds since the start. */
interface Reading {
  readonly atMs: number
  readonly value: number
}

interface Readings {
  readonly memoryMb: Reading[]
  readonly ingestMs: Reading[]
  readonly listMs: Reading[]
  /** CPU seconds of the server so far, and messages that it took. */
  readonly used: { readonly atMs: number; readonly cpu: number; readonly sent: number }[]
  sent: number
  refused: number
}

/** Sends batches at their times, whatever the answers take; what is late is sent at once. */
async function sendEvenly(
  server: CliServer,
  rate: number,
  untilMs: number,
  readings: Readings,
): Promise<void> {
  const source = new MessageSource(17)
  const free = Array.from({ length: BATCHES }, () => new ReplayableBatch(source.take(BATCH)))
  const everyMs = (BATCH * 1000) / rate
  const started = performance.now()
  const running = new Set<Promise<void>>()
  let newPaths = 0
  for (let number = 1; performance.now() - started < untilMs; number++) {
    await sleep(Math.max(0, number * everyMs - (performance.now() - started)))
    // All are on their way: the server is slower than the rate.
    while (free.length === 0) await Promise.race(running)
    const batch = free.pop()!
    newPaths += batch.newPaths
    batch.renew(number, newPaths)
    const call = post(server, 'ingestData', new Uint8Array(batch.bytes)).then(({ status, ms }) => {
      if (status === 200) readings.sent += BATCH
      else readings.refused += BATCH
      readings.ingestMs.push({ atMs: performance.now() - started, value: ms })
      free.push(batch)
      running.delete(call)
    })
    running.add(call)
  }
  await Promise.all(running)
}

async function post(
  { baseUrl }: CliServer,
  operation: string,
  body: Uint8Array<ArrayBuffer> | string,
): Promise<{ status: number; ms: number }> {
  const started = performance.now()
  const answer = await fetch(`${baseUrl}/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body,
  })
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - started }
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Medians of the first and of the last quarter of the time after the warm-up. */
function quarters(readings: readonly Reading[], fromMs: number, toMs: number): [number, number] {
  const quarter = (toMs - fromMs) / 4
  const within = (low: number, high: number): number =>
    median(readings.filter(({ atMs }) => atMs >= low && atMs < high).map(({ value }) => value))
  return [within(fromMs, fromMs + quarter), within(toMs - quarter, toMs)]
}

/** Microseconds of CPU of a message, in the same quarters. */
function cpuOfMessage(used: Readings['used'], fromMs: number, toMs: number): [number, number] {
  const quarter = (toMs - fromMs) / 4
  const within = (low: number, high: number): number => {
    const some = used.filter(({ atMs }) => atMs >= low && atMs < high)
    const [first, last] = [some[0], some.at(-1)]
    if (first === undefined || last === undefined) return Number.NaN
    return ((last.cpu - first.cpu) * 1e6) / (last.sent - first.sent)
  }
  return [within(fromMs, fromMs + quarter), within(toMs - quarter, toMs)]
}

/** Readings at even times until `isOver`. */
async function watch(isOver: () => boolean, everyMs: number, read: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await read()
    await sleep(everyMs)
  }
}

async function soak(server: CliServer, rate: number, totalMs: number): Promise<Readings> {
  const readings: Readings = { memoryMb: [], ingestMs: [], listMs: [], used: [], sent: 0, refused: 0 }
  const started = performance.now()
  let isOver = false
  const watching = Promise.all([
    watch(
      () => isOver,
      MEMORY_EVERY_MS,
      async () => {
        const pid = server.process.pid!
        const atMs = performance.now() - started
        readings.memoryMb.push({ atMs, value: residentMb(pid) })
        readings.used.push({ atMs, cpu: cpuSeconds(pid), sent: readings.sent })
      },
    ),
    watch(
      () => isOver,
      LISTS_EVERY_MS,
      async () => {
        const { ms } = await post(server, 'searchEndpoints', '{}')
        readings.listMs.push({ atMs: performance.now() - started, value: ms })
      },
    ),
  ])
  await sendEvenly(server, rate, totalMs, readings)
  isOver = true
  await watching
  return readings
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '1000' },
    'warm-up': { type: 'string', default: '5' },
  },
})
const [totalMs, warmUpMs] = [values.minutes, values['warm-up']].map((minutes) => Number(minutes) * MINUTE_MS)
if (!(warmUpMs! < totalMs!)) throw new Error('the warm-up must be shorter than the whole')
const folder = mkdtempSync(join(tmpdir(), 'vigil-soak-'))
const databaseUrl = process.env['VIGIL_DATABASE_URL']
const place = databaseUrl === undefined ? ['--data-dir', folder] : ['--database-url', databaseUrl]
const server = await startCli(
  [...place, '--api-key', KEY, '--log-level', 'error'],
  await startArguments(),
  180_000,
)
try {
  const readings = await soak(server, Number(values.rate), totalMs!)
  console.log(
    `${values.minutes} minutes: ${readings.sent} messages (${Math.round((readings.sent * 1000) / totalMs!)}/s of ${values.rate}), ${readings.refused} refused`,
  )
  let isFlat = readings.refused === 0
  const ofQuarters = (list: readonly Reading[]): [number, number] => quarters(list, warmUpMs!, totalMs!)
  for (const [name, [first, last], unit] of [
    ['resident memory', ofQuarters(readings.memoryMb), 'MB'],
    ['ingestData', ofQuarters(readings.ingestMs), 'ms'],
    ['searchEndpoints', ofQuarters(readings.listMs), 'ms'],
    ['CPU of a message', cpuOfMessage(readings.used, warmUpMs!, totalMs!), 'us'],
  ] as const) {
    const growth = last / first - 1
    // A quarter without readings, or without messages, shows nothing.
    if (!(growth <= MOST_GROWTH) || !Number.isFinite(first)) isFlat = false
    console.log(
      `${name}: ${first.toFixed(1)} ${unit} in the quarter after the warm-up, ${last.toFixed(1)} ${unit} in the last one: ${(growth * 100).toFixed(1)} % (target below ${MOST_GROWTH * 100} %)`,
    )
  }
  process.exitCode = isFlat ? 0 : 1
} finally {
  server.process.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}
