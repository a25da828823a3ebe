import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonSources } from '../install.ts'
import { operationsOf } from '../operations.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Place, Running, Target, Visit, Weakness } from '../target.ts'

const COMMIT = 'e2a6473'

const READ = ['BOLA_READ', 'BOLA_READ_QUERY', 'MISSING_AUTHENTICATION']
const WRITE = [
  'BOLA_CREATE',
  'BOLA_UPDATE',
  'BOLA_DELETE',
  'MISSING_AUTHENTICATION',
  'MISSING_AUTHENTICATION_OUTLIER',
]
const FUNCTION = [
  'BFLA_ADMIN_*',
  'BFLA_ROLE_MATRIX',
  'MISSING_AUTHENTICATION',
  'MISSING_AUTHENTICATION_OUTLIER',
]
const MASS = ['MASS_ASSIGNMENT_ADMIN_FLAG', 'MASS_ASSIGNMENT_*ROLE', 'MASS_ASSIGNMENT_STATUS']

/**
 * vulnerabilities_tracking.md of version 1.2.2, by its numbers; 4.1 shows in the sources only, and 5.1 is no injection while
 * the data are in memory.
 */
const WEAKNESSES: readonly Weakness[] = [
  { name: '1.1 profile of another user', at: 'GET /api/users/{id}', tests: READ },
  { name: '1.2 profile of another user changed', at: 'PUT /api/users/{id}', tests: WRITE },
  { name: '1.3 addresses of another user', at: 'GET /api/users/{id}/addresses', tests: READ },
  { name: '1.4 address for another user', at: 'POST /api/users/{id}/addresses', tests: WRITE },
  { name: '1.5 address of another user changed', at: 'PUT /api/users/{id}/addresses/{id}', tests: WRITE },
  { name: '1.6 address of another user deleted', at: 'DELETE /api/users/{id}/addresses/{id}', tests: WRITE },
  { name: '1.7 cards of another user', at: 'GET /api/users/{id}/credit-cards', tests: READ },
  { name: '1.8 card for another user', at: 'POST /api/users/{id}/credit-cards', tests: WRITE },
  { name: '1.9 card of another user changed', at: 'PUT /api/users/{id}/credit-cards/{id}', tests: WRITE },
  { name: '1.10 card of another user deleted', at: 'DELETE /api/users/{id}/credit-cards/{id}', tests: WRITE },
  { name: '1.11 orders of another user', at: 'GET /api/users/{id}/orders', tests: READ },
  { name: '1.12 order of another user', at: 'GET /api/users/{id}/orders/{id}', tests: READ },
  { name: '1.13 order for another user', at: 'POST /api/users/{id}/orders', tests: WRITE },
  {
    name: "1.14, 1.15 order to another user's address and card",
    at: 'POST /api/users/{id}/orders',
    // The attacker's request carries the identifiers of both.
    tests: ['BOLA_CREATE', 'BOLA_READ_QUERY', 'BOLA_READ_BODY'],
  },
  { name: '2.1 is_admin in the query', at: 'PUT /api/users/{id}', tests: MASS },
  { name: '2.2 internal_status in the query', at: 'PUT /api/products/{id}', tests: [...MASS, ...FUNCTION] },
  { name: '3.1 product made by a member', at: 'POST /api/products', tests: FUNCTION },
  { name: '3.2 product deleted by a member', at: 'DELETE /api/products/{id}', tests: FUNCTION },
  { name: '3.3 stock changed by a member', at: 'PUT /api/products/{id}/stock', tests: FUNCTION },
  { name: '3.4 user deleted by a member', at: 'DELETE /api/users/{id}', tests: [...FUNCTION, ...WRITE] },
  { name: '3.5 users listed by a member', at: 'GET /api/users', tests: FUNCTION },
  { name: 'coupon made by a member', at: 'POST /api/admin/coupons', tests: FUNCTION },
]

