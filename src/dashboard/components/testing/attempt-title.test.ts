import { expect, test } from 'vitest'
import { attemptTitle } from './attempt-title.ts'

test('an attempt of a passed result never says that it proves anything', () => {
  expect(attemptTitle(1, { validates: true }, false)).toBe('Attempt 1')
  expect(attemptTitle(1, { validates: false }, false)).toBe('Attempt 1')
})

test('the attempt that proves a finding says so', () => {
  expect(attemptTitle(2, { validates: true }, true)).toBe('Attempt 2 (proves it)')
  expect(attemptTitle(1, { validates: false }, true)).toBe('Attempt 1')
})
