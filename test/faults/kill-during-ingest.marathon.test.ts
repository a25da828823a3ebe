import { expect, test } from 'vitest'
import { killDuringIngest } from './kill-during-ingest.ts'

test('nothing acknowledged is lost and nothing counts twice in ten kills while the server ingests', async () => {
  const report = await killDuringIngest(10, 11, 19_292)
  expect(report.problems).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
}, 600_000)