/** Radware's vulnerable shop, which keeps everything in memory: its SQLite mode refuses new accounts. */
export const rva: Target = {
  name: 'rva',
  sound: false,
  make: 'Python, FastAPI, REST by query',
  source: `github.com/Radware/radware-vulnerable-api-application ${COMMIT}`,
  start,
  prepare,
  routes: async (origin) => operationsOf(await (await fetch(`${origin}/openapi.json`)).json()),
  volatile: [],
  state,
  weaknesses: WEAKNESSES,
  judged: [
    {
      test: 'LOGIN_BRUTE_FORCE',
      at: 'POST /api/auth/login',
      verdict: 'true',
      why: 'Nothing in its sources counts attempts.',
    },
    {
      test: 'BOLA_READ',
      at: 'GET /api/users/*',
      verdict: 'true',
      why: 'user_profile_router.py and order_router.py compare no caller with the user of the path.',
    },
    {
      test: 'CORS_*',
      at: '*',
      verdict: 'true',
      why: 'main.py allows every origin, with credentials.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'CREDENTIAL_IN_URL',
      at: 'POST /api/*',
      verdict: 'true',
      why: 'Sign-in and sign-up take the password in the query.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /api/users',
      verdict: 'debatable',
      why: 'The function of administrators to create users asks for nobody, and so does the sign-up beside it.',
    },
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'GET /api/users/{}/credit-cards/{}',
      verdict: 'true',
      why: 'The card of anybody, without credentials.',
    },
  ],
}

// Its requirements.txt names few versions, and asks for more than its backend needs.
const NEEDS = [
  'fastapi==0.165.0',
  'uvicorn[standard]==0.54.0',
  'passlib[bcrypt]==1.7.4',
  'bcrypt==4.0.1',
  'python-jose[cryptography]==3.5.0',
  'email-validator==2.4.0',
  'requests==2.34.2',
  'httpx==0.28.1',
  'python-json-logger==4.2.0',
  'python-multipart==0.0.34',
  'SQLAlchemy==2.1.9',
  'PyYAML==6.0.3',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(
    programs,
    `rva-${COMMIT}`,
    { repository: 'https://github.com/Radware/radware-vulnerable-api-application', commit: COMMIT },
    NEEDS,
  )
  const folder = join(data, 'rva')
  cpSync(sources, folder, { recursive: true })
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'uvicorn'),
    args: ['app.main:app', '--host', '127.0.0.1', '--port', String(port)],
    folder,
    env: { DB_MODE: 'memory' },
    log: join(data, 'log'),
    ready: `${origin}/openapi.json`,
  })
  return { origin, database: { snapshot: () => state(origin) }, stop: program.stop }
}

async function prepare(origin: string): Promise<Visit> {
  const admin = await signIn(origin, 'admin', 'AdminPass123!')
  const send = async (method: string, path: string, headers = {}) =>
    jsonOf<Record<string, string>>(await answer(await fetch(origin + path, { method, headers })))
  const suffix = Date.now().toString(36)
  for (const name of ['olga', 'otto'])
    await send(
      'POST',
      `/api/auth/register?username=${name}${suffix}&email=${name}${suffix}@shop.example.com&password=${name}-Passw0rd-1`,
    )
  const product = await send('POST', '/api/products?name=Lamp&price=20&category=Home&description=Warm', admin)
  await send('PUT', `/api/products/${product['product_id']}/stock?quantity=1000`, admin)
  return async (client, person) => {
    if (person === 'administrator')
      return manage(client, await signedIn(client, 'admin', 'AdminPass123!'), suffix)
    const name = person === 'owner' ? 'olga' : 'otto'
    return shop(
      client,
      await signedIn(client, `${name}${suffix}`, `${name}-Passw0rd-1`),
      product['product_id']!,
    )
  }
}

type Item = Readonly<Record<string, unknown>>

/** What its administrator can read: it has no database to look into. */
async function state(origin: string): Promise<Snapshot> {
  const admin = await signIn(origin, 'admin', 'AdminPass123!')
  const list = (path: string) => ask<Item[]>('GET', `${origin}/api${path}`, admin)
  const users = await list('/users')
  const tables = new Map<string, Map<string, Item>>()
  const keep = (table: string, key: string, items: readonly Item[]): void => {
    const rows = tables.get(table) ?? new Map<string, Item>()
    tables.set(table, rows)
    for (const item of items) rows.set(String(item[key]), item)
  }
  keep('users', 'user_id', users)
  keep('products', 'product_id', await list('/products/with-stock'))
  for (const { user_id: id } of users) {
    keep('addresses', 'address_id', await list(`/users/${id}/addresses`))
    keep('cards', 'card_id', await list(`/users/${id}/credit-cards`))
    keep('orders', 'order_id', await list(`/users/${id}/orders`))
  }
  return tables
}

async function answer(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() }
}

