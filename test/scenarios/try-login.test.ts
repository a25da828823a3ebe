import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { until } from '../until.ts'
import { collectionOf } from '../use-vigil.ts'
import { ask } from './ask.ts'

/** A login of a role is tried: its steps, the session, and what the session reaches. */

const PASSWORD = 'parrots-and-copper'
const TOKEN = 'token-5c1d09af77e2'
const OPAQUE = '9f31c7aa04be5512d0'
const REFRESH = 'rt.77ab01ce9d3344'
const HEADER_TOKEN = 'hdr-40f1b2c99e'
/** GET requests that do more than read. */
const WRITING = ['/archive', '/basket?_method=DELETE', '/items/7/delete', '/logout']
let server: TestServer
let admin: TestPerson
let target: Server
let host: string
let shop: number
const seen: string[] = []
/** The target answers logins after it. */
let answerLogin = Promise.resolve()

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  target = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', async () => {
      if (request.url?.startsWith('/talkative')) {
        const status = Number(request.url.split('/')[2])
        response.writeHead(status, { 'content-type': 'application/json', 'x-session': HEADER_TOKEN })
        const said = { message: `unknown user or password: ${body}`, refresh_token: REFRESH }
        response.end(JSON.stringify(status === 200 ? { data: { access: OPAQUE }, ...said } : said))
        return
      }
      const isLogin = request.url === '/login'
      if (isLogin) await answerLogin
      const isGood = isLogin ? body.includes(PASSWORD) : request.headers.authorization === `Bearer ${TOKEN}`
      response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isGood ? (isLogin ? { token: TOKEN } : { ok: true }) : { error: 'no' }))
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  await ask(server, 'ingestData', {
    batchData: ['/orders', '/me', ...WRITING].map((path) => ({
      method: 'GET',
      path,
      requestHeaders: {
        host,
        authorization: 'Bearer somebody-else-1',
        ...(path === '/archive' ? { 'x-http-method-override': 'DELETE' } : {}),
      },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    })),
  })
  shop = await collectionOf(vigilOf(server), host)
  await ask(admin, 'addTestRoles', { roleName: 'MEMBER', andConditions: null, orConditions: null })
  await giveLogin(PASSWORD)
})
afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
  await server.close()
})

async function giveLogin(
  password: string,
  { path = '/login', value = 'Bearer ${x1.response.body.token}' } = {},
): Promise<void> {
  await ask(admin, 'addAuthToRole', {
    roleName: 'MEMBER',
    apiCond: {},
    authParamData: [{ where: 'HEADER', key: 'Authorization', value, showHeader: true }],
    authAutomationType: 'LOGIN_REQUEST',
    reqData: [
      {
        type: 'LOGIN_FORM',
        url: `http://${host}${path}`,
        method: 'POST',
        queryParams: '',
        headers: '{"content-type":"application/json"}',
        body: JSON.stringify({ user: 'ann', password }),
      },
    ],
    recordedLoginFlowInput: null,
    urlRegex: null,
  })
}

test('a login that works shows its steps, a masked session, and what it reaches', async () => {
  const tried = await ask(admin, 'tryTestLogin', { roleName: 'MEMBER', index: 0, apiCollectionId: shop })
  expect(tried).toMatchObject({ signedIn: true, reason: null })
  expect(tried.steps).toEqual([
    expect.objectContaining({ method: 'POST', url: `http://${host}/login`, status: 200, failure: null }),
  ])
  expect(tried.session).toEqual([
    { where: 'HEADER', key: 'Authorization', value: expect.not.stringContaining(TOKEN) },
  ])
  expect(JSON.stringify(tried)).not.toContain(TOKEN)
  expect(JSON.stringify(tried)).not.toContain(PASSWORD)
  expect(tried.reached.map(({ status, anonymousStatus }) => [status, anonymousStatus])).toEqual([
    [200, 401],
    [200, 401],
  ])
})

test('requests that write or end the session are not sent, though their method is GET', async () => {
  seen.length = 0
  await ask(admin, 'tryTestLogin', { roleName: 'MEMBER', index: 0, apiCollectionId: shop })
  expect(new Set(seen)).toEqual(new Set(['POST /login', 'GET /orders', 'GET /me']))
})

test('logins are tried one after the other, and more than a few waiting ones are refused', async () => {
  const held = Promise.withResolvers<void>()
  answerLogin = held.promise
  seen.length = 0
  const calls = Array.from({ length: 8 }, () => admin.call('tryTestLogin', { roleName: 'MEMBER', index: 0 }))
  const early = calls.map((call) => call.then(({ status }) => status))
  let refused = 0
  for (const call of early) void call.then(() => refused++)
  await until('some are refused', () => refused === 3)
  await until('the first one signs in', () => seen.length > 0)
  expect(seen).toEqual(['POST /login'])
  held.resolve()
  expect((await Promise.all(early)).toSorted()).toEqual([200, 200, 200, 200, 200, 503, 503, 503])
})

test('a login that fails says at which step, and asks nothing else', async () => {
  await giveLogin('wrong')
  seen.length = 0
  const tried = await ask(admin, 'tryTestLogin', { roleName: 'MEMBER', index: 0, apiCollectionId: shop })
  expect(tried).toMatchObject({ signedIn: false, session: [], reached: [] })
  expect(tried.reason).toMatch(/could not sign in: step .* was answered with 401/)
  expect(seen).toEqual(['POST /login'])
})

test.each([200, 403])(
  'an answer with status %i shows no secret that it carries or repeats',
  async (status) => {
    await giveLogin(PASSWORD, { path: `/talkative/${status}`, value: '${x1.response.body.absent}' })
    const tried = await ask(admin, 'tryTestLogin', { roleName: 'MEMBER', index: 0, apiCollectionId: shop })
    expect(tried.signedIn).toBe(false)
    const [step] = tried.steps
    expect(step?.answer).toContain('unknown user or password')
    expect(step?.answer).toContain('refresh_token')
    for (const secret of [PASSWORD, OPAQUE, REFRESH, HEADER_TOKEN])
      expect(JSON.stringify(tried)).not.toContain(secret)
    if (status === 200) expect(tried.reason).toContain('x1.response.body.absent')
  },
)

test('a short session value is masked, too', async () => {
  await giveLogin(PASSWORD, { value: 'k7Q' })
  const tried = await ask(admin, 'tryTestLogin', { roleName: 'MEMBER', index: 0, apiCollectionId: shop })
  expect(tried).toMatchObject({ signedIn: true, session: [{ value: expect.not.stringContaining('k7Q') }] })
})

test('an unknown credential, and a role of other people, are refused', async () => {
  expect((await admin.call('tryTestLogin', { roleName: 'MEMBER', index: 9 })).status).toBe(422)
  const narrow = await joinPerson(server, admin, 'narrow@example.org', 'MEMBER')
  const { users } = await ask(admin, 'getTeamData', {})
  const { id } = users.find(({ login }) => login === narrow.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [String(id)]: [shop] } })
  seen.length = 0
  expect((await narrow.call('tryTestLogin', { roleName: 'MEMBER', index: 0 })).status).not.toBe(200)
  expect(seen).toEqual([])
})
