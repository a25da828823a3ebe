import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: forms of component libraries, since there is no browser on this machine')

/** Forms as component libraries build them: nothing but scripts knows what they want, and lists are drawn beside them. */
const script = `
const names = ['projects', 'profiles', 'members', 'labels', 'notes', 'titles', 'tokens', 'schedules', 'regions', 'servers', 'budgets', 'crews']
const links = names.map((name) => make('p', {}, make('a', { href: '/' + name }, name)))
const button = (name, click, more = {}) => make('button', { type: 'button', click, ...more }, name)
const layer = (...children) => {
  const inner = make('div', { class: 'layer' }, ...children)
  document.body.append(inner)
  return inner
}
/** Enabled while a condition holds. */
const guarded = (element, holds) => {
  const update = () => { element.disabled = !holds() }
  addEventListener('input', update)
  addEventListener('chosen', update)
  update()
  return element
}
const chosen = () => dispatchEvent(new Event('chosen'))
/** The name has to be typed before anything is destroyed. */
const projects = () => button('Delete project', () => {
  const box = make('input', { type: 'text' })
  const dialog = layer()
  dialog.setAttribute('role', 'dialog')
  dialog.append(make('h2', {}, 'Delete project'), make('p', {}, 'This cannot be undone. Please type ', make('strong', {}, 'Apollo-7b'), ' to confirm.'), make('div', {}, box),
    button('Cancel', () => dialog.remove()), guarded(button('Delete', () => call('DELETE', 'projects')), () => box.value === 'Apollo-7b'))
})
/** Nothing to save before something was changed. */
const profiles = () => {
  const id = 'field_' + Math.random().toString(36).replace(/[^a-z]+/g, '')
  const box = make('input', { id, value: 'Ada' })
  return make('form', { submit: (event) => { event.preventDefault(); void call('PUT', 'profiles', { name: box.value }).then(() => show(make('h1', {}, 'Part /profiles'), profiles())) } },
    make('label', {}, 'Nickname', box), guarded(make('button', {}, 'Save changes'), () => box.value !== 'Ada'))
}
/** The options have no role, and are drawn at the end of the document. */
const members = () => {
  let member = ''
  const box = make('input', { role: 'combobox', 'aria-expanded': 'false', type: 'search' })
  box.addEventListener('mousedown', () => {
    if (document.querySelector('.layer')) return
    const entries = ['Ada', 'Bea'].map((name) => make('div', { class: 'picker-item' }, make('span', {}, name)))
    const list = layer(make('div', { class: 'picker-list', click: ({ target }) => {
      member = target.textContent
      list.remove()
      chosen()
    } }, ...entries))
  })
  return make('div', {}, make('span', {}, 'Member'), make('div', {}, box), guarded(button('Invite', () => call('POST', 'members', { member })), () => member !== ''))
}
/** What is typed counts when Enter was pressed. */
const labels = () => {
  const tags = make('div', {})
  const box = make('input', { 'aria-label': 'Labels', placeholder: 'Add a label' })
  box.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter' || box.value === '') return
    tags.append(make('span', {}, box.value))
    box.value = ''
    chosen()
  })
  return make('div', {}, tags, box, guarded(button('Save labels', () => call('PUT', 'labels')), () => tags.children.length > 0))
}
/** A text that is edited where it stands: Enter keeps it. */
const notes = () => {
  const text = make('span', { class: 'text', dblclick: () => {
    const box = make('input', { value: text.textContent })
    box.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') void call('PATCH', 'notes', { text: box.value }).then(() => box.replaceWith(text))
    })
    text.replaceWith(box)
    box.focus()
  } }, 'Remember the milk')
  return make('div', { class: 'note' }, text)
}
/** The same by one click, kept when the focus leaves it. */
const titles = () => {
  const text = make('h2', { style: 'cursor: pointer', click: () => {
    const box = make('input', { value: text.textContent })
    box.addEventListener('blur', () => {
      if (box.value !== text.textContent) void call('PATCH', 'titles', { text: box.value })
      box.replaceWith(text)
    })
    text.replaceWith(box)
    box.focus()
  } }, 'A title')
  return make('div', {}, text)
}
/** A refusal shows in a passing message, far away from the field. */
const tokens = () => {
  const box = make('input', { name: 'tokenTag' })
  const send = async (event) => {
    event.preventDefault()
    const answer = await call('POST', 'tokens', { tokenTag: box.value })
    if (!answer.ok) setTimeout(() => toast.remove(), 3000)
    const toast = layer(answer.ok ? 'Created' : 'Something went wrong')
  }
  return make('form', { submit: send }, make('label', {}, 'Tag', box), make('button', {}, 'Create token'))
}
/** A day is chosen in a calendar; the field itself takes nothing. */
const schedules = () => {
  const box = make('input', { readonly: true, placeholder: 'Select date' })
  box.addEventListener('click', () => {
    if (document.querySelector('.layer')) return
    const days = Array.from({ length: 14 }, (_, at) => make('td', { title: '2030-05-' + (at + 1), click: () => {
      box.value = '2030-05-' + (at + 1)
      sheet.remove()
      chosen()
    } }, make('div', {}, String(at + 1))))
    const sheet = layer(make('table', {}, make('tbody', {}, make('tr', {}, ...days.slice(0, 7)), make('tr', {}, ...days.slice(7)))))
  })
  return make('div', {}, make('div', {}, box), guarded(button('Plan', () => call('POST', 'schedules', { day: box.value })), () => box.value !== ''))
}
/** Three steps; each waits for a choice, and the last one sends everything. */
const regions = () => {
  const body = make('div', {})
  let picked = ''
  const cards = (kind) => ['One', 'Two'].map((name) => make('div', { class: 'card', style: 'cursor: pointer', click: () => { picked = kind; chosen() } }, kind + ' ' + name))
  const kinds = ['Plan', 'Size', 'Place']
  const step = () => {
    const kind = kinds.shift()
    picked = ''
    if (kind === undefined) body.replaceChildren(make('h2', {}, 'Summary'), button('Launch', () => call('POST', 'regions')))
    else body.replaceChildren(make('h2', {}, 'Step'), ...cards(kind), guarded(button('Next', step), () => picked === kind))
  }
  step()
  return body
}
/** The menu of a row is drawn at the end of the document, and opens a dialog. */
const servers = () => make('table', {}, make('tbody', {}, ...['s1', 's2', 's3', 's4'].map((name) => make('tr', {}, make('td', {}, name), make('td', {},
  make('button', { type: 'button', 'aria-haspopup': 'menu', class: 'kebab', click: () => {
    const menu = layer(make('div', { role: 'menu' }, ...['Rename', 'Restart', 'Archive'].map((word) => make('div', { role: 'menuitem', click: () => {
      menu.remove()
      const box = make('input', { 'aria-label': 'New name' })
      const dialog = layer(make('h2', {}, word), ...(word === 'Rename' ? [box] : []), button('OK', () => { dialog.remove(); void call('POST', 'servers/' + word) }), button('Cancel', () => dialog.remove()))
      dialog.setAttribute('role', 'dialog')
    } }, word))))
  } }, make('i', { class: 'dots' }, '...')))))))
/** Says what is wrong below the field, without any mark on it. */
const budgets = () => {
  const box = make('input', { name: 'budget' })
  const complaint = make('p', { class: 'text-red' })
  return make('form', { novalidate: true, submit: (event) => {
    event.preventDefault()
    const isRight = /^[0-9]+$/.test(box.value) && Number(box.value) >= 250
    complaint.textContent = isRight ? '' : 'Must be a whole number of at least 250'
    if (isRight) void call('POST', 'budgets', { budget: box.value })
  } }, make('div', {}, make('label', {}, 'Budget', box), complaint), make('button', {}, 'Set budget'))
}
/** A search that hides rows a moment later, and shows a button that empties it. */
const crews = () => {
  const list = make('div', {}, make('div', {}, 'Dora', button('Promote', () => call('POST', 'crews'))))
  const box = make('input', { type: 'text', placeholder: 'Search' })
  const clear = button('Clear search', () => { box.value = ''; filter() })
  const filter = () => {
    clear.style.display = box.value === '' ? 'none' : 'inline'
    if (box.value !== '') void call('GET', 'crews/search')
    setTimeout(() => { list.style.display = 'Dora'.includes(box.value) ? 'block' : 'none' }, 100)
  }
  box.addEventListener('input', filter)
  filter()
  return make('div', {}, box, clear, list)
}
const pages = { crews, projects, profiles, members, labels, notes, titles, tokens, schedules, regions, servers, budgets }
route((path) => {
  for (const each of document.querySelectorAll('.layer')) each.remove()
  const name = path.slice(1)
  show(make('h1', {}, 'Part ' + path), ...(pages[name] === undefined ? links : [pages[name](), make('a', { href: '/' }, 'Home')]))
})
`
const style =
  '.layer { position: absolute; top: 200px; left: 300px; width: 400px; background: #fff } .picker-item, td { cursor: pointer }'

