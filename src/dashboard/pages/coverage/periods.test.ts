import { expect, test } from 'vitest'
import { dayStart, monthDays, periodStart } from './periods.ts'

test('a month has its days, also February of a leap year', () => {
  expect(monthDays('2026-03')).toEqual({ from: '2026-03-01', to: '2026-03-31' })
  expect(monthDays('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(monthDays('March')).toBeNull()
})

test('a period starts at a full hour, and all time at 0', () => {
  expect(periodStart('', 1_772_445_599_000) % 3600).toBe(0)
  expect(periodStart('90', 1_772_445_599_000)).toBe(1_772_442_000 - 90 * 86_400)
  expect(periodStart('all', 1_772_445_599_000)).toBe(0)
  expect(dayStart('2026-03-02') - dayStart('2026-03-01')).toBe(86_400)
})
