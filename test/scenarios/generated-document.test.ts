import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, messageLines, refusal } from './ask.ts'

const HOST = 'https://shop.test'

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

async function filled(name: string, messages: readonly Record<string, unknown>[]): Promise<number> {
  const body = { content: messageLines(messages), apiCollectionName: name }
  return (await ask(server, 'importTraffic', body)).apiCollectionId
}

interface Generated {
  openapi: string
  info: { title: string }
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name: string; in: string; required?: boolean }[]
        responses: object
        security?: Record<string, unknown>[]
      }
    >
  >
  components?: { securitySchemes?: Record<string, unknown> }
}

/** What every OpenAPI document must keep, whatever it describes. */
function problemsOf(document: Generated): string[] {
  const problems: string[] = []
  if (document.openapi !== '3.1.0') problems.push(`version ${document.openapi}`)
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/')) problems.push(`${path} does not begin with a slash`)
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'servers') continue
      const { parameters, responses, security = [] } = operation
      const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name)
      if (declared.join() !== wanted.join()) problems.push(`${method} ${path} declares ${declared}`)
      if (parameters.some((one) => one.in === 'path' && one.required !== true))
        problems.push(`${path} optional`)
      const names = parameters.map((one) => `${one.in} ${one.name}`)
      if (new Set(names).size !== names.length) problems.push(`${method} ${path} repeats a parameter`)
      if (Object.keys(responses).length === 0) problems.push(`${method} ${path} has no response`)
      for (const scheme of security.flatMap((one) => Object.keys(one))) {
        if (document.components?.securitySchemes?.[scheme] === undefined)
          problems.push(`unknown scheme ${scheme}`)
      }
    }
  }
  return problems
}

test('the generated document describes what was observed, the same way every time', async () => {
  const id = await filled('described in a document', [
    ...Array.from({ length: 12 }, (_, n) => ({ path: `${HOST}/users/${n + 1}/posts?limit=5` })),
    {
      method: 'POST',
      path: `${HOST}/users`,
      requestHeaders: {
        host: 'shop.test',
        'content-type': 'application/json',
        authorization: 'Basic YTpi',
        'x-tenant': 't1',
      },
      requestPayload: '{"name":"Ann","tags":["a"]}',
      responsePayload: '{"id":9,"email":"ann@shop.test"}',
      statusCode: 201,
    },
  ])
  const ask1 = (body: object = {}) => ask(server, 'generateOpenApiFile', { apiCollectionId: id, ...body })
  const first = await ask1()
  expect(first).toMatchObject({ lastFetchedUrl: null, lastFetchedMethod: null })
  expect((await ask1()).openAPIString).toBe(first.openAPIString)
  const document = JSON.parse(first.openAPIString!) as Generated
  expect(problemsOf(document)).toEqual([])
  expect(document.info.title).toBe('described in a document')
  expect(Object.keys(document.paths)).toEqual(['/users', '/users/{userId}/posts'])
  expect(document.paths['/users']).toMatchObject({
    servers: [{ url: HOST }],
    post: {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
            },
          },
        },
      },
      responses: {
        201: { content: { 'application/json': { schema: { properties: { id: { type: 'integer' } } } } } },
      },
      security: [{ basic: [] }],
    },
  })
  expect(first.openAPIString).not.toContain('ann@shop.test')
  expect(first.openAPIString).toContain('x-tenant')
  expect((await ask1({ includeHeaders: false })).openAPIString).not.toContain('x-tenant')
  const one = await ask1({
    apiInfoKeyList: [{ apiCollectionId: id, method: 'POST', url: `${HOST}/users` }],
  })
  expect(Object.keys((JSON.parse(one.openAPIString!) as Generated).paths)).toEqual(['/users'])
  expect(
    (await refusal(server, 'generateOpenApiFile', { apiCollectionId: id, lastFetchedUrl: '/x' }))[1],
  ).toBe('The cursor needs both lastFetchedUrl and lastFetchedMethod')
  expect(await refusal(server, 'generateOpenApiFile', { apiCollectionId: 7 })).toEqual([
    422,
    'No such collection exists',
  ])
})

