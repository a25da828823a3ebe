import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: forms and filters, since there is no browser on this machine')

/** Keys that a former crawl has used up. */
const TAKEN = ['vigil-key', '123456', 'Vigil', 'vigil@example.com', '2030-05-17', 'https://example.com/']

const script = `
const links = ['/rollouts', '/vessels', '/flags', '/labels', '/tools'].map((path) => make('p', {}, make('a', { href: path }, path)))
const button = (name, click, more = {}) => make('button', { type: 'button', click, ...more }, name)
const dialog = (title, ...children) => {
  const inner = make('div', { role: 'dialog', class: 'inner' }, make('h2', {}, title), ...children)
  document.body.append(inner)
  return inner
}
/** Each choice of the dialog makes another state of it, and the last one brings the form. */
const rollouts = () => button('Add rollout', () => {
  void call('GET', 'rollouts/opened')
  const names = 'Alpha Beta Gamma Delta Epsilon Zeta Eta'.split(' ')
  const body = make('div', {}, button(names[0], () => next(1)))
  const next = (at) => {
    if (at < names.length) return body.append(button(names[at], () => next(at + 1)))
    body.replaceChildren(make('input', { 'aria-label': 'Share' }), button('Save rollout', () => call('POST', 'rollouts')))
  }
  dialog('Rollout', body)
})
/** The box hides what does not match it. */
const vessels = () => {
  const rows = ['Ada', 'Bea', 'Cleo'].map((name) => make('div', { class: 'row' }, name, button('Board ' + name, () => call('POST', 'vessels/' + name))))
  const list = make('div', {}, ...rows)
  const filter = ({ target }) => list.replaceChildren(...rows.filter((row) => row.textContent.includes(target.value)))
  return make('div', {}, make('h2', {}, 'Harbour'), make('input', { type: 'search', 'aria-label': 'Search', input: filter }), list)
}
/** A name is refused where it is no key, and where it is taken. */
const flags = () => {
  const box = make('input', { name: 'flag', 'aria-label': 'Flag' })
  const hint = make('p', {})
  const send = async (event) => {
    event.preventDefault()
    const answer = await call('POST', 'flags', { name: box.value })
    box.setAttribute('aria-invalid', String(!answer.ok))
    hint.textContent = answer.ok ? '' : (await answer.json()).message
  }
  return make('form', { submit: send }, make('div', {}, box, hint), make('button', {}, 'Create flag'))
}
/** The box offers a label only after three letters, and the button waits for one. */
const labels = () => {
  const send = button('Add label', () => call('POST', 'labels'), { disabled: true })
  const offers = make('ul', { role: 'listbox' })
  const offer = ({ target }) => {
    const entry = make('li', { role: 'option', click: () => { send.disabled = false; offers.replaceChildren() } }, 'Create ' + target.value)
    offers.replaceChildren(...(target.value.length < 3 ? [] : [entry]))
  }
  return make('form', {}, make('input', { role: 'combobox', 'aria-expanded': 'false', 'aria-label': 'Label', input: offer }), offers, send)
}
/** Buttons that differ only in a picture, which is held by what is called an icon, too. */
const tools = () => make('div', {}, ...['archive', 'star', 'lock'].map((name) => make('button', { type: 'button', class: 'tool', click: () => call('POST', 'tools/' + name) },
  make('span', { class: 'v-icon' }, make('i', { 'data-icon': name })))))
const pages = { '/rollouts': rollouts, '/vessels': vessels, '/flags': flags, '/labels': labels, '/tools': tools }
route((path) => {
  document.querySelector('.inner')?.remove()
  show(make('h1', {}, 'Part ' + path), ...links, ...(pages[path] === undefined ? [] : [pages[path]()]))
})
`
const style =
  '.inner { position: absolute; top: 200px; left: 300px; width: 400px; background: #fff } .tool { width: 30px; height: 30px }'

const TOOLS = ['tools/archive', 'tools/star', 'tools/lock']
const WANTED = ['rollouts', 'vessels/Ada', 'vessels/Bea', 'vessels/Cleo', 'flags', 'labels', ...TOOLS]

describe.skipIf(!canRun)('a crawl of forms and filters', () => {
  let app: RunningApp
  let made: string[] = []

  beforeAll(async () => {
    app = await startSmallApp({ script, style, answer })
    await runCrawl({
      start: `${app.origin}/`,
      seconds: 240,
      mode: 'full',
      tabs: 1,
      staticAnalysis: false,
      isEnough: () => WANTED.every((path) => made.includes(path)),
    })
  }, 290_000)

  afterAll(() => app?.close())

  /** Times a line was called. */
  const times = (line: string): number => app.calls.filter((call) => call.line === line).length

  function answer({ line, body }: { line: string; body: string }) {
    if (line === 'POST /api/flags') {
      const { name } = JSON.parse(body) as { name: string }
      if (!/^[a-z0-9-]+$/.test(name)) return { status: 400, body: { message: 'Names must be URL friendly' } }
      if (TAKEN.includes(name))
        return { status: 409, body: { message: 'A flag with that name already exists' } }
    }
    if (line.startsWith('POST ')) made = [...made, line.slice('POST /api/'.length)]
    return { status: 200, body: {} }
  }

  it('gets through a dialog whose choices each change it, without opening it anew', () => {
    expect(made).toContain('rollouts')
    expect(times('GET /api/rollouts/opened')).toBe(1)
  })

  it('uses what a search has hidden', () => {
    expect(made).toEqual(expect.arrayContaining(['vessels/Ada', 'vessels/Bea', 'vessels/Cleo']))
  })

  it('finds a name that nothing has yet', () => {
    expect(made).toContain('flags')
  })

  it('makes a label in a box that offers none before', () => {
    expect(made).toContain('labels')
  })

  it('tells buttons apart by their pictures', () => {
    expect(made).toEqual(expect.arrayContaining(TOOLS))
  })
})
