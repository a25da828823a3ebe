import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, graphql } from 'graphql'
import { afterAll, beforeEach, expect, vi } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing as test } from '../shared-server.ts'
import { RUN_ORDER } from '../use-vigil.ts'
import { ask, endpointsOf, messageLines } from './ask.ts'

/** Runs on Postman collections without recorded answers and on GraphQL schemas, without any traffic. */

const SCHEMA = readFileSync('test/fixtures/imports/shop-schema.graphql', 'utf8')
const SQL_ERROR = "You have an error in your SQL syntax; check the manual for MySQL near ''"

let server: TestServer
let target: Server
let origin: string
let seen: { method: string; url: string; body: string }[] = []
const orders = new Map<string, { id: string; note: string; size: string }>()
let made = 0

const schema = buildSchema(SCHEMA)
const product = { id: '4711', name: 'Kettle', price: 30 }
const resolvers = {
  products: () => [product],
  product: ({ id }: { id: string }) => (id === product.id ? product : null),
  orders: () => ({ nodes: [...orders.values()], total: orders.size }),
  order: ({ id }: { id: string }) => orders.get(id) ?? null,
  search: ({ text }: { text: string }) => {
    if (text.includes("'")) throw new Error(SQL_ERROR)
    return []
  },
  startedAt: () => '2026-01-31T10:00:00Z',
  createOrder: ({ input }: { input: { productId: string; size: string; note: string } }) => {
    if (input.productId !== product.id) throw new Error('no such product')
    const order = { id: `o-${++made}`, note: input.note, size: input.size }
    orders.set(order.id, order)
    return order
  },
  changeNote: ({ id, note }: { id: string; note: string }) => {
    const order = orders.get(id)
    if (order !== undefined) order.note = note
    return order ?? null
  },
  deleteOrder: ({ id }: { id: string }) => orders.delete(id),
}

async function answerTo(request: IncomingMessage, body: string): Promise<[number, unknown]> {
  const url = new URL(request.url!, origin)
  if (url.pathname === '/shop/graphql' && request.method === 'POST') {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
    const result = await graphql({ schema, source: query, rootValue: resolvers, variableValues: variables })
    return [200, result]
  }
  if (url.pathname === '/api/products') {
    const category = url.searchParams.get('category') ?? ''
    return category.includes("'") ? [500, { error: SQL_ERROR }] : [200, { items: [product] }]
  }
  if (url.pathname === '/api/products/4711') return [200, product]
  return [404, {}]
}

test.beforeAll(async ({ shared }) => {
  orders.set('o-old', { id: 'o-old', note: 'of somebody', size: 'SMALL' })
  target = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString()
      seen.push({ method: request.method!, url: request.url!, body })
      const [status, value] = await answerTo(request, body).catch(() => [400, {}] as const)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  server = shared
})
beforeEach(() => {
  seen = []
})
afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

type Found = { testSubType: string; generatedRequest?: boolean; url: string }

async function run(
  apiCollectionId: number,
  selectedTests: string[],
  order: Record<string, unknown> = {},
): Promise<Found[]> {
  const started = await vigilOf(server).call('startTest', {
    ...RUN_ORDER,
    ...{ testName: 'described', apiCollectionId, selectedTests, ...order },
  })
  const id = String(started['testingRunResultSummaryHexId'])
  await ended(id)
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    ...{ testingRunResultSummaryHexId: id, queryMode: 'VULNERABLE', sortKey: 'time', sortOrder: 1 },
    ...{ limit: 100, skip: 0, queryValue: '' },
  })
  return testingRunResults!.map((one) => ({ ...one, url: one.apiInfoKey.url })) as never
}

function ended(testingRunSummaryId: string): Promise<void> {
  return vi.waitFor(
    async () => {
      const summary = await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId })
      expect(summary.state).toBe('COMPLETED')
    },
    { timeout: 90_000, interval: 200 },
  )
}

const queriesSeen = () =>
  seen
    .filter(({ url }) => url === '/shop/graphql')
    .map(({ body }) => JSON.parse(body) as { query: string; variables: Record<string, unknown> })

