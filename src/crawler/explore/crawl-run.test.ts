import { expect, test } from 'vitest'
import { crawl } from './crawl.ts'
import type { CrawlOptions } from './crawl-options.ts'
import type { CrawlPorts, OpenContext } from './crawl-ports.ts'
import type { FrontierCounts, LeasedItem, WorkKind } from './frontier.ts'
import type { LearnedFact } from './learned.ts'
import { MemoryFrontier } from './memory-frontier.ts'

const start = 'https://shop.test/'
const options: CrawlOptions = {
  start,
  seeds: [],
  outscope: [],
  templates: [],
  hosts: [],
  budget: { seconds: 600, spentSeconds: 0 },
  mode: 'safe',
  tabs: 2,
  identity: 'anonymous',
}

/** Pages that show nothing, of an application that was heard before. */
function portsOver(frontier: MemoryFrontier, loads: string[]): CrawlPorts {
  const page = {
    id: 'tab',
    url: 'about:blank',
    visits: 0,
    on: () => () => {},
    close: async () => {},
    told: async () => {},
    async goto(url: string) {
      loads.push(url)
      return { url: 'about:blank', status: null, problem: 'gone' }
    },
  }
  const open = {
    driver: { gone: new Promise(() => {}), memoryBytes: async () => 0 },
    context: { newPage: async () => page, close: async () => {} },
  } as unknown as OpenContext
  const heard: LearnedFact = { kind: 'kind', key: 'GET shop.test/', value: 1, note: '' }
  return {
    browser: { openContext: async () => open },
    frontier,
    sink: { url() {}, exchange() {}, edge() {}, log() {} },
    session: null,
    memory: { exchange: async () => ({ revision: 1, facts: [heard] }) },
    stop: new AbortController().signal,
  }
}

function loadOf(url: string) {
  const payload = JSON.stringify({ url, sourceUrl: start, sourceXpath: '', text: '' })
  return { kind: 'load' as const, key: `load ${url}`, location: url, priority: 1, payload }
}

/** What a dead lease owner had becomes free just after it was looked for. */
class LapsingFrontier extends MemoryFrontier {
  #isLapsed = false

  override async counts(): Promise<FrontierCounts> {
    if (!this.#isLapsed) await this.add([loadOf(`${start}late`)])
    this.#isLapsed = true
    return super.counts()
  }
}

test('a crawl does not end over work that has become free since it was looked for', async () => {
  const loads: string[] = []
  const { end } = await crawl(options, portsOver(new LapsingFrontier(), loads))
  expect(end).toBe('finished')
  expect(loads).toContain(`${start}late`)
})

test('a helper reports when it becomes idle or busy, and does not end the crawl', async () => {
  const loads: string[] = []
  const said: boolean[] = []
  const stop = new AbortController()
  const frontier = new MemoryFrontier()
  await frontier.add([loadOf(`${start}a`)])
  const outcome = await crawl(options, {
    ...portsOver(frontier, loads),
    stop: stop.signal,
    helper: {
      async idle(isIdle) {
        said.push(isIdle)
        if (said.length === 1) await frontier.add([loadOf(`${start}b`)])
        if (said.length === 3) stop.abort()
      },
    },
  })
  expect(outcome.end).toBe('stopped')
  // It adds nothing itself: no start page, no robots.txt.
  expect(loads).toEqual([`${start}a`, `${start}b`])
  expect(said).toEqual([true, false, true])
})

/** Ports over a browser whose first windows never show a page. */
function portsThatHang(frontier: MemoryFrontier, hanging: number): { ports: CrawlPorts; lines: string[] } {
  const lines: string[] = []
  const ports = portsOver(frontier, [])
  let opened = 0
  const openContext = async (): Promise<OpenContext> => {
    const open = await ports.browser.openContext({ captured() {} })
    if (opened++ >= hanging) return open
    const driver = { ...open.driver, close: async () => {} }
    return { driver, context: { ...open.context, newPage: () => new Promise(() => {}) } } as OpenContext
  }
  return {
    ports: {
      ...ports,
      browser: { openContext },
      sink: { ...ports.sink, log: ({ message }) => lines.push(message) },
    },
    lines,
  }
}

test('a stuck crawl gets another browser, logs what it waited for, and continues', async () => {
  const frontier = new MemoryFrontier()
  await frontier.add([loadOf(`${start}a`)])
  const { ports, lines } = portsThatHang(frontier, 1)
  const { end } = await crawl({ ...options, patienceMs: 100 }, ports)
  expect(end).toBe('finished')
  expect(lines.some((line) => /Nothing has happened .* In hand: load https:\/\/shop.test/.test(line))).toBe(
    true,
  )
  expect(lines.some((line) => line.includes('The browser is replaced'))).toBe(true)
})

test('a crawl that is stuck permanently fails and names what it waited for; it is never complete', async () => {
  const frontier = new MemoryFrontier()
  await frontier.add([loadOf(`${start}a`)])
  const { end, problem } = await crawl({ ...options, patienceMs: 50 }, portsThatHang(frontier, 100).ports)
  expect(end).toBe('failed')
  expect(problem).toMatch(/^The crawl came to a standstill\. .* In hand: load https:\/\/shop\.test/)
})

test('a crawl that saw nothing but its start loads it once more before it ends', async () => {
  const loads: string[] = []
  const taken: string[] = []
  class HeardFrontier extends MemoryFrontier {
    override async take(kind: WorkKind): Promise<LeasedItem | null> {
      const item = await super.take(kind)
      if (item !== null) taken.push(item.key)
      return item
    }
  }
  const { end } = await crawl(options, portsOver(new HeardFrontier(), loads))
  expect([end, ...taken.filter((key) => key.startsWith('load '))]).toEqual([
    'finished',
    `load ${start}`,
    // It failed, and is done again for that.
    `load ${start}`,
    `load ${start} again`,
  ])
})
