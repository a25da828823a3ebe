import { expect, test } from 'vitest'
import { formDecoded, percentDecoded } from './percent-decoded.ts'

test('percent codes are decoded, and broken ones stay', () => {
  expect(percentDecoded('a%20b%C3%A9+c')).toBe('a bé+c')
  expect(percentDecoded('100%')).toBe('100%')
  expect(percentDecoded('%FF%20')).toBe('%FF%20')
})

test('in queries and forms a plus is a space', () => {
  expect(formDecoded('a+b%2B')).toBe('a b+')
  expect(formDecoded('100%+more')).toBe('100% more')
})
