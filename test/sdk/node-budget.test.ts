import { expect, test } from 'vitest'

/** The budget of the middleware, a plain JavaScript file without types. */
const budgetFile = new URL('../../sdk/node/budget.js', import.meta.url).href
const { createBudget } = (await import(budgetFile)) as {
  createBudget: (
    share: number,
    read: () => { idle: number; cpu: number } | null,
    clock: () => number,
  ) => { hasTime(now: number): boolean; spend(from: number): void }
}

const STEP_MS = 0.5

/** Seconds that must pass until something may be captured again, after a debt of about `debtMs`. */
function secondsOfSilence(usagePerMs: { idle: number; cpu: number } | null, debtMs: number): number {
  let now = 0
  const budget = createBudget(
    0.02,
    () => (usagePerMs === null ? null : { idle: now * usagePerMs.idle, cpu: now * usagePerMs.cpu }),
    () => now,
  )
  const step = (): boolean => {
    now += 100
    return budget.hasTime(now)
  }
  step()
  // Beside the burst of 40 ms, in steps that look as if nothing had interrupted them.
  for (let spent = 0; spent < (40 + debtMs) / 4; spent += STEP_MS) budget.spend(now - STEP_MS)
  const from = now
  for (let hasTime = false; !hasTime; ) hasTime = step()
  return (now - from) / 1000
}

test('an application that waits, or has its processor for itself, gives the middleware a share of the time', () => {
  for (const usage of [{ idle: 1, cpu: 0 }, { idle: 0.5, cpu: 0.5 }, { idle: 0, cpu: 1 }, null])
    expect(secondsOfSilence(usage, 20)).toBeCloseTo(1, 0)
})

test('an application that waits for a processor gives a share of what it gets of it', () => {
  expect(secondsOfSilence({ idle: 0, cpu: 0.1 }, 20)).toBeGreaterThan(4)
})

test('work during which other programs had the processor costs what it took of it', () => {
  let cpu = 0
  let now = 0
  const budget = createBudget(
    0.02,
    () => ({ idle: 0, cpu }),
    () => now,
  )
  now = 100
  budget.hasTime(now)
  cpu += 0.5
  now += 500
  budget.spend(now - 500)
  expect(budget.hasTime(now + 1)).toBe(true)
})

test('what other threads of the process use is not given to the middleware', () => {
  expect(secondsOfSilence({ idle: 1, cpu: 3 }, 20)).toBeCloseTo(1, 0)
})
