import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { InFlight, LongPolls } from './in-flight.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Whether a page counts as quiet within two seconds. */
async function isQuiet(page: InFlight): Promise<boolean> {
  const quiet = page.quiet({ quietMs: 100, capMs: 2_000, sinceMs: 0 })
  await vi.advanceTimersByTimeAsync(2_000)
  return quiet
}

/** Waits until a page is quiet while requests are open for long. */
async function outlast(page: InFlight): Promise<void> {
  const quiet = page.quiet({ quietMs: 100, capMs: 4_000, sinceMs: 0 })
  await vi.advanceTimersByTimeAsync(4_000)
  await quiet
}

test('requests that stay open again and again are no longer waited for', async () => {
  const page = new InFlight(new LongPolls())
  for (const id of ['1', '2']) {
    page.begin(id, 'http://a.test/news?since=1')
    expect(await isQuiet(page)).toBe(false)
    await outlast(page)
    page.end(id)
  }
  page.begin('3', 'http://a.test/news?since=2')
  expect(await isQuiet(page)).toBe(true)
})

test('a call that was slow a few times is waited for as long as most of them are soon answered', async () => {
  const page = new InFlight(new LongPolls())
  for (const id of ['1', '2']) {
    page.begin(id, 'http://a.test/me')
    await outlast(page)
    page.end(id)
  }
  for (let time = 0; time < 6; time++) {
    page.begin(`soon ${time}`, 'http://a.test/me')
    await vi.advanceTimersByTimeAsync(50)
    page.end(`soon ${time}`)
  }
  page.begin('3', 'http://a.test/me')
  expect(await isQuiet(page)).toBe(false)
})

test('what a request waits before it is sent says nothing of its answer', async () => {
  const page = new InFlight(new LongPolls())
  for (const id of ['1', '2', '3']) {
    page.hold(id)
    page.begin(id, 'http://a.test/me')
    await outlast(page)
    page.release(id)
    expect(await isQuiet(page)).toBe(false)
    page.end(id)
  }
  page.begin('4', 'http://a.test/me')
  expect(await isQuiet(page)).toBe(false)
})
