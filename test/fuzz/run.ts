/**
 * Reads changed inputs with every parser of data from outside, for a time, and keeps what breaks one.
 * Run: node test/fuzz/run.ts [--seconds 600] [--seed 7] [--only har,pcap] [--results fuzz.tsv]
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { fuzz } from './fuzz.ts'
import { parsers } from './parsers.ts'

/** An input that is not done after so much processor time is a hang. */
const STUCK_MS = 30_000
/** Time by the clock after which an input that uses no processor is stuck as well, on the busiest machine. */
const WAITING_MS = 900_000
/** What a parser holds more than after its warm-up; a parser that keeps something of each input is far above. */
const MAX_GROWTH = 8e6
const CHECK_MS = 1000
const MAX_INPUT = 16_384

interface Job {
  readonly seconds: number
  readonly seed: number
  readonly only: readonly string[]
  /** File to which a line for each parser is added: time, commit, seed, parser, inputs, slowest in ms, growth in bytes, faults. */
  readonly results: string | null
  readonly commit: string
  /** Number of inputs begun, and length of the current one. */
  readonly state: SharedArrayBuffer
  readonly input: SharedArrayBuffer
}

async function work(job: Job): Promise<void> {
  const { seconds, seed, only, state, input: shared } = job
  const [counts, current] = [new Int32Array(state), Buffer.from(shared)]
  const usedBytes = collecting()
  const chosen = parsers().filter(({ name }) => only.length === 0 || only.includes(name))
  let total = 0
  for (const parser of chosen) {
    const onInput = (_: string, input: Buffer): void => {
      input.copy(current)
      counts[1] = input.length
      Atomics.add(counts, 0, 1)
    }
    const ms = (seconds * 1000) / chosen.length
    const found = await fuzz(parser, { seed, ms, maxBytes: MAX_INPUT, onInput, usedBytes })
    const { inputs, outcomes, slowestMs, faults } = found
    const grown = found.grownBytes ?? 0
    total += inputs
    console.log(
      `${parser.name.padEnd(24)} ${String(inputs).padStart(8)} inputs  ${String(outcomes).padStart(5)} outcomes  slowest ${slowestMs.toFixed(0).padStart(4)} ms  grown by ${(grown / 1e6).toFixed(1)} MB`,
    )
    const grows = grown > MAX_GROWTH
    if (grows) console.log(`GROWTH ${parser.name}: seed ${seed}, ${grown} bytes`)
    for (const fault of faults) keep(fault.parser, fault.input, fault.reason)
    const line = [new Date().toISOString(), job.commit, seed, parser.name, inputs, slowestMs, grown]
    if (job.results !== null) appendFileSync(job.results, `${[...line, faults.length].join('\t')}\n`)
    parentPort!.postMessage(faults.length + Number(grows))
  }
  console.log(`${total} inputs`)
}

/** Bytes that are in use after garbage was collected. */
function collecting(): () => number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  return () => {
    // What the first collection finds is given back before the second.
    for (let times = 0; times < 2; times++) collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}

function keep(parser: string, input: Buffer, reason: string): void {
  const folder = join(tmpdir(), 'vigil-fuzz', parser)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${Date.now()}.bin`)
  writeFileSync(file, input)
  console.log(`FAULT ${parser}: ${reason}\n  ${file}: copy it to test/fixtures/fuzz/${parser} before mending`)
}

/** Processor time of all threads: this one waits. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function watch(): void {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      results: { type: 'string' },
    },
  })
  const job: Job = {
    seconds: Number(values.seconds ?? 600),
    seed: Number(values.seed ?? randomInt(1_000_000)),
    only: values.only?.split(',') ?? [],
    results: values.results ?? null,
    commit: spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim(),
    state: new SharedArrayBuffer(8),
    input: new SharedArrayBuffer(MAX_INPUT),
  }
  console.log(`seed ${job.seed}`)
  const worker = new Worker(new URL(import.meta.url), { workerData: job })
  const counts = new Int32Array(job.state)
  let [last, lastAt, since] = [-1, cpuMs(), performance.now()]
  const check = setInterval(() => {
    const now = Atomics.load(counts, 0)
    if (now !== last) [last, lastAt, since] = [now, cpuMs(), performance.now()]
    else if (now > 0 && (cpuMs() - lastAt > STUCK_MS || performance.now() - since > WAITING_MS)) {
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
else await work(workerData as Job)
