import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playFlow } from '../../src/crawler/index.ts'
import { browserCache, testBrowser } from '../../test/browser/browser.ts'
import {
  portalCodeSecret,
  portalPassword,
  portalUser,
  startPortal,
} from '../../test/targets/portal/server.ts'

/*
 * Twenty recorded logins of every sort, in the Recorder format and in the short one: `node bench/crawler/recordings.ts`.
 * One passes when its token command, asked in the page it ended on, names the account. Selectors are as the recorder of
 * Chrome writes them: each finds one element alone.
 */

type Step = Readonly<Record<string, unknown>>

const browser = await testBrowser()
if (browser === null) {
  console.error('There is no browser on this machine.')
  process.exit(2)
}
const portal = await startPortal()
const { origin } = portal
const sso = await startSignOn()
const who = `fetch('/api/me').then((answer) => answer.json()).then(({ user }) => user)`
const whoByToken = `fetch('/api/me', { headers: { authorization: 'Bearer ' + sessionStorage.getItem('token') } }).then((answer) => answer.json()).then(({ user }) => user)`

const open = (path: string, at = origin): Step => ({ type: 'navigate', url: at + path })
const viewport: Step = {
  type: 'setViewport',
  width: 1200,
  height: 800,
  deviceScaleFactor: 1,
  isMobile: false,
  hasTouch: false,
  isLandscape: false,
}
const on = (type: string, selectors: readonly (string | readonly string[])[], rest: Step = {}): Step => ({
  type,
  target: 'main',
  selectors: selectors.map((one) => (typeof one === 'string' ? [one] : one)),
  ...rest,
})
const fill = (selector: string | readonly string[], value: string, rest: Step = {}): Step =>
  on('change', [selector], { value, ...rest })
const press = (selector: string | readonly string[], rest: Step = {}): Step =>
  on('click', [selector], { offsetX: 5, offsetY: 5, ...rest })
const moved = (url: string): Step => ({ assertedEvents: [{ type: 'navigation', url, title: '' }] })
const account = [fill('[name=user]', portalUser), fill('[name=password]', portalPassword)]
const home = moved(`${origin}/home`)
const digits = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) =>
  fill(`#digit-${name}`, `\${totp[${index}]}`),
)

const recordings: readonly (readonly [string, readonly Step[], string?, Step?])[] = [
  ['one step', [viewport, open('/login'), ...account, press('button', home)]],
  [
    'aria selectors',
    [
      open('/login'),
      fill('aria/E-mail', portalUser),
      fill('aria/Password', portalPassword),
      press('aria/Sign in[role="button"]', home),
    ],
  ],
  [
    'text selectors',
    [open('/start'), press('text/Log in', moved(`${origin}/login`)), ...account, press('button', home)],
  ],
  [
    'XPath selectors',
    [
      open('/login'),
      fill('xpath///form/label[1]/input', portalUser),
      fill('xpath///input[@type="password"]', portalPassword),
      press('xpath///button', home),
    ],
  ],
  [
    'first selectors that no longer fit',
    [
      open('/login'),
      on('change', ['#gone', '[name=user]'], { value: portalUser }),
      on('change', ['aria/Old name', '[name=password]'], { value: portalPassword }),
      on('click', ['#old', 'button'], { offsetX: 5, offsetY: 5 }),
    ],
  ],
  [
    'Enter instead of the button',
    [open('/login'), ...account, { type: 'keyDown', key: 'Enter' }, { type: 'keyUp', key: 'Enter', ...home }],
  ],
  [
    'a link to the form',
    [
      viewport,
      open('/start'),
      press('aria/Log in', moved(`${origin}/login`)),
      ...account,
      press('button', home),
    ],
  ],
  [
    'hovering and scrolling on the way',
    [
      open('/start'),
      on('hover', ['a']),
      { type: 'scroll', x: 0, y: 10 },
      press('a'),
      on('waitForElement', ['[name=user]']),
      ...account,
      press('button', home),
    ],
  ],
  [
    'clicks and double clicks into the boxes',
    [
      open('/login'),
      press('[name=user]'),
      account[0]!,
      on('doubleClick', ['[name=password]'], { offsetX: 5, offsetY: 5 }),
      account[1]!,
      press('button', home),
    ],
  ],
  [
    'two steps',
    [
      open('/two-step'),
      fill('#user', portalUser),
      press('button'),
      on('waitForElement', ['[name=password]']),
      account[1]!,
      press('button', home),
    ],
  ],
  [
    'two steps without waiting',
    [open('/two-step'), fill('#user', portalUser), press('button'), account[1]!, press('button', home)],
  ],
  [
    'a frame',
    [
      open('/frame-login'),
      fill('[name=user]', portalUser, { frame: [0] }),
      fill('[name=password]', portalPassword, { frame: [0] }),
      press('button', { frame: [0], ...home }),
    ],
  ],
  [
    'a shadow root, by a path of selectors',
    [
      open('/shadow-login'),
      fill(['login-box', '[name=user]'], portalUser),
      fill(['login-box', '[name=password]'], portalPassword),
      press(['login-box', 'button'], home),
    ],
  ],
  [
    'a shadow root, by pierce selectors',
    [
      open('/shadow-login'),
      fill('pierce/[name=user]', portalUser),
      fill('pierce/[name=password]', portalPassword),
      press('pierce/button', home),
    ],
  ],
  [
    'a code of one time',
    [open('/code-login'), ...account, press('button'), fill('[name=code]', '${totp}'), press('button', home)],
    who,
    { totp: portalCodeSecret },
  ],
  [
    'a code by its URI',
    [
      open('/code-login'),
      ...account,
      press('button'),
      fill('[name=code]', `otpauth://totp/portal:ada?secret=${portalCodeSecret}`),
      press('button', home),
    ],
  ],
  [
    'a code digit by digit',
    [
      open('/code-login'),
      ...account,
      press('button', moved(`${origin}/code`)),
      open('/digits'),
      ...digits,
      press('button', home),
    ],
    who,
    { totp: portalCodeSecret },
  ],
  [
    'a script that keeps its token',
    [
      open('/spa-login'),
      fill('#user', portalUser),
      fill('#password', portalPassword),
      press('#go'),
      { type: 'waitForExpression', expression: `location.pathname === '/spa'` },
    ],
    whoByToken,
  ],
  [
    'the short form',
    [
      { action: 'navigate', url: `${origin}/login` },
      { action: 'type', selector: '[name=user]', value: portalUser },
      { action: 'type', selector: '[name=password]', value: portalPassword },
      { action: 'click', selector: 'button' },
      { action: 'wait', selector: 'h1' },
    ],
  ],
  [
    'sign-on at another host, with redirects there and back',
    [
      { ...open('/', sso.application), ...moved(`${sso.provider}/`) },
      ...account,
      press('button', moved(`${sso.application}/`)),
    ],
  ],
]

