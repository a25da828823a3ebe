/**
 * Starts an installation and sends it traffic and a test run, while faults meet it by a seeded schedule: processes are
 * killed, paused and restarted, ways between them are cut, the database crashes or fails over to its standby, the
 * broker is killed, the power of the embedded store fails. After each schedule everything must recover by itself;
 * nothing that was acknowledged may be missing, nothing may be counted twice, and the run must end with one result for
 * each check.
 *
 *   node test/faults/schedules.ts [--store embedded|postgres] [--broker none|nats|kafka] [--seed 1] [--schedules 10]
 *
 * A schedule lasts about 20 s. The installation stays for all schedules; --seed with --schedules 1 repeats one of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { until } from '../until.ts'
import { carryOut } from './schedule/carry-out.ts'
import { type Expectation, findProblems, PROBE_FILTER } from './schedule/check.ts'
import { type Cluster, type ClusterKind, startCluster } from './schedule/cluster.ts'
import { Load } from './schedule/load.ts'
import { FAULTS_WITHIN_MS, inWords, type PlannedFault, planOf } from './schedule/plan.ts'
import { Random } from './schedule/random.ts'
import { startTarget, type TestedTarget } from './schedule/test-run.ts'
import { KEY } from './schedule/vigil-process.ts'

/** Seconds of the messages of one schedule. */
const WINDOW_S = 600
const FIRST_S = 1_794_000_000
/** The whole installation must be well again within this time. */
const RECOVERY_MS = 180_000
/** What the counts of a killed process, and a run whose worker was killed, are given after the faults. */
const SETTLE_MS = 480_000
const SETTLE_EVERY_MS = 1000

/** What came of one schedule. */
export interface ScheduleReport {
  readonly seed: number
  readonly plan: readonly PlannedFault[]
  http: number
  stream: number
  resent: number
  /** From the last fault that was mended until every process was well, took traffic and had read the stream. */
  recoveryMs: number
  problems: string[]
}

export interface SchedulesOptions extends ClusterKind {
  readonly seed: number
  readonly schedules: number
  /** Hears of each schedule before it begins, and of what came of it. */
  readonly onPlan?: (seed: number, plan: readonly PlannedFault[]) => void
  readonly onReport?: (report: ScheduleReport) => void
}

/** Carries out the schedules of so many seeds, one after another, on one installation. */
export async function runSchedules(options: SchedulesOptions): Promise<ScheduleReport[]> {
  const cluster = await startCluster(options)
  let target: TestedTarget | null = null
  try {
    await cluster.vigil.call('saveFilterYamlTemplate', { content: PROBE_FILTER })
    target = await startTarget(cluster)
    const reports: ScheduleReport[] = []
    const checks: Promise<void>[] = []
    for (let number = 0; number < options.schedules; number++) {
      const seed = options.seed + number
      options.onPlan?.(seed, planOf(seed, cluster.shape))
      const { report, expected } = await carryOutOne(cluster, target, seed, FIRST_S + number * WINDOW_S)
      reports.push(report)
      // Beside the next schedule: what was acknowledged stays, whatever comes.
      checks.push(settle(cluster, report, expected).then(() => options.onReport?.(report)))
    }
    await Promise.all(checks)
    return reports
  } finally {
    await target?.close()
    await cluster.stop()
  }
}

/** Carries out the schedule of a seed under load; whatever comes of it, the load has ended then. */
export async function carryOutOne(
  cluster: Cluster,
  target: Pick<TestedTarget, 'startRun'>,
  seed: number,
  from: number,
): Promise<{ report: ScheduleReport; expected: Expectation }> {
  const plan = planOf(seed, cluster.shape)
  const losesPower = plan.some(({ kind }) => kind === 'power-loss')
  if (losesPower) await cluster.recordDisk()
  if (cluster.pair !== null && !cluster.pair.hasStandby) await cluster.pair.addStandby()
  const load = new Load(cluster, `s${seed}`, from, seed)
  const run = await target.startRun()
  const report: ScheduleReport = { seed, plan, http: 0, stream: 0, resent: 0, recoveryMs: 0, problems: [] }
  load.begin()
  try {
    await carryOut(cluster, plan, new Random(seed + 2))
    const mended = performance.now()
    await recovered(cluster, report)
    report.recoveryMs = Math.round(performance.now() - mended)
    await load.end()
  } finally {
    await load.abort()
  }
  if (losesPower) cluster.processes[0]!.env = {}
  const { sent } = load
  Object.assign(report, { http: sent.http, stream: sent.stream, resent: sent.resent })
  report.problems.push(...sent.problems)
  for (const one of cluster.processes) report.problems.push(...one.unexpectedEnds.splice(0))
  return { report, expected: { sent, run, from, to: from + WINDOW_S - 1 } }
}

