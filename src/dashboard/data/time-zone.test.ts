import { expect, test } from 'vitest'
import { localTime, secondsOf } from './time-zone.ts'

const at = (text: string) => Date.parse(text) / 1000

test('a time of a field is one of the shown zone, on both sides of a change of the clocks', () => {
  expect(secondsOf('2026-03-01T09:30', 'UTC')).toBe(at('2026-03-01T09:30:00Z'))
  expect(secondsOf('2026-03-01T09:30', 'Asia/Kolkata')).toBe(at('2026-03-01T04:00:00Z'))
  expect(secondsOf('2026-03-29T00:30', 'Europe/Berlin')).toBe(at('2026-03-28T23:30:00Z'))
  expect(secondsOf('2026-03-29T03:30', 'Europe/Berlin')).toBe(at('2026-03-29T01:30:00Z'))
  expect(secondsOf('2026-07-01T00:00', 'America/New_York')).toBe(at('2026-07-01T04:00:00Z'))
  expect(secondsOf('')).toBe(0)
})

test('a time is written as its field takes it, and read back', () => {
  expect(localTime(at('2026-03-01T20:00:00Z'), 'Asia/Tokyo')).toBe('2026-03-02T05:00')
  for (const zone of ['UTC', 'Pacific/Chatham', 'America/St_Johns'])
    expect(secondsOf(localTime(1_795_000_020, zone), zone)).toBe(1_795_000_020)
})
