import { expect, test } from 'vitest'
import { packCounts, unpackCounts } from './packed-counts.ts'

test('counts of facts come back as they were packed, whatever the order and size of the numbers', () => {
  const ids = [1, 2, 3, 70_001, 70_000, 2 ** 31, 2 ** 32 + 7, 5, 2 ** 50, 1, 127, 128, 16_384, 16_383]
  const counts = [1, 127, 128, 1_000_000_000_000, 2]
  const seconds = [1_795_000_000, 0, 2 ** 31 - 1, 1_795_000_000, 1_795_000_001]
  const entries: number[] = []
  for (let i = 0; i < 700; i++) entries.push(ids[i % 14]!, counts[i % 5]!, seconds[(i * 3) % 5]!)
  expect(unpackCounts(packCounts(entries))).toEqual(entries)
  expect(unpackCounts(packCounts([]))).toEqual([])
})

test('facts with ids that follow each other take four characters each', () => {
  const entries: number[] = []
  for (let i = 0; i < 300; i++) entries.push(70_000 + i, 12, 1_795_000_000)
  expect(packCounts(entries).length).toBeLessThanOrEqual(4 * 300 + 16)
})
