import { expect, test } from 'vitest'
import { countOf, durationText } from './words.ts'

test('counts one thing and many', () => {
  expect([countOf(1, 'test'), countOf(0, 'test'), countOf(1204, 'test')]).toEqual([
    '1 test',
    '0 tests',
    '1,204 tests',
  ])
  expect(countOf(2, 'category', 'categories')).toBe('2 categories')
})

test('says how long something took', () => {
  expect([0, 59, 60, 185, 3600, 7805].map(durationText)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '3 min 5 s',
    '1 h',
    '2 h 10 min',
  ])
})