/** Waits until every process is well and what the broker has is read; notes what is not. */
async function recovered(cluster: Cluster, report: ScheduleReport): Promise<void> {
  try {
    for (const one of cluster.processes)
      await until(`${one.name} is healthy`, () => one.isHealthy(), { ms: RECOVERY_MS })
    if (cluster.broker === null) return
    const taker = cluster.processes.find(({ takesTraffic }) => takesTraffic)!
    const isRead = (lag: number): boolean => lag < LAG_OF_LOAD
    await until('the stream is read', () => lagOf(taker.port), { isRight: isRead, ms: RECOVERY_MS })
  } catch (error) {
    report.problems.push((error as Error).message)
  }
}

/** The load goes on meanwhile: what it publishes within the time between two looks at the lag. */
const LAG_OF_LOAD = 5000

async function lagOf(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { 'x-api-key': KEY } }).catch(
    () => null,
  )
  const line = (await answer?.text())?.split('\n').find((one) => one.startsWith('vigil_stream_lag '))
  return line === undefined ? Number.NaN : Number(line.split(' ')[1])
}

/** Waits until everything holds of a schedule, and notes what still does not when patience is over. */
async function settle(cluster: Cluster, report: ScheduleReport, expected: Expectation): Promise<void> {
  for (const deadline = performance.now() + SETTLE_MS; ; await sleep(SETTLE_EVERY_MS)) {
    // Another schedule may be under way: what cannot be asked now is asked again.
    const last = await findProblems(cluster.vigil, expected).catch((error: Error) => [error.message])
    if (last.length === 0) return
    if (performance.now() < deadline) continue
    report.problems.push(...last)
    return
  }
}

function printed({ seed, http, stream, resent, recoveryMs, problems }: ScheduleReport): string {
  const figures = `${http} messages over HTTP (${resent} batches sent again), ${stream} by the stream, recovered after ${(recoveryMs / 1000).toFixed(1)} s`
  const verdict = problems.length === 0 ? 'holds' : `FAILS:\n  ${problems.join('\n  ')}`
  return `seed ${seed}: ${figures}: ${verdict}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'embedded' },
      broker: { type: 'string', default: 'none' },
      seed: { type: 'string', default: '1' },
      schedules: { type: 'string', default: '10' },
    },
  })
  const reports = await runSchedules({
    store: values.store as ClusterKind['store'],
    broker: values.broker as ClusterKind['broker'],
    seed: Number(values.seed),
    schedules: Number(values.schedules),
    onPlan: (seed, plan) => console.log(`seed ${seed} begins: ${plan.map(inWords).join('; ')}`),
    onReport: (report) => console.log(printed(report)),
  })
  const failed = reports.filter(({ problems }) => problems.length > 0)
  const slowest = Math.max(...reports.map(({ recoveryMs }) => recoveryMs))
  const sum = (key: 'http' | 'stream'): number => reports.reduce((total, report) => total + report[key], 0)
  console.log(
    `${reports.length} schedules of at least ${FAULTS_WITHIN_MS / 1000} s, ${reports.reduce((total, { plan }) => total + plan.length, 0)} faults: ` +
      `${sum('http')} messages acknowledged over HTTP, ${sum('stream')} by the stream; slowest recovery ${(slowest / 1000).toFixed(1)} s; ` +
      `${failed.length} failed${failed.length > 0 ? ` (seeds ${failed.map(({ seed }) => seed).join(', ')})` : ''}`,
  )
  // Idle connections to processes that are gone must not hold it.
  process.exit(failed.length === 0 ? 0 : 1)
}
