/**
 * Reads changed inputs with every parser of data from outside, for a time, and keeps what breaks one.
 * Run: node test/fuzz/run.ts [--seconds 600] [--seed 7] [--only har,pcap]
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { fuzz } from './fuzz.ts'
import { parsers } from './parsers.ts'

/** An input that is not done after this time is a hang. */
const STUCK_MS = 30_000
const CHECK_MS = 1000
const MAX_INPUT = 16_384

interface Job {
  readonly seconds: number
  readonly seed: number
  readonly only: readonly string[]
  /** Number of inputs begun, and length of the current one. */
  readonly state: SharedArrayBuffer
  readonly input: SharedArrayBuffer
}

function work({ seconds, seed, only, state, input: shared }: Job): void {
  const [counts, current] = [new Int32Array(state), Buffer.from(shared)]
  const chosen = parsers().filter(({ name }) => only.length === 0 || only.includes(name))
  let total = 0
  for (const parser of chosen) {
    const onInput = (_: string, input: Buffer): void => {
      input.copy(current)
      counts[1] = input.length
      Atomics.add(counts, 0, 1)
    }
    const ms = (seconds * 1000) / chosen.length
    const { inputs, outcomes, slowestMs, faults } = fuzz(parser, { seed, ms, maxBytes: MAX_INPUT, onInput })
    total += inputs
    const memory = Math.round(process.memoryUsage().rss / 1e6)
    console.log(
      `${parser.name.padEnd(22)} ${String(inputs).padStart(8)} inputs  ${String(outcomes).padStart(5)} outcomes  slowest ${slowestMs.toFixed(0).padStart(4)} ms  ${memory} MB`,
    )
    for (const fault of faults) keep(fault.parser, fault.input, fault.reason)
    parentPort!.postMessage(faults.length)
  }
  console.log(`${total} inputs`)
}

function keep(parser: string, input: Buffer, reason: string): void {
  const folder = join(tmpdir(), 'vigil-fuzz', parser)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${Date.now()}.bin`)
  writeFileSync(file, input)
  console.log(`FAULT ${parser}: ${reason}\n  ${file}: copy it to test/fixtures/fuzz/${parser} before mending`)
}

function watch(): void {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  })
  const job: Job = {
    seconds: Number(values.seconds ?? 600),
    seed: Number(values.seed ?? randomInt(1_000_000)),
    only: values.only?.split(',') ?? [],
    state: new SharedArrayBuffer(8),
    input: new SharedArrayBuffer(MAX_INPUT),
  }
  console.log(`seed ${job.seed}`)
  const worker = new Worker(new URL(import.meta.url), { workerData: job })
  const counts = new Int32Array(job.state)
  let [last, lastAt] = [-1, performance.now()]
  const check = setInterval(() => {
    const now = Atomics.load(counts, 0)
    if (now !== last) [last, lastAt] = [now, performance.now()]
    else if (now > 0 && performance.now() - lastAt > STUCK_MS) {
      keep('stuck', Buffer.from(Buffer.from(job.input).subarray(0, counts[1])), 'it is never done')
      process.exit(1)
    }
  }, CHECK_MS)
  worker.on('message', (faults: number) => {
    if (faults > 0) process.exitCode = 1
  })
  worker.on('error', (error) => {
    console.error(error)
    process.exit(1)
  })
  worker.on('exit', () => clearInterval(check))
}

if (isMainThread) watch()
else work(workerData as Job)
