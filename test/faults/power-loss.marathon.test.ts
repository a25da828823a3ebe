import { expect, test } from 'vitest'
import { testedEngine } from '../store-fixture.ts'
import { powerLoss } from './power-loss.ts'

test.runIf(testedEngine === 'embedded')(
  'no acknowledged commit is lost, whatever the disk kept of writes that were not synced',
  async () => {
    const kept = ['none', 'some'] as const
    const report = await powerLoss({ commits: 20, kept, every: 3, seed: 7, isDurable: true })
    expect(report.problems).toEqual([])
    expect(report.opened).toBeGreaterThan(10)
  },
  240_000,
)

// Every sync takes an hour: `node test/faults/power-loss.ts`.
test.runIf(testedEngine === 'embedded')(
  'no acknowledged commit of a thousand is lost when the power fails before every twelfth sync',
  async () => {
    const report = await powerLoss({ commits: 1000, kept: ['none'], every: 12, seed: 3, isDurable: true })
    expect(report.problems).toEqual([])
    expect(report.syncPoints).toBeGreaterThanOrEqual(1000)
  },
  1_200_000,
)
