import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { collectionOf, RUN_ORDER, resultsOfRun } from '../use-vigil.ts'

/** Whose requests are recorded first or last changes no verdict: each sample has an owner. */

let server: TestServer
const targets: Server[] = []

test.beforeAll(async ({ shared }) => {
  server = shared
  await vigilOf(server).call('addAuthMechanism', {
    type: 'HARDCODED',
    requestData: [],
    uuid: '',
    authParamData: [{ where: 'HEADER', key: 'Authorization', value: `Bearer ${TODAY}`, showHeader: true }],
  })
})
afterAll(async () => {
  for (const target of targets) {
    target.closeAllConnections()
    await new Promise((resolve) => target.close(resolve))
  }
})

const PEOPLE = ['ann', 'bob', 'root'] as const
type Person = (typeof PEOPLE)[number]
const ORDERS: Readonly<Record<Person, readonly number[]>> = {
  ann: [4101, 4102, 4103, 4104],
  bob: [5201, 5202, 5203, 5204],
  root: [6301, 6302, 6303, 6304],
}
const TEST = 'BOLA_READ'
/** A session of bob that nobody recorded: only the shops know whose it is. */
const TODAY = 'b0b-of-today'

/** A shop with sign-in by opaque tokens. */
class Shop {
  readonly isSound: boolean
  readonly tokens = new Map<string, Person>([[TODAY, 'bob']])
  /** Credentials of another kind, for what people sell. */
  readonly sellers = new Map<string, Person>()
  /** People whom the shop refuses at single orders. */
  readonly barred = new Set<Person>()
  readonly messages: object[] = []
  host = ''

  constructor(isSound: boolean) {
    this.isSound = isSound
  }

