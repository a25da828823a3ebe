import { describe, expect, test } from 'vitest'
import { nextSchedule, type Schedule } from './next-schedule.ts'

const at = (text: string) => Date.parse(text) / 1000
const DAY = 86_400
const berlin = (given: Partial<Schedule>): Schedule => ({
  last: at('2026-03-27T01:30:00Z'),
  periodSeconds: DAY,
  zone: 'Europe/Berlin',
  anchor: at('2026-03-27T01:30:00Z'),
  ...given,
})

describe('a run that repeats', () => {
  test('keeps its time of day in its zone when the clocks change', () => {
    expect(nextSchedule(berlin({}), at('2026-03-27T01:40:00Z'))).toBe(at('2026-03-28T01:30:00Z'))
    expect(nextSchedule(berlin({}), at('2026-03-30T00:00:00Z'))).toBe(at('2026-03-30T00:30:00Z'))
  })

  test('runs once an hour later on the day on which its time does not exist', () => {
    const next = nextSchedule(berlin({}), at('2026-03-28T12:00:00Z'))!
    expect([at('2026-03-29T00:30:00Z'), at('2026-03-29T01:30:00Z')]).toContain(next)
    expect(nextSchedule(berlin({}), next)).toBe(at('2026-03-30T00:30:00Z'))
  })

  test('is not moved by an extra execution at another time', () => {
    const extra = berlin({ last: at('2026-05-02T12:00:00Z') })
    expect(nextSchedule(extra, at('2026-05-02T12:05:00Z'))).toBe(at('2026-05-03T00:30:00Z'))
  })

  test('runs monthly on its day, or on the last one of a shorter month', () => {
    const first = at('2026-01-31T09:00:00Z')
    const monthly = berlin({ periodSeconds: 30 * DAY, anchor: first, last: first })
    expect(nextSchedule(monthly, at('2026-02-01T00:00:00Z'))).toBe(at('2026-02-28T09:00:00Z'))
    expect(nextSchedule(monthly, at('2026-03-01T00:00:00Z'))).toBe(at('2026-03-31T08:00:00Z'))
    expect(nextSchedule(monthly, at('2031-06-15T00:00:00Z'))).toBe(at('2031-06-30T08:00:00Z'))
  })

  test.each([DAY, 7 * DAY, 30 * DAY])(
    'every %i seconds leaves out none of its times for years',
    (periodSeconds) => {
      const schedule = berlin({ periodSeconds })
      const times: number[] = []
      for (let now = schedule.anchor; times.length < 150; now = times.at(-1)!)
        times.push(nextSchedule(schedule, now)!)
      const gaps = times.slice(1).map((time, index) => (time - times[index]!) / DAY)
      const most = periodSeconds === 30 * DAY ? 31 : periodSeconds / DAY
      expect(Math.max(...gaps)).toBeLessThan(most + 0.1)
      expect(Math.min(...gaps)).toBeGreaterThan((periodSeconds === 30 * DAY ? 28 : periodSeconds / DAY) - 0.1)
    },
  )

  test('without a zone repeats after its period', () => {
    const plain = berlin({ zone: '' })
    expect(nextSchedule(plain, at('2026-03-30T00:00:00Z'))).toBe(at('2026-03-30T01:30:00Z'))
  })
})

test('a run that does not repeat has no next time, and one that waits keeps its own', () => {
  expect(nextSchedule(berlin({ periodSeconds: 0 }), at('2026-04-01T00:00:00Z'))).toBeNull()
  expect(nextSchedule(berlin({}), at('2026-03-01T00:00:00Z'))).toBe(at('2026-03-27T01:30:00Z'))
})
