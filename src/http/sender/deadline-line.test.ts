import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DeadlineLine } from './deadline-line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Notes by name what was late, and when. */
function timed(late: string[], name: string, then: () => void = () => {}) {
  const started = performance.now()
  return {
    late(ms: number) {
      late.push(`${name} after ${Math.round(performance.now() - started)} of ${ms}`)
      then()
    },
  }
}

test('each has its own deadline, whatever was entered before', () => {
  const line = new DeadlineLine(1000)
  const late: string[] = []
  line.enter(timed(late, 'a'))
  vi.advanceTimersByTime(400)
  line.enter(timed(late, 'b'))
  vi.advanceTimersByTime(599)
  expect(late).toEqual([])
  vi.advanceTimersByTime(1)
  expect(late).toEqual(['a after 1000 of 1000'])
  vi.advanceTimersByTime(400)
  expect(late).toEqual(['a after 1000 of 1000', 'b after 1000 of 1000'])
  line.enter(timed(late, 'c'))
  vi.advanceTimersByTime(1000)
  expect(late).toHaveLength(3)
})

test('what was done in time is never late, and an empty line needs no timer', () => {
  const line = new DeadlineLine(1000)
  const late: string[] = []
  const done = timed(late, 'done')
  line.enter(done)
  line.enter(timed(late, 'other'))
  line.leave(done)
  vi.advanceTimersByTime(1000)
  expect(late).toEqual(['other after 1000 of 1000'])
  expect(vi.getTimerCount()).toBe(0)
})

test('one that enters the line again while it is late has its time anew', () => {
  const line = new DeadlineLine(1000)
  const late: string[] = []
  line.enter(timed(late, 'first', () => line.enter(timed(late, 'second'))))
  vi.advanceTimersByTime(1000)
  expect(late).toHaveLength(1)
  vi.advanceTimersByTime(1000)
  expect(late).toEqual(['first after 1000 of 1000', 'second after 1000 of 1000'])
})