  async start(): Promise<void> {
    const target = createServer((request, response) => this.#answer(request, response))
    targets.push(target)
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    this.host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const [status, body] = this.#answerTo(request, text)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }

  #answerTo({ method = '', url = '', headers }: IncomingMessage, text: string): [number, unknown] {
    const { authorization } = headers
    const apiKey = headers['x-api-key'] as string | undefined
    if (method === 'POST' && url === '/api/login') {
      const { email } = JSON.parse(text) as { email: string }
      const token = `t-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`
      this.tokens.set(token, email.split('@')[0] as Person)
      return [200, { token }]
    }
    if (method === 'POST' && url === '/api/sellers/login') {
      const { email } = JSON.parse(text) as { email: string }
      const key = `key-${Math.random().toString(36).slice(2)}-${this.sellers.size}`
      const token = `Bearer ${tokenOf({ seller: email })}`
      this.sellers.set(key, email.split('-')[0] as Person).set(token, email.split('-')[0] as Person)
      return [200, { key, token: token.slice(7) }]
    }
    const sale = Number(/^\/api\/sales\/(\d+)$/.exec(url)?.[1])
    if (sale > 0) {
      const seller = this.sellers.get(apiKey ?? authorization ?? '')
      if (seller === undefined) return [401, { error: 'not a seller' }]
      const isOwn = ORDERS[seller].includes(sale)
      return this.isSound && !isOwn ? [404, { error: 'not found' }] : [200, orderOf(sale)]
    }
    const person = this.tokens.get(authorization?.replace('Bearer ', '') ?? '')
    if (person === undefined) return [401, { error: 'sign in' }]
    if (url === '/api/me') return [200, { id: PEOPLE.indexOf(person) + 1, email: `${person}@shop.example` }]
    if (url === '/api/orders') return [200, { orders: ORDERS[person].map((id) => orderOf(id)) }]
    const id = Number(/^\/api\/orders\/(\d+)$/.exec(url)?.[1])
    const owner = PEOPLE.find((one) => ORDERS[one].includes(id))
    if (owner === undefined) return [404, { error: 'not found' }]
    if (this.barred.has(person)) return [403, { error: 'orders are not for you' }]
    return this.isSound && owner !== person ? [404, { error: 'not found' }] : [200, orderOf(id)]
  }

  async #call(
    method: string,
    path: string,
    credential: string | null | Readonly<Record<string, string>>,
    body?: object,
  ): Promise<unknown> {
    const headers = {
      host: this.host,
      'content-type': 'application/json',
      ...(typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : credential),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const answer = await fetch(`http://${this.host}${path}`, { method, headers, body: text })
    const responsePayload = await answer.text()
    this.messages.push({
      method,
      path,
      requestHeaders: headers,
      requestPayload: text ?? '',
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: answer.status,
      responsePayload,
      ip: '203.0.113.9',
      time: 1_795_000_000 + this.messages.length,
      source: 'MIRRORING',
    })
    return JSON.parse(responsePayload)
  }

  async signIn(person: Person): Promise<string> {
    const email = `${person}@shop.example`
    const body = { email, password: `${person}-Passw0rd` }
    return ((await this.#call('POST', '/api/login', null, body)) as { token: string }).token
  }

  /** Lets a person use the shop while it is recorded. */
  async day(person: Person): Promise<string> {
    const token = await this.signIn(person)
    await this.#call('GET', '/api/me', token)
    await this.#call('GET', '/api/orders', token)
    for (const id of ORDERS[person]) await this.#call('GET', `/api/orders/${id}`, token)
    return token
  }

  /** Lets a person look at what was sold, with a key or a token that only sellers have. */
  async sell(person: Person, kind: 'key' | 'token'): Promise<void> {
    const body = { email: `${person}-sells@shop.example`, password: `${person}-Sells-1` }
    const given = (await this.#call('POST', '/api/sellers/login', null, body)) as Record<
      'key' | 'token',
      string
    >
    const credential = kind === 'key' ? { 'x-api-key': given.key } : given.token
    for (const id of ORDERS[person]) await this.#call('GET', `/api/sales/${id}`, credential)
  }
}

function tokenOf(claims: object): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part(claims)}.c2lnbmF0dXJl`
}

function orderOf(id: number): object {
  return { id, total: id * 3, address: `Elm Street ${id % 100}`, lines: [{ name: 'kettle', count: id % 7 }] }
}

interface Verdict {
  readonly vulnerable: boolean
  readonly errors: readonly string[]
}

/** Records people in an order, and attacks as bob; @returns the verdict. */
async function verdictOn(
  shop: Shop,
  order: readonly Person[],
  after?: (tokens: Map<Person, string>) => void,
) {
  await shop.start()
  const tokens = new Map<Person, string>()
  for (const person of order) tokens.set(person, await shop.day(person))
  after?.(tokens)
  await vigilOf(server).call('ingestData', { batchData: shop.messages })
  return run(await collectionOf(vigilOf(server), shop.host))
}

async function run(
  apiCollectionId: number,
  testId = TEST,
  url = '/api/orders/INTEGER',
): Promise<Verdict | undefined> {
  const testingRunResults = await resultsOfRun(vigilOf(server), {
    ...RUN_ORDER,
    testName: 'order',
    apiCollectionId,
    selectedTests: [testId],
  })
  const found = testingRunResults.find(({ apiInfoKey }) => apiInfoKey.url === url)
  return found && { vulnerable: found.vulnerable, errors: found.testResults.flatMap(({ errors }) => errors) }
}

const EVERY_ORDER: Person[][] = PEOPLE.flatMap((first) =>
  PEOPLE.filter((one) => one !== first).map((second) => [
    first,
    second,
    PEOPLE.find((one) => one !== first && one !== second)!,
  ]),
)

test.concurrent.each(EVERY_ORDER)(
  'orders open to other users are found, recorded %s, %s, %s',
  async (...order) => {
    expect(await verdictOn(new Shop(false), order)).toEqual({ vulnerable: true, errors: [] })
  },
)

test.concurrent.each(EVERY_ORDER)('guarded orders pass, recorded %s, %s, %s', async (...order) => {
  expect(await verdictOn(new Shop(true), order)).toEqual({ vulnerable: false, errors: [] })
})

test('a victim whose session ended is replaced by another one', async () => {
  const shop = new Shop(false)
  const verdict = await verdictOn(shop, ['bob', 'root', 'ann'], (tokens) => {
    shop.tokens.delete(tokens.get('ann')!)
  })
  expect(verdict).toEqual({ vulnerable: true, errors: [] })
})

test('an attacker who may not use the function at all proves nothing about objects', async () => {
  const shop = new Shop(true)
  const verdict = await verdictOn(shop, ['bob', 'root', 'ann'], () => shop.barred.add('bob'))
  expect(verdict?.vulnerable).toBe(false)
  expect(verdict?.errors.join(' ')).toContain('not shown to be able to use the endpoint')
})

test('where only the attacker was recorded, nothing is attacked', async () => {
  const verdict = await verdictOn(new Shop(false), ['bob'])
  expect(verdict?.vulnerable).toBe(false)
  expect(verdict?.errors.join(' ')).toContain('made no request')
})

test.concurrent.each<['key' | 'token', Person, Person]>([
  ['key', 'ann', 'bob'],
  ['key', 'bob', 'ann'],
  ['token', 'ann', 'bob'],
  ['token', 'bob', 'ann'],
])(
  'sales that only a seller’s %s opens are tested as another seller, recorded %s, %s',
  async (kind, ...order) => {
    for (const isSound of [false, true]) {
      const shop = new Shop(isSound)
      await shop.start()
      for (const person of order) {
        await shop.day(person)
        await shop.sell(person, kind)
      }
      await vigilOf(server).call('ingestData', { batchData: shop.messages })
      const collectionId = await collectionOf(vigilOf(server), shop.host)
      expect(await run(collectionId, TEST, '/api/sales/INTEGER')).toEqual({
        vulnerable: !isSound,
        errors: [],
      })
    }
  },
)

test('another person with credentials of the attacker’s own kind does not act in its place', async () => {
  const shop = new Shop(true)
  const verdict = await verdictOn(shop, ['root', 'ann'], () => shop.barred.add('bob'))
  expect(verdict?.vulnerable).toBe(false)
  expect(verdict?.errors.join(' ')).toContain('not shown to be able to use the endpoint')
})

test.concurrent.each([0, 2, 3])(
  'a card number that one of four answers shows is found, recorded at place %s',
  async (place) => {
    const shop = new Shop(true)
    await shop.start()
    await shop.signIn('ann')
    const [sample] = shop.messages.splice(0) as Record<string, unknown>[]
    for (const at of [0, 1, 2, 3]) {
      const profile = {
        id: 70 + at,
        nickname: `n${at}`,
        ...(at === place ? { pan: '4111111111111111' } : {}),
      }
      shop.messages.push({
        ...sample,
        method: 'GET',
        path: `/api/profiles/${70 + at}`,
        requestHeaders: { host: shop.host, authorization: 'Bearer recorded-token-of-ann' },
        requestPayload: '',
        responsePayload: JSON.stringify(profile),
        time: 1_795_000_100 + at,
      })
    }
    await vigilOf(server).call('ingestData', { batchData: shop.messages })
    const collectionId = await collectionOf(vigilOf(server), shop.host)
    const verdict = await run(collectionId, 'CARD_NUMBER_IN_RESPONSE', '/api/profiles/INTEGER')
    expect(verdict?.vulnerable).toBe(true)
  },
)
