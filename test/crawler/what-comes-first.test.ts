import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: what a crawl does first, since there is no browser on this machine')

const PARTS = ['boats', 'cars', 'planes', 'trains', 'wagons', 'yachts']

/**
 * Each page has a button that makes something, after much that only changes how the page looks: heads of columns, marks
 * beside lines that fold, frames of fields, and a dialog that goes away with a click beside it.
 */
const script = `
const parts = ${JSON.stringify(PARTS)}
const looks = () => void call('GET', 'looks')
const lines = (name) => Array.from('abcdefgh', (letter) => {
  let folds = 0
  const word = name + letter
  const mark = make('span', { class: 'mark', click: () => { looks(); mark.textContent = word.repeat(++folds % 5 + 1) } }, word)
  return make('div', { class: 'line' }, mark)
})
const head = (part) => make('tr', {}, ...['Name', 'Owner', 'Created', 'Updated'].map((name) => {
  const button = make('button', { type: 'button', click: () => { looks(); button.textContent += ' down' } }, name + ' of ' + part)
  return make('th', {}, button)
}))
const frame = (name) => make('div', { class: 'frame', click: () => void call('GET', 'frame') }, name, make('input', { name }))
const ask = (name) => {
  const outer = make('div', { role: 'presentation', class: 'outer', click: ({ target }) => target === outer && close() },
    make('div', { role: 'dialog', class: 'inner' }, make('h2', {}, 'New'), frame('title'),
      make('button', { type: 'button', click: () => call('POST', name) }, 'Create'),
      make('button', { type: 'button', click: () => call('POST', name + '/draft') }, 'Keep as draft')))
  const close = () => { outer.remove(); void call('GET', 'closed') }
  document.body.append(outer)
}
route((path) => {
  const name = path.slice(1)
  document.querySelector('.outer')?.remove()
  show(make('h1', {}, 'Part ' + name), ...parts.map((each) => make('p', {}, make('a', { href: '/' + each }, each))),
    ...(name === '' ? [] : [make('table', {}, head(name)), ...lines(name), frame('filter'),
      make('button', { type: 'button', click: () => ask(name) }, 'New ' + name)]))
})
`
const style = `.mark { cursor: pointer } .outer { position: fixed; inset: 0; background: #0008 }
  .inner { position: absolute; top: 200px; left: 200px; width: 300px; height: 200px; background: #fff }`

describe.skipIf(!canRun)('a crawl of pages with much that changes only their looks', () => {
  let app: RunningApp
  let lines: string[]

  beforeAll(async () => {
    app = await startSmallApp({ script, style })
    await runCrawl({
      start: `${app.origin}/`,
      // It ends as soon as that is enough.
      seconds: 300,
      mode: 'full',
      tabs: 1,
      staticAnalysis: false,
      isEnough: () => PARTS.every((name) => app.calls.some(({ line }) => line === `POST /api/${name}/draft`)),
    })
    lines = app.calls.map(({ line }) => line)
  }, 340_000)

  afterAll(() => app?.close())

  it('makes what each page is there to make', () => {
    const made = PARTS.flatMap((name) => [`POST /api/${name}`, `POST /api/${name}/draft`])
    expect(made.filter((line) => !lines.includes(line))).toEqual([])
  })

  it('does so before it has sorted and folded everything', () => {
    expect(lines.filter((line) => line === 'GET /api/looks').length).toBeLessThan(2 * PARTS.length)
  })

  it('clicks neither beside its dialogs nor on frames of fields', () => {
    expect(lines.filter((line) => line === 'GET /api/closed' || line === 'GET /api/frame')).toEqual([])
  })
})
