import { expect, test } from 'vitest'
import { testedEngine } from '../store-fixture.ts'
import { powerLoss } from './power-loss.ts'

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
