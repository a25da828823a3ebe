/* What component libraries do, in plain DOM: listeners at the root, layers outside of the tree, boxes without roles. */

const layer = document.getElementById('layer')
const HANDLED = ['click', 'mousedown', 'change', 'input']
const EVENTS = Symbol('events')

/** Asks the server. A page shows what came of it only where it says so. */
export const call = (method, path, body) =>
  fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).then((answer) => answer.json())

/** An element. `props` named `on…` are handled at the root, as React does; others are attributes. */
export function make(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  const handlers = {}
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') handlers[name] = value
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false) element.setAttribute(name, value)
  }
  if (Object.keys(handlers).length > 0) element['__reactProps$studio'] = handlers
  element.append(...children)
  return element
}

/** Gives an element handlers the way compiled components do: below a symbol, or as a property. */
export function delegate(element, act, isBySymbol) {
  if (isBySymbol) element[EVENTS] = { click: act }
  else element.__click = act
  return element
}

function dispatch(event) {
  const name = `on${event.type}`
  for (let at = event.target; at !== null; at = at.parentElement) {
    const props = at['__reactProps$studio'] ?? {}
    for (const prop of Object.keys(props)) if (prop.toLowerCase() === name && !at.disabled) props[prop](event)
    if (event.type === 'click') (at[EVENTS]?.click ?? at.__click)?.(event)
    if (event.cancelBubble) return
  }
}

for (const root of [document.getElementById('root'), layer])
  for (const kind of HANDLED) root.addEventListener(kind, dispatch)

const SHAPES = {
  add: 'M7 1v14M1 8h14',
  share: 'M2 8l10-5v10z',
  sync: 'M2 8a6 6 0 1 1 6 6',
  close: 'M2 2l12 12M14 2L2 14',
  save: 'M2 8l4 4 8-8',
}

/** A button that has nothing but a picture; all of them look alike. */
export function iconButton(shape, onClick, props = {}) {
  const button = make('button', { class: 'icon', type: 'button', onClick: () => onClick(), ...props })
  button.innerHTML = `<svg viewBox="0 0 16 16"><path d="${SHAPES[shape]}"/></svg>`
  return button
}

/** Shows something over the page, at the end of the document, without a role. @returns what closes it */
export function cover(place, ...children) {
  const close = () => shown.remove()
  const overlay = make('div', { class: 'overlay', onClick: close })
  const shown = make('div', { class: `cover ${place}` }, overlay, ...children)
  layer.append(shown)
  return close
}

/** A dialog in a layer. @returns what closes it */
export function dialog(title, ...children) {
  return cover('center', make('div', { class: 'card' }, make('h2', {}, title), ...children))
}

/** Entries at the end of the document, beside the element that they belong to. */
export function float(beside, list) {
  const { left, bottom } = beside.getBoundingClientRect()
  list.style.left = `${left}px`
  list.style.top = `${bottom + window.scrollY}px`
  layer.append(list)
  document.addEventListener('click', function close({ target }) {
    if (beside.contains(target)) return
    document.removeEventListener('click', close)
    list.remove()
  })
}

/** A menu of entries behind an element. */
export function menu(beside, entries) {
  const items = entries.map(([name, act]) =>
    make('li', { role: 'menuitem', tabindex: '-1', onClick: act }, name),
  )
  float(beside, make('ul', { role: 'menu', class: 'float' }, ...items))
}

/** A box that opens when the mouse is pressed, with its options in a layer. */
export function select(label, options, onChoose) {
  const pick = (option) => {
    box.textContent = option
    onChoose(option)
  }
  const box = make(
    'div',
    {
      role: 'combobox',
      tabindex: '0',
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      'aria-label': label,
      onMouseDown: () => {
        const items = options.map((option) =>
          make('li', { role: 'option', onClick: () => pick(option) }, option),
        )
        float(box, make('ul', { role: 'listbox', class: 'float' }, ...items))
      },
    },
    'Choose',
  )
  return box
}

/** A box that is an input nobody may write into, and a list without any role. */
export function plainSelect(label, options, onChoose) {
  const input = make('input', { readonly: true, placeholder: label })
  const pick = (option) => {
    input.value = option
    onChoose(option)
  }
  const box = make(
    'div',
    {
      class: 'select',
      onClick: () => {
        const items = options.map((option) =>
          make('div', { class: 'entry', onClick: () => pick(option) }, option),
        )
        float(box, make('div', { class: 'float' }, ...items))
      },
    },
    input,
  )
  return box
}

/** An input that offers what the server knows; only what was offered counts. */
export function autocomplete(label, path, onChoose) {
  const input = make('input', {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-label': label,
    onInput: () => void offer(input.value),
    onMouseDown: () => void offer(''),
  })
  const pick = (each) => {
    input.value = each
    onChoose(each)
  }
  let open = null
  const offer = async (text) => {
    const all = await call('GET', `${path}?q=${encodeURIComponent(text)}`)
    const found = all.filter((each) => each.toLowerCase().includes(text.toLowerCase()))
    open?.remove()
    const items = found.map((each) => make('li', { role: 'option', onClick: () => pick(each) }, each))
    open = make('ul', { role: 'listbox', class: 'float' }, ...items)
    float(input, open)
  }
  return input
}

/** A day of the month, from a grid that opens under an input. */
export function dayPicker(label, onChoose) {
  const input = make('input', { readonly: true, 'aria-label': label, placeholder: 'dd.mm.yyyy' })
  const open = () => {
    const days = Array.from({ length: 28 }, (_, day) =>
      make('button', { type: 'button', role: 'gridcell', onClick: () => choose(day + 1) }, String(day + 1)),
    )
    float(picker, make('div', { role: 'grid', class: 'float' }, ...days))
  }
  const choose = (day) => {
    input.value = `${day}.05.2030`
    onChoose(input.value)
  }
  const button = make('button', { type: 'button', 'aria-label': 'Choose date', onClick: open }, '▾')
  const picker = make('span', {}, input, button)
  return picker
}

/** A check box that is a button. */
export function agreement(label, onChange) {
  const box = make(
    'button',
    {
      type: 'button',
      role: 'checkbox',
      'aria-checked': 'false',
      onClick: () => {
        const isChecked = box.getAttribute('aria-checked') !== 'true'
        box.setAttribute('aria-checked', String(isChecked))
        onChange(isChecked)
      },
    },
    label,
  )
  return box
}

/** An editor that believes no more than what was typed. */
export function editor(label, onText) {
  const box = make('div', { class: 'editor', contenteditable: '', role: 'textbox', 'aria-label': label })
  let text = ''
  box.addEventListener('beforeinput', (event) => {
    if (event.inputType === 'insertText') text += event.data ?? ''
    if (event.inputType.startsWith('delete')) text = ''
    onText(text)
  })
  return box
}
