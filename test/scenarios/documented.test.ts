import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, messageLines } from './ask.ts'

const HOST = 'https://doc.test'
const NOW = Math.floor(Date.now() / 1000)

function path(name: string, schema: object, extra: object = {}): object {
  return {
    get: {
      parameters: [{ name, in: 'path', required: true, schema }],
      responses: { 200: { description: 'ok' } },
      ...extra,
    },
    delete: {
      parameters: [{ name, in: 'path', required: true, schema }],
      responses: { 204: { description: 'gone' } },
    },
  }
}

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: HOST }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/orders/{orderId}': path('orderId', { type: 'integer' }),
    '/users/{userId}': path('userId', { type: 'string', format: 'uuid' }),
    '/tags/{tag}': path('tag', { type: 'string' }),
    '/shops/{shopId}/': path('shopId', { type: 'integer' }),
    '/search': {
      post: {
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer' }, example: 3 },
          { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { mail: { type: 'string', format: 'email' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { total: { type: 'integer' }, price: { type: 'number' } },
                },
                example: { total: 1, price: 2.5, email: 'ann@shop.test' },
              },
            },
          },
        },
      },
    },
  },
}

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

async function documented(name: string): Promise<number> {
  const content = JSON.stringify(DOCUMENT)
  return (await ask(server, 'importTraffic', { content, apiCollectionName: name })).apiCollectionId
}

async function observed(apiCollectionId: number, messages: Record<string, unknown>[]): Promise<void> {
  const content = messageLines(messages.map((one) => ({ time: NOW - 60, ...one })))
  await ask(server, 'importTraffic', { content, apiCollectionId })
}

async function overviewOf(apiCollectionId: number) {
  return (await ask(server, 'searchEndpoints', { apiCollectionId, limit: 100 })).endpoints
}

test('a specification is not traffic', async () => {
  const { totals: before } = await ask(server, 'fetchTrafficLedger', { startTimestamp: 0 })
  const id = await documented('no traffic')
  const endpoints = await overviewOf(id)
  expect(endpoints).toHaveLength(9)
  for (const endpoint of endpoints) {
    expect(endpoint).toMatchObject({
      isDocumented: true,
      callCount: 0,
      lastSeen: 0,
      actualAuthType: [],
      allAuthTypesFound: [],
      apiAccessTypes: [],
      responseCodes: [],
      isSensitive: false,
      sensitiveInRequest: [],
      riskScore: 0,
      sources: { OPEN_API: { timestamp: expect.any(Number) } },
    })
    const key = { apiCollectionId: id, method: endpoint.id.method, url: endpoint.id.url }
    expect((await ask(server, 'fetchSampleData', key)).sampleDataList?.[0]?.samples ?? []).toEqual([])
    expect((await ask(server, 'getSingleEndpoint', key)).apiInfo).toMatchObject({
      authSeen: [],
      riskFactors: [],
    })
  }
  const { totals } = await ask(server, 'fetchTrafficLedger', { startTimestamp: 0 })
  expect(totals.received).toBe(before.received)
  const seen = (await ask(server, 'getLastSeenTrafficInfoForCollections')) as Record<string, unknown>
  expect(JSON.stringify(seen)).not.toContain(`"${id}":"${NOW}`)
})

test('its parameters have the types of the specification, and were in no message', async () => {
  const id = await documented('types')
  const key = { apiCollectionId: id, method: 'POST', url: `${HOST}/search` }
  const { data } = await ask(server, 'loadParamsOfEndpoint', key)
  expect(
    data.params.map(
      (one) => `${one.position} ${one.responseCode} ${one.param} ${one.subTypeString} ${one.count}`,
    ),
  ).toEqual([
    'QUERY -1 page INTEGER_32 0',
    'REQUEST_HEADER -1 x-tenant GENERIC 0',
    'REQUEST_BODY -1 mail EMAIL 0',
    'RESPONSE_BODY 200 price FLOAT 0',
    'RESPONSE_BODY 200 total INTEGER_32 0',
  ])
  expect(data.params.some((one) => one.sensitive)).toBe(false)
  await observed(id, [
    {
      method: 'POST',
      path: `${HOST}/search?page=1`,
      requestPayload: '{"mail":"ann@shop.test"}',
      responsePayload: '{"total":1}',
    },
  ])
  const after = (await ask(server, 'loadParamsOfEndpoint', key)).data.params
  const mail = after.find((one) => one.param === 'mail')
  expect(mail).toMatchObject({ subTypeString: 'EMAIL', sensitive: true, count: 1, timestamp: NOW - 60 })
  expect(after.find((one) => one.param === 'price')).toMatchObject({ count: 0 })
})

test('path parameters have the declared type before any message', async () => {
  expect((await endpointsOf(server, await documented('path types'))).sort()).toEqual([
    `DELETE ${HOST}/orders/INTEGER`,
    `DELETE ${HOST}/shops/INTEGER`,
    `DELETE ${HOST}/tags/STRING`,
    `DELETE ${HOST}/users/STRING`,
    `GET ${HOST}/orders/INTEGER`,
    `GET ${HOST}/shops/INTEGER`,
    `GET ${HOST}/tags/STRING`,
    `GET ${HOST}/users/STRING`,
    `POST ${HOST}/search`,
  ])
})

const LATER: [string, string[]][] = [
  ['orders', ['17', '18', '999999999999']],
  ['users', ['9b2d6c1e-4f0a-4c3b-8d5e-7a1f2b3c4d5e', '0b2d6c1e-4f0a-4c3b-8d5e-7a1f2b3c4d5e']],
  ['tags', ['summer', 'blue shirt', 'a-b-c', '42', 'x_1']],
  ['shops', ['17', '4']],
]

