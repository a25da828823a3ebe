import { expect, test } from 'vitest'
import { ConcurrencyGate } from './concurrency-gate.ts'

const signal = new AbortController().signal

test('a gate whose limit is divided lets nobody in until enough have left, and lets those in who wait when it grows', async () => {
  const gate = new ConcurrencyGate(6)
  for (let n = 0; n < 6; n++) expect(gate.tryEnter()).toBe(true)
  gate.divide(2)
  let entered = 0
  const waiting = Array.from({ length: 4 }, () => gate.enter(signal).then(() => entered++))
  for (let n = 0; n < 3; n++) gate.leave()
  await Promise.resolve()
  expect(entered).toBe(0)
  gate.leave()
  await waiting[0]
  expect(entered).toBe(1)
  gate.divide(1)
  await Promise.all(waiting)
  expect(gate.tryEnter()).toBe(false)
})

test('a limit divided among more than it holds lets one in', () => {
  const gate = new ConcurrencyGate(2)
  gate.divide(5)
  expect([gate.tryEnter(), gate.tryEnter()]).toEqual([true, false])
})
