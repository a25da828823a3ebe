import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, vi } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { giveRole, RUN_ORDER } from '../use-vigil.ts'
import { ask } from './ask.ts'

/**
 * A run on an imported document, without any traffic: requests are made from the document, with ids from answers, and
 * find the weaknesses of a live target.
 */

let server: TestServer
let target: Server
let origin: string
const seen: { method: string; url: string; body: string; authorization: string }[] = []
const pots = new Set<string>()
const orders = new Map<string, { id: string; productId: number; note: string }>()

/** Nobody has a session after a sign-out, or after the database was made anew. */
let isSignedOut = false

const PRODUCTS = [
  { id: 4711, name: 'Kettle' },
  { id: 4712, name: 'Pot' },
]

type Answer = readonly [status: number, value: unknown]

/** Refuses what does not satisfy its own document, so that only good requests come through. */
function answerTo(request: IncomingMessage, body: string): Answer {
  const url = new URL(request.url!, origin)
  if (/^\/(?:logout|reset-db)$/.test(url.pathname)) isSignedOut = true
  if (
    url.pathname.startsWith('/api/') &&
    (isSignedOut || request.headers.authorization !== 'Bearer token-of-ann')
  )
    return [401, { error: 'sign in' }]
  if (url.pathname === '/api/products') return productsOf(url.searchParams.get('category') ?? '')
  const product = /^\/api\/products\/(\d+)$/.exec(url.pathname)
  if (product) {
    const found = PRODUCTS.find(({ id }) => id === Number(product[1]))
    return found ? [200, found] : [404, {}]
  }
  if (url.pathname === '/api/orders' && request.method === 'POST') return order(body)
  if (url.pathname === '/api/pots') {
    pots.add(JSON.parse(body).potName)
    return [200, { message: 'The pot has been added.' }]
  }
  const pot = /^\/api\/pots\/([^/]+)$/.exec(url.pathname)?.[1]
  if (pot !== undefined) return pots.has(decodeURIComponent(pot)) ? [200, { pot }] : [404, {}]
  const known = orders.get(/^\/api\/orders\/([^/]+)$/.exec(url.pathname)?.[1] ?? '')
  if (known === undefined) return [404, {}]
  if (request.method === 'DELETE') orders.delete(known.id)
  return [200, known]
}

function productsOf(category: string): Answer {
  if (category.includes("'"))
    return [500, { error: 'You have an error in your SQL syntax; check the manual for MySQL' }]
  return /^[a-z]{3,10}$/.test(category) ? [200, { items: PRODUCTS }] : [400, { error: 'category' }]
}

function order(body: string): Answer {
  let sent: Record<string, unknown> = {}
  try {
    sent = JSON.parse(body)
  } catch {
    return [400, {}]
  }
  const { productId, quantity, coupon, day, size, note } = sent
  const fits =
    PRODUCTS.some(({ id }) => id === productId) &&
    Number.isInteger(quantity) &&
    Number(quantity) >= 3 &&
    /^[A-Z]{2}-\d{4}$/.test(String(coupon)) &&
    /^\d{4}-\d\d-\d\d$/.test(String(day)) &&
    ['small', 'large'].includes(String(size)) &&
    String(note).length >= 8
  if (!fits) return [400, { error: 'invalid', sent }]
  const made = { id: `o-${orders.size + 1}x9`, productId: Number(productId), note: String(note) }
  orders.set(made.id, made)
  return [201, made]
}

const ofId = (name: string, type: string) => [{ name, in: 'path', required: true, schema: { type } }]
const good = { 200: { description: 'ok' } }
const document = () => ({
  openapi: '3.1.0',
  info: { title: 'Kettles', version: '1' },
  servers: [{ url: origin }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/api/products': {
      get: {
        parameters: [
          {
            name: 'category',
            in: 'query',
            required: true,
            schema: { type: 'string', pattern: '^[a-z]{3,10}$' },
          },
        ],
        responses: good,
      },
    },
    '/api/products/{productId}': { get: { parameters: ofId('productId', 'integer'), responses: good } },
    '/api/orders': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  productId: { type: 'integer' },
                  quantity: { type: 'integer', minimum: 3, maximum: 5 },
                  coupon: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
                  day: { type: 'string', format: 'date' },
                  size: { enum: ['small', 'large'] },
                  note: { type: 'string', minLength: 8 },
                },
              },
            },
          },
        },
        responses: { 201: { description: 'made' } },
      },
    },
    '/api/pots/{potName}': { get: { parameters: ofId('potName', 'string'), responses: good } },
    '/api/pots': {
      post: {
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: { potName: { type: 'string' } } } },
          },
        },
        responses: good,
      },
    },
    '/logout': { get: { security: [], responses: good } },
    '/reset-db': { get: { security: [], responses: good } },
    '/api/orders/{orderId}': {
      get: { parameters: ofId('orderId', 'string'), responses: good },
      delete: { parameters: ofId('orderId', 'string'), responses: good },
    },
  },
})

