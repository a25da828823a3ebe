import { expect, test } from 'vitest'
import { testedEngine } from '../store-fixture.ts'
import { powerLoss } from './power-loss.ts'

test.runIf(testedEngine === 'embedded')(
  'no acknowledged commit is lost when the power fails, whatever the disk kept of writes that were not synced',
  async () => {
    const report = await powerLoss({
      commits: 20,
      kept: ['none', 'some'],
      every: 12,
      seed: 5,
      isDurable: true,
    })
    expect(report.problems).toEqual([])
    expect(report.syncPoints).toBeGreaterThanOrEqual(20)
    expect(report.opened).toBeGreaterThan(4)
  },
  240_000,
)

test.runIf(testedEngine === 'embedded')(
  'a store with durability off loses commits at a power loss, and the check detects it',
  async () => {
    const report = await powerLoss({ commits: 3, kept: ['none'], every: 1, seed: 5, isDurable: false })
    expect(report.problems.join('\n')).toMatch(/the table is gone|acknowledged|does not open/)
  },
  240_000,
)
