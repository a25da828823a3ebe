import { expect, test } from 'vitest'
import { tooManyStates } from './pattern-size.ts'

test('a pattern of a million states is refused before any is made', () => {
  const started = performance.now()
  expect(tooManyStates('x{1000}'.repeat(1000))).toMatch(/about 1000000 states, and at most 10000/)
  expect(performance.now() - started).toBeLessThan(200)
  expect(tooManyStates('(?:a?){500}a{500}')).toBeNull()
})
