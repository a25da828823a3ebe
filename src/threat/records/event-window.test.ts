import { expect, test } from 'vitest'
import { ALWAYS, cutWindow, DAY, type EventWindow, HOUR, isOpen, readWindow } from './event-window.ts'

const NOW = 1_769_854_500

test('a window without ends, or one that ends now or in the future, is open', () => {
  expect(readWindow(0, 0, NOW)).toEqual(ALWAYS)
  expect(readWindow(-5, NOW + 10, NOW)).toEqual(ALWAYS)
  expect(isOpen(readWindow(5, NOW - 5, NOW))).toBe(true)
  expect(isOpen(readWindow(5, NOW - 6, NOW))).toBe(false)
})

test.each<EventWindow>([
  { from: 0, to: 10 },
  { from: 10, to: 10 },
  { from: 0, to: DAY - 1 },
  { from: 1, to: DAY },
  { from: HOUR, to: 2 * HOUR - 1 },
  { from: HOUR - 1, to: 2 * HOUR },
  { from: 5 * DAY + 7, to: 9 * DAY + 2 * HOUR + 3 },
  { from: 5 * DAY + 23 * HOUR, to: 6 * DAY - 1 },
  { from: 20, to: 10 },
])('the pieces of %j are the window, each second once', ({ from, to }) => {
  for (const usesHours of [true, false]) {
    const { days, hours, seconds } = cutWindow({ from, to }, usesHours)
    const spans = [
      ...days.map(([first, last]) => [first * DAY, (last + 1) * DAY - 1]),
      ...hours.map(([first, last]) => [first * HOUR, (last + 1) * HOUR - 1]),
      ...seconds,
    ].sort((a, b) => a[0]! - b[0]!)
    let next = from
    for (const [start, end] of spans) {
      expect(start).toBe(next)
      next = end! + 1
    }
    expect(next).toBe(Math.max(to + 1, from))
    if (usesHours) for (const [start, end] of seconds) expect(end - start).toBeLessThan(HOUR)
  }
})

test('an open window has whole days to the end of time', () => {
  const { days, hours, seconds } = cutWindow({ ...ALWAYS, from: DAY + 30 * 60 })
  expect(days[0]![0]).toBe(2)
  expect(hours).toEqual([[25, 47]])
  expect(seconds).toEqual([[DAY + 1800, DAY + 3599]])
})
