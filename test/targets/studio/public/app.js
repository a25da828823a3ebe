import {
  agreement,
  autocomplete,
  call,
  cover,
  dayPicker,
  delegate,
  dialog,
  editor,
  iconButton,
  make,
  menu,
  plainSelect,
  select,
} from './kit.js'

const view = document.getElementById('view')
const PARTS =
  'mail calendar chat wiki tasks polls forms sheets slides docs maps music photos video games billing'.split(
    ' ',
  )
const THINGS = ['labels', 'teams', 'hooks', 'rules', 'views']

function field(label) {
  return make('label', {}, label, make('input', {}))
}

/** Rows without links: a cell opens a drawer over the page, whose buttons have pictures only. */
function people() {
  const rows = ['Ines Ito', 'Omar Oda', 'Uma Ulm'].map((name, at) =>
    make('tr', {}, make('td', { onClick: () => open(at + 1) }, name), make('td', {}, 'member')),
  )
  const open = async (id) => {
    await call('GET', `/api/people/${id}`)
    const save = iconButton('save', () => call('PATCH', `/api/people/${id}`, { name: box.value }), {
      disabled: true,
    })
    const box = make('input', { onInput: () => (save.disabled = box.value === '') })
    const header = make(
      'header',
      {},
      iconButton('close', () => close()),
      save,
    )
    const close = cover(
      'right',
      make('article', { class: 'drawer' }, header, make('label', {}, 'Nickname', box)),
    )
  }
  view.append(make('table', {}, make('tbody', {}, ...rows)))
}

/** One listener for all entries; the middle of the list is none of them. */
function files() {
  const list = make('ul', { class: 'files' })
  list.innerHTML =
    '<li class="file" data-id="1">Plan <span class="pin" data-act="pin">●</span></li><li>archive</li>' +
    '<li class="file" data-id="2">Budget <span class="pin" data-act="pin">●</span></li>'
  list.addEventListener('click', (event) => {
    const id = event.target.closest('[data-id]')?.dataset.id
    if (id === undefined) return
    if (event.target.dataset.act === 'pin') void call('POST', `/api/files/${id}/pin`)
    else void call('GET', `/api/files/${id}`)
  })
  view.append(list)
}

/** Buttons in the header of the page that have pictures only. */
function boards() {
  const header = make(
    'header',
    {},
    iconButton('add', () => call('POST', '/api/boards')),
    iconButton('share', () => call('POST', '/api/boards/export')),
    iconButton('sync', () => call('POST', '/api/boards/sync')),
  )
  view.append(make('main', {}, header, make('p', {}, 'No board yet')))
}

/** A menu behind three dots, in a layer; one of its entries asks where to. */
function notes() {
  const more = make('button', { type: 'button', onClick: () => open() }, '⋯')
  const open = () =>
    menu(more, [
      ['Duplicate', () => call('POST', '/api/notes/1/copy')],
      ['Archive', () => call('POST', '/api/notes/1/archive')],
      ['Move to…', () => move()],
    ])
  const move = () => {
    let target = ''
    const box = select('Folder', ['Inbox', 'Later'], (chosen) => (target = chosen))
    const ok = make(
      'button',
      { type: 'button', onClick: () => target && call('POST', '/api/notes/1/move', { target }) },
      'Move',
    )
    dialog('Move note', box, ok)
  }
  view.append(make('div', { class: 'row' }, 'Milk ', more))
}

/** A form in a dialog whose button does nothing before all its boxes are chosen from. */
function orders() {
  const open = () => {
    const chosen = {}
    const choose = (name) => (value) => (chosen[name] = value)
    const send = () => Object.keys(chosen).length === 3 && call('POST', '/api/orders', chosen)
    dialog(
      'New order',
      field('Title'),
      select('Size', ['Small', 'Large'], choose('size')),
      autocomplete('Customer', '/api/customers', choose('customer')),
      plainSelect('Country', ['Chile', 'Malta'], choose('country')),
      make('button', { type: 'button', onClick: send }, 'Create order'),
    )
  }
  view.append(make('button', { type: 'button', onClick: open }, 'Order'))
}

