import { expect, test } from 'vitest'
import { testedEngine } from '../store-fixture.ts'
import { diskFull } from './disk-full.ts'

const isEmbedded = testedEngine === 'embedded'

// On PostgreSQL the same server is under test, and its disk takes minutes to fill.
test('a full disk refuses with 503, loses nothing, and batches are taken again when space is freed', {
  tags: isEmbedded ? [] : ['marathon'],
  timeout: 480_000,
}, async ({ skip }) => {
  // The embedded store: less than the next segment of its log takes. A server has made its segments before, so its
  // room is what tables grow by: the less, the fewer messages fill it.
  const roomMb = isEmbedded ? 13.5 : 0.5
  const report = await diskFull({ store: testedEngine, roomMb, stopsFull: false })
  if (report === null) return skip('this machine lets nobody mount a small file system')
  // The whole report stands in a failure: what was refused, with which words, tells why.
  expect(report).toMatchObject({ problems: [], recovery: 'the same process' })
  expect(report.acknowledged).toBeGreaterThan(0)
})
