import { expect, test } from 'vitest'
import { everyBucket, nextBucket } from './threat-buckets.ts'

const none = { critical: 0, high: 0, medium: 0, low: 0, other: 0 }

test('months follow each other by the calendar', () => {
  const january = Date.UTC(2026, 0, 1) / 1000
  expect(nextBucket(january, 'MONTH')).toBe(Date.UTC(2026, 1, 1) / 1000)
  expect(nextBucket(nextBucket(january, 'MONTH'), 'MONTH')).toBe(Date.UTC(2026, 2, 1) / 1000)
})

test('buckets without events are filled in', () => {
  const buckets = [
    { ...none, start: 0, high: 1 },
    { ...none, start: 180, low: 2 },
  ]
  expect(everyBucket(buckets, 'MINUTE').map(({ start, high, low }) => [start, high, low])).toEqual([
    [0, 1, 0],
    [60, 0, 0],
    [120, 0, 0],
    [180, 0, 2],
  ])
  expect(everyBucket([], 'DAY')).toEqual([])
})
