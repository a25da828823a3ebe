import { expect, test } from 'vitest'
import { ConcurrencyGate } from './concurrency-gate.ts'

const signal = new AbortController().signal

test('a gate whose limit falls lets nobody in until enough have left, and lets those in who wait when it grows', async () => {
  const gate = new ConcurrencyGate(6)
  for (let n = 0; n < 6; n++) expect(gate.tryEnter()).toBe(true)
  gate.limit = 3
  let entered = 0
  const waiting = Array.from({ length: 4 }, () => gate.enter(signal).then(() => entered++))
  for (let n = 0; n < 3; n++) gate.leave()
  await Promise.resolve()
  expect(entered).toBe(0)
  gate.leave()
  await waiting[0]
  expect(entered).toBe(1)
  gate.limit = 6
  await Promise.all(waiting)
  expect(gate.tryEnter()).toBe(false)
})

test('a limit of 0 lets nobody in', () => {
  const gate = new ConcurrencyGate(2)
  expect(gate.tryEnter()).toBe(true)
  gate.limit = 0
  expect([gate.tryEnter(), gate.inside]).toEqual([false, 1])
})
