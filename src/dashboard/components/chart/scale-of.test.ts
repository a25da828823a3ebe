import { expect, test } from 'vitest'
import { scaleOf } from './scale-of.ts'

test('the scale ends at a round number that the highest bar does not exceed', () => {
  expect([0, 1, 2, 3, 7, 10, 11, 60, 4_999].map(scaleOf)).toEqual([1, 1, 2, 5, 10, 10, 20, 100, 5_000])
})
