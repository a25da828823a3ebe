/**
 * Starts an installation and sends it traffic and a test run, while faults meet it by a seeded schedule: processes are
 * killed, paused and restarted, ways between them are cut or slow, clocks are moved, the disk of the store is full, the
 * database crashes or fails over to its standby, the broker is killed, the power of the embedded store fails, senders
 * send twice and out of order. After each schedule everything must recover by itself; nothing that was acknowledged may
 * be missing, nothing may be counted twice, and the run must end with one result for each check.
 *
 *   node test/faults/schedules.ts [--store embedded|postgres] [--broker none|nats|kafka] [--from 1] [--schedules 10]
 *     [--results schedules.tsv]
 *
 * A schedule lasts about 20 s. Ten share an installation; after one that does not hold, the next gets a new one. A line
 * for each is added to the file of results, and seeds that were judged there are left out: a command that was
 * interrupted continues. A schedule is not run when what surrounds Vigil does not start; that says nothing of Vigil.
 * The command ends with 1 when a schedule failed, and with 2 when one was not run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { until } from '../until.ts'
import { carryOut } from './schedule/carry-out.ts'
import { type Expectation, findProblems, PROBE_FILTER } from './schedule/check.ts'
import { type Cluster, type ClusterKind, startCluster } from './schedule/cluster.ts'
import { Load } from './schedule/load.ts'
import { inWords, type PlannedFault, planOf } from './schedule/plan.ts'
import { Random } from './schedule/random.ts'
import { type Result, ResultsFile, type Verdict } from './schedule/results.ts'
import { NotRun, surroundings } from './schedule/surroundings.ts'
import { startTarget, type TestedTarget } from './schedule/test-run.ts'
import { KEY } from './schedule/vigil-process.ts'

/** Seconds of the messages of one schedule. */
const WINDOW_S = 600
const FIRST_S = 1_794_000_000
/** The whole installation must be well again within this time, on a slow machine too; how long it took is reported. */
const RECOVERY_MS = 900_000
/** What the counts of a killed process, and a run whose worker was killed, are given after the faults. */
const SETTLE_MS = 900_000
const SETTLE_EVERY_MS = 1000

/** Schedules of one installation: what it has grows, and copying its disk takes longer. */
const SCHEDULES_EACH = 10
/** An installation that did not start so many times in a row never will. */
const MOST_NOT_RUN = 3

/** What came of one schedule. */
export interface ScheduleReport {
  readonly seed: number
  readonly plan: readonly PlannedFault[]
  http: number
  stream: number
  resent: number
  /** From the last fault that was mended until every process was well, took what was sent and had read the stream. */
  recoveryMs: number
  /** Why it could not be carried out; null when it was. */
  notRun: string | null
  problems: string[]
}

export interface SchedulesOptions extends ClusterKind {
  readonly seeds: readonly number[]
  /** Hears of each schedule before it begins, and of what came of it. */
  readonly onPlan?: (seed: number, plan: readonly PlannedFault[]) => void
  readonly onReport?: (report: ScheduleReport) => void
}

/** Carries out the schedules of these seeds, one after another. */
export async function runSchedules(options: SchedulesOptions): Promise<ScheduleReport[]> {
  const reports: ScheduleReport[] = []
  for (let next = 0; next < options.seeds.length; next = reports.length) {
    const seeds = options.seeds.slice(next, next + SCHEDULES_EACH)
    reports.push(...(await runOnOne(options, seeds)))
    const last = reports.slice(-MOST_NOT_RUN)
    if (last.length === MOST_NOT_RUN && last.every(({ notRun }) => notRun !== null)) break
  }
  return reports
}

/** Carries out schedules on one installation, up to the first one that does not hold. */
async function runOnOne(options: SchedulesOptions, seeds: readonly number[]): Promise<ScheduleReport[]> {
  let cluster: Cluster
  try {
    cluster = await startCluster(options)
  } catch (error) {
    const report = reportOf(seeds[0]!, [])
    noteError(report, error as Error)
    options.onReport?.(report)
    return [report]
  }
  let target: TestedTarget | null = null
  const reports: ScheduleReport[] = []
  const checks: Promise<void>[] = []
  try {
    await cluster.vigil.call('saveFilterYamlTemplate', { content: PROBE_FILTER })
    target = await startTarget(cluster)
    for (const [number, seed] of seeds.entries()) {
      options.onPlan?.(seed, planOf(seed, cluster.shape))
      const { report, expected } = await carryOutOne(cluster, target, seed, FIRST_S + number * WINDOW_S)
      reports.push(report)
      // Beside the next schedule: what was acknowledged stays, whatever comes.
      const check = expected === null ? Promise.resolve() : settle(cluster, report, expected)
      checks.push(check.then(() => options.onReport?.(report)))
      if (reports.some(({ notRun, problems }) => notRun !== null || problems.length > 0)) break
    }
    await Promise.all(checks)
    return reports
  } finally {
    await target?.close()
    await cluster.stop()
  }
}

function reportOf(seed: number, plan: readonly PlannedFault[]): ScheduleReport {
  return { seed, plan, http: 0, stream: 0, resent: 0, recoveryMs: 0, notRun: null, problems: [] }
}