async function signIn(origin: string, username: string, password: string): Promise<Record<string, string>> {
  const path = `/api/auth/login?username=${username}&password=${encodeURIComponent(password)}`
  const { access_token: token } = jsonOf<{ access_token: string }>(
    await answer(await fetch(origin + path, { method: 'POST' })),
  )
  return { authorization: `Bearer ${token}` }
}

/** @returns the identifier of the user */
async function signedIn(client: RecordingClient, username: string, password: string): Promise<string> {
  const path = `/api/auth/login?username=${username}&password=${encodeURIComponent(password)}`
  const { access_token: token } = jsonOf<{ access_token: string }>(await client.call('POST', path))
  client.headers = { authorization: `Bearer ${token}` }
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { user_id: string }
  return claims.user_id
}

async function shop(client: RecordingClient, id: string, product: string): Promise<void> {
  const own = `/api/users/${id}`
  await client.call('GET', own)
  await client.call('PUT', `${own}?email=${client.messages.length}.${id.slice(0, 8)}@shop.example.com`)
  await client.call('GET', '/api/products')
  await client.call('GET', '/api/products/search?name=lap')
  await client.call('GET', `/api/products/${product}`)
  await client.call('GET', `/api/products/${product}/with-stock`)
  await client.call('GET', `/api/products/${product}/stock`)
  const address = jsonOf<{ address_id: string }>(
    await client.call('POST', `${own}/addresses?street=Long+Lane+1&city=Oslo&country=Norway&zip_code=0150`),
  ).address_id
  const spare = jsonOf<{ address_id: string }>(
    await client.call('POST', `${own}/addresses?street=Short+Lane+2&city=Oslo&country=Norway&zip_code=0151`),
  ).address_id
  await client.call('GET', `${own}/addresses`)
  await client.call('GET', `${own}/addresses/search-legacy?q=Lane`)
  await client.call('PUT', `${own}/addresses/${address}?street=Long+Lane+3`)
  await client.call('DELETE', `${own}/addresses/${spare}`)
  const card = jsonOf<{ card_id: string }>(
    await client.call(
      'POST',
      `${own}/credit-cards?cardholder_name=Some+One&card_number=4111111111111111&expiry_month=05&expiry_year=2030&cvv=123`,
    ),
  ).card_id
  const second = jsonOf<{ card_id: string }>(
    await client.call(
      'POST',
      `${own}/credit-cards?cardholder_name=Some+One&card_number=5555555555554444&expiry_month=06&expiry_year=2031&cvv=456`,
    ),
  ).card_id
  await client.call('GET', `${own}/credit-cards`)
  await client.call('GET', `${own}/credit-cards/${card}`)
  await client.call('PUT', `${own}/credit-cards/${card}?cardholder_name=Some+Body`)
  await client.call('DELETE', `${own}/credit-cards/${second}`)
  const order = jsonOf<{ order_id: string }>(
    await client.call(
      'POST',
      `${own}/orders?address_id=${address}&credit_card_id=${card}&product_id_1=${product}&quantity_1=1`,
    ),
  ).order_id
  await client.call('GET', `${own}/orders`)
  await client.call('GET', `${own}/orders/${order}`)
  await client.call('GET', `${own}/orders/${order}/status-legacy`)
  await client.call('GET', '/api/coupons/TESTCODE')
  await client.call('POST', `${own}/orders/${order}/apply-coupon?coupon_code=TESTCODE`)
}

async function manage(client: RecordingClient, id: string, suffix: string): Promise<void> {
  await client.call('GET', `/api/users/${id}`)
  await client.call('GET', '/api/users')
  const made = jsonOf<{ product_id: string }>(
    await client.call('POST', '/api/products?name=Chair&price=30&category=Home&description=Oak'),
  ).product_id
  await client.call('PUT', `/api/products/${made}?price=31`)
  await client.call('PUT', `/api/products/${made}/stock?quantity=50`)
  await client.call('DELETE', `/api/products/${made}`)
  const user = jsonOf<{ user_id: string }>(
    await client.call(
      'POST',
      `/api/users?username=leaver${suffix}&email=leaver${suffix}@shop.example.com&password=Leaver-Passw0rd-1`,
    ),
  ).user_id
  await client.call('DELETE', `/api/users/${user}`)
  const coupon = `WEEK${suffix.toUpperCase()}`
  await client.call('POST', `/api/admin/coupons?code=${coupon}&discount_type=percentage&discount_value=5`)
  await client.call('DELETE', `/api/admin/coupons/${coupon}`)
}
