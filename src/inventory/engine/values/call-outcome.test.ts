import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../../test/store-fixture.ts'
import type { Store } from '../../../store/index.ts'
import { InventoryEngine } from '../engine.ts'
import { outcomeOf } from './call-outcome.ts'

let store: Store
let closeStore: () => Promise<void>
let engine: InventoryEngine

beforeEach(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
  engine = await InventoryEngine.open(store)
})
afterEach(async () => {
  await engine.close()
  await closeStore()
})

test('a redirect to a place for signing in is not a success, any other is one', () => {
  for (const location of [
    '/login',
    '/login?next=/orders',
    'https://shop.test/users/sign_in',
    '//sso.shop.test/auth/realms/shop/protocol/openid-connect/auth?client_id=a',
    '/account/log-on/',
    '/sessions/new',
    'https://login.shop.test/oauth2/v2.0/authorize',
    'login.php',
  ]) {
    expect([location, outcomeOf(302, location)]).toEqual([location, 'other'])
  }
  for (const location of [
    '',
    '/',
    '/orders/77',
    '/blog/design',
    '/authors/3',
    '/catalogin',
    '/casino',
    '/q?next=/login',
  ])
    expect([location, outcomeOf(303, location)]).toEqual([location, '2xx'])
  expect(outcomeOf(304, '/login')).toBe('2xx')
  expect([outcomeOf(200, ''), outcomeOf(101, ''), outcomeOf(401, ''), outcomeOf(500, '')]).toEqual([
    '2xx',
    '2xx',
    '401',
    'other',
  ])
})

function sample(path: string, at: number, given: { cookie?: string; location?: string }): object {
  const { cookie, location } = given
  return {
    method: 'GET',
    path,
    requestHeaders: JSON.stringify({ host: 'shop.example', ...(cookie ? { cookie } : {}) }),
    responseHeaders: JSON.stringify(location ? { location } : { 'content-type': 'application/json' }),
    responsePayload: location ? '' : '{"id":1}',
    statusCode: location ? '302' : '200',
    ip: `203.0.113.${at % 20}`,
    time: String(1_795_000_000 + at),
    source: 'MIRRORING',
  }
}

test('an endpoint that sends strangers to the login is not open to them', async () => {
  const batchData = Array.from({ length: 24 }, (_, at) => [
    sample(
      '/orders',
      at,
      at % 2 === 0 ? { cookie: 'sessionid=x7k9q2m4n8p1r5s3' } : { location: '/login?next=/orders' },
    ),
    sample('/short', at, { location: '/orders/77' }),
  ]).flat()
  await engine.ingest(new TextEncoder().encode(JSON.stringify({ batchData })), { byHost: true }, 'OTHER')
  await engine.flush()
  const { rows } = await store.pool.query('SELECT url, actual_auth_types AS auth FROM endpoints ORDER BY url')
  expect(rows).toEqual([
    { url: '/orders', auth: ['SESSION_TOKEN'] },
    { url: '/short', auth: ['UNAUTHENTICATED'] },
  ])
})

function logged(path: string, source: string, at: number, credentials: Record<string, string> = {}): object {
  return {
    method: 'GET',
    path,
    requestHeaders: JSON.stringify({ host: 'shop.example', ...credentials }),
    responseHeaders: '{}',
    responsePayload: '',
    statusCode: '200',
    ip: `203.0.113.${at % 20}`,
    time: String(1_795_000_000 + at),
    source,
  }
}

test('entries of an access log without credentials do not make an endpoint open', async () => {
  const bearer = { authorization: 'Bearer [redacted]' }
  const batchData = Array.from({ length: 24 }, (_, at) => [
    logged('/orders', 'MIRRORING', at, at < 4 ? bearer : { cookie: 'sessionid=x7k9q2m4n8p1r5s3' }),
    ...[1, 2, 3].map((again) => logged('/orders', 'ACCESS_LOG', at + 100 * again)),
    logged('/logged', 'ACCESS_LOG', at),
    logged('/scheme', 'ACCESS_LOG', at, at % 2 === 0 ? bearer : {}),
    logged('/public', 'MIRRORING', at),
  ]).flat()
  await engine.ingest(new TextEncoder().encode(JSON.stringify({ batchData })), { byHost: true }, 'OTHER')
  await engine.flush()
  const { rows } = await store.pool.query(
    `SELECT url, actual_auth_types AS auth, auth_combinations AS seen, call_count AS calls,
       sources ? 'ACCESS_LOG' AS "isLogged"
     FROM endpoints ORDER BY url`,
  )
  expect(rows).toEqual([
    { url: '/logged', auth: [], seen: [], calls: 24, isLogged: true },
    {
      url: '/orders',
      auth: ['BEARER', 'SESSION_TOKEN'],
      seen: [['BEARER'], ['SESSION_TOKEN']],
      calls: 96,
      isLogged: true,
    },
    { url: '/public', auth: ['UNAUTHENTICATED'], seen: [['UNAUTHENTICATED']], calls: 24, isLogged: false },
    { url: '/scheme', auth: ['BEARER'], seen: [['BEARER']], calls: 24, isLogged: true },
  ])
})
