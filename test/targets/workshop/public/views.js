function login({ html, api, go, state }) {
  state('login')
  html(`<h1>Sign in</h1><form><label>User <input name="user" autocomplete="username"></label>
    <label>Password <input name="password" type="password" autocomplete="current-password"></label>
    <button>Sign in</button></form>`)
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const data = Object.fromEntries(new FormData(event.target))
    const answer = await api('POST', '/api/login', data)
    if (answer?.ok) go('/')
  })
}

async function home({ html, api, state }) {
  state('home')
  html('<h1>Workshop</h1><p id="news"></p><p id="live"></p>')
  await api('GET', '/api/me')
  const news = new EventSource('/api/news')
  news.addEventListener('message', (event) => {
    document.getElementById('news')?.append(event.data)
    news.close()
  })
  const socket = new WebSocket(`ws://${location.host}/live`)
  socket.addEventListener('open', () => socket.send('hello'))
  socket.addEventListener('message', (event) => {
    document.getElementById('live')?.append(event.data)
    socket.close()
  })
}

async function products({ html, api, state }) {
  state('products')
  html('<h1>Products</h1><div id="list"></div>')
  let page = 0
  let isLoading = false
  const more = async () => {
    if (isLoading || page >= 3) return
    isLoading = true
    page++
    const items = (await api('GET', `/api/products?page=${page}`)) ?? []
    state(`products-page-${page}`)
    for (const item of items) {
      const card = document.createElement('div')
      card.className = 'card'
      card.textContent = item.name
      card.addEventListener('click', () => details(item.id))
      document.getElementById('list')?.append(card)
    }
    isLoading = false
  }
  const details = async (id) => {
    const item = await api('GET', `/api/products/${id}`)
    state('product-dialog')
    const dialog = document.createElement('div')
    dialog.className = 'overlay'
    dialog.setAttribute('role', 'dialog')
    dialog.innerHTML = `<h2>${item?.name}</h2><label>Quantity <input type="number" name="quantity" min="1" max="9"></label>
      <button class="add" disabled>Add to cart</button> <button class="close">Close</button>`
    document.body.append(dialog)
    dialog.querySelector('input').addEventListener('input', () => {
      dialog.querySelector('.add').disabled = false
    })
    dialog.querySelector('.close').addEventListener('click', () => dialog.remove())
    dialog.querySelector('.add').addEventListener('click', async () => {
      await api('POST', '/api/cart', { id, quantity: Number(dialog.querySelector('input').value) })
      state('in-cart')
      dialog.remove()
    })
  }
  addEventListener('scroll', () => {
    if (innerHeight + scrollY >= document.body.scrollHeight - 50) void more()
  })
  await more()
}

function order({ html, api, state }) {
  state('order-1')
  html(`<h1>New order</h1><form id="one"><label>Full name <input name="name" required></label>
    <label>E-mail <input name="email" type="email" required></label><button disabled>Next</button></form>`)
  const one = document.getElementById('one')
  const check = (form) => () => {
    form.querySelector('button').disabled = !form.checkValidity()
  }
  one.addEventListener('input', check(one))
  one.addEventListener('submit', async (event) => {
    event.preventDefault()
    const draft = await api('POST', '/api/drafts', Object.fromEntries(new FormData(one)))
    if (draft) second(draft.id)
  })
  const second = (id) => {
    state('order-2')
    html(`<h1>Delivery</h1><form id="two"><label>Street <input name="street" required minlength="5"></label>
      <label>Postal code <input name="zip" required pattern="[0-9]{5}"></label>
      <label>Shipping <select name="shipping" required><option value="">choose</option><option>slow</option><option>fast</option></select></label>
      <button disabled>Next</button></form>`)
    const two = document.getElementById('two')
    two.addEventListener('input', check(two))
    two.addEventListener('change', check(two))
    two.addEventListener('submit', async (event) => {
      event.preventDefault()
      const draft = await api('PUT', `/api/drafts/${id}`, Object.fromEntries(new FormData(two)))
      if (draft) third(id)
    })
  }
  const third = (id) => {
    state('order-3')
    html(`<h1>Confirm</h1><form id="three"><label><input type="checkbox" name="terms" required> I accept the terms</label>
      <button disabled>Finish</button></form>`)
    const three = document.getElementById('three')
    three.addEventListener('change', check(three))
    three.addEventListener('submit', async (event) => {
      event.preventDefault()
      const done = await api('POST', '/api/orders', { draft: id })
      if (done) {
        state('order-done')
        html('<h1>Thank you</h1>')
      }
    })
  }
}

function upload({ html, api, state }) {
  state('upload')
  html(
    `<h1>Upload</h1><form><label>Document <input type="file" name="document" accept=".pdf"></label><button>Send</button></form>`,
  )
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const data = new FormData(event.target)
    if (data.get('document')?.size > 0) {
      await api('POST', '/api/files', data)
      state('uploaded')
    }
  })
}

function search({ html, api, state }) {
  state('search')
  html(`<h1>Search</h1><input id="query" placeholder="Search the workshop">
    <div id="menu-area" style="padding:20px;border:1px dashed">More</div>
    <label>Tip <input id="tip" readonly value="focus me"></label><ul id="results"></ul>`)
  document.getElementById('query').addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter' || !event.target.value) return
    await api('GET', `/api/search?q=${encodeURIComponent(event.target.value)}`)
    state('search-results')
  })
  document.getElementById('menu-area').addEventListener('mouseenter', () => void api('GET', '/api/menu'))
  document.getElementById('tip').addEventListener('focus', () => void api('GET', '/api/tips'))
}

function widgets({ html, api, state }) {
  state('widgets')
  html(
    '<h1>Widgets</h1><div id="open"></div><div id="closed"></div><iframe src="/frame.html" title="Frame"></iframe>',
  )
  for (const mode of ['open', 'closed']) {
    const root = document.getElementById(mode).attachShadow({ mode })
    root.innerHTML = `<button>${mode === 'open' ? 'Wind up' : 'Polish'}</button>`
    root.querySelector('button').addEventListener('click', () => void api('POST', `/api/widgets/${mode}`))
  }
}

async function calendar({ html, api, state }) {
  state('calendar')
  const month = Number(new URLSearchParams(location.search).get('month') ?? 1)
  await api('GET', `/api/calendar?month=${month}`)
  html(`<h1>Month ${month}</h1><a href="/calendar?month=${month - 1}">earlier</a> <a href="/calendar?month=${month + 1}">later</a>
    <a href="/calendar/2030/${month + 1}">Archive</a>`)
}

function profile({ html, api, state }) {
  state('profile')
  html(`<h1>Profile</h1><button id="rename">Save name</button> <a href="/logout">Log out</a>
    <button id="out">Abmelden</button> <button id="remove">Delete account</button>
    <button id="bin" class="icon-trash"><i class="fa fa-trash"></i></button>`)
  const on = (id, action) => document.getElementById(id).addEventListener('click', action)
  on('rename', () => void api('PUT', '/api/me', { name: 'x' }))
  on('out', () => void api('POST', '/api/session/end'))
  on('remove', () => void api('DELETE', '/api/account'))
  on('bin', () => void api('POST', '/api/account/erase'))
}

export const views = { login, home, products, order, upload, search, widgets, calendar, profile }
