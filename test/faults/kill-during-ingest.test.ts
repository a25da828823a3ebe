import { expect, test } from 'vitest'
import { killDuringIngest } from './kill-during-ingest.ts'

test('nothing acknowledged is lost and nothing counts twice when the server is killed while it ingests', async () => {
  const report = await killDuringIngest(1, 7, 19_291)
  expect(report.problems).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
}, 600_000)
