import { views } from './views.js'

const routes = [
  { path: '/', component: views.home },
  { path: '/login', component: views.login },
  { path: '/products', component: views.products },
  { path: '/orders/new', component: views.order },
  { path: '/upload', component: views.upload },
  { path: '/search', component: views.search },
  { path: '/widgets', component: views.widgets },
  { path: '/calendar', component: views.calendar },
  { path: '/profile', component: views.profile },
  { path: '/reports', component: async (tools) => (await import('./reports.js')).reports(tools) },
  { path: '/depot', component: async (tools) => (await import('./depot.js')).depot(tools) },
  { path: '/books', component: async (tools) => (await import('./depot.js')).books(tools) },
  // No link leads here.
  { path: '/settings', component: async (tools) => (await import('./settings.js')).settings(tools) },
]

const menu = [
  ['/', 'Home'],
  ['/products', 'Products'],
  ['/orders/new', 'New order'],
  ['/books', 'Books'],
  ['/depot', 'Depot'],
  ['/upload', 'Upload'],
  ['/reports', 'Reports'],
  ['/search', 'Search'],
  ['/widgets', 'Widgets'],
  ['/calendar?month=1', 'Calendar'],
  ['/profile', 'Profile'],
  ['/legacy.html', 'Legacy'],
]

const view = document.getElementById('view')

/** Tells the server which state is shown, as an image so that no script sees an answer. */
function state(name) {
  new Image().src = `/state/${name}`
}

async function api(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body instanceof FormData || body === undefined ? {} : { 'content-type': 'application/json' },
    body: body instanceof FormData || body === undefined ? body : JSON.stringify(body),
  })
  if (answer.status === 401 && location.pathname !== '/login') go('/login')
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : null
}

function go(path) {
  history.pushState(null, '', path)
  void show()
}

function html(markup) {
  view.innerHTML = markup
  return view
}

async function show() {
  const route = routes.find((each) => each.path === location.pathname)
  if (!route) {
    html('<h1>Nothing here</h1>')
    return
  }
  await route.component({ api, go, html, state, view })
}

/** Never called: only readers of scripts find its address. */
export function loadFlags() {
  return api('GET', '/api/flags')
}

document.getElementById('menu').innerHTML = menu
  .map(([path, text]) => `<a href="${path}">${text}</a> `)
  .join('')
document.getElementById('menu').addEventListener('click', (event) => {
  const link = event.target.closest('a')
  if (!link || link.pathname === '/legacy.html') return
  event.preventDefault()
  go(link.pathname + link.search)
})
addEventListener('popstate', () => void show())
void show()