function noteError(report: ScheduleReport, error: Error): void {
  if (error instanceof NotRun) report.notRun = error.message
  else report.problems.push(error.message)
}

/**
 * Carries out the schedule of a seed under load; whatever comes of it, the load has ended then.
 *
 * @returns nothing to expect where it could not be carried out to its end
 */
export async function carryOutOne(
  cluster: Cluster,
  target: Pick<TestedTarget, 'startRun'>,
  seed: number,
  from: number,
): Promise<{ report: ScheduleReport; expected: Expectation | null }> {
  const plan = planOf(seed, cluster.shape)
  const losesPower = plan.some(({ kind }) => kind === 'power-loss')
  const load = new Load(cluster, `s${seed}`, from, seed)
  const report = reportOf(seed, plan)
  try {
    if (losesPower) await cluster.recordDisk()
    const pair = cluster.pair
    if (pair !== null && !pair.hasStandby) await surroundings('a new standby', () => pair.addStandby())
    const run = await target.startRun()
    load.begin()
    await carryOut({ cluster, load, random: new Random(seed + 2) }, plan)
    const mended = performance.now()
    await recovered(cluster, report)
    await load.end()
    report.recoveryMs = Math.round(performance.now() - mended)
    return { report, expected: { sent: load.sent, run, from, to: from + WINDOW_S - 1 } }
  } catch (error) {
    noteError(report, error as Error)
    return { report, expected: null }
  } finally {
    await load.abort()
    if (losesPower) cluster.processes[0]!.preload = null
    const { sent } = load
    Object.assign(report, { http: sent.http, stream: sent.stream, resent: sent.resent })
    report.problems.push(...sent.problems)
    for (const one of cluster.processes) report.problems.push(...one.unexpectedEnds.splice(0))
  }
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

function verdictOf({ notRun, problems }: ScheduleReport): Verdict {
  return problems.length > 0 ? 'failed' : notRun === null ? 'held' : 'not run'
}

function printed(report: ScheduleReport): string {
  const { seed, http, stream, resent, recoveryMs, notRun, problems } = report
  const figures = `${http} messages over HTTP (${resent} batches sent again), ${stream} by the stream, recovered after ${(recoveryMs / 1000).toFixed(1)} s`
  const reasons = [...(notRun === null ? [] : [notRun]), ...problems].map((reason) => `\n  ${reason}`)
  return `seed ${seed}: ${figures}: ${verdictOf(report).toUpperCase()}${reasons.join('')}`
}

function resultOf(report: ScheduleReport): Result {
  const { seed, plan, http, stream, resent, recoveryMs, notRun, problems } = report
  const reasons = [...(notRun === null ? [] : [notRun]), ...problems]
  const faults = plan.map(({ kind }) => kind)
  return { seed, verdict: verdictOf(report), faults, http, stream, resent, recoveryMs, reasons }
}

/** What is known of all results, in a line. */
function summary(results: readonly Result[]): string {
  const seeds = (verdict: Verdict): string => {
    const some = results.filter((result) => result.verdict === verdict).map(({ seed }) => seed)
    return `${some.length} ${verdict}${verdict === 'held' || some.length === 0 ? '' : ` (seeds ${some.join(', ')})`}`
  }
  const sum = (count: (result: Result) => number): number =>
    results.reduce((total, result) => total + count(result), 0)
  const recovery = results.map(({ recoveryMs }) => recoveryMs / 1000).sort((a, b) => a - b)
  const middle = recovery[Math.floor(recovery.length / 2)] ?? 0
  return (
    `${results.length} schedules, ${sum(({ faults }) => faults.length)} faults: ${sum(({ http }) => http)} messages acknowledged over HTTP, ` +
    `${sum(({ stream }) => stream)} by the stream; recovery ${middle.toFixed(1)} s (median), ${(recovery.at(-1) ?? 0).toFixed(1)} s at most; ` +
    (['held', 'failed', 'not run'] as const).map(seeds).join(', ')
  )
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'embedded' },
      broker: { type: 'string', default: 'none' },
      from: { type: 'string', default: '1' },
      schedules: { type: 'string', default: '10' },
      results: { type: 'string' },
    },
  })
  const kind = { store: values.store, broker: values.broker } as ClusterKind
  const file = values.results === undefined ? null : new ResultsFile(values.results, kind)
  const wanted = Array.from({ length: Number(values.schedules) }, (_, at) => Number(values.from) + at)
  const done = (file?.read() ?? []).filter(
    ({ seed, verdict }) => wanted.includes(seed) && verdict !== 'not run',
  )
  const reports = await runSchedules({
    ...kind,
    seeds: wanted.filter((seed) => !done.some((result) => result.seed === seed)),
    onPlan: (seed, plan) => console.log(`seed ${seed} begins: ${plan.map(inWords).join('; ')}`),
    onReport: (report) => {
      console.log(printed(report))
      file?.add(resultOf(report))
    },
  })
  const results = [...done, ...reports.map(resultOf)]
  console.log(summary(results))
  if (results.some(({ verdict }) => verdict === 'failed')) return 1
  return results.length < wanted.length || results.some(({ verdict }) => verdict === 'not run') ? 2 : 0
}

// Idle connections to processes that are gone must not hold it.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(await main())
