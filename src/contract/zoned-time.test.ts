import { expect, test } from 'vitest'
import { afterSteps, isTimeZone, localTime, secondsOf } from './zoned-time.ts'

const at = (text: string) => Date.parse(text) / 1000

test('a local time is read in its zone, on either side of a change of the clocks', () => {
  expect(secondsOf('2026-03-01T09:30', 'UTC')).toBe(at('2026-03-01T09:30:00Z'))
  expect(secondsOf('2026-03-01T09:30', 'Asia/Kolkata')).toBe(at('2026-03-01T04:00:00Z'))
  expect(secondsOf('2026-03-29T00:30', 'Europe/Berlin')).toBe(at('2026-03-28T23:30:00Z'))
  expect(secondsOf('2026-03-29T03:30', 'Europe/Berlin')).toBe(at('2026-03-29T01:30:00Z'))
  expect(secondsOf('2026-07-01T00:00', 'America/New_York')).toBe(at('2026-07-01T04:00:00Z'))
  expect(secondsOf('', 'UTC')).toBe(0)
})

test('a time that is shown is read back as the same moment', () => {
  expect(localTime(at('2026-03-01T20:00:00Z'), 'Asia/Tokyo')).toBe('2026-03-02T05:00')
  for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns'])
    expect(secondsOf(localTime(1_795_000_020, zone), zone)).toBe(1_795_000_020)
})

test('days and months later it is the same time of day there', () => {
  const berlin = 'Europe/Berlin'
  const lateOn28th = at('2026-03-28T08:00:07Z')
  expect(afterSteps(lateOn28th, { days: 1 }, 1, berlin)).toBe(at('2026-03-29T07:00:07Z'))
  expect(afterSteps(lateOn28th, { days: 1 }, 1, 'UTC')).toBe(at('2026-03-29T08:00:07Z'))
  expect(afterSteps(at('2026-10-24T22:30:00Z'), { days: 7 }, 1, berlin)).toBe(at('2026-10-31T23:30:00Z'))
  expect(afterSteps(at('2026-01-31T09:00:00Z'), { months: 1 }, 1, berlin)).toBe(at('2026-02-28T09:00:00Z'))
  expect(afterSteps(at('2026-01-31T09:00:00Z'), { months: 1 }, 2, berlin)).toBe(at('2026-03-31T08:00:00Z'))
  expect(afterSteps(at('2026-11-30T09:00:00Z'), { months: 1 }, 3, berlin)).toBe(at('2027-02-28T09:00:00Z'))
})

test('only names of zones are zones', () => {
  expect(['UTC', 'Europe/Berlin'].map(isTimeZone)).toEqual([true, true])
  expect(['', 'Mars/Olympus', 'Europe/Berlin; DROP'].map(isTimeZone)).toEqual([false, false, false])
})
