import { expect, test } from 'vitest'
import { testedEngine } from '../store-fixture.ts'
import { diskFull } from './disk-full.ts'

test('a full disk refuses with 503, loses nothing, and batches are taken again when space is freed', async ({
  skip,
}) => {
  const report = await diskFull(testedEngine)
  if (report === null) return skip('this machine lets nobody mount a small file system')
  expect(report.problems).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
  expect(report.recovery).toBe('the same process')
}, 240_000)
