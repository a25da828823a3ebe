import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: long ways through an application, since there is no browser on this machine')

/**
 * What real single-page applications have in common: a dialog whose last button goes on to a page that lives on what was
 * chosen in it, a star that shows a message each time, a text that folds, a dialog of boxes, and a page that only shows that
 * it is loading at first.
 */
const script = `
const links = ['/flags', '/stars', '/folds', '/filters', '/late'].map((path) => make('p', {}, make('a', { href: path }, path)))
const button = (name, click, more = {}) => make('button', { type: 'button', click, ...more }, name)
const go = (path) => { history.pushState(null, '', path); draw(path) }
let kept = null
const dialog = (title, ...children) => {
  const inner = make('div', { role: 'dialog', class: 'inner' }, make('h2', {}, title), ...children)
  document.body.append(inner)
  return inner
}
/** Each kind shows other cards; what was chosen is known to the next page only, and to the page after that. */
const flags = () => button('Add rollout', () => {
  const body = make('div', {}, ...['All', 'Project', 'Standard', 'Advanced', 'Custom'].map((name) =>
    button(name, () => { body.dataset.kind = name; body.append(make('h3', {}, name)) })))
  dialog('Add rollout', body, button('Configure', () => { kept = 'rollout'; go('/flags/rollouts') }))
})
const rollouts = () => kept === null ? 'Start again from the list.' : make('div', {}, make('h2', {}, 'Rollout'), make('label', {}, 'Share', make('input', { name: 'share' })),
  button('Review rollout', () => go('/flags/rollouts/review')))
const review = () => kept === null ? 'Start again from the list.' : make('div', {}, make('h2', {}, 'Review'), button('Save rollout', () => call('POST', 'rollouts')))
/** Every change shows a message that stays until it is closed. */
const stars = () => {
  let isOn = false
  const star = button('Add to favorites', () => {
    isOn = !isOn
    void call(isOn ? 'POST' : 'DELETE', 'stars')
    star.textContent = isOn ? 'Remove from favorites' : 'Add to favorites'
    const message = make('div', { class: 'toast' }, isOn ? 'Added' : 'Removed', button('Close', () => message.remove()))
    document.body.append(message)
  })
  return make('div', {}, star)
}
const folds = () => {
  const body = make('div', {})
  const head = button('Show details', () => {
    void call('GET', 'folds')
    const isOpen = head.getAttribute('aria-expanded') === 'true'
    head.setAttribute('aria-expanded', String(!isOpen))
    body.replaceChildren(...(isOpen ? [] : [make('a', { href: '/flags?from=folds' }, 'Details')]))
  }, { 'aria-expanded': 'false' })
  return make('div', {}, head, body)
}
/** The boxes of the dialog are filled in: nothing is left for which it would have to be opened again. */
const filters = () => button('Choose columns', () => {
  void call('GET', 'filters/opened')
  const box = (name) => make('div', { role: 'combobox', 'aria-expanded': 'false', tabindex: '0', mousedown: () => {
    const list = dialog('', ...['One', 'Two'].map((word) => make('div', { role: 'option', click: () => { list.remove(); target.textContent = word } }, name + word)))
    const target = document.getElementById(name)
    list.setAttribute('role', 'listbox')
  }, id: name }, 'None')
  const inner = dialog('Columns', make('form', { submit: (event) => { event.preventDefault(); inner.remove(); void call('PUT', 'filters') } },
    box('Name'), box('Owner'), make('button', {}, 'Apply'), button('Cancel', () => inner.remove())))
})
/** Its part is made ready before it asks for anything. */
const late = () => {
  setTimeout(() => void call('GET', 'late').then(() => location.pathname === '/late' && show(button('Order the rest', () => call('POST', 'late')))), 1200)
  show(make('div', { class: 'skeleton-row' }, '...'))
}
const pages = { '/flags': flags, '/flags/rollouts': rollouts, '/flags/rollouts/review': review, '/stars': stars, '/folds': folds, '/filters': filters }
const draw = (path) => {
  for (const each of document.querySelectorAll('.inner,.toast')) each.remove()
  if (path === '/late') return late()
  show(make('h1', {}, 'Part ' + path), ...links, ...(pages[path] === undefined ? [] : [pages[path]()]))
}
route(draw)
`
const style = `.inner { position: absolute; top: 200px; left: 300px; width: 400px; background: #fff }
  .toast { position: absolute; top: 500px; left: 300px }`

const WANTED = [
  'POST /api/rollouts',
  'POST /api/stars',
  'DELETE /api/stars',
  'GET /api/folds',
  'POST /api/late',
  'PUT /api/filters',
]

describe.skipIf(!canRun)('a crawl of an application with long ways', () => {
  let app: RunningApp

  beforeAll(async () => {
    app = await startSmallApp({ script, style })
    await runCrawl({ start: `${app.origin}/`, seconds: 150, mode: 'full', tabs: 1, staticAnalysis: false })
  }, 190_000)

  afterAll(() => app?.close())

  /** Times a line was called. */
  const times = (line: string): number => app.calls.filter((call) => call.line === line).length

  it('does what there is to do', () => {
    expect(WANTED.filter((line) => times(line) === 0)).toEqual([])
  })

  it('continues on the pages that a dialog leads to, which live on what was chosen in it', () => {
    expect(times('POST /api/rollouts')).toBeGreaterThan(0)
  })

  it('waits for a page that shows that it is loading', () => {
    expect(times('POST /api/late')).toBeGreaterThan(0)
  })

  it('leaves open what it has unfolded', () => {
    expect(times('GET /api/folds')).toBe(1)
  })

  it('does not open a dialog again for boxes that were filled in', () => {
    expect(times('GET /api/filters/opened')).toBe(1)
  })
})
