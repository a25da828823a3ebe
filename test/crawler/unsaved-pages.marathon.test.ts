import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrawlMeasure, hasBrowser, openBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { CrawlGuard } from '../../src/crawler/browser/crawl-guard.ts'
import { discardChanges } from '../../src/crawler/explore/dismiss-dialog.ts'
import { PageView } from '../../src/crawler/explore/page-view.ts'
import { CrawlScope } from '../../src/crawler/scope/crawl-scope.ts'
import { TargetScope } from '../../src/http/sender/index.ts'
import { until } from '../until.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: pages with unsaved changes, since there is no browser on this machine')

const PAGES = ['profile', 'project', 'mail', 'limits']
const BOXES = 14
const FIELDS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth']

/**
 * Settings without forms. Leaving a page with changes opens a dialog that asks whether to, and that no key closes; the name of each field opens the same menu; a text is written in an editor of lines; whatever is clicked
 * leaves a hint or a message behind; and a tool that fails says so in a dialog.
 */
const script = `
const pages = ${JSON.stringify(PAGES)}
let [dirty, at, drawn] = [false, location.pathname, null]
const button = (name, click, more = {}) => make('button', { type: 'button', click, ...more }, name)
const dialog = (title, text, ...buttons) => {
  const cover = make('div', { class: 'cover', role: 'dialog' }, make('h2', {}, title))
  if (text) cover.append(make('p', {}, text))
  cover.append(...buttons.map(([name, click]) => button(name, () => { cover.remove(); click?.() })))
  document.body.append(cover)
}
const menu = (...entries) => {
  document.querySelector('.menu')?.remove()
  const list = make('div', { class: 'menu', role: 'menu' }, ...entries.map((name) => button(name, () => list.remove(), { role: 'menuitem' })))
  document.body.append(list)
}
const hint = (text) => {
  document.querySelector('.hint')?.remove()
  document.body.append(make('div', { class: 'hint', click: ({ target }) => target.remove() }, text + ' ' + Math.random().toString(36).slice(2).replace(/[0-9]/g, 'x')))
}
const change = () => {
  dirty = true
  for (const each of document.querySelectorAll('.save')) each.disabled = false
}
const box = (name, at) => {
  const shown = make('div', { role: 'combobox', tabindex: '0', 'aria-expanded': 'false', 'aria-label': name, click: () => {
    const list = make('ul', { role: 'listbox' }, ...['One', 'Two'].map((value) => make('li', { role: 'option', click: () => { shown.textContent = name + ' ' + value; list.remove(); change() } }, value)))
    document.body.append(list)
  } }, name)
  return shown
}
const editor = () => {
  const lines = ['one', 'two', 'three'].map((text) => make('pre', { class: 'line', mousedown: () => null, click: ({ currentTarget }) => { currentTarget.textContent += '.' } }, text))
  return make('div', { class: 'CodeMirror' }, make('div', { class: 'CodeMirror-scroll', click: () => null }, ...lines))
}
const draw = (path) => {
  at = path
  dirty = false
  document.querySelector('.menu')?.remove()
  const name = path.slice(1)
  const head = make('nav', {}, ...pages.map((each) => make('a', { href: '/' + each }, each)))
  if (!pages.includes(name)) return show(head, make('h1', {}, 'Home'))
  const save = button('Save', async () => {
    await call('PATCH', 'settings/' + name, {})
    dirty = false
    save.disabled = true
    hint('Saved')
  }, { class: 'save', disabled: true })
  const fields = ${JSON.stringify(FIELDS)}.map((field) => make('div', { class: 'field' },
    button(field, () => { menu('Copy raw value', 'Clear raw value'); hint('About') }, { class: 'field-name' }), make('input', { name: field, value: 'known', input: change })))
  const boxes = Array.from({ length: ${BOXES} }, (_, at) => box('Choice ' + 'abcdefghijklmnopqrstuvwxyz'[at], at))
  const tools = ['Check', 'Repair', 'Rebuild'].map((tool) => button(tool, async () => {
    await call('POST', 'tools/' + name + '/' + tool.toLowerCase(), {})
    dialog(tool + ' failed', '', ['Dismiss'])
  }))
  show(head, make('header', {}, make('h1', {}, name), save), make('main', {}, ...fields, ...boxes, editor(), ...tools))
}
const go = (path) => {
  if (dirty) {
    if (location.pathname !== at) history.pushState(null, '', at)
    if (!document.querySelector('.cover')) dialog('Leave this page?', 'Changes that you made were not saved.', ['Stay'], ['Leave', () => { dirty = false; history.pushState(null, '', path); draw(path) }])
  } else {
    if (location.pathname !== path) history.pushState(null, '', path)
    draw(path)
  }
}
addEventListener('popstate', () => location.pathname === at ? null : go(location.pathname))
addEventListener('beforeunload', (event) => { if (dirty) event.preventDefault() })
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]')
  if (!link) return
  event.preventDefault()
  go(new URL(link.href).pathname)
})
draw(location.pathname)
`
const style =
  '.cover { position: fixed; inset: 0; background: #fffc } .menu, .hint { position: fixed; right: 0; top: 0 } .hint { top: 300px } [role=listbox] { position: fixed; left: 0; top: 0; background: #fff }'