test('a Postman collection without recorded answers is tested by requests made from it', async () => {
  const request = (name: string, method: string, url: string) => ({ name, request: { method, url } })
  const content = JSON.stringify({
    info: {
      name: 'Kettles',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [
      request('Products', 'GET', '{{base}}/api/products?category=kitchen'),
      request('Product', 'GET', '{{base}}/api/products/4711'),
    ],
    variable: [{ key: 'base', value: origin }],
  })
  const { apiCollectionId } = await ask(server, 'importTraffic', { content, apiCollectionName: 'postman' })
  expect(seen, 'an import sends nothing').toEqual([])
  const found = await run(apiCollectionId, ['SQLI_ERROR_QUERY'])
  expect(found).toMatchObject([
    { testSubType: 'SQLI_ERROR_QUERY', generatedRequest: true, url: `${origin}/api/products` },
  ])
  expect(seen.map(({ url }) => url)).toEqual(
    expect.arrayContaining(['/api/products?category=kitchen', '/api/products/4711']),
  )
})

test('the fields of a GraphQL schema are the endpoints that traffic to it makes', {
  tags: ['marathon'],
}, async () => {
  const { apiCollectionId, format } = await ask(server, 'importTraffic', {
    content: SCHEMA,
    baseUrl: `${origin}/shop/graphql`,
    apiCollectionName: 'schema',
  })
  expect(format).toBe('GRAPHQL')
  const path = `${origin}/shop/graphql`
  const documented = [
    'mutation/changeNote',
    'mutation/createOrder',
    'mutation/deleteOrder',
    'query/order',
    'query/orders',
    'query/product',
    'query/products',
    'query/search',
    'query/startedAt',
  ].map((name) => `POST ${path}/${name}`)
  expect((await endpointsOf(server, apiCollectionId)).sort()).toEqual(documented)
  const { endpoints } = await ask(server, 'searchEndpoints', {
    apiCollectionId,
    apiTypes: ['GRAPHQL'],
  } as never)
  expect(endpoints).toHaveLength(documented.length)
  const message = {
    method: 'POST',
    path,
    requestPayload: '{"query":"query Mine { orders { nodes { id } } }"}',
    responsePayload: '{"data":{"orders":{"nodes":[{"id":"o-old"}]}}}',
  }
  await ask(server, 'importTraffic', { content: messageLines([message]), apiCollectionId })
  expect((await endpointsOf(server, apiCollectionId)).sort()).toEqual(documented)
  expect(seen, 'an import sends nothing').toEqual([])
})

test('a GraphQL schema without address is tested where the run says, and finds a weakness', async () => {
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content: SCHEMA,
    format: 'GRAPHQL',
    apiCollectionName: 'schema without address',
  })
  const found = await run(apiCollectionId, ['CORS_ORIGIN_REFLECTED'], {
    overriddenTestAppUrl: `${origin}/shop`,
  })
  expect(found).toEqual([])
  expect(queriesSeen().length).toBeGreaterThan(0)
  expect(
    queriesSeen().filter(({ query }) => query.startsWith('mutation')),
    'a run that only reads',
  ).toEqual([])

  seen = []
  const order = { overriddenTestAppUrl: `${origin}/shop`, writeLevel: 'ALL' }
  expect(await run(apiCollectionId, ['SQLI_ERROR_BODY'], order)).toMatchObject([
    { testSubType: 'SQLI_ERROR_BODY', generatedRequest: true, url: '/graphql/query/search' },
  ])
  const variablesOf = (field: string) =>
    queriesSeen().find(({ query }) => query.includes(` ${field}(`))?.variables
  expect(variablesOf('product')).toEqual({ id: '4711' })
  expect(variablesOf('createOrder')).toMatchObject({ input: { productId: '4711', size: 'SMALL' } })
  const deleted = queriesSeen().flatMap(({ query, variables }) =>
    query.includes('deleteOrder') ? [variables['id']] : [],
  )
  expect(deleted.length).toBeGreaterThan(0)
  expect(orders.has('o-old'), 'what others made is not deleted').toBe(true)
}, 180_000)

test('mutations of a schema are not sent by a run that undoes what it writes, and their results say why', async () => {
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content: SCHEMA,
    baseUrl: `${origin}/shop/graphql`,
    apiCollectionName: 'reversible schema',
  })
  const before = [...orders.keys()]
  const started = await vigilOf(server).call('startTest', {
    ...RUN_ORDER,
    ...{ testName: 'reversible', apiCollectionId, selectedTests: ['SQLI_ERROR_BODY'] },
    ...{ cleanUpTestingResources: true },
  })
  const testingRunResultSummaryHexId = String(started['testingRunResultSummaryHexId'])
  await ended(testingRunResultSummaryHexId)
  expect(queriesSeen().filter(({ query }) => /\bmutation\b/.test(query))).toEqual([])
  expect([...orders.keys()]).toEqual(before)
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    ...{ testingRunResultSummaryHexId, queryMode: 'ALL', sortKey: 'time', sortOrder: 1 },
    ...{ limit: 100, skip: 0, queryValue: '' },
  })
  const told = Object.fromEntries(
    testingRunResults!.flatMap(({ apiInfoKey, testResults, errorsList }) =>
      apiInfoKey.url.includes('/mutation/')
        ? [[apiInfoKey.url.split('/').at(-1), [errorsList, testResults[0]!.validationReason]]]
        : [],
    ),
  )
  const refused = [
    ['The test writes something that Vigil could not undo'],
    expect.stringContaining('Choose the write level ALL to send it.'),
  ]
  const nothing = [expect.anything(), expect.stringContaining('Vigil deletes only what it created')]
  expect(told).toEqual({ createOrder: refused, changeNote: refused, deleteOrder: nothing })
})
