import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf, startTestServer, type TestServer, testKey, testPassword } from '../../test/harness.ts'
import { setupCode } from '../app/index.ts'
import { errorCodeHeader } from '../contract/index.ts'
import { setClock } from '../kit/index.ts'

// Every call goes over a socket and most wait for a store or a password hash: slow on a busy machine.

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const signUp = (body: unknown, headers: Record<string, string> = {}) =>
  server.post('/signup-email', body, { key: null, headers })
const login = (username: string, password: string, headers: Record<string, string> = {}) =>
  server.post('/auth/login', { username, password }, { key: null, headers })
const codeOf = (answer: Response) => [answer.status, answer.headers.get(errorCodeHeader)]
const setup = async () =>
  ((await (await fetch(`${server.baseUrl}/health`)).json()) as { setup: string }).setup

test('the first sign-up refuses invalid account data', async () => {
  expect(codeOf(await signUp({ password: testPassword }))).toEqual([422, 'FIELD_REQUIRED'])
  expect(codeOf(await signUp({ email: 'no address', password: testPassword }))).toEqual([
    422,
    'INVALID_EMAIL',
  ])
  expect(codeOf(await signUp({ email: 'ada@example.org', password: 'short' }))).toEqual([
    422,
    'WEAK_PASSWORD',
  ])
  expect(codeOf(await signUp({ email: ['ada@example.org'], password: testPassword }))).toEqual([
    422,
    'INVALID_FIELD',
  ])
  expect(codeOf(await signUp('{'))).toEqual([400, 'INVALID_JSON_BODY'])
  expect(await setup()).toBe('needs-first-user')
})

test('a page of another site cannot sign anybody up, nor can a rebound name', async () => {
  const form = new URLSearchParams({ email: 'eve@example.org', password: testPassword }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
  expect(codeOf(await signUp(form, headers))).toEqual([403, 'FOREIGN_ORIGIN'])
  expect(codeOf(await signUp(form, { ...headers, origin: 'null' }))).toEqual([403, 'FOREIGN_ORIGIN'])
  expect(await rebound()).toBe(403)
  expect(await setup()).toBe('needs-first-user')
})

test('of two first sign-ups at once one becomes administrator', async () => {
  const answers = await Promise.all(
    ['ada@example.org', 'bob@example.org'].map((email) => signUp({ email, password: testPassword })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  const made = answers.find(({ status }) => status === 200)!
  expect(await made.json()).toMatchObject({ loginResult: { role: 'ADMIN' } })
  expect(codeOf(answers.find(({ status }) => status === 422)!)).toEqual([422, 'INVITATION_REQUIRED'])
  await expect.poll(setup).toBe('done')
})

test('a form can sign in, and the cookie renews the token for its own path only', async () => {
  const team = await adminOf(await firstLogin())
  const answer = await firstLogin()
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^refreshToken=[\w-]{43}; Path=\/dashboard; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    ),
    expect.stringMatching(
      /^knownDevice=[\w-]{22}\.[\w-]{43}; Path=\/auth; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    ),
  ])
  const person = personOf(server, team, answer)
  const renewed = await fetch(`${server.baseUrl}/dashboard/accessToken`, {
    headers: { cookie: person.cookie },
  })
  expect(await renewed.json()).toMatchObject({ login: team, role: 'ADMIN' })
  const again = personOf(server, team, renewed)
  expect((await again.call('fetchOwnUser')).status).toBe(200)
  const byCookie = await server.post(
    '/api/fetchOwnUser',
    {},
    { key: null, headers: { cookie: person.cookie } },
  )
  expect(codeOf(byCookie)).toEqual([403, 'INVALID_KEY'])
  const unknown = await fetch(`${server.baseUrl}/dashboard/accessToken`, {
    headers: { cookie: 'refreshToken=x' },
  })
  expect(codeOf(unknown)).toEqual([403, 'SESSION_EXPIRED'])
})

test('logout ends token and cookie', async () => {
  const person = personOf(server, 'admin', await firstLogin())
  const answer = await person.call('logout')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(answer.headers.get('set-cookie')).toBe(
    'refreshToken=; Path=/dashboard; Max-Age=0; HttpOnly; SameSite=Strict',
  )
  expect(codeOf(await person.call('fetchOwnUser'))).toEqual([403, 'SESSION_EXPIRED'])
  const renewal = await fetch(`${server.baseUrl}/dashboard/accessToken`, {
    headers: { cookie: person.cookie },
  })
  expect(codeOf(renewal)).toEqual([403, 'SESSION_EXPIRED'])
})

