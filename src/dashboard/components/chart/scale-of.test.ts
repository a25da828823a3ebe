import { expect, test } from 'vitest'
import { scaleOf } from './scale-of.ts'

test('the scale ends at a round number that the highest bar does not exceed, and its half is whole', () => {
  expect([0, 1, 2, 3, 7, 10, 11, 60, 4_999].map(scaleOf)).toEqual([2, 2, 2, 4, 8, 10, 20, 60, 5_000])
})
