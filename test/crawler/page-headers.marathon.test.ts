import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrawlMeasure, hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type ApiAnswer, type ApiCall, type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: buttons in the headers of pages, since there is no browser on this machine')

/**
 * A content manager without forms: a page has its fields in the main part, and its buttons for saving and deleting in
 * the page header, named only by pictures. Comments open in a bar at the side. Each document begins
 * with a welcome, and nothing behind it can be used. What there is shows only after slow answers, and a cover until then.
 */
const script = (sections: readonly string[]) => `
const sections = ${JSON.stringify(sections)}
const send = (...parts) => document.querySelector('.welcome') ? null : call(...parts)
const frame = () => make('nav', {}, ...sections.map((name) => make('a', { href: '/' + name }, name)))
const icon = (name, click, more = {}) => make('button', { type: 'button', class: 'icon', click, ...more }, make('i', { 'data-icon': name, pointerdown: () => null, click: () => null }))
const button = (name, click) => make('button', { type: 'button', click }, name)
const layer = (...children) => {
  const cover = make('div', { class: 'cover' }, make('div', { class: 'card' }, ...children))
  document.body.append(cover)
  return cover
}
const page = (title, actions, main, aside) => show(frame(), make('div', { class: 'content' },
  make('header', {}, make('h1', {}, title), ...actions), make('main', {}, ...main)), ...aside)
const list = (section) => page(section, [make('a', { href: '/' + section + '/+' }, 'Create')],
  [make('table', {}, make('tbody', {}, make('tr', {}, make('td', {}, make('a', { href: '/' + section + '/7' }, 'Entry 7')))))], [])
const item = (section, key) => {
  const values = key === '+' ? {} : { title: 'First', note: 'Known already' }
  const edits = {}
  const save = icon('check', async () => {
    await (key === '+' ? send('POST', section, edits) : send('PATCH', section + '/' + key, edits))
    history.pushState(null, '', '/' + section)
    list(section)
  }, { disabled: true })
  const field = (name) => make('div', { class: 'field' }, make('span', {}, name), make('input', { name, value: values[name] ?? '', input: ({ target }) => {
    edits[name] = target.value
    save.disabled = target.value === (values[name] ?? '')
  } }))
  const remove = icon('delete', () => {
    const dialog = layer(make('h2', {}, 'Are you sure?'), button('Cancel', () => dialog.remove()), button('Delete', async () => {
      dialog.remove()
      await send('DELETE', section + '/' + key)
      history.pushState(null, '', '/' + section)
      list(section)
    }))
  })
  const detail = make('div', {})
  const comments = button('Comments', () => {
    const box = make('textarea', { placeholder: 'Leave a comment' })
    detail.replaceChildren(box, button('Submit', () => box.value === '' ? null : send('POST', 'comments/' + section, { text: box.value })))
  })
  page(section + ' ' + key, key === '+' ? [save] : [remove, save], [field('title'), field('note')],
    key === '+' ? [] : [make('aside', {}, comments, detail)])
}
const welcome = layer(make('h2', {}, 'Have a key?'), button('I have a key', () => null), button('Skip', () => welcome.remove()))
welcome.classList.add('welcome')
route((path) => {
  for (const each of document.querySelectorAll('.cover:not(.welcome)')) each.remove()
  const [section = '', key] = path.slice(1).split('/')
  if (section === 'home') page('Home', [], [], [])
  else if (!sections.includes(section)) show(make('h1', {}, 'Welcome back'), button('Continue', async () => {
    layer(make('p', {}, 'One moment'))
    for (const part of ['user', 'settings', 'schema']) {
      await call('GET', 'boot/' + part)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    history.pushState(null, '', '/home')
    page('Home', [], [], [])
  }))
  else if (key === undefined) list(section)
  else item(section, key)
})
`
const style =
  '.icon { width: 30px; height: 30px } .icon i { display: block; width: 18px; height: 18px } .cover { position: fixed; inset: 0; background: #0003 } .card { margin: 200px auto; width: 300px; background: #fff }'

/** Milliseconds that each of the answers takes with which the application begins. */
const SLOW = 1_000

/** Times at most that one button sends, where no new page asks for it. */
const MOST = 5

async function answer({ line }: ApiCall): Promise<ApiAnswer> {
  if (line.startsWith('GET /api/boot/')) await delay(SLOW)
  return { status: 200, body: {} }
}

const SECTIONS = ['articles', 'people', 'policies']
const wanted = (section: string): [string, string][] => [
  [`creates one of ${section} by a button in the header`, `POST /api/${section}`],
  [`changes one of ${section}, which only a changed value can do`, `PATCH /api/${section}/7`],
  [`deletes one of ${section} after a question`, `DELETE /api/${section}/7`],
  [`comments on one of ${section} in the bar at the side`, `POST /api/comments/${section}`],
]
const WANTED = SECTIONS.flatMap(wanted)

describe.skipIf(!canRun)('a crawl of pages with buttons in their headers', () => {
  let app: RunningApp

  beforeAll(async () => {
    app = await startSmallApp({ script: script(SECTIONS), style, answer })
    await runCrawl({
      start: `${app.origin}/`,
      seconds: 280,
      mode: 'full',
      tabs: 2,
      staticAnalysis: false,
      isEnough: () => WANTED.every(([, line]) => app.calls.some((call) => call.line === line)),
    })
  }, 330_000)

  afterAll(() => app?.close())

  it.each(WANTED)('%s', (_name, line) => {
    expect(app.calls.map((call) => call.line)).toContain(line)
  })
})

describe.skipIf(!canRun)('a crawl of such pages that nobody ends', () => {
  let app: RunningApp
  let crawled: CrawlMeasure

  beforeAll(async () => {
    app = await startSmallApp({ script: script(['articles']), style, answer })
    const task = {
      start: `${app.origin}/`,
      seconds: 240,
      mode: 'full',
      tabs: 2,
      staticAnalysis: false,
    } as const
    crawled = await runCrawl(task)
  }, 290_000)

  afterAll(() => app?.close())

  const times = (line: string) => app.calls.filter((call) => call.line === line).length

  it('ends when nothing is left to do', () => {
    expect(crawled.outcome.end).toBe('finished')
  })

  it('does not take the picture in a button for another button', () => {
    expect(times('POST /api/articles')).toBeGreaterThan(0)
    expect(times('POST /api/articles')).toBeLessThanOrEqual(MOST)
    const used = crawled.edges.map(({ xpath }) => xpath)
    expect(used).toContainEqual(expect.stringMatching(/\/header\b.*\/button[^/]*$/))
    expect(used).not.toContainEqual(expect.stringMatching(/\/i[^/]*$/))
  })

  it('does not save what exists for ever', () => {
    expect(times('PATCH /api/articles/7')).toBeGreaterThan(0)
    expect(times('PATCH /api/articles/7')).toBeLessThanOrEqual(MOST)
  })
})
