import { expect, test } from 'vitest'
import { freshStorePlace, testedEngine } from '../store-fixture.ts'
import { killDuringRun } from './kill-during-run.ts'

test('a run whose workers are killed up to ten times completes with one result for every pair', async () => {
  const place = await freshStorePlace()
  try {
    const processes = testedEngine === 'postgres' ? 2 : 1
    const report = await killDuringRun(place, { kills: 10, seed: 11, endpoints: 40, processes })
    expect(report.problems).toEqual([])
    expect(report.findings).toBeGreaterThan(0)
  } finally {
    await place.dispose()
  }
}, 900_000)