const WANTED = [
  'DELETE /api/projects',
  'PUT /api/profiles',
  'POST /api/members',
  'PUT /api/labels',
  'PATCH /api/notes',
  'PATCH /api/titles',
  'POST /api/tokens',
  'POST /api/schedules',
  'POST /api/regions',
  'POST /api/servers/Rename',
  'POST /api/servers/Restart',
  'POST /api/servers/Archive',
  'POST /api/budgets',
  'POST /api/crews',
]

describe.skipIf(!canRun)('a crawl of forms that component libraries draw', () => {
  let app: RunningApp
  let accepted: string[] = []

  beforeAll(async () => {
    app = await startSmallApp({ script, style, answer })
    await runCrawl({
      start: `${app.origin}/`,
      seconds: 150,
      mode: 'full',
      tabs: 1,
      staticAnalysis: false,
      isEnough: () => WANTED.every((line) => accepted.includes(line)),
    })
  }, 190_000)

  afterAll(() => app?.close())

  function answer({ line, body }: { line: string; body: string }) {
    if (line === 'POST /api/tokens' && !/^[a-z]+-[a-z0-9]+$/.test(JSON.parse(body).tokenTag))
      return { status: 400, body: { name: 'BadDataError', message: 'tokenTag must be URL friendly' } }
    accepted = [...accepted, line]
    return { status: 200, body: {} }
  }

  it.each([
    ['confirms what asks for a name to be typed', 'DELETE /api/projects'],
    ['changes a value where only a change can be saved', 'PUT /api/profiles'],
    ['chooses from options that have no role', 'POST /api/members'],
    ['takes in a tag with Enter', 'PUT /api/labels'],
    ['edits a text after a double click and keeps it with Enter', 'PATCH /api/notes'],
    ['edits a text after a click and keeps it by leaving it', 'PATCH /api/titles'],
    ['sends another value where only the answer names the field', 'POST /api/tokens'],
    ['chooses a day in a calendar', 'POST /api/schedules'],
    ['follows a wizard of cards to its end', 'POST /api/regions'],
    ['answers a complaint that stands below an unmarked field', 'POST /api/budgets'],
    ['uses rows that its own search has hidden', 'POST /api/crews'],
    ['uses each entry of the menu of a row', 'POST /api/servers/Rename'],
    ['uses each entry of the menu of a row, one that only asks', 'POST /api/servers/Restart'],
    ['uses the last entry of the menu of a row', 'POST /api/servers/Archive'],
  ])('%s', (_name, line) => {
    expect(accepted).toContain(line)
  })

  it('does not save the same form for ever', () => {
    expect(app.calls.filter(({ line }) => line === 'PUT /api/profiles').length).toBeLessThan(4)
  })

  it('searches once on a visit', () => {
    expect(app.calls.filter(({ line }) => line === 'GET /api/crews/search')).toHaveLength(1)
  })
})
