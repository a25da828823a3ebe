import { expect, test } from 'vitest'
import { visitsAfter } from './last-visit.ts'

test('a visit lasts while signs come within half an hour of each other', () => {
  const first = visitsAfter(null, 1_000)
  expect(first).toEqual({ previous: null, seen: 1_000 })
  const same = visitsAfter(first, 2_000)
  expect(same).toEqual({ previous: null, seen: 2_000 })
  const next = visitsAfter(same, 90_000)
  expect(next).toEqual({ previous: 2_000, seen: 90_000 })
  expect(visitsAfter(next, 90_100)).toEqual({ previous: 2_000, seen: 90_100 })
})
