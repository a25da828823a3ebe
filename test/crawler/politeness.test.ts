import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../../bench/crawler/run-crawl.ts'
import { CrawlGuard } from '../../src/crawler/browser/crawl-guard.ts'
import type { BrowserDriver } from '../../src/crawler/browser/driver.ts'
import { CrawlScope } from '../../src/crawler/scope/crawl-scope.ts'
import { TargetScope } from '../../src/http/sender/index.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: how politely pages are crawled, since there is no browser on this machine')

const PER_SECOND = 5
/** A page that asks for twenty things at once, or for one thing again as soon as it is refused. */
const script = `
const all = () => Promise.all(Array.from({ length: 20 }, (_, at) => call('GET', 'things/' + at)))
const insist = async () => { while ((await call('GET', 'busy')).status !== 200) ; }
route((path) => {
  show(make('h1', {}, path))
  void (path === '/busy' ? insist() : all()).then(() => show(make('h1', {}, 'Done')))
})
`

describe.skipIf(!canRun)('pages that ask for much', () => {
  let app: RunningApp
  let driver: BrowserDriver
  const arrivals: { line: string; atMs: number }[] = []

  beforeAll(async () => {
    app = await startSmallApp({
      script,
      answer: ({ line }) => {
        arrivals.push({ line, atMs: performance.now() })
        const isFirst = arrivals.filter((each) => each.line === line).length === 1
        if (line !== 'GET /api/busy' || !isFirst) return { status: 200, body: {} }
        return { status: 429, body: {}, headers: { 'retry-after': '2' } }
      },
    })
    driver = await openBrowser(app.origin)
  })

  afterAll(async () => {
    await driver?.close()
    await app?.close()
  })

  /** Shows a page until it has what it asks for. @returns when its requests arrived */
  async function arrivalsOf(path: string): Promise<number[]> {
    arrivals.length = 0
    const scope = CrawlScope.read({ start: app.origin, outscope: [], templates: [] })
    if (typeof scope === 'string') throw new Error(scope)
    const guard = new CrawlGuard({
      scope,
      targets: new TargetScope([new URL(app.origin).host]),
      changes: null,
      requestsPerMinute: 0,
      requestsPerSecond: PER_SECOND,
    })
    const context = await driver.newContext({ guard, sink: { captured() {} }, answerDialog: () => true })
    const page = await context.newPage()
    await page.goto(app.origin + path)
    const isDone = `new Promise((done) => { const look = () => document.querySelector('h1')?.textContent === 'Done' ? done(true) : setTimeout(look, 50); look() })`
    expect(await page.evaluate(isDone, { deadlineMs: 20_000 })).toBe(true)
    await context.close()
    return arrivals.map(({ atMs }) => atMs)
  }

  it('stay within the limit of requests a second', async () => {
    const times = await arrivalsOf('/')
    expect(times).toHaveLength(20)
    // Requests are let go in time, and may arrive a little late: a longer way makes two seconds of one.
    const span = times.at(-1)! - times[0]!
    expect(span).toBeGreaterThanOrEqual(((20 - 2 * PER_SECOND) / PER_SECOND) * 1000)
  }, 60_000)

  it('ask again only after the time that Retry-After names', async () => {
    const [refused, answered] = await arrivalsOf('/busy')
    expect(answered! - refused!).toBeGreaterThanOrEqual(1950)
  }, 60_000)
})
