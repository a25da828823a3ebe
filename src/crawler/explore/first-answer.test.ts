import { expect, test } from 'vitest'
import type { CapturedExchange, CaptureSink } from '../browser/capture.ts'
import { CrawlScope } from '../scope/crawl-scope.ts'
import { crawl } from './crawl.ts'
import type { OpenContext } from './crawl-ports.ts'
import { FirstAnswer } from './first-answer.ts'
import { MemoryFrontier } from './memory-frontier.ts'

const start = 'https://shop.test/'

test('a crawl of an application that takes connections and never answers ends within its patience', async () => {
  const loads: string[] = []
  let nowMs = 0
  const page = {
    id: 'tab',
    url: 'about:blank',
    visits: 0,
    on: () => () => {},
    close: async () => {},
    async goto(url: string, { deadlineMs = 20_000 } = {}) {
      loads.push(url)
      nowMs += deadlineMs
      return { url: 'about:blank', status: null, problem: 'deadline' }
    },
  }
  const open = {
    driver: { gone: new Promise(() => {}), memoryBytes: async () => 0 },
    context: { newPage: async () => page, close: async () => {} },
  } as unknown as OpenContext
  const outcome = await crawl(
    {
      start,
      seeds: [],
      outscope: [],
      templates: [],
      hosts: [],
      budget: { seconds: 600, spentSeconds: 0 },
      mode: 'safe',
      tabs: 4,
      identity: 'anonymous',
    },
    {
      browser: { openContext: async (_: CaptureSink) => open },
      frontier: new MemoryFrontier(),
      sink: { url() {}, exchange() {}, edge() {}, log() {} },
      session: null,
      memory: null,
      stop: new AbortController().signal,
      clockMs: () => nowMs,
    },
  )
  expect(loads).toEqual([start, start])
  expect(nowMs).toBe(30_000)
  expect([outcome.end, outcome.problem]).toEqual([
    'failed',
    `${start}: nothing came back in time. Check the URL, and that the application runs and answers.`,
  ])
})

test('an answer of another host is none, and with the first one loads have their whole time', () => {
  let nowMs = 5_000
  const scope = CrawlScope.read({ start, outscope: [], templates: [] })
  if (typeof scope === 'string') throw new Error(scope)
  const first = new FirstAnswer(scope, () => nowMs)
  first.begin(false)
  expect(first.loadMs).toBe(20_000)
  nowMs += 15_000
  expect(first.loadMs).toBe(15_000)
  nowMs += 14_000
  expect([first.loadMs, first.isLate]).toEqual([10_000, false])
  nowMs += 1_000
  const answered = (url: string, outcome: CapturedExchange['outcome']) => first.note({ url, outcome })
  answered('https://cdn.test/app.js', 'answered')
  answered(`${start}late`, 'failed')
  expect([first.isHeard, first.isLate]).toEqual([false, true])
  answered(`${start}late`, 'answered')
  expect([first.isHeard, first.isLate, first.loadMs]).toEqual([true, false, 20_000])
})
