import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecentAnswers } from './recent-answers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('gives the same answer to all who ask within two seconds', async () => {
  const recent = new RecentAnswers<number>()
  const make = vi.fn(async () => make.mock.calls.length)
  expect(await Promise.all([recent.of('a', make), recent.of('a', make)])).toEqual([1, 1])
  vi.advanceTimersByTime(1_999)
  expect(await recent.of('a', make)).toBe(1)
  expect(await recent.of('b', make)).toBe(2)
  vi.advanceTimersByTime(1)
  expect(await recent.of('a', make)).toBe(3)
})

test('keeps what took long for four times as long', async () => {
  const recent = new RecentAnswers<number>()
  const make = vi.fn(async () => {
    vi.advanceTimersByTime(3_000)
    return make.mock.calls.length
  })
  await recent.of('a', make)
  vi.advanceTimersByTime(11_999)
  expect(await recent.of('a', make)).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await recent.of('a', make)).toBe(2)
})

test('asks again after a failure', async () => {
  const recent = new RecentAnswers<number>()
  await expect(recent.of('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await recent.of('a', async () => 7)).toBe(7)
})
