import { expect, test } from 'vitest'
import { VisitTime } from './visit-time.ts'

test('a visit has its slice of time, and some actions however long they take, but no more than its end', () => {
  let now = 0
  const time = new VisitTime(() => now)
  now = 16_000
  for (let action = 0; action < 11; action++) time.noteAction()
  expect(time.isOver).toBe(false)
  time.noteAction()
  expect(time.isOver).toBe(true)
  time.step(now)
  expect(time.isOver).toBe(false)
  now = 27_000
  expect(time.isOver).toBe(true)
  time.slice()
  expect(time.isOver).toBe(false)
  now = 91_000
  time.slice()
  expect(time.isOver).toBe(true)
})
