import { expect, test } from 'vitest'
import { TargetPace } from './target-pace.ts'

const never = new AbortController().signal

test('lets requests pass at the limit, each host for itself', async () => {
  const pace = new TargetPace(60_000 / 20)
  const begun = performance.now()
  for (let i = 0; i < 4; i++) await pace.pass('a', never)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(55)
  const other = performance.now()
  await pace.pass('b', never)
  expect(performance.now() - other).toBeLessThan(15)
})

test('slows down for a host that has enough, and recovers', () => {
  const pace = new TargetPace(0)
  pace.heard('a', 200)
  expect(pace.gapMs('a')).toBe(0)
  pace.heard('a', 429)
  pace.heard('a', 503)
  expect(pace.gapMs('a')).toBe(400)
  for (let i = 0; i < 40; i++) pace.heard('a', 200)
  expect(pace.gapMs('a')).toBe(0)
  for (let i = 0; i < 30; i++) pace.heard('a', 429)
  expect(pace.gapMs('a')).toBe(10_000)
})

test('ends a wait when the crawl ends', async () => {
  const pace = new TargetPace(1)
  const end = new AbortController()
  await pace.pass('a', end.signal)
  const waiting = pace.pass('a', end.signal)
  end.abort()
  await expect(waiting).rejects.toThrow()
})
