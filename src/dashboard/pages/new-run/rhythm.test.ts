import { expect, it } from 'vitest'
import { localTime, rhythmOf, secondsOf } from './rhythm.ts'

it('knows the rhythm of a period', () => {
  expect([0, -1, 86_400, 604_800, 2_592_000, 7].map(rhythmOf)).toEqual([
    'once',
    'continuous',
    'daily',
    'weekly',
    'monthly',
    'once',
  ])
})

it('writes a time as its field takes it, and reads it back', () => {
  const seconds = 1_795_000_020
  expect(localTime(seconds)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
  expect(secondsOf(localTime(seconds))).toBe(seconds)
  expect(secondsOf('')).toBe(0)
})
