import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SilentEndpoints } from './silent-endpoints.ts'

const LOVE = { collectionId: 1, method: 'POST', url: '/love/INTEGER' }
const OTHER = { collectionId: 1, method: 'GET', url: '/orders' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function silent(timeouts: number): SilentEndpoints {
  const endpoints = new SilentEndpoints()
  for (let i = 0; i < timeouts; i++) endpoints.timedOut(LOVE)
  return endpoints
}

test('an endpoint that times out is waited for less long, and others are not', () => {
  expect(silent(2).patienceFor(LOVE)).toBeUndefined()
  expect(silent(3).patienceFor(LOVE)).toBe(10_000)
  expect(silent(3).patienceFor(OTHER)).toBeUndefined()
})

test('an endpoint whose answers take long keeps its time', () => {
  const endpoints = silent(4)
  endpoints.answered(LOVE, 12_000)
  expect(endpoints.patienceFor(LOVE)).toBe(24_000)
})

test('after ten time-outs one request a minute finds out whether it answers again', () => {
  const endpoints = silent(10)
  expect(() => endpoints.patienceFor(LOVE)).toThrow('ENDPOINT_SILENT')
  vi.advanceTimersByTime(60_000)
  expect(endpoints.patienceFor(LOVE)).toBe(10_000)
  expect(() => endpoints.patienceFor(LOVE)).toThrow('ENDPOINT_SILENT')
  endpoints.answered(LOVE, 5)
  expect(endpoints.patienceFor(LOVE)).toBe(10_000)
})

test('a time-out now and then does not add up', () => {
  const endpoints = new SilentEndpoints()
  for (let i = 0; i < 50; i++) {
    endpoints.timedOut(LOVE)
    for (let j = 0; j < 20; j++) endpoints.answered(LOVE, 5)
  }
  expect(endpoints.patienceFor(LOVE)).toBeUndefined()
})