/** Three steps in a dialog: a key that is refused when it is sent, a box to agree, a summary. */
function projects() {
  const open = () => {
    const box = make('input', { name: 'key', 'aria-label': 'Key' })
    const error = make('p', {}, '')
    const body = make('div', {}, make('label', {}, 'Project key', box), error)
    const next = make('button', { type: 'button', onClick: () => second() }, 'Next')
    dialog('New project', body, next)
    const second = () => {
      const isRight = /^[a-z][a-z0-9-]{2,20}$/.test(box.value)
      box.setAttribute('aria-invalid', String(!isRight))
      error.textContent = isRight ? '' : 'Only lower case letters, digits and hyphens'
      if (!isRight) return
      const go = make('button', { type: 'button', disabled: true, onClick: () => third() }, 'Next')
      next.replaceWith(go)
      body.replaceChildren(agreement('I have read the rules', (isChecked) => (go.disabled = !isChecked)))
      const third = () => {
        body.replaceChildren(make('p', {}, 'Everything is ready'))
        go.replaceWith(
          make(
            'button',
            { type: 'button', onClick: () => call('POST', '/api/projects', { key: box.value }) },
            'Finish',
          ),
        )
      }
    }
  }
  view.append(make('button', { type: 'button', onClick: open }, 'Project'))
}

/** An editor whose button waits for what is typed, and a date that comes from a grid. */
function events() {
  const chosen = { day: '', text: '' }
  const send = make(
    'button',
    { type: 'button', disabled: true, onClick: () => call('POST', '/api/events', chosen) },
    'Publish',
  )
  const note = (name) => (value) => {
    chosen[name] = value
    send.disabled = chosen.day === '' || chosen.text === ''
  }
  view.append(editor('What happens', note('text')), dayPicker('Day', note('day')), send)
}

/** Switches that act at once, in rows. */
function flags() {
  const rows = ['dark', 'beta'].map((name) => {
    const box = make('input', {
      type: 'checkbox',
      'aria-label': name,
      onChange: () => call('POST', `/api/flags/${name}/toggle`),
    })
    return make('tr', {}, make('td', {}, name), make('td', {}, box))
  })
  view.append(make('table', {}, make('tbody', {}, ...rows)))
}

/** A list that shows only what is in its window, and asks for more at its end. */
function log() {
  const inner = make('div', {})
  const pane = make('div', { class: 'window' }, inner)
  let known = 0
  const more = async () => {
    await call('GET', `/api/log?offset=${known}`)
    known += 40
    inner.style.height = `${known * 30}px`
    show()
  }
  const show = () => {
    const from = Math.floor(pane.scrollTop / 30)
    const lines = Array.from({ length: 10 }, (_, at) => from + at).filter((line) => line < known)
    inner.replaceChildren(
      make('div', { style: `height:${from * 30}px` }),
      ...lines.map((line) =>
        make('div', { class: 'line', onClick: () => call('GET', `/api/log/${line}`) }, `Line ${line}`),
      ),
    )
  }
  pane.addEventListener('scroll', () => {
    show()
    if (pane.scrollTop + 400 > known * 30 && known < 120) void more()
  })
  view.append(pane)
  void more()
}

/** Tabs, and what each of them offers. */
function account() {
  const pane = make('div', { role: 'tabpanel' })
  const tabs = ['Profile', 'Keys', 'Usage'].map((name) =>
    make(
      'button',
      {
        type: 'button',
        role: 'tab',
        onClick: (event) => {
          for (const tab of tabs) tab.setAttribute('aria-selected', String(tab === event.target))
          void call('GET', `/api/account/${name.toLowerCase()}`)
          pane.replaceChildren(
            iconButton('sync', () => call('POST', `/api/account/${name.toLowerCase()}/renew`)),
          )
        },
      },
      name,
    ),
  )
  view.append(make('div', { role: 'tablist' }, ...tabs), pane)
}

