import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { statesOf, tooManyStates } from './pattern-size.ts'

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

test('a pattern of a million states is refused before any is made', () => {
  const started = performance.now()
  expect(tooManyStates('x{1000}'.repeat(1000))).toMatch(/about 1000000 states, and at most 10000/)
  expect(performance.now() - started).toBeLessThan(200)
  expect(tooManyStates('(?:a?){500}a{500}')).toBeNull()
})