let passed = 0
for (const [name, steps, command = who, fields = {}] of recordings) {
  const content = JSON.stringify({ title: name, ...fields, steps })
  const stage = {
    browser: browser.path,
    folder: browserCache,
    own: [],
    allowed: [],
    verifiesTls: true,
    // The portal takes a code more than once.
    takeCodeStep: async (_digest: string, step: number) => step,
  }
  const begunMs = performance.now()
  const outcome = await playFlow(
    stage,
    { content, tokenFetchCommand: command },
    null,
    new AbortController().signal,
  ).then(
    ({ token }) => (token === portalUser ? 'passed' : `ended as ${token}`),
    (error: unknown) => (error as Error).message,
  )
  if (outcome === 'passed') passed++
  console.log(`${((performance.now() - begunMs) / 1000).toFixed(1)} s  ${name}: ${outcome}`)
}
console.log(`${passed} of ${recordings.length} passed`)
await portal.close()
sso.close()
process.exit(passed >= recordings.length - 1 ? 0 : 1)

/** An application that sends whoever is unknown to another host, which sends them back with a ticket. */
async function startSignOn(): Promise<{ application: string; provider: string; close: () => void }> {
  const form =
    '<form method="post"><input name="user"><input name="password" type="password"><button>Go</button></form>'
  const provider = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(form)
      return
    }
    let body = ''
    request.on('data', (part) => {
      body += String(part)
    })
    request.on('end', () => {
      const given = new URLSearchParams(body)
      const isRight = given.get('user') === portalUser && given.get('password') === portalPassword
      if (isRight) response.writeHead(302, { location: `${application}/back?ticket=t1` }).end()
      else response.writeHead(403).end('wrong')
    })
  })
  const site = createServer((request, response) => {
    const isIn = (request.headers.cookie ?? '').includes('sid=s1')
    if (request.url === '/back?ticket=t1')
      response.writeHead(302, { location: '/', 'set-cookie': 'sid=s1; Path=/; HttpOnly' }).end()
    else if (!isIn) response.writeHead(302, { location: `${address(provider, 'localhost')}/` }).end()
    else if (request.url === '/api/me')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ user: portalUser }))
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  })
  for (const server of [provider, site])
    await new Promise<void>((resolve) =>
      server.listen(0, server === provider ? 'localhost' : '127.0.0.1', resolve),
    )
  const application = address(site, '127.0.0.1')
  return {
    application,
    provider: address(provider, 'localhost'),
    close() {
      for (const server of [provider, site]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

function address(server: Server, host: string): string {
  return `http://${host}:${(server.address() as AddressInfo).port}`
}
