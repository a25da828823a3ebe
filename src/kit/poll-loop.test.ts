import { afterEach, expect, test } from 'vitest'
import { withHeartbeat } from './heartbeat.ts'
import { PollLoop } from './poll-loop.ts'

let loop: PollLoop

function open(pass: (closing: AbortSignal) => Promise<unknown>, everyMs = 60_000): { errors: unknown[] } {
  const errors: unknown[] = []
  loop = new PollLoop({ everyMs, pass, onError: (error) => errors.push(error) })
  return { errors }
}

afterEach(() => loop.close())

test('passes are made at once and again after each interval, also after one that failed', async () => {
  let passes = 0
  const { errors } = open(async () => {
    passes++
    if (passes === 2) throw new Error('the store is away')
  }, 1)
  loop.begin()
  await expect.poll(() => passes).toBeGreaterThan(3)
  expect(errors).toMatchObject([{ message: 'the store is away' }])
})

test('asked for during a pass, another one follows it, and no two are made at once', async () => {
  let running = 0
  let passes = 0
  let end = (): void => {}
  open(async () => {
    expect(++running).toBe(1)
    if (++passes === 1) await new Promise<void>((resolve) => (end = resolve))
    running--
  })
  const first = loop.poll()
  const others = [loop.poll(), loop.poll()]
  end()
  await Promise.all([first, ...others])
  expect(passes).toBe(2)
})

test('closing aborts the pass under way, waits for it, and makes no other', async () => {
  let passes = 0
  let isDone = false
  const { errors } = open(async (closing) => {
    passes++
    await new Promise((resolve) => closing.addEventListener('abort', resolve))
    isDone = true
    throw new Error('broken off')
  })
  loop.begin()
  void loop.poll()
  await loop.close()
  expect(isDone).toBe(true)
  await loop.poll()
  expect([passes, errors]).toEqual([1, []])
})

test('a loop that is notified passes on news, and polls only while changes may be missed', async () => {
  const news = {
    quietMs: 600_000,
    heard: (): void => {},
    on: (_: unknown, heard: () => void) => listen(heard),
  }
  const listen = (heard: () => void): (() => void) => {
    news.heard = heard
    return () => {}
  }
  let passes = 0
  const notified = new PollLoop({
    everyMs: 1,
    pass: async () => void passes++,
    onError: () => {},
    news: { from: news, topics: ['settings'] },
  })
  try {
    notified.begin()
    await expect.poll(() => passes).toBe(1)
    for (let i = 0; i < 5; i++) news.heard()
    await expect.poll(() => passes, { message: 'news that follow each other are one pass' }).toBe(2)
    let polls = 0
    open(async () => void polls++, 1)
    loop.begin()
    await expect.poll(() => polls).toBeGreaterThan(20)
    expect(passes, 'it does not poll').toBe(2)
    news.quietMs = 0
    await expect.poll(() => passes, { message: 'it polls' }).toBeGreaterThan(5)
  } finally {
    await notified.close()
  }
})

test('the first notification makes a pass at once, and endless ones make at most one in each least interval', async () => {
  let hear = (): void => {}
  const listen = (heard: () => void): (() => void) => {
    hear = heard
    return () => {}
  }
  const news = { quietMs: 600_000, on: (_: unknown, heard: () => void) => listen(heard) }
  const passesAt = async (leastMs: number): Promise<number[]> => {
    const begins: number[] = []
    loop = new PollLoop({
      everyMs: 3_600_000,
      pass: async () => void begins.push(performance.now()),
      onError: () => {},
      news: { from: news, topics: ['pages'], leastMs },
    })
    loop.begin()
    await expect.poll(() => begins.length).toBe(1)
    hear()
    await expect.poll(() => begins.length, { timeout: 10_000 }).toBe(2)
    return begins
  }
  await passesAt(3_600_000)
  await loop.close()
  const begins = await passesAt(300)
  const storm = setInterval(() => hear(), 5)
  try {
    await expect.poll(() => begins.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(5)
  } finally {
    clearInterval(storm)
  }
  // Timers may fire a moment early by this clock.
  for (let i = 2; i < 5; i++) expect(begins[i]! - begins[i - 1]!).toBeGreaterThan(280)
})

test('work hears when its lease was lost, and its heartbeat ends with it', async () => {
  open(async () => {})
  let beats = 0
  const beat = async (): Promise<boolean> => ++beats < 3
  const onError = (): void => {}
  const done = await withHeartbeat({ everyMs: 1, beat, onError }, async (lost) => {
    await new Promise((resolve) => lost.addEventListener('abort', resolve))
    return beats
  })
  expect(done).toBe(3)
})
