const loginForm = (kind: string, extra = ''): string => `
  <form method="post" action="/sign-in/${kind}">
    <label>E-mail <input name="user" type="email" autocomplete="username"></label>
    <label>Password <input name="password" type="password" autocomplete="current-password"></label>
    ${extra}<button>Sign in</button>
  </form>`

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`

/** Stands in pages for the origin of another host. */
export const STRANGER = 'http://stranger.invalid'

const calls = `
  <a href="/login">Log in</a> <a href="/excluded/page">Excluded</a> <a href="${STRANGER}/page">Elsewhere</a>
  <input type="password" value="shown-to-nobody">
  <script>
    const quietly = (call) => call.catch((error) => { (window.failed ??= []).push(String(error)) })
    ;(async () => {
      await fetch('/api/plain?page=1')
      await fetch('/api/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"item":"tea"}' })
      await fetch('/redirect')
      await quietly(fetch('/api/orders/1', { method: 'DELETE' }))
      await quietly(fetch('/excluded/by-script'))
      await quietly(fetch('/to-excluded'))
      await quietly(fetch('${STRANGER}/by-script'))
      await quietly(fetch('/to-stranger'))
      new Image().src = '${STRANGER}/pixel'
      new Image().src = '/excluded/image.png'
      new EventSource('/events').onmessage = () => {}
      const socket = new WebSocket('ws://' + location.host + '/socket')
      socket.onopen = () => socket.send('{"op":"subscribe"}')
      await new Promise((resolve) => { socket.onmessage = resolve })
      const excluded = new WebSocket('ws://' + location.host + '/excluded/socket')
      await new Promise((resolve) => { excluded.onerror = resolve })
      await new Promise((resolve) => { new Worker('/worker.js').onmessage = resolve })
      window.finished = true
    })()
  </script>`

const script = (body: string): string => `<script>${body}</script>`

/** Pages of the portal by path. */
export const pages: Readonly<Record<string, (url: URL) => string>> = {
  '/': () => page('Portal', calls),
  '/login': (url) =>
    page(
      'Sign in',
      (url.searchParams.has('wrong') ? '<p role="alert">Invalid e-mail or password</p>' : '') +
        loginForm('plain'),
    ),
  '/start': () =>
    page(
      'Welcome',
      '<p>Our portal</p><form action="/search"><input name="q" type="search"></form><a href="/login">Log in</a>',
    ),
  '/two-step': () =>
    page(
      'Sign in',
      `<form id="form" onsubmit="event.preventDefault(); step2(user.value)"><input id="user" name="identifier" type="text"><button>Next</button></form>${script(
        `function step2(user) { document.getElementById('form').outerHTML = '<form method="post" action="/sign-in/plain"><input type="hidden" name="user"><input name="password" type="password"><button>Sign in</button></form>'; document.querySelector('[name=user]').value = user }`,
      )}`,
    ),
  '/frame-login': () => page('Sign in', '<iframe src="/inner-login" width="600" height="300"></iframe>'),
  '/inner-login': () => page('Inner', loginForm('plain').replace('<form', '<form target="_top"')),
  '/shadow-login': () =>
    page(
      'Sign in',
      `<login-box></login-box>${script(
        `customElements.define('login-box', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(loginForm('plain'))} } })`,
      )}`,
    ),
  // Drawn by the server: its script takes over when the second box is used.
  '/late-login': () =>
    page(
      'Sign in',
      `<form id="form" method="post" action="/sign-in/plain"><input name="user" type="hidden"><input name="password" type="hidden"><input id="who" placeholder="User name"><input id="secret" type="password"><button>Sign in</button></form>${script(
        `secret.onfocus = () => { who.oninput = () => { form.user.value = who.value }; secret.oninput = () => { form.password.value = secret.value } }`,
      )}`,
    ),
  '/code-login': () => page('Sign in', loginForm('then-code')),
  '/code': () =>
    page(
      'Code',
      '<form method="post" action="/sign-in/code"><input name="code" autocomplete="one-time-code"><button>Continue</button></form>',
    ),
  '/digits': () =>
    page(
      'Code',
      `<form method="post" action="/sign-in/code">${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `<input name="${name}" id="digit-${name}" maxlength="1" size="1">`).join('')}<button>Continue</button></form>`,
    ),
  '/spa-login': () =>
    page(
      'Sign in',
      `<div id="app"><input id="user" placeholder="E-mail"><input id="password" type="password"><button id="go">Log in</button><p id="error" class="error"></p></div>${script(`
    document.getElementById('go').onclick = async () => {
      const answer = await fetch('/api/sign-in', { method: 'POST', body: JSON.stringify({ user: user.value, password: password.value }) })
      if (!answer.ok) { error.textContent = 'Invalid login'; return }
      sessionStorage.setItem('token', (await answer.json()).token)
      localStorage.setItem('theme', 'dark')
      location.href = '/spa'
    }`)}`,
    ),
  '/spa': () =>
    page(
      'Application',
      `<p id="who"></p>${script(`
    fetch('/api/me', { headers: { authorization: 'Bearer ' + sessionStorage.getItem('token') } })
      .then(async (answer) => { who.textContent = answer.ok ? 'Hello ' + (await answer.json()).user : 'Nobody' })`)}`,
    ),
  '/home': () =>
    page(
      'Home',
      `<p>Hello</p>${script(`fetch('/api/me')`)}<button onclick="window.open('/api/opened')">Open</button>`,
    ),
  '/loop': () => page('Loop', script('setTimeout(() => { for (;;) {} }, 50)')),
  '/calm': () => page('Calm', '<p>Nothing happens</p>'),
}
