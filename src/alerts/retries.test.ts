import { expect, test } from 'vitest'
import { readRetryAfter } from './post.ts'
import { afterFailure } from './retries.ts'

const answer = (status: number, retryAfter: number | null = null) => ({ status, body: '', retryAfter })

test.each([400, 401, 403, 404, 410, 422, 301])('after %d a message is given up', (status) => {
  expect(afterFailure(answer(status), 1, 'no', 0)).toEqual({ state: 'FAILED', problem: 'no' })
})

test.each([408, 425, 429, 500, 502, 503])('after %d it is tried again', (status) => {
  expect(afterFailure(answer(status), 1, 'no', 0)).toMatchObject({ state: 'WAITING' })
})

test('pauses grow and come to an end', () => {
  const pauses: number[] = []
  for (let attempts = 1; ; attempts++) {
    const end = afterFailure(answer(503), attempts, 'no', 0)
    if (end.state !== 'WAITING') break
    pauses.push(end.nextAt)
  }
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  expect(pauses.length).toBe(8)
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600
  expect(hours).toBeGreaterThan(10)
  expect(hours).toBeLessThan(14)
})

test('a receiver may ask for a longer pause, also with 403', () => {
  expect(afterFailure(answer(429, 900), 1, 'no', 1_000)).toMatchObject({ nextAt: 1_900 })
  expect(afterFailure(answer(403, 900), 1, 'no', 1_000)).toMatchObject({ state: 'WAITING', nextAt: 1_900 })
})

test('an address that is refused is not tried again, a host that is away is', () => {
  expect(afterFailure({ status: null, problem: 'x', isFinal: true }, 1, 'x', 0).state).toBe('FAILED')
  expect(afterFailure({ status: null, problem: 'x', isFinal: false }, 1, 'x', 0).state).toBe('WAITING')
})

test('Retry-After is seconds or a date, within bounds', () => {
  expect(readRetryAfter('120')).toBe(120)
  expect(readRetryAfter('999999999')).toBe(6 * 3600)
  expect(readRetryAfter('Thu, 01 Jan 1970 00:02:00 GMT', 60)).toBe(60)
  expect(readRetryAfter('Thu, 01 Jan 1970 00:00:00 GMT', 60)).toBeNull()
  expect(readRetryAfter('soon')).toBeNull()
  expect(readRetryAfter(undefined)).toBeNull()
})
