/**
 * Simulates an installation at more and more calls a day, and prints where it bends: how many ingest processes answer
 * 95 % of batches within a second in the busiest hour, what is busy then, and what is at its limit when no number does.
 * A simulation of queues with the costs given, not a measurement; the defaults are those of bench/results/scaling.md.
 *
 *   node bench/capacity/run.ts [--process-us 72] [--database-us 17] [--wal-bytes 350] [--sync-ms 1] [--trip-ms 0.5]
 *     [--database-cores 8] [--batch 500] [--peak 3] [--seconds 30] [--seed 1]
 *
 * Batches arrive at random, each is analysed by the process with the least to do (one core each), and what a process has
 * ready is one transaction: its statements take a core of the database, its commit waits for its turn among all
 * processes (decision 0077) and for the disk.
 */
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    'process-us': { type: 'string', default: '72' },
    'database-us': { type: 'string', default: '17' },
    'wal-bytes': { type: 'string', default: '350' },
    'sync-ms': { type: 'string', default: '1' },
    'trip-ms': { type: 'string', default: '0.5' },
    'database-cores': { type: 'string', default: '8' },
    batch: { type: 'string', default: '500' },
    peak: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const costs = {
  analysis: (Number(values['process-us']) * Number(values.batch)) / 1e6,
  statements: (Number(values['database-us']) * Number(values.batch)) / 1e6,
  /** Two round trips while the turn is held, and the sync of the log. */
  turn: (2 * Number(values['trip-ms']) + Number(values['sync-ms'])) / 1000,
}
const CORES = Number(values['database-cores'])
const SECONDS = Number(values.seconds)
/** Batches that one transaction takes at most. */
const TOGETHER = 16
const LIMIT_SECONDS = 1
const PROCESSES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Outcome {
  readonly p95: number
  readonly busy: Readonly<Record<'processes' | 'database cores' | 'turn of commits', number>>
}

interface Ingest {
  analysedAt: number
  committedAt: number
  /** Arrival and end of analysis of batches that wait for a transaction. */
  readonly ready: [arrival: number, analysed: number][]
}

/** The transaction of a process that can begin first; null when nothing is ready. */
function nextCommit(processes: readonly Ingest[]): { of: Ingest; at: number } | null {
  let found: { of: Ingest; at: number } | null = null
  for (const one of processes) {
    const first = one.ready[0]
    if (first === undefined) continue
    const at = Math.max(first[1], one.committedAt)
    if (found === null || at < found.at) found = { of: one, at }
  }
  return found
}

function simulate(batchesPerSecond: number, count: number): Outcome {
  const random = randomOf(Number(values.seed))
  const processes: Ingest[] = Array.from({ length: count }, () => ({
    analysedAt: 0,
    committedAt: 0,
    ready: [],
  }))
  for (let at = 0; at < SECONDS; at += -Math.log(1 - random()) / batchesPerSecond) {
    const least = processes.reduce((a, b) => (b.analysedAt < a.analysedAt ? b : a))
    least.analysedAt = Math.max(at, least.analysedAt) + costs.analysis
    least.ready.push([at, least.analysedAt])
  }
  const cores = new Array<number>(CORES).fill(0)
  const waits: number[] = []
  const used = { statements: 0, turn: 0 }
  let turnFreeAt = 0
  let end = SECONDS
  for (let next = nextCommit(processes); next !== null; next = nextCommit(processes)) {
    const { of, at } = next
    const ready = of.ready.findIndex(([, analysed]) => analysed > at)
    const taken = of.ready.splice(0, Math.min(TOGETHER, ready < 0 ? of.ready.length : ready))
    const core = cores.indexOf(Math.min(...cores))
    const work = taken.length * costs.statements
    const worked = Math.max(at, cores[core]!) + work
    cores[core] = worked
    turnFreeAt = Math.max(worked, turnFreeAt) + costs.turn
    of.committedAt = turnFreeAt
    used.statements += work
    used.turn += costs.turn
    end = Math.max(end, turnFreeAt)
    for (const [arrival] of taken) waits.push(turnFreeAt - arrival)
  }
  waits.sort((a, b) => a - b)
  return {
    p95: waits[Math.floor(waits.length * 0.95)] ?? 0,
    busy: {
      processes: (waits.length * costs.analysis) / (count * end),
      'database cores': used.statements / (CORES * end),
      'turn of commits': used.turn / end,
    },
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
console.log(
  'calls a day | peak/s | processes | p95 | processes busy | database cores | turn of commits | WAL',
)
for (const calls of [1e8, 3e8, 1e9, 3e9, 1e10, 2e10, 4e10]) {
  const peak = (calls / 86_400) * Number(values.peak)
  const tried = PROCESSES.map((count) => ({ count, ...simulate(peak / Number(values.batch), count) }))
  const found = tried.find(({ p95 }) => p95 < LIMIT_SECONDS)
  const shown = found ?? tried.at(-1)!
  const [limit] = Object.entries(shown.busy).sort(([, a], [, b]) => b - a)
  const parts = [
    calls.toExponential(0),
    Math.round(peak).toLocaleString('en'),
    found === undefined ? `none of up to ${shown.count}: ${limit![0]}` : String(shown.count),
    `${shown.p95.toFixed(2)} s`,
    ...Object.values(shown.busy).map(percent),
    `${((peak * Number(values['wal-bytes'])) / 1e6).toFixed(1)} MB/s`,
  ]
  console.log(parts.join(' | '))
}