test('JSON signs in as application/json from the own origin only', async () => {
  const body = JSON.stringify({ username: 'ada@example.org', password: 'wrong password 1' })
  const attempt = async (headers: Record<string, string>) =>
    codeOf(await server.post('/auth/login', body, { key: null, headers }))
  for (const type of ['text/plain', 'text/plain;application/json', 'application/jsonp', ''])
    expect([type, ...(await attempt({ 'content-type': type }))]).toEqual([
      type,
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
  for (const origin of ['https://evil.example', 'null'])
    expect([origin, ...(await attempt({ origin }))]).toEqual([origin, 403, 'FOREIGN_ORIGIN'])
  for (const site of ['cross-site', 'same-site'])
    expect([site, ...(await attempt({ 'sec-fetch-site': site }))]).toEqual([site, 403, 'FOREIGN_ORIGIN'])
  expect(await attempt({ origin: server.baseUrl, 'sec-fetch-site': 'same-origin' })).toEqual([
    401,
    'WRONG_CREDENTIALS',
  ])
  expect(await attempt({})).toEqual([401, 'WRONG_CREDENTIALS'])
})

test('where other machines reach the server, the first sign-up needs the set-up code', async () => {
  const open = await startTestServer({ host: '0.0.0.0' })
  try {
    const health = async () => (await fetch(`http://127.0.0.1:${open.port}/health`)).json()
    const join = async (more: Record<string, string>) => {
      const url = `http://127.0.0.1:${open.port}/signup-email`
      const body = JSON.stringify({ email: 'ada@example.org', password: testPassword, ...more })
      return codeOf(
        await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      )
    }
    expect(await health()).toMatchObject({ setup: 'needs-first-user', needsSetupCode: true })
    expect(await join({})).toEqual([422, 'SETUP_CODE_REQUIRED'])
    expect(await join({ invitationCode: 'guess' })).toEqual([422, 'SETUP_CODE_REQUIRED'])
    expect(await join({ setupCode: 'AAAA-AAAA-AAAA-AAAA' })).toEqual([422, 'WRONG_SETUP_CODE'])
    const code = await setupCode(open.running.app.access)
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await join({ setupCode: code!.toLowerCase().replaceAll('-', ' ') })).toEqual([200, null])
    expect(await setupCode(open.running.app.access)).toBeNull()
    await expect.poll(health).not.toHaveProperty('needsSetupCode')
    expect(open.logText()).not.toContain(code)
  } finally {
    await open.close()
  }
})

test('the cookie is marked for TLS alone when people come over TLS', { tags: ['marathon'] }, async () => {
  const behindProxy = await startTestServer({ 'base-url': 'https://vigil.example' })
  try {
    const answer = await behindProxy.post(
      '/signup-email',
      {
        email: 'ada@example.org',
        password: testPassword,
        setupCode: await setupCode(behindProxy.running.app.access),
      },
      { key: null, headers: { origin: 'https://vigil.example' } },
    )
    const cookies = answer.headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure$/)
  } finally {
    await behindProxy.close()
  }
})

test('keys are shown once and masked after', async () => {
  const person = personOf(server, 'admin', await firstLogin())
  const made = (await (await person.call('addApiToken', { tokenUtility: 'EXTERNAL_API' })).json()) as Tokens
  const { key, id } = made.apiTokenList[0]!
  expect((await server.post('/api/fetchOwnUser', {}, { key })).status).toBe(200)
  const listed = (await (await person.call('fetchApiTokens')).json()) as Tokens
  expect(listed.apiTokenList.find((token) => token.id === id)?.key).toBe(
    `${key.slice(0, 4)}${'*'.repeat(36)}`,
  )
  expect(await (await person.call('deleteApiToken', { apiTokenId: id })).json()).toMatchObject({
    apiTokenDeleted: true,
  })
  expect(codeOf(await server.post('/api/fetchOwnUser', {}, { key }))).toEqual([403, 'INVALID_KEY'])
})