test.beforeAll(async ({ shared }) => {
  target = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const { authorization = '' } = request.headers
      seen.push({ method: request.method!, url: request.url!, body, authorization })
      const [status, value] = answerTo(request, body)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  server = shared
})

afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

interface Run {
  readonly id: string
  readonly vulnerable: { testSubType: string; generatedRequest?: boolean; hexId: string; url: string }[]
}

async function run(apiCollectionId: number, selectedTests: string[]): Promise<Run> {
  const vigil = vigilOf(server)
  const { testRoles } = await ask(server, 'fetchTestRoles', {})
  const started = await vigil.call('startTest', {
    ...RUN_ORDER,
    testName: `document ${selectedTests.length}`,
    apiCollectionId,
    selectedTests,
    testRoleId: testRoles!.find(({ name }) => name === 'ANN')!.hexId,
  })
  const id = String(started['testingRunResultSummaryHexId'])
  await vi.waitFor(
    async () => {
      const summary = await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId: id })
      expect(summary.state).toBe('COMPLETED')
    },
    { timeout: 90_000, interval: 200 },
  )
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    testingRunResultSummaryHexId: id,
    queryMode: 'VULNERABLE',
    sortKey: 'time',
    sortOrder: 1,
    limit: 100,
    skip: 0,
    queryValue: '',
  })
  return {
    id,
    vulnerable: testingRunResults!.map((one) => ({ ...one, url: one.apiInfoKey.url })) as Run['vulnerable'],
  }
}

test('a document without traffic is tested by generated requests, which find a weakness and say what they are', async () => {
  await giveRole(vigilOf(server), 'ANN', { Authorization: 'Bearer token-of-ann' })
  const content = JSON.stringify(document())
  const { apiCollectionId } = await ask(server, 'importTraffic', { content, apiCollectionName: 'kettles' })
  expect(seen, 'an import sends nothing').toEqual([])

  const reading = await run(apiCollectionId, ['CORS_ORIGIN_REFLECTED'])
  expect(reading.vulnerable).toEqual([])
  expect(
    seen.every(({ method }) => ['GET', 'OPTIONS', 'HEAD'].includes(method)),
    'a run that only reads changes nothing',
  ).toBe(true)
  expect(seen.some(({ url }) => url === '/api/products/4711' || url === '/api/products/4712')).toBe(true)

  seen.length = 0
  const { vulnerable, id } = await run(apiCollectionId, ['SQLI_ERROR_QUERY', 'CORS_ORIGIN_REFLECTED'])
  expect(vulnerable).toMatchObject([{ testSubType: 'SQLI_ERROR_QUERY', generatedRequest: true }])
  const made = seen.find(({ method, url }) => method === 'POST' && url === '/api/orders')
  expect(JSON.parse(made!.body)).toMatchObject({ quantity: 3, size: 'small' })
  expect(made!.authorization).toBe('Bearer token-of-ann')
  expect(seen.some(({ method, url }) => method === 'GET' && /^\/api\/orders\/o-\dx9$/.test(url))).toBe(true)
  expect(seen.some(({ method, url }) => method === 'DELETE' && /^\/api\/orders\/o-\dx9$/.test(url))).toBe(
    true,
  )

  const { evidence } = await ask(server, 'exportTestResultEvidence', {
    testingRunResultHexId: vulnerable[0]!.hexId,
  })
  expect(JSON.stringify(evidence)).toContain('vigil-generated')
  const all = await ask(server, 'fetchTestRunResultsCount', { testingRunResultSummaryHexId: id })
  expect(all.ALL).toBe(18)

  const pot = seen.find(({ method, url }) => method === 'GET' && url.startsWith('/api/pots/'))
  expect(
    pots.has(decodeURIComponent(pot!.url.slice('/api/pots/'.length))),
    'what was created, by its name',
  ).toBe(true)
  expect(
    seen.filter(({ url }) => /^\/(?:logout|reset-db)$/.test(url)),
    'a request that would end the session or throw the data away is not made',
  ).toEqual([])
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    testingRunResultSummaryHexId: id,
    queryMode: 'ALL',
    ...{ sortKey: 'time', sortOrder: 1, limit: 100, skip: 0, queryValue: '' },
  })
  const left = testingRunResults!.filter(({ apiInfoKey }) => /\/(?:logout|reset-db)$/.test(apiInfoKey.url))
  expect(left).toHaveLength(4)
  expect(JSON.stringify(left)).toContain('ends the session')
}, 240_000)