test.each(LATER)('later messages to /%s/… land on the documented endpoints', async (name, values) => {
  const id = await documented(`later ${name}`)
  const before = await endpointsOf(server, id)
  for (const value of values) {
    await observed(id, [
      { path: `${HOST}/${name}/${encodeURIComponent(value)}`, responsePayload: '{"id":1}' },
    ])
    expect(await endpointsOf(server, id)).toEqual(before)
  }
  await observed(id, [
    { method: 'DELETE', path: `${HOST}/${name}/${encodeURIComponent(values[0]!)}`, statusCode: 204 },
  ])
  expect(await endpointsOf(server, id)).toEqual(before)
  const calls = (await overviewOf(id)).filter((one) => one.id.url.startsWith(`${HOST}/${name}/`))
  expect(calls.map((one) => [one.id.method, one.callCount, one.isDocumented]).sort()).toEqual([
    ['DELETE', 1, true],
    ['GET', values.length, true],
  ])
})

test('what was there before joins the documented endpoints', async () => {
  const paths = ['/orders/17', '/tags/summer', '/users/9b2d6c1e-4f0a-4c3b-8d5e-7a1f2b3c4d5e', '/about']
  const { apiCollectionId: id } = await ask(server, 'importTraffic', {
    content: messageLines(paths.map((one) => ({ path: HOST + one, time: NOW - 60 }))),
    apiCollectionName: 'before',
  })
  await ask(server, 'importTraffic', { content: JSON.stringify(DOCUMENT), apiCollectionId: id })
  const endpoints = await overviewOf(id)
  const called = endpoints.filter((one) => one.callCount > 0)
  expect(called.map((one) => [one.id.url, one.isDocumented, one.lastSeen]).sort()).toEqual([
    [`${HOST}/about`, false, NOW - 60],
    [`${HOST}/orders/INTEGER`, true, NOW - 60],
    [`${HOST}/tags/STRING`, true, NOW - 60],
    [`${HOST}/users/STRING`, true, NOW - 60],
  ])
  expect(endpoints).toHaveLength(10)
})

test('a parameter whose values are wider than declared takes its other methods along', async () => {
  const id = await documented('wider')
  await observed(
    id,
    ['17', 'latest-one', 'ab-12-cd'].map((value) => ({
      path: `${HOST}/orders/${value}`,
      responsePayload: '{"id":1}',
    })),
  )
  const orders = (await endpointsOf(server, id)).filter((one) => one.includes('/orders/'))
  expect(orders.sort()).toEqual([`DELETE ${HOST}/orders/STRING`, `GET ${HOST}/orders/STRING`])
})

test('only a collection with a specification has undocumented endpoints', async () => {
  const risksOf = async (id: number, method: string, url: string) =>
    (await ask(server, 'getSingleEndpoint', { apiCollectionId: id, method, url })).apiInfo.riskFactors.map(
      ({ factor }) => factor,
    )
  const given = messageLines([
    { path: `${HOST}/tags/summer`, time: NOW },
    { path: `${HOST}/shadow`, time: NOW },
  ])
  const { apiCollectionId: id } = await ask(server, 'importTraffic', {
    content: given,
    apiCollectionName: 'undocumented',
  })
  expect(await risksOf(id, 'GET', `${HOST}/shadow`)).not.toContain('undocumented or retired')
  await ask(server, 'importTraffic', { content: JSON.stringify(DOCUMENT), apiCollectionId: id })
  expect(await risksOf(id, 'GET', `${HOST}/shadow`)).toContain('undocumented or retired')
  expect(await risksOf(id, 'GET', `${HOST}/tags/STRING`)).not.toContain('undocumented or retired')
  await observed(id, [{ path: `${HOST}/shadow2` }])
  expect(await risksOf(id, 'GET', `${HOST}/shadow2`)).toContain('undocumented or retired')
})

test('versions that a document names by a parameter are separate endpoints', async () => {
  const version = { type: 'integer', enum: [1, 2, 3] }
  const named = { type: 'string', enum: ['v1', 'v2'] }
  const paths = {
    '/api/v{version}/forgotten': path('version', version),
    '/api/{edition}/carts': path('edition', named),
    '/releases/{tag}/notes': path('tag', named),
    '/levels/{level}': path('level', version),
  }
  const content = JSON.stringify({ ...DOCUMENT, paths })
  const { apiCollectionId } = await ask(server, 'importTraffic', { content, apiCollectionName: 'versions' })
  const ofDocument = [
    'DELETE /api/v1/carts',
    'DELETE /api/v1/forgotten',
    'DELETE /api/v2/carts',
    'DELETE /api/v2/forgotten',
    'DELETE /api/v3/forgotten',
    'DELETE /levels/INTEGER',
    'DELETE /releases/STRING/notes',
  ]
  const endpointsFound = async () =>
    (await overviewOf(apiCollectionId))
      .map(({ id }: { id: { method: string; url: string } }) => `${id.method} ${id.url.replace(HOST, '')}`)
      .filter((name: string) => name.startsWith('DELETE'))
      .sort()
  expect(await endpointsFound()).toEqual(ofDocument)
  await observed(
    apiCollectionId,
    ['v1', 'v2', 'v3'].map((one) => ({
      method: 'DELETE',
      path: `${HOST}/api/${one}/forgotten`,
      requestHeaders: '{}',
      requestPayload: '',
      statusCode: '204',
      responseHeaders: '{}',
      responsePayload: '',
    })),
  )
  expect(await endpointsFound()).toEqual(ofDocument)
})
