import { expect, test } from 'vitest'
import { nearestWord } from './nearest-word.ts'

test.each([
  ['fliter', 'filter'],
  ['ulr', 'url'],
  ['mehtod', 'method'],
  ['contains_ether', 'contains_either'],
  ['xyz', null],
  ['', null],
])('%s is taken for %s', (word, nearest) => {
  expect(nearestWord(word, ['url', 'method', 'filter', 'contains_either'])).toBe(nearest)
})
