import { expect, test } from 'vitest'
import { meanCosts } from './mean-costs.ts'

const cost = (testId: string, requests: number) => ({
  ...{ testId, requests, writes: requests / 2, seconds: requests / 4 },
  roles: [testId.toLowerCase()],
})

test('a check takes the mean of its test, and that of all tests where its own was not carried out', () => {
  const meanOf = meanCosts([cost('A', 2), cost('A', 4), cost('B', 12)])
  expect(meanOf('A')).toEqual({ requests: 3, writes: 2, seconds: 0.75, roles: ['a'] })
  expect(meanOf('B')).toEqual({ requests: 12, writes: 6, seconds: 3, roles: ['b'] })
  expect(meanOf('C')).toEqual({ requests: 6, writes: 3, seconds: 1.5, roles: ['a'] })
  expect(meanCosts([])('A')).toEqual({ requests: 0, writes: 0, seconds: 0, roles: [] })
})

test('the means of very many checks are worked out without reading the known ones for each', {
  timeout: 5_000,
}, () => {
  const known = Array.from({ length: 20_000 }, (_, i) => cost(`T${i % 200}`, 5))
  const reads = { count: 0 }
  const counted = known.map((one) => ({
    ...one,
    get requests() {
      reads.count++
      return one.requests
    },
  }))
  const meanOf = meanCosts(counted)
  const told = Array.from({ length: 20_000 }, (_, i) => meanOf(`T${i % 400}`).requests)
  expect(new Set(told)).toEqual(new Set([5]))
  expect(reads.count).toBeLessThanOrEqual(2 * known.length)
})
