import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { collectionOf, resultsOfRun, wholeCollection } from '../use-vigil.ts'

/**
 * Fields that only the application may set: tried by the names and values that it uses itself, wherever a request carries
 * its fields, proven by a later read, and left alone where users set them.
 */

const TESTS = [
  'MASS_ASSIGNMENT_ADMIN_FLAG',
  'MASS_ASSIGNMENT_ROLE',
  'MASS_ASSIGNMENT_NESTED_ROLE',
  'MASS_ASSIGNMENT_STATUS',
  'PRICE_MANIPULATION',
  'PAST_DATE_ACCEPTED',
]

type Item = Record<string, unknown>

let server: TestServer
const targets: Server[] = []

test.beforeAll(async ({ shared }) => {
  server = shared
})
afterAll(async () => {
  for (const target of targets) {
    target.closeAllConnections()
    await new Promise((resolve) => target.close(resolve))
  }
})

/** A shop whose users have a role, and who may keep notes of any shape. */
class Shop {
  readonly isSound: boolean
  readonly messages: object[] = []
  readonly users = new Map<string, Item>()
  readonly notes = new Map<string, Item>()
  readonly articles = new Map<string, Item>()
  /** Nobody can read or restore them. */
  readonly cards = new Map<string, Item>()
  #next = 50
  host = ''

  constructor(isSound: boolean) {
    this.isSound = isSound
    for (const [id, role] of [
      ['11', 'Customer'],
      ['12', 'Employee'],
      ['13', 'Chef'],
    ] as const)
      this.users.set(id, { id, email: `user${id}@shop.com`, role, is_admin: false })
    for (const id of ['21', '22', '23']) this.notes.set(id, { id, data: { title: `note ${id}` } })
    for (const id of ['31', '32', '33'])
      this.articles.set(id, { id, title: `article ${id}`, status: 'draft', price: 7 })
    for (const id of ['61', '62', '63']) this.cards.set(id, { id, card_limit: 500, current_balance: 40 })
  }

  async start(): Promise<void> {
    const target = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      request.on('end', () => {
        const [status, body] = this.#answerTo(request.method!, request.url!, text)
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    targets.push(target)
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    this.host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  }

  state(): string {
    return JSON.stringify([this.users, this.notes, this.articles].map((map) => [...map]))
  }

  #answerTo(method: string, target: string, text: string): [number, unknown] {
    const { pathname, searchParams } = new URL(target, 'http://shop.com')
    const [, kind = '', id = ''] = pathname.split('/')
    let body: Item = {}
    try {
      body = JSON.parse(text === '' ? '{}' : text) as Item
    } catch {
      return [400, { error: 'not JSON' }]
    }
    if (kind === 'users') return this.#user(method, id, searchParams)
    if (kind === 'profile') return this.#profile(method, body)
    if (kind === 'notes') return this.#note(method, id, body)
    if (kind === 'articles') return this.#article(method, id, body)
    if (kind === 'products') return [200, { id: Number(id), name: 'Lamp', price: Number(id) * 3 }]
    if (kind === 'cards' && method === 'POST') return this.#limit(id, body)
    if (kind === 'orders' && method === 'POST') return this.#order(body)
    return [404, { error: 'not found' }]
  }

  /** Everything stands in the query. */
  #user(method: string, id: string, query: URLSearchParams): [number, unknown] {
    const user = this.users.get(id)
    if (user === undefined) return [404, { error: 'not found' }]
    if (method === 'PUT') {
      const email = query.get('email')
      if (email !== null && !email.includes('@')) return [422, { error: 'email' }]
      if (email !== null) user['email'] = email
      const flag = query.get('is_admin')
      if (flag !== null && !this.isSound) user['is_admin'] = flag === 'true'
    }
    return [200, user]
  }