test('the BURP key stays the same and opens only the extension operations', async () => {
  const person = personOf(server, 'admin', await firstLogin())
  type Credentials = { apiToken: { key: string; utility: string }; host: string }
  const first = (await (await person.call('fetchBurpCredentials')).json()) as Credentials
  const second = (await (await person.call('fetchBurpCredentials')).json()) as Credentials
  expect(second.apiToken).toEqual(first.apiToken)
  expect(first).toMatchObject({ apiToken: { utility: 'BURP' }, host: expect.stringMatching(/^http:/) })
  const key = first.apiToken.key
  expect(await (await person.call('fetchBurpPluginInfo')).json()).toMatchObject({ burpPluginInfo: null })
  await person.call('downloadBurpPluginJar')
  expect(await (await server.post('/api/sendHealthCheck', { version: '4' }, { key })).json()).toMatchObject({
    latestVersion: 5,
  })
  expect(await (await person.call('fetchBurpPluginInfo')).json()).toMatchObject({
    burpPluginInfo: { version: 4, lastDataSentTimestamp: 0, lastBootupTimestamp: expect.any(Number) },
  })
})

test('guessing an account makes strangers wait, and neither its known browser nor other accounts', async () => {
  const behindProxy = await startTestServer({ 'trusted-proxies': '127.0.0.1' })
  // Hashing takes seconds on a busy machine, and waits would be over by then.
  const now = Date.now()
  const restore = setClock(() => now)
  try {
    const signedUp = await behindProxy.post(
      '/signup-email',
      { email: 'ada@example.org', password: testPassword },
      { key: null },
    )
    const device = signedUp.headers.getSetCookie()[1]!.split(';', 1)[0]!
    const attempt = async (username: string, password: string, ip: string, cookie = '') => {
      const headers = { 'x-forwarded-for': ip, cookie }
      return behindProxy.post('/auth/login', { username, password }, { key: null, headers })
    }
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => attempt('ada@example.org', 'wrong password 1', `192.0.2.${n}`)),
    )
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429])
    const refused = await attempt('ada@example.org', testPassword, '192.0.2.77')
    expect(codeOf(refused)).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(codeOf(await attempt('bob@example.org', 'wrong password 1', '192.0.2.1'))[0]).toBe(401)
    expect(codeOf(await attempt('ada@example.org', testPassword, '192.0.2.1', device))).toEqual([200, null])
    expect(codeOf(await attempt('ada@example.org', testPassword, '192.0.2.1', `${device}x`))[0]).toBe(429)
  } finally {
    restore()
    await behindProxy.close()
  }
})

test('logs hold no password, address, key, cookie, header or body', async () => {
  await login('hidden@example.org', 'hidden-password')
  const headers = {
    'user-agent': 'hidden-agent',
    cookie: 'hidden=hidden-cookie',
    'x-hidden': 'hidden-header',
  }
  await server.post('/api/fetchOwnUser?hidden=hidden-query', { hidden: 'hidden-body' }, { headers })
  await server.post('/api/fetchOwnUser', '{"hidden-broken', {})
  await server.post('/api/fetchOwnUser', {}, { key: `hidden${'k'.repeat(34)}` })
  await server.post('/api/hiddenOperation', {})
  expect(server.logText()).toContain('call.answered')
  expect(server.logText()).not.toContain('hidden')
  expect(server.logText()).not.toContain(testPassword)
  expect(server.logText()).not.toContain(testKey)
  expect(server.logText()).not.toContain('example.org')
})

/** Status of a sign-up that asks for a foreign name, as a page does whose name was pointed to this machine. */
function rebound(): Promise<number | undefined> {
  const headers = { host: 'evil.example', origin: 'http://evil.example', 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    request({ port: server.port, path: '/signup-email', method: 'POST', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end(JSON.stringify({ email: 'eve@example.org', password: testPassword }))
  })
}

interface Tokens {
  apiTokenList: { id: number; key: string }[]
}

/** Signs the winner of the first sign-ups in, with a form. */
async function firstLogin(): Promise<Response> {
  for (const username of ['ada@example.org', 'bob@example.org']) {
    const form = new URLSearchParams({ username, password: testPassword }).toString()
    const answer = await server.post('/auth/login', form, {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.baseUrl },
    })
    if (answer.status === 200) return answer
  }
  throw new Error('nobody could sign in')
}

async function adminOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { loginResult: { login: string } }).loginResult.login
}
