import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: pages that are dialogs, since there is no browser on this machine')

/** Lists whose entries have pages of their own, each a dialog over its list: closing it goes back to the list. */
const script = `
const sections = ['orders', 'people', 'offers']
const go = (path) => { history.pushState(null, '', path); draw(path) }
const button = (name, click) => make('button', { type: 'button', click }, name)
const list = (section) => [make('nav', {}, ...sections.map((name) => make('a', { href: '/' + name }, name))), make('h1', {}, section),
  make('ul', {}, make('li', {}, make('a', { href: '/' + section + '/7/edit' }, 'Entry 7')))]
const draw = (path) => {
  const [section, key] = path.slice(1).split('/')
  if (!sections.includes(section)) return show(...list('orders'))
  if (key === undefined) return show(...list(section))
  const title = make('input', { name: 'title', value: '' })
  const save = button('Keep', () => call('PATCH', section + '/' + key, { title: title.value }))
  const archive = button('Archive', () => call('POST', section + '/' + key + '/archive'))
  show(...list(section), make('div', { role: 'dialog', 'aria-modal': 'true' }, make('h2', {}, 'Edit'), title, save, archive,
    button('Close', () => go('/' + section))))
}
route(draw)
`
const SECTIONS = ['orders', 'people', 'offers']
const WANTED = SECTIONS.flatMap((section) => [`PATCH /api/${section}/7`, `POST /api/${section}/7/archive`])

describe.skipIf(!canRun)('a crawl of pages that are dialogs', () => {
  let app: RunningApp

  beforeAll(async () => {
    app = await startSmallApp({
      script,
      style: '[role=dialog] { position: fixed; inset: 0; background: #fff }',
    })
    const isEnough = () => WANTED.every((line) => app.calls.some((call) => call.line === line))
    const task = {
      start: `${app.origin}/`,
      seconds: 180,
      mode: 'full',
      tabs: 2,
      staticAnalysis: false,
    } as const
    await runCrawl({ ...task, isEnough })
  }, 230_000)

  afterAll(() => app?.close())

  it.each(WANTED)('uses what the dialog of each page offers: %s', (line) => {
    expect(app.calls.map((call) => call.line)).toContain(line)
  })
})
