import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { followRedirects, type Walk } from '../../test/follow-redirects.ts'
import { startTestServer, type TestServer } from '../../test/harness.ts'
import { startProvider, type TestProvider, testClientId } from '../../test/oidc-provider.ts'
import { freePort } from '../../test/server-process.ts'
import { errorCodeHeader } from '../contract/index.ts'

let server: TestServer
let provider: TestProvider
let settings: Record<string, string>

const ada = {
  sub: 'ada-1',
  email: 'Ada@Example.org',
  email_verified: true,
  name: 'Ada Lovelace',
  groups: ['everyone', 'security'],
}

beforeAll(async () => {
  const port = await freePort()
  provider = await startProvider(`http://127.0.0.1:${port}/auth/oidc/callback`, ada)
  settings = {
    port: String(port),
    'oidc-issuer': provider.issuer,
    'oidc-client-id': testClientId,
    'oidc-client-secret': provider.clientSecret,
    'oidc-name': 'Example account',
    'oidc-roles': 'security=ADMIN,developers=MEMBER',
    'password-sign-in': 'false',
  }
  server = await startTestServer(settings)
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(() => {
  provider.identity = ada
})

const signIn = (returnTo = '/'): Promise<Walk> =>
  followRedirects(
    `${server.baseUrl}/auth/oidc?${new URLSearchParams({ returnTo })}`,
    // The page itself is the dashboard's.
    (url) => url.origin === server.baseUrl && !url.pathname.startsWith('/auth/'),
  )
const failed = (code: string): string => `${server.baseUrl}/?signIn=${code}`

async function accountOf({ cookies }: Walk): Promise<Record<string, unknown>> {
  const cookie = cookies.get(`${new URL(server.baseUrl).host} refreshToken`)
  const answer = await fetch(`${server.baseUrl}/dashboard/accessToken`, {
    headers: { cookie: `refreshToken=${cookie}` },
  })
  return (await answer.json()) as Record<string, unknown>
}

test('the first account must be an administrator', async () => {
  provider.identity = { ...ada, groups: ['developers'] }
  expect((await signIn()).url.href).toBe(failed('OIDC_NO_ADMIN'))
})

test('a person signs in, gets the role of a group, and returns to the page that was asked for', async () => {
  const walk = await signIn('/apis/all?host=shop')
  expect(walk.url.href).toBe(`${server.baseUrl}/apis/all?host=shop`)
  expect(await accountOf(walk)).toEqual({ login: 'ada@example.org', name: 'Ada Lovelace', role: 'ADMIN' })
  expect(walk.cookies.get(`${new URL(server.baseUrl).host} oidcSignIn`)).toBe('')
})

test('a person without a password learns that the second factor and the password are with the provider', async () => {
  const walk = await signIn()
  const cookie = walk.cookies.get(`${new URL(server.baseUrl).host} refreshToken`)
  const renewed = await fetch(`${server.baseUrl}/dashboard/accessToken`, {
    headers: { cookie: `refreshToken=${cookie}` },
  })
  const headers = { 'access-token': renewed.headers.get('access-token')! }
  const call = async (operation: string, body: object) => {
    const answer = await server.post(`/api/${operation}`, body, { key: null, headers })
    return [answer.status, await answer.json()]
  }
  expect(await call('fetchSecondFactor', {})).toEqual([200, { isOn: false, isAvailable: false }])
  const refused = [422, { actionErrors: ['This account has no password: it signs in with a provider'] }]
  expect(await call('beginSecondFactor', { currentPassword: 'anything' })).toEqual(refused)
  const change = { currentPassword: 'anything', newPassword: 'seven brown lanterns' }
  expect(await call('updatePassword', change)).toEqual(refused)
})

test('nobody is led to another site afterwards', async () => {
  for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example'])
    expect((await signIn(returnTo)).url.href).toBe(`${server.baseUrl}/`)
})

test('the role follows the groups at each sign-in, and a person without a group stays out', async () => {
  const bob = { ...ada, sub: 'bob-1', email: 'bob@example.org', name: '', groups: ['developers'] }
  provider.identity = bob
  expect(await accountOf(await signIn())).toMatchObject({ name: 'bob', role: 'MEMBER' })
  provider.identity = { ...bob, groups: 'security' }
  expect(await accountOf(await signIn())).toMatchObject({ role: 'ADMIN' })
  provider.identity = { ...bob, groups: [] }
  expect((await signIn()).url.href).toBe(failed('OIDC_NO_ROLE'))
  provider.identity = { ...bob, groups: ['developers'] }
  expect(await accountOf(await signIn())).toMatchObject({ role: 'MEMBER' })
})

test('the last administrator stays one', async () => {
  provider.identity = { ...ada, groups: ['developers'] }
  expect(await accountOf(await signIn())).toMatchObject({ role: 'ADMIN' })
})

test('an identity keeps its account when the address changes', async () => {
  provider.identity = { ...ada, email: 'ada.king@example.org' }
  expect(await accountOf(await signIn())).toMatchObject({ login: 'ada@example.org' })
})

test('an address that another person has now does not open the account of the one who had it', async () => {
  provider.identity = { ...ada, sub: 'eve-1' }
  expect((await signIn()).url.href).toBe(failed('OIDC_OTHER_IDENTITY'))
})

test('an address that was not verified does not open an account', async () => {
  provider.identity = { ...ada, sub: 'eve-2', email: 'carol@example.org', email_verified: false }
  expect((await signIn()).url.href).toBe(failed('OIDC_NO_EMAIL'))
})

test('a redirect from the provider counts only in the browser that started, and once', async () => {
  let callback = ''
  const walk = await followRedirects(`${server.baseUrl}/auth/oidc`, (url) => {
    callback = url.href
    return url.pathname === '/auth/oidc/callback'
  })
  const cookie = walk.cookies.get(`${new URL(server.baseUrl).host} oidcSignIn`)
  const arrive = async (headers: Record<string, string>) =>
    (await fetch(callback, { redirect: 'manual', headers })).headers.get('location')
  expect(await arrive({})).toBe('/?signIn=OIDC_EXPIRED')
  expect(await arrive({ cookie: 'oidcSignIn=v1.forged' })).toBe('/?signIn=OIDC_EXPIRED')
  expect(await arrive({ cookie: `oidcSignIn=${cookie}` })).toBe('/')
  expect(await arrive({ cookie: `oidcSignIn=${cookie}` })).toBe('/?signIn=OIDC_REFUSED')
})

test('the sign-in page learns the name of the provider, and passwords can be switched off', async () => {
  const health = (await (await fetch(`${server.baseUrl}/health`)).json()) as { signIn: unknown }
  expect(health.signIn).toEqual({ password: false, provider: 'Example account', mail: false })
  const answers = [
    await server.post('/auth/login', { username: 'a@example.org', password: 'x' }, { key: null }),
    await server.post('/signup-email', { email: 'a@example.org', password: 'x' }, { key: null }),
  ]
  for (const answer of answers)
    expect([answer.status, answer.headers.get(errorCodeHeader)]).toEqual([403, 'PASSWORD_SIGN_IN_OFF'])
})

test('requests to the provider are in the audit, and neither codes nor secrets are in the log', async () => {
  await signIn()
  await expect
    .poll(async () => {
      const { rows } = await server.running.app.store.pool.query(
        'SELECT DISTINCT method, host FROM outgoing_requests ORDER BY method',
      )
      return rows
    })
    .toEqual(['GET', 'POST'].map((method) => ({ method, host: new URL(provider.issuer).host })))
  expect(server.logText()).not.toContain(provider.clientSecret)
  expect(server.logText()).not.toContain('ada@example.org')
})

test('an unreachable provider and a refusing one give different errors', async () => {
  const away = await startTestServer({ ...settings, port: '0', 'oidc-issuer': 'http://127.0.0.1:1' })
  const answer = await fetch(`${away.baseUrl}/auth/oidc`, { redirect: 'manual' })
  expect(answer.headers.get('location')).toBe('/?signIn=OIDC_UNREACHABLE')
  await away.close()
})