/** Buttons that show only while the mouse is over their row. */
function tickets() {
  const rows = [1, 2].map((id) =>
    make(
      'div',
      { class: 'row' },
      `Ticket ${id} `,
      make(
        'button',
        { type: 'button', class: 'hidden', onClick: () => call('POST', `/api/tickets/${id}/take`) },
        'Take',
      ),
    ),
  )
  view.append(...rows)
}

/** Many dialogs on one page that no key closes. */
function shop() {
  const names = 'bread milk salt rice oats corn figs plum kale leek'.split(' ')
  const buttons = names.map((name) =>
    make(
      'button',
      {
        type: 'button',
        onClick: () => {
          const close = dialog(
            name,
            make(
              'button',
              { type: 'button', onClick: () => call('POST', `/api/shop/${name}`).then(close) },
              'Order it',
            ),
          )
        },
      },
      name,
    ),
  )
  view.append(...buttons)
}

/** The same button on many pages, each time for something else. */
function things(name) {
  const open = () => {
    const box = make('input', { 'aria-label': 'Title' })
    dialog(
      'New',
      box,
      make(
        'button',
        { type: 'button', onClick: () => call('POST', `/api/${name}`, { title: box.value }) },
        'Save',
      ),
    )
  }
  view.append(
    make('main', {}, make('header', {}, iconButton('add', open)), make('p', {}, 'Nothing here yet')),
  )
}

/** Handlers of compiled components, which no element listens for itself. */
function lamps() {
  const one = delegate(make('span', {}, 'Lamp one'), () => call('POST', '/api/lamps/one'), true)
  const two = delegate(make('span', {}, 'Lamp two'), () => call('POST', '/api/lamps/two'), false)
  view.append(make('p', {}, one), make('p', {}, two))
}

/** More buttons than anybody counts, and a dialog behind the last one. */
function bulk() {
  const rows = Array.from({ length: 320 }, (_, at) =>
    make(
      'div',
      {},
      make('button', { type: 'button', onClick: () => {} }, 'Up'),
      make(
        'button',
        { type: 'button', onClick: () => {} },
        `Line ${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10) % 10]}`,
      ),
    ),
  )
  const last = make(
    'button',
    {
      type: 'button',
      onClick: () =>
        dialog(
          'All lines',
          make('button', { type: 'button', onClick: () => call('POST', '/api/bulk') }, 'Apply to all'),
        ),
    },
    'All of them',
  )
  view.append(last, ...rows)
}

/** Parts of an application below the name of a customer; all have the same frame. */
function part(name) {
  const frame = Array.from({ length: 30 }, (_, at) => make('p', {}, `Line ${at}`))
  view.append(...frame, make('p', {}, ...PARTS.map((each) => make('a', { href: `/acme/${each}` }, each))))
  view.append(
    make('button', { type: 'button', onClick: () => call('POST', `/api/acme/${name}`) }, `Start ${name}`),
  )
}

const pages = {
  '/': () => view.append(make('p', {}, 'Welcome')),
  '/people': people,
  '/files': files,
  '/boards': boards,
  '/notes': notes,
  '/orders': orders,
  '/projects': projects,
  '/events': events,
  '/flags': flags,
  '/log': log,
  '/account': account,
  '/tickets': tickets,
  '/shop': shop,
  '/lamps': lamps,
  '/bulk': bulk,
  ...Object.fromEntries(THINGS.map((name) => [`/${name}`, () => things(name)])),
  ...Object.fromEntries(PARTS.map((name) => [`/acme/${name}`, () => part(name)])),
}

function show() {
  const path = location.pathname
  document.getElementById('layer').replaceChildren()
  view.replaceChildren(make('h1', {}, path.slice(path.lastIndexOf('/') + 1) || 'studio'))
  pages[path]?.()
}

const links = Object.keys(pages).filter((path) => !path.startsWith('/acme/') || path === `/acme/${PARTS[0]}`)
document
  .getElementById('menu')
  .append(...links.map((path) => make('p', {}, make('a', { href: path }, path.slice(1) || 'studio'))))
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]')
  if (link === null) return
  event.preventDefault()
  history.pushState(null, '', link.href)
  show()
})
addEventListener('popstate', show)
show()
