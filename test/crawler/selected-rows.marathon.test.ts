import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: rows that are selected, since there is no browser on this machine')

const SECTIONS = ['orders', 'parts', 'tickets']

/**
 * Lists whose rows have a box without a name: once one is selected, the header offers what can be done with several.
 * The page of preferences has such boxes, too, which do nothing. A record has more tools than one visit can use, and a
 * picture in its header that deletes it.
 */
const script = `
const sections = ${JSON.stringify(SECTIONS)}
const button = (name, click, more = {}) => make('button', { type: 'button', click, ...more }, name)
const icon = (name, click) => make('button', { type: 'button', class: 'icon', click }, make('i', { 'data-icon': name }))
const ask = (question, name, click) => {
  const dialog = make('div', { role: 'dialog' }, make('h2', {}, question))
  dialog.append(button('Cancel', () => dialog.remove()), button(name, () => { dialog.remove(); click() }))
  document.body.append(dialog)
}
const box = (changed) => make('button', { type: 'button', role: 'checkbox', class: 'box', click: (event) => {
  event.stopPropagation()
  event.currentTarget.classList.toggle('checked')
  changed()
} })
const frame = () => make('nav', {}, ...[...sections, 'preferences'].map((name) => make('a', { href: '/' + name }, name)))
const page = (title, tools, ...main) => show(frame(), make('header', {}, make('h1', {}, title), ...tools), make('main', {}, ...main))
const visit = (path) => { history.pushState(null, '', path); draw(path) }
const list = (section) => {
  const tools = make('div', { class: 'tools' })
  const select = () => tools.replaceChildren(...(document.querySelector('.checked') ? [icon('delete', () => ask('Delete them?', 'Delete', () => call('DELETE', section, [1])))] : []))
  const rows = [1, 2, 3, 4].map((key) => make('tr', { click: () => visit('/' + section + '/' + key) }, make('td', {}, box(select)), make('td', {}, 'Entry ' + key)))
  page(section, [tools], make('table', {}, make('tbody', {}, ...rows)))
}
const names = ['Zoom', 'Print', 'Mark', 'Fold', 'Sort', 'Group', 'Link', 'Track', 'Watch', 'Label', 'Split', 'Count', 'Trace', 'Round', 'Shift', 'Check']
const record = (section, key) => {
  const note = make('p', {})
  const tools = names.map((name, at) => button(name, () => { note.textContent = name + ' ' + section }, { class: 'tool-' + 'abcdefghijklmnopqrst'[at] }))
  page(section + ' ' + key, [icon('delete', () => ask('Delete it?', 'Delete', async () => { await call('DELETE', section + '/' + key); visit('/' + section) }))], ...tools, note)
}
const draw = (path) => {
  for (const each of document.querySelectorAll('[role=dialog]')) each.remove()
  const [section, key] = path.slice(1).split('/')
  if (section === 'preferences') page('Preferences', [], ...[1, 2, 3, 4, 5, 6].map(() => make('div', { class: 'field' }, box(() => null))))
  else if (!sections.includes(section)) page('Home', [])
  else if (key === undefined) list(section)
  else record(section, key)
}
route(draw)
`
const style =
  '.icon, .box { width: 24px; height: 24px } .icon i { display: block; width: 16px; height: 16px } [role=dialog] { position: fixed; inset: 100px; background: #fff }'

/** Actions of the crawl at most; about 50 are enough. */
const MOST = 200

describe.skipIf(!canRun)('a crawl of lists whose rows can be selected', () => {
  let app: RunningApp
  let actions = 0

  beforeAll(async () => {
    app = await startSmallApp({ script, style })
    const lines = () => app.calls.map(({ line }) => line)
    const { outcome } = await runCrawl({
      start: `${app.origin}/`,
      seconds: 280,
      mode: 'full',
      tabs: 2,
      staticAnalysis: false,
      isEnough: () =>
        SECTIONS.every((section) => lines().some((line) => line === `DELETE /api/${section}`)) &&
        SECTIONS.every((section) => lines().some((line) => line.startsWith(`DELETE /api/${section}/`))),
    })
    actions = outcome.actions
  }, 330_000)

  afterAll(() => app?.close())

  it.each(SECTIONS)('deletes selected rows of %s', (section) => {
    expect(app.calls.map(({ line }) => line)).toContain(`DELETE /api/${section}`)
  })

  it.each(SECTIONS)('deletes one record of %s', (section) => {
    expect(app.calls.map(({ line }) => line)).toContainEqual(
      expect.stringMatching(new RegExp(`^DELETE /api/${section}/\\d$`)),
    )
  })

  it('needs few actions for that', () => {
    expect(actions).toBeLessThanOrEqual(MOST)
  })
})