  /** Of the first user; roles are those of a list. */
  #profile(method: string, body: Item): [number, unknown] {
    const user = this.users.get('11')!
    if (method === 'PATCH') {
      if (body['role'] !== undefined && !['Customer', 'Employee', 'Chef'].includes(String(body['role'])))
        return [422, { error: 'role' }]
      if (typeof body['phone'] === 'string') user['phone'] = body['phone']
      if (body['role'] !== undefined && !this.isSound) user['role'] = body['role']
    }
    const { email, role, phone } = user
    return [200, { email, role, phone }]
  }

  /** Any field is data of the user, in both shops. */
  #note(method: string, id: string, body: Item): [number, unknown] {
    const note = this.notes.get(id)
    if (note === undefined) return [404, { error: 'not found' }]
    if (method === 'PATCH') note['data'] = { ...(note['data'] as Item), ...(body['data'] as Item) }
    return [200, note]
  }

  /** State and price are the author's own, in both shops. */
  #article(method: string, id: string, body: Item): [number, unknown] {
    const article = this.articles.get(id)
    if (article === undefined) return [404, { error: 'not found' }]
    if (method === 'PATCH')
      for (const key of ['title', 'status', 'price']) if (key in body) article[key] = body[key]
    return [200, article]
  }

  /** Answers with the card as it is now. */
  #limit(id: string, body: Item): [number, unknown] {
    const card = this.cards.get(id)
    if (card === undefined) return [404, { error: 'not found' }]
    for (const key of this.isSound ? ['card_limit'] : Object.keys(card))
      if (key in body) card[key] = body[key]
    return [200, card]
  }

  #order({ productId, price, quantity }: Item): [number, unknown] {
    if (typeof productId !== 'number' || typeof price !== 'number') return [400, { error: 'incomplete' }]
    if (this.isSound && price !== productId * 3) return [422, { error: 'the price has changed' }]
    return [201, { id: this.#next++, charged: price, quantity }]
  }

  async call(method: string, path: string, body?: object): Promise<void> {
    const headers = { host: this.host, authorization: 'Bearer of-ann', 'content-type': 'application/json' }
    const text = body === undefined ? '' : JSON.stringify(body)
    const answer = await fetch(`http://${this.host}${path}`, {
      method,
      headers,
      ...(text === '' ? {} : { body: text }),
    })
    this.messages.push({
      method,
      path,
      requestHeaders: headers,
      requestPayload: text,
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: answer.status,
      responsePayload: await answer.text(),
      ip: '203.0.113.9',
      time: 1_795_000_000 + this.messages.length,
      source: 'MIRRORING',
    })
  }

  async recordUse(): Promise<void> {
    for (const id of this.users.keys()) await this.call('GET', `/users/${id}`)
    for (const id of this.users.keys()) await this.call('PUT', `/users/${id}?email=user${id}%40shop.com`)
    await this.call('GET', '/profile')
    await this.call('PATCH', '/profile', { phone: '555-0100' })
    for (const id of this.notes.keys()) {
      await this.call('GET', `/notes/${id}`)
      await this.call('PATCH', `/notes/${id}`, { data: { title: `note ${id}` } })
    }
    for (const id of this.articles.keys()) {
      await this.call('GET', `/articles/${id}`)
      await this.call('PATCH', `/articles/${id}`, { title: `article ${id}`, status: 'draft', price: 7 })
    }
    for (const id of [41, 42, 43]) {
      await this.call('GET', `/products/${id}`)
      await this.call('POST', '/orders', { productId: id, price: id * 3, quantity: 2 })
    }
    for (const id of this.cards.keys()) await this.call('POST', `/cards/${id}/limit`, { card_limit: 500 })
  }
}

async function findingsOn(shop: Shop): Promise<string[]> {
  await shop.start()
  await shop.recordUse()
  const vigil = vigilOf(server)
  await vigil.call('ingestData', { batchData: shop.messages })
  const before = shop.state()
  const found: string[] = []
  // Orders and limits cannot be undone: they are tested where the owner allows it.
  for (const [tests, writeLevel] of [
    [TESTS.filter((test) => test !== 'PRICE_MANIPULATION'), 'REVERSIBLE'],
    [['PRICE_MANIPULATION'], 'ALL'],
    [['MASS_ASSIGNMENT_BALANCE'], 'ALL'],
  ] as const) {
    // Notes keep every field that was sent once, so the balance is sent last.
    if (tests[0] === 'MASS_ASSIGNMENT_BALANCE') expect(shop.state()).toBe(before)
    const testingRunResults = await resultsOfRun(vigil, {
      ...wholeCollection(await collectionOf(vigil, shop.host), tests),
      cleanUpTestingResources: true,
      writeLevel,
    })
    for (const { vulnerable, testSubType, apiInfoKey } of testingRunResults)
      if (vulnerable) found.push(`${testSubType} ${apiInfoKey.method} ${apiInfoKey.url}`)
  }
  return found.sort()
}

test('names and values of the application are taken, in query and body', {
  tags: ['marathon'],
  timeout: 240_000,
}, async () => {
  expect(await findingsOn(new Shop(false))).toEqual([
    'MASS_ASSIGNMENT_ADMIN_FLAG PUT /users/INTEGER',
    'MASS_ASSIGNMENT_BALANCE POST /cards/INTEGER/limit',
    'MASS_ASSIGNMENT_ROLE PATCH /profile',
    'PRICE_MANIPULATION POST /orders',
  ])
})

test('fields that users may set, and fields stored without effect, are not findings', async () => {
  expect(await findingsOn(new Shop(true))).toEqual([])
}, 240_000)
