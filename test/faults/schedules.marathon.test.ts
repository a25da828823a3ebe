import { expect, test } from 'vitest'
import { RARE_PROGRAM } from '../../scripts/test-files.ts'
import { testedEngine } from '../store-fixture.ts'
import { planOf, type Shape } from './schedule/plan.ts'
import { hasPrograms } from './schedule/programs.ts'
import { runSchedules } from './schedules.ts'

const processes = ['one', 'two'].map((name) => ({ name, takesTraffic: true }))

test('a seed gives the same faults every time, and another one others', () => {
  const shape: Shape = { store: 'postgres', broker: 'nats', processes }
  expect(planOf(7, shape)).toEqual(planOf(7, shape))
  expect(planOf(8, shape)).not.toEqual(planOf(7, shape))
})

test.runIf(testedEngine === 'embedded')(
  'the embedded store keeps what it acknowledged, once, whatever a schedule does to its process and its power',
  { timeout: 900_000 },
  async () => {
    const reports = await runSchedules({ store: 'embedded', broker: 'none', seed: 1, schedules: 1 })
    expect(reports.map(({ seed, problems }) => ({ seed, problems }))).toEqual([{ seed: 1, problems: [] }])
  },
)

test.runIf(testedEngine === 'postgres')(
  'processes on PostgreSQL with a standby and a broker keep what they acknowledged, once, whatever a schedule does',
  { tags: [RARE_PROGRAM], timeout: 900_000 },
  async ({ skip }) => {
    if (!hasPrograms()) {
      console.warn('\nSKIPPED: fault schedules, for which this machine lacks PostgreSQL or nats-server.\n')
      skip()
    }
    const reports = await runSchedules({ store: 'postgres', broker: 'nats', seed: 1, schedules: 2 })
    expect(reports.map(({ seed, problems }) => ({ seed, problems }))).toEqual(
      [1, 2].map((seed) => ({ seed, problems: [] })),
    )
  },
)
