import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: pages for unknown addresses, since there is no browser on this machine')

const GONE = Array.from({ length: 12 }, (_, at) => `/gone-${'abcdefghijkl'[at]}`)

/** The page for unknown addresses covers the window, as a dialog does. */
const script = `
const known = ['/', '/boats', '/cars', '/planes', '/trains']
route((path) => {
  if (!known.includes(path)) return show(make('div', { style: 'position:fixed;inset:0;background:#fff' }, make('h1', {}, 'Lost?')))
  show(make('h1', {}, 'Part ' + path), ...[...known, ...${JSON.stringify(GONE)}].map((each) => make('p', {}, make('a', { href: each }, each))))
  if (path !== '/') void call('GET', path.slice(1))
})
`

describe.skipIf(!canRun)('an application whose page for unknown addresses covers the window', () => {
  let app: RunningApp

  beforeAll(async () => {
    app = await startSmallApp({ script })
    await runCrawl({ start: `${app.origin}/`, seconds: 60, mode: 'full', tabs: 1, staticAnalysis: false })
  })

  afterAll(() => app?.close())

  it('is gone through by its router', () => {
    expect(app.documents.filter((path) => GONE.includes(path))).toEqual([])
  })

  it('still shows the pages that it has', () => {
    const calls = new Set(app.calls.map(({ line }) => line))
    for (const name of ['boats', 'cars', 'planes', 'trains']) expect(calls).toContain(`GET /api/${name}`)
  })
})
