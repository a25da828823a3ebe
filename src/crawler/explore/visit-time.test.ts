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

test('a visit makes room when nothing new shows, and when what shows leads to no operation', () => {
  const seen = { isNews: true, isNewState: true, isOperation: false }
  const time = new VisitTime(() => 0)
  const actionsUntilRoom = (brought: typeof seen, waiting = 1): number => {
    for (let action = 1; action <= 100; action++) {
      time.noteNews(brought)
      if (time.takeVain(false, waiting)) return action
    }
    return Number.NaN
  }
  expect(actionsUntilRoom({ isNews: false, isNewState: false, isOperation: false })).toBe(8)
  expect(actionsUntilRoom(seen)).toBe(16)
  expect(actionsUntilRoom(seen, 12)).toBe(10)
  for (let action = 0; action < 15; action++) time.noteNews(seen)
  time.noteNews({ ...seen, isOperation: true })
  expect(actionsUntilRoom(seen)).toBe(16)
})
