import { expect, test } from 'vitest'
import { DURATION_BUCKETS, durationAt, durationBucket, latencyOf } from './durations.ts'

function histogram(durations: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const one of durations) counts.set(durationBucket(one), (counts.get(durationBucket(one)) ?? 0) + 1)
  return counts
}

test('a percentile of the histogram is within a fifth of that of the durations', () => {
  // Between 2 ms and 20 s, as many in each factor of ten.
  const durations = Array.from({ length: 4_000 }, (_, i) => 2 * 10 ** (i / 1_000))
  const counts = histogram(durations)
  for (const share of [0.05, 0.25, 0.5, 0.9, 0.95, 0.99]) {
    const exact = durations[Math.floor(share * durations.length)]!
    const found = durationAt(counts, share)!
    expect(Math.abs(found / exact - 1), `${share}: ${found} of ${exact}`).toBeLessThan(0.2)
  }
})

test('durations out of range are in the first and the last bucket', () => {
  expect([0, 0.2, 0.99].map(durationBucket)).toEqual([0, 0, 0])
  expect([1, 1.5, 2].map(durationBucket)).toEqual([1, 2, 3])
  expect([1e6, 86_400_000].map(durationBucket)).toEqual([DURATION_BUCKETS - 1, DURATION_BUCKETS - 1])
})

test('without calls there is no latency, and with one both percentiles are near it', () => {
  expect(latencyOf(new Map())).toEqual({ p50: null, p95: null })
  const { p50, p95 } = latencyOf(histogram([100]))
  expect([p50! >= 90, p95! <= 128]).toEqual([true, true])
})
