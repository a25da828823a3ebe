import { expect, test } from 'vitest'
import { testedEngine } from '../store-fixture.ts'
import { diskFull } from './disk-full.ts'

test('a full disk refuses with 503, loses nothing, and batches are taken again when space is freed', async ({
  skip,
}) => {
  // The embedded store: less than the next segment of its log takes. A server has made its segments before.
  const roomMb = testedEngine === 'embedded' ? 13.5 : 3
  const report = await diskFull({ store: testedEngine, roomMb, stopsFull: false })
  if (report === null) return skip('this machine lets nobody mount a small file system')
  expect(report.problems).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
  expect(report.recovery).toBe('the same process')
}, 480_000)
