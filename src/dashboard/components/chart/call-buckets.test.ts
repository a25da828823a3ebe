import { describe, expect, it } from 'vitest'
import { callBuckets } from './call-buckets.ts'

describe('callBuckets', () => {
  it('keeps minutes apart while they fit', () => {
    const { width, buckets } = callBuckets([{ ts: 101, count: 3 }], 100, 102)
    expect(width).toBe(1)
    expect(buckets).toEqual([
      { minute: 100, count: 0 },
      { minute: 101, count: 3 },
      { minute: 102, count: 0 },
    ])
  })

  it('sums minutes into wider bars and loses none', () => {
    const points = Array.from({ length: 1440 }, (_, at) => ({ ts: 60_000 + at, count: 2 }))
    const { width, buckets } = callBuckets(points, 60_000, 61_439)
    expect(width).toBe(15)
    expect(buckets.length).toBeLessThanOrEqual(97)
    expect(buckets.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(2880)
  })

  it('leaves out what lies outside', () => {
    const { buckets } = callBuckets([{ ts: 5, count: 9 }], 100, 101)
    expect(buckets.every((bucket) => bucket.count === 0)).toBe(true)
  })
})