test('the generated document writes keys and custom verbs as they are called', async () => {
  const id = await filled('odata', [
    ...[1, 2, 3].map((n) => ({ path: `${HOST}/odata/Orders(${n})/Items` })),
    ...['A', 'B'].map((name) => ({ path: `${HOST}/odata/Customers('${name}')` })),
    ...[1, 2].map((n) => ({ path: `${HOST}/odata/Lines(Row='${n}x',Order=${n})` })),
    ...[1, 2].map((n) => ({ path: `${HOST}/jobs/${n}:cancel`, method: 'POST' })),
    ...[1, 2].map((n) => ({ path: `${HOST}/odata/Orders(${n}):cancel`, method: 'POST' })),
  ])
  const document = JSON.parse(
    (await ask(server, 'generateOpenApiFile', { apiCollectionId: id })).openAPIString!,
  ) as Generated
  expect(problemsOf(document)).toEqual([])
  const lines = "/odata/Lines(Order={Order},Row='{Row}')"
  expect(Object.keys(document.paths)).toEqual([
    '/jobs/{jobId}:cancel',
    "/odata/Customers('{customerId}')",
    lines,
    '/odata/Orders({orderId})/Items',
    '/odata/Orders({orderId}):cancel',
  ])
  expect(document.paths[lines]).toMatchObject({
    get: {
      parameters: [
        { name: 'Order', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'Row', in: 'path', required: true, schema: { type: 'string' } },
      ],
    },
  })
})

test('the generated document describes addresses with the endings that were observed', async () => {
  const id = await filled('endings', [
    { path: `${HOST}/v2/report` },
    { path: `${HOST}/v2/report.json` },
    ...[1, 2].map((n) => ({ path: `${HOST}/reports/${n}.pdf` })),
  ])
  const document = JSON.parse(
    (await ask(server, 'generateOpenApiFile', { apiCollectionId: id })).openAPIString!,
  ) as Generated
  expect(problemsOf(document)).toEqual([])
  expect(Object.keys(document.paths)).toEqual(['/reports/{reportId}.pdf', '/v2/report', '/v2/report.json'])
  expect(document.paths['/reports/{reportId}.pdf']).toMatchObject({
    get: { parameters: [{ name: 'reportId', in: 'path', required: true, schema: { type: 'integer' } }] },
  })
})

test('the generated document comes in pages of a hundred endpoints', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 105 }, (_, n) => [
      `/part${n}/list`,
      { get: { responses: { 200: { description: 'ok' } } } },
    ]),
  )
  const content = JSON.stringify({ openapi: '3.0.0', info: { title: 'Many', version: '1' }, paths })
  const { apiCollectionId } = await ask(server, 'importTraffic', { content, apiCollectionName: 'many' })
  expect(await endpointsOf(server, apiCollectionId)).toHaveLength(105)
  const first = await ask(server, 'generateOpenApiFile', { apiCollectionId })
  expect(first.lastFetchedMethod).toBe('GET')
  const second = await ask(server, 'generateOpenApiFile', {
    apiCollectionId,
    lastFetchedUrl: first.lastFetchedUrl,
    lastFetchedMethod: first.lastFetchedMethod,
  })
  expect(second).toMatchObject({ lastFetchedUrl: null, lastFetchedMethod: null })
  const pages = [first, second].map((page) => JSON.parse(page.openAPIString!) as Generated)
  expect(pages.flatMap(problemsOf)).toEqual([])
  const shown = pages.map((page) => Object.keys(page.paths))
  expect(shown.map((list) => list.length)).toEqual([100, 5])
  expect(shown.flat().sort()).toEqual(Object.keys(paths).sort())
})
