import { expect, test, vi } from 'vitest'
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

test('never sends more requests in one second than the limit allows', async () => {
  const pace = new TargetPace(0, 3)
  const begun = performance.now()
  for (let i = 0; i < 7; i++) await pace.pass('a', never)
  // A timer of Node may fire up to a millisecond early.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(1998)
})

test('sends nothing to a host before the time that its Retry-After names', async () => {
  const pace = new TargetPace(0)
  pace.heard('a', 503, '1')
  const begun = performance.now()
  await pace.pass('a', never)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(998)
  pace.heard('b', 429, new Date(Date.now() + 3_000).toUTCString())
  const waiting = pace.pass('b', AbortSignal.timeout(300))
  await expect(waiting).rejects.toThrow()
})

test('keeps the pause that one path asks for to that path, until another asks for one', async () => {
  const pace = new TargetPace(0)
  pace.heard('a', 429, '1', '/search')
  const begun = performance.now()
  const search = pace.pass('a', never, '/search')
  await pace.pass('a', never, '/items')
  expect(performance.now() - begun).toBeLessThan(500)
  await search
  expect(performance.now() - begun).toBeGreaterThanOrEqual(998)
  pace.heard('a', 429, '1', '/search')
  pace.heard('a', 429, '1', '/items')
  const both = performance.now()
  await pace.pass('a', never, '/else')
  expect(performance.now() - both).toBeGreaterThanOrEqual(998)
})

test('does not slow down more for one operation that is always refused among others that are answered', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const pace = new TargetPace(0)
    for (let i = 0; i < 20; i++) {
      vi.advanceTimersByTime(2_000)
      for (let good = 0; good < 6; good++) pace.heard('a', 200)
      pace.heard('a', 503)
    }
    expect(pace.gapMs('a')).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})

test('slows down for a host that has enough, and recovers', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const pace = new TargetPace(0)
    pace.heard('a', 200)
    expect(pace.gapMs('a')).toBe(0)
    pace.heard('a', 429)
    vi.advanceTimersByTime(1_000)
    pace.heard('a', 503)
    expect(pace.gapMs('a')).toBe(400)
    for (let i = 0; i < 40; i++) pace.heard('a', 200)
    expect(pace.gapMs('a')).toBe(0)
    for (let i = 0; i < 30; i++) {
      vi.advanceTimersByTime(20_000)
      pace.heard('a', 429)
    }
    expect(pace.gapMs('a')).toBe(10_000)
  } finally {
    vi.useRealTimers()
  }
})

test('takes a burst of refusals for one, as a page sends its calls together', () => {
  const pace = new TargetPace(0)
  for (let i = 0; i < 50; i++) pace.heard('a', 503)
  expect(pace.gapMs('a')).toBe(200)
})

test('keeps no turn for requests whose page has gone', async () => {
  const pace = new TargetPace(0)
  pace.heard('a', 503)
  await pace.pass('a', never)
  const page = new AbortController()
  const gone = Array.from({ length: 100 }, () => pace.pass('a', page.signal).catch(() => 'gone'))
  page.abort()
  expect(await Promise.all(gone)).toEqual(gone.map(() => 'gone'))
  const begun = performance.now()
  await pace.pass('a', never)
  expect(performance.now() - begun).toBeLessThan(1_000)
})

test('ends a wait when the crawl ends', async () => {
  const pace = new TargetPace(1)
  const end = new AbortController()
  await pace.pass('a', end.signal)
  const waiting = pace.pass('a', end.signal)
  end.abort()
  await expect(waiting).rejects.toThrow()
})
