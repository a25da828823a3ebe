import { expect, it } from 'vitest'
import { everyDay } from './every-day.ts'

const DAY = 86_400

it('fills the days between', () => {
  expect(everyDay([])).toEqual([])
  expect(
    everyDay([
      { start: 0, count: 2 },
      { start: 2 * DAY, count: 1 },
    ]).map(({ count }) => count),
  ).toEqual([2, 0, 1])
  expect(
    everyDay([
      { start: 0, count: 2 },
      { start: 9_000 * DAY, count: 1 },
    ]),
  ).toHaveLength(400)
})
