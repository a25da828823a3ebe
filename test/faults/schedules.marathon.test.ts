import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { RARE_PROGRAM } from '../../scripts/test-files.ts'
import { freePort } from '../server-process.ts'
import { testedEngine } from '../store-fixture.ts'
import type { Cluster } from './schedule/cluster.ts'
import { planOf, type Shape } from './schedule/plan.ts'
import { hasPrograms } from './schedule/programs.ts'
import { type Result, ResultsFile, type Verdict } from './schedule/results.ts'
import { carryOutOne, runSchedules, type ScheduleReport } from './schedules.ts'

/** Far more than schedules take beside other tests on a slow machine: each fault that ends a process starts it again. */
const PATIENCE_MS = 1_800_000

/** A seed of few faults of the embedded store: clients are cut off and lost, the process is killed, its power fails. */
const SEED = 33
/** A seed that only meets processes, and kills one at once. */
const SEED_OF_KILLS = 56

const processes = ['one', 'two'].map((name) => ({ name, takesTraffic: true }))

const outcomeOf = ({ seed, notRun, problems }: ScheduleReport) => ({ seed, notRun, problems })

test('a seed gives the same faults every time, and another one others', () => {
  const shape: Shape = { store: 'postgres', broker: 'nats', hasSmallDisk: true, processes }
  expect(planOf(7, shape)).toEqual(planOf(7, shape))
  expect(planOf(8, shape)).not.toEqual(planOf(7, shape))
})

test('a file of results is continued: seeds that were judged are known, of the same installation only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'schedules.tsv')
  const of = (seed: number, verdict: Verdict): Result => ({
    ...{ seed, verdict, faults: ['kill', 'fail-over'], http: 30, stream: 40, resent: 1, recoveryMs: 12 },
    reasons: verdict === 'held' ? [] : ['a reason\twith\nlines'],
  })
  const results = new ResultsFile(file, { store: 'postgres', broker: 'nats' })
  expect(results.read()).toEqual([])
  for (const result of [of(1, 'not run'), of(2, 'failed'), of(1, 'held')]) results.add(result)
  new ResultsFile(file, { store: 'embedded', broker: 'none' }).add(of(3, 'held'))
  expect(results.read()).toEqual([of(1, 'held'), of(2, 'failed')])
})

test('a load ends with a schedule that cannot be carried out', async () => {
  let asked = 0
  const port = await freePort() // Nobody listens there.
  const one = {
    name: 'one',
    takesTraffic: true,
    unexpectedEnds: [],
    clients: {
      get port() {
        asked++
        return port
      },
    },
    kill: async () => {
      throw new Error('it cannot be killed')
    },
  }
  const shape: Shape = { store: 'embedded', broker: 'none', hasSmallDisk: false, processes: [one] }
  const cluster = { shape, processes: [one], process: () => one, pair: null, broker: null }
  const startRun = async () => ({ summaryId: 'none', checks: 0 })
  const { report, expected } = await carryOutOne(
    cluster as unknown as Cluster,
    { startRun },
    SEED_OF_KILLS,
    0,
  )
  expect(report.problems[0]).toBe('it cannot be killed')
  expect(expected).toBeNull()
  const before = asked
  expect(before).toBeGreaterThan(0)
  // Five times as long as a sender waits before it tries again.
  await sleep(500)
  expect(asked).toBe(before)
})

test.runIf(testedEngine === 'embedded')(
  'the embedded store keeps what it acknowledged, once, whatever a schedule does to its process and its power',
  { timeout: PATIENCE_MS },
  async () => {
    const reports = await runSchedules({ store: 'embedded', broker: 'none', seeds: [SEED] })
    expect(reports.map(outcomeOf)).toEqual([{ seed: SEED, notRun: null, problems: [] }])
  },
)

test.runIf(testedEngine === 'postgres')(
  'processes on PostgreSQL with a standby and a broker keep what they acknowledged, once, whatever a schedule does',
  { tags: [RARE_PROGRAM], timeout: PATIENCE_MS },
  async ({ skip }) => {
    if (!hasPrograms()) {
      console.warn(
        '\nSKIPPED: fault schedules, for which this machine lacks PostgreSQL, nats-server or setpriv.\n',
      )
      skip()
    }
    const reports = await runSchedules({ store: 'postgres', broker: 'nats', seeds: [1, 2] })
    expect(reports.map(outcomeOf)).toEqual([1, 2].map((seed) => ({ seed, notRun: null, problems: [] })))
  },
)