const wanted = PAGES.flatMap((page) => [
  `PATCH /api/settings/${page}`,
  ...['check', 'repair', 'rebuild'].map((tool) => `POST /api/tools/${page}/${tool}`),
])
/** Documents loaded at most: each page once or twice, and what scripts and known places name. */
const LOADS = 4 * PAGES.length

describe.skipIf(!canRun)('a crawl of pages that ask before changes are lost', () => {
  let app: RunningApp
  let crawled: CrawlMeasure

  beforeAll(async () => {
    app = await startSmallApp({ script, style })
    const task = {
      start: `${app.origin}/`,
      // It ends as soon as all was sent: how long that takes depends on the machine.
      seconds: 600,
      mode: 'full',
      tabs: 2,
      staticAnalysis: false,
      isEnough: () => {
        const sent = new Set(app.calls.map((call) => call.line))
        return wanted.every((line) => sent.has(line))
      },
    } as const
    crawled = await runCrawl(task)
  }, 660_000)

  afterAll(() => app?.close())

  it.each(wanted)('sends %s', (line) => {
    expect(app.calls.map((call) => call.line)).toContain(line)
  })

  it('goes back without loading the page again', () => {
    expect(app.documents.length).toBeLessThanOrEqual(LOADS)
  })

  it('does not act on the lines of an editor', () => {
    expect(crawled.edges.filter(({ xpath }) => /\/pre\b/.test(xpath))).toEqual([])
  })
})

describe.skipIf(!canRun)('a dialog in a browser that asks whether to leave a page', () => {
  it('is answered for what it says of changes', async () => {
    const app = await startSmallApp({ script, style })
    const start = `${app.origin}/profile`
    const browser = await openBrowser(start)
    try {
      const scope = CrawlScope.read({ start, outscope: [], templates: [] })
      if (typeof scope === 'string') throw new Error(scope)
      const targets = new TargetScope([new URL(start).host])
      const guard = new CrawlGuard({ scope, targets, changes: null, requestsPerMinute: 0 })
      const page = await (await browser.newContext({ guard, sink: null })).newPage()
      const view = new PageView(page)
      await page.goto(start, { deadlineMs: 60_000 })
      await page.evaluate(`change(); go('/mail')`)
      const context = { allowsHarm: false, ports: { changes: null } }
      await discardChanges(view, context as unknown as Parameters<typeof discardChanges>[1])
      await until('the page is left', () => page.url, { isRight: (url) => url === `${app.origin}/mail` })
    } finally {
      await browser.close()
      await app.close()
    }
  }, 240_000)
})
