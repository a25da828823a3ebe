import { expect, test } from 'vitest'
import { callsOf, everyTrafficBucket } from './traffic-buckets.ts'

const counts = { success: 3, redirects: 0, clientErrors: 2, serverErrors: 1, other: 0, callers: 2 }

test('lengths without calls stand between those with some', () => {
  const all = everyTrafficBucket([{ start: 1_200, ...counts }], { from: 700, to: 1_900, minutes: 10 })
  expect(all.map((bucket) => [bucket.start, callsOf(bucket)])).toEqual([
    [600, 0],
    [1_200, 6],
    [1_800, 0],
  ])
})
