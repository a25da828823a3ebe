import { expect, test } from 'vitest'
import { WorkBudget } from './work-budget.ts'

test('is spent by work, and not before its time', () => {
  const budget = new WorkBudget(20)
  budget.check()
  expect(budget.isSpent).toBe(false)
  const start = process.cpuUsage()
  while (!budget.isSpent) budget.check()
  expect(process.cpuUsage(start).user + process.cpuUsage(start).system).toBeLessThan(200_000)
})

test('waiting spends half of it at most', () => {
  const budget = new WorkBudget(40)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  budget.check()
  expect(budget.isSpent).toBe(false)
})
