import { expect, test } from 'vitest'
import { limitInSeries } from './limit-shown.ts'
import type { AttemptRecord } from './pair-result.ts'

/** A refused guess. */
function guess(responseTimeMs: number): AttemptRecord {
  const exchange = { response: { status: 401, headers: [], body: '{"error":"wrong password"}' } }
  return { exchange, responseTimeMs } as unknown as AttemptRecord
}

test('answers that stay slow come from a limit', () => {
  const earlier = [guess(20), guess(20), guess(2_000), guess(2_000)]
  expect(limitInSeries(guess(2_000), earlier, null)).toBe('a delay of 2 s')
})

test('two slow answers come from an application that is busy', () => {
  expect(limitInSeries(guess(2_000), [guess(20), guess(20), guess(2_000)], null)).toBeNull()
  expect(limitInSeries(guess(20), [guess(20), guess(20), guess(2_000), guess(2_000)], null)).toBeNull()
})
