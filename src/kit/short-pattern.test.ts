import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { shortPattern, statesOf } from './short-pattern.ts'

test.each([
  ['abc', 3],
  ['a{500}', 500],
  ['(?:a?){500}a{500}', 1502],
  ['(?:(?:a{10}){10}){10}', 1000],
  ['[a-z{5}]{3}\\d{2,4}', 7],
  ['(?i)\\Qa{9}\\E|x{3,}', 10],
])('%s has about %i states', (source, states) => {
  const made = (RE2JS.compile(source).re2().prog as { inst: unknown[] }).inst.length
  expect(statesOf(source)).toBeGreaterThan(states / 2)
  expect(statesOf(source)).toBeGreaterThan(made / 3)
  expect(statesOf(source)).toBeLessThan(made * 3)
})

test('a pattern is found in a text, or is the whole of it', () => {
  const pattern = shortPattern('a[0-9]+', { ignoresCase: true })
  expect([pattern.test('xA12'), pattern.matches('xA12'), pattern.matches('A12')]).toEqual([true, false, true])
})

test.each([
  ['x{1000}x{1000}x', /about 2001 states, and at most 2000/],
  [`${'x'.repeat(1_000)}y`, /longer than 1000 characters/],
  ['(', /missing|unexpected/i],
])('%s is refused', (source, reason) => {
  expect(() => shortPattern(source)).toThrow(reason)
})

test('a text that the pattern would search for long does not match, and is reported as too long', () => {
  const pattern = shortPattern('(?:a?){400}a')
  expect(pattern.test('a'.repeat(300))).toBe(true)
  expect(pattern.isTooLong('a'.repeat(300))).toBe(false)
  expect(pattern.test('a'.repeat(400))).toBe(false)
  expect(pattern.isTooLong('a'.repeat(400))).toBe(true)
  expect(shortPattern('/orders/').test(`${'x'.repeat(60_000)}/orders/`)).toBe(true)
})
