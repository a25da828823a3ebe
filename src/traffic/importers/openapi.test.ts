import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { headerValue } from '../../http/index.ts'
import type { ImportOptions } from '../importer.ts'
import { openApiJsonText } from '../openapi/document.ts'
import { openApiImporter } from './openapi.ts'

const shop = readFileSync('test/fixtures/imports/shop-openapi-3.0.yaml')

function read(input: string | Uint8Array | object, options?: ImportOptions) {
  const isText = typeof input === 'string' || input instanceof Uint8Array
  const { declared, exchanges, report } = openApiImporter.read(
    isText ? input : JSON.stringify(input),
    options,
  )
  return { declared, exchanges: [...exchanges].map((one) => one.exchange), report }
}

function described(paths: object, more: object = {}) {
  return { openapi: '3.0.0', info: { title: 'T' }, servers: [{ url: 'https://h' }], paths, ...more }
}

const ok = { responses: { 204: {} } }

test('declares every operation of an OpenAPI 3.0 document', () => {
  const { declared, report } = read(shop)
  expect(report).toMatchObject({ title: 'Shop', total: 5, taken: 5, skippedTotal: 0, warningsTotal: 0 })
  expect(declared.map((one) => `${one.method} ${one.origin}${one.path}`)).toEqual([
    'GET https://www.shop.test/api/v1/orders',
    'POST https://www.shop.test/api/v1/orders',
    'GET https://www.shop.test/api/v1/orders/{orderId}',
    'DELETE https://www.shop.test/api/v1/orders/{orderId}',
    'PUT https://www.shop.test/api/v1/users/{userId}/avatar',
  ])
  expect(declared[0]).toMatchObject({
    where: '/paths/~1orders/get (line 16)',
    id: 'listOrders',
    summary: 'List orders',
    tags: ['orders'],
    deprecated: false,
    security: [[{ name: 'bearer', kind: 'http', scheme: 'bearer' }]],
  })
  expect(declared[2]?.deprecated).toBe(true)
  expect(declared[2]?.security).toEqual([
    [{ name: 'key', kind: 'apiKey', in: 'header', parameter: 'X-Key', scopes: [] }],
    [],
  ])
})

test('gives parameters with place, type and example, those of the path level too', () => {
  const [list, , get] = read(shop).declared
  expect(list?.parameters).toEqual([
    { name: 'page', in: 'query', required: false, type: 'integer', format: '', example: '1', generated: '1' },
    {
      name: 'state',
      in: 'query',
      required: false,
      type: 'string',
      format: '',
      example: 'open',
      generated: 'string',
    },
    { name: 'X-Tenant', in: 'header', required: true, type: 'string', format: '', generated: 'string' },
  ])
  expect(get?.parameters[0]).toMatchObject({ name: 'orderId', in: 'path', type: 'integer', format: 'int64' })
})

test('takes servers of a path without a host for ones of the host of the document', () => {
  const { declared } = read(described({ '/a': { servers: [{ url: '/beta' }], get: ok } }))
  expect(declared[0]).toMatchObject({ origin: 'https://h', path: '/beta/a' })
})

test.each([
  ['https://shop .test/v1', '"shop .test" is not a host: it holds a blank'],
  ['https://<host>/v1', '"<host>" is not a host: it holds <'],
  ['https:///v1', 'the host is empty'],
])('the invalid server %s is reported, and the document has no host', (url, problem) => {
  const { declared, report } = read(described({ '/a': { get: ok } }, { servers: [{ url }] }))
  expect(declared[0]).toMatchObject({ origin: '', path: '/v1/a' })
  expect(report.warnings.map((one) => one.reason)).toEqual([`the server "${url}" cannot be: ${problem}`])
})

test('flattens body keys through references, arrays and allOf, and ends at cycles', () => {
  const [list, create] = read(shop).declared
  expect(list?.responses[0]?.keys.map((one) => `${one.key}:${one.type}${one.required ? '!' : ''}`)).toEqual([
    'json#$#id:integer!',
    'json#$#customer#email:string!',
    'json#$#items#$#sku:string',
    'json#$#items#$#quantity:integer',
    'json#$#tags#$:string',
  ])
  const sent = create?.requests[0]
  expect(sent?.keys.map((one) => one.key)).toEqual(['customer#email', 'customer#password', 'items#$#sku', 'items#$#quantity', 'tags#$', 'coupon']) // biome-ignore format: one line reads better
  expect(JSON.parse(sent?.example ?? '')).toMatchObject({
    coupon: 'SPRING',
    customer: { email: 'user@example.com' },
  })
})

test('shows each operation as one exchange built from examples', () => {
  const { exchanges } = read(shop, { at: 5 })
  expect(exchanges[0]).toMatchObject({ source: 'OPEN_API', at: 5, route: '/api/v1/orders' })
  expect(exchanges[0]?.request).toMatchObject({ method: 'GET', target: 'https://www.shop.test/api/v1/orders?page=1&state=open' }) // biome-ignore format: one line reads better
  expect(headerValue(exchanges[0]!.request.headers, 'authorization')).toBe('Bearer sample-auth-token')
  expect(exchanges[1]?.response).toMatchObject({ status: 201, body: '{"id":77,"total":12.5}' })
  expect(exchanges[2]?.request.target).toBe('https://www.shop.test/api/v1/orders/INTEGER')
  expect(headerValue(exchanges[2]!.request.headers, 'x-key')).toBe('security-key')
  expect(exchanges[3]?.response).toMatchObject({ status: 204, body: '' })
  expect(exchanges[4]?.request.target).toMatch(/users\/00000000-0000-4000-8000-000000000000\/avatar$/)
})

test.each([
  ['oauth2', { type: 'oauth2', flows: { password: { tokenUrl: '/token', scopes: {} } } }],
  ['OpenID Connect', { type: 'openIdConnect', openIdConnectUrl: '/.well-known/openid-configuration' }],
])('a request behind %s carries a bearer token, so that a role can take its place', (_kind, scheme) => {
  const get = { ...ok, security: [{ login: [] }] }
  const document = described({ '/me': { get } }, { components: { securitySchemes: { login: scheme } } })
  const [me] = read(document).exchanges
  expect(headerValue(me!.request.headers, 'authorization')).toBe('Bearer sample-auth-token')
})

test('reads OpenAPI 3.1: type lists, const, status ranges, path item references', () => {
  const { declared, exchanges, report } = read(readFileSync('test/fixtures/imports/shop-openapi-3.1.json'))
  expect(report).toMatchObject({ title: 'Shop 3.1', taken: 2 })
  expect(report.warnings.map((one) => one.reason)).toEqual([
    'the document names no host',
    'webhooks are not imported',
  ])
  expect(declared[0]?.responses[0]?.keys.map((one) => `${one.key}:${one.type}`)).toEqual([
    'id:string',
    'note:string',
    'payment#iban:string',
    'payment#card%23no:string',
  ])
  expect(exchanges.map((one) => one.request.target)).toEqual(['/orders/o-1', '/events'])
  expect(exchanges[1]?.request.body).toBe('{"kind":"ping"}')
  const based = read(readFileSync('test/fixtures/imports/shop-openapi-3.1.json'), {
    baseUrl: 'https://b.test/x',
  })
  expect(based.exchanges[0]?.request.target).toBe('https://b.test/orders/o-1')
})

test('reads Swagger 2: host, base path, body and form parameters, examples', () => {
  const { declared, exchanges, report } = read(readFileSync('test/fixtures/imports/shop-swagger-2.yaml'))
  expect(report).toMatchObject({ title: 'Shop 2', total: 3, taken: 3, warningsTotal: 0 })
  expect(exchanges.map((one) => `${one.request.method} ${one.request.target}`)).toEqual([
    'GET https://shop.test/v2/pets/INTEGER?fields=name&api_key=security-key',
    'POST https://shop.test/v2/pets/INTEGER',
    'PUT https://shop.test/v2/pets?api_key=security-key',
  ])
  expect(exchanges[0]?.response.body).toBe('{"id":5,"name":"Rex"}')
  expect(exchanges[1]?.request.body).toBe('name=string&status=sold')
  expect(exchanges[2]?.request.body).toBe('{"id":1,"name":"string"}')
  expect(declared[1]?.security[0]?.[0]).toMatchObject({ kind: 'http', scheme: 'basic' })
})

test('reports per operation what is wrong and still declares it', () => {
  const { declared, report } = read(
    described({
      '/a/{id}': { get: {} },
      '/b': { get: { responses: { 200: { content: { 'application/json': {} } }, 9: {} } } },
      '/c': { post: { requestBody: { $ref: '#/nowhere' }, ...ok } },
      '/d': { get: { responses: { 200: { $ref: 'https://evil.test/x.yaml#/a' } } } },
      '/e': { get: { security: [{ missing: [] }], ...ok } },
      'f?x=1': { get: ok },
      '/g': { get: { parameters: [{ name: 'id', in: 'path' }, { in: 'query' }, 5], ...ok } },
    }),
  )
  expect(declared.map((one) => one.problems)).toEqual([
    ['the path parameter "id" is not described', 'no responses are described'],
    ['no example and no usable schema for 200 application/json', 'the response status "9" is not valid'],
    ['the reference "#/nowhere" leads nowhere'],
    ['the reference "https://evil.test/x.yaml#/a" leads outside the document'],
    ['the security scheme "missing" is not defined'],
    ['the path holds a query or fragment, which is left out', 'the path does not start with "/"'],
    ['a parameter has no name or no valid "in"', 'a parameter is not an object', 'the path has no "{id}"'],
  ].map((list) => expect.arrayContaining(list))) // biome-ignore format: one line reads better
  expect(report).toMatchObject({ taken: 7, takenWithWarnings: 7, skippedTotal: 0 })
})

test('skips invalid operations and takes the others', () => {
  const { declared, report } = read(
    described({ '/a': { get: 1, put: ok, foo: {} }, '/b': [], '/c': { $ref: '#/x' } }),
  )
  expect(declared.map((one) => one.method)).toEqual(['PUT'])
  expect(report.skipped.map((one) => `${one.where}: ${one.reason}`)).toEqual([
    '/paths/~1a/get: the operation is not an object',
    '/paths/~1b: the path item is not an object',
    '/paths/~1c: the reference "#/x" leads nowhere',
  ])
  expect(report.warnings.map((one) => one.reason)).toContain('"foo" is not a method')
})

test('ends at circles of references', () => {
  const { declared } = read(
    described(
      { '/a': { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } }, ...ok } } }, // biome-ignore format: one line reads better
      {
        components: {
          schemas: {
            A: {
              properties: { b: { $ref: '#/components/schemas/B' }, loop: { $ref: '#/components/schemas/L' } },
            },
            B: { properties: { a: { $ref: '#/components/schemas/A' }, n: { type: 'integer' } } },
            L: { $ref: '#/components/schemas/L' },
          },
        },
      },
    ),
  )
  expect(declared[0]?.requests[0]?.keys.map((one) => one.key)).toEqual(['b#n'])
  expect(declared[0]?.problems).toEqual(['the reference "#/components/schemas/L" goes round in a circle'])
})

test('ends where references fan out', () => {
  const schemas: Record<string, unknown> = {}
  for (let i = 0; i < 30; i++) {
    const next = { $ref: `#/components/schemas/S${i + 1}` }
    schemas[`S${i}`] = { properties: { a: next, b: next, c: next } }
  }
  const body = {
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } },
    ...ok,
  }
  const paths = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`/p${i}`, { post: body }]))
  const start = performance.now()
  expect(read(described(paths, { components: { schemas } })).declared).toHaveLength(50)
  expect(performance.now() - start).toBeLessThan(20_000)
})

test.each([
  ['[]', 'the document is not an object'],
  ['{}', 'it names no version ("openapi" or "swagger")'],
  ['{"openapi":"4.0.0","paths":{}}', 'version 4.0.0 is not supported'],
  ['{"swagger":"1.2","paths":{}}', 'version 1.2 is not supported'],
  ['{"openapi":"3.0.0"}', 'it has no "paths" object'],
  ['{"openapi":"3.0.0","paths":', 'the text ends here (line 1, column 28, character 27)'],
  ['openapi: 3.0.0\npaths:\n  /a: {get: [}\n', expect.stringMatching(/line 3/)],
  ['openapi: "3.0.0\npaths: {}', expect.stringMatching(/line 2|line 1/)],
  ['openapi: 3.0.0\npaths: *none', 'the alias *none has no anchor (line 2)'],
])('refuses %j with the place', (text, reason) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INVALID_OPENAPI', details: expect.objectContaining({ reason }) })) // biome-ignore format: one line reads better
})

test('keeps prototype names out of the document', () => {
  const text = '{"openapi":"3.0.0","__proto__":{"polluted":1},"paths":{"/a":{"get":{"responses":{"204":{}},"parameters":[{"$ref":"#/constructor"}]}}}}' // biome-ignore format: one line reads better
  const { declared, report } = read(text)
  expect(declared[0]?.problems).toEqual(['the reference "#/constructor" leads nowhere'])
  expect(report.warnings.map((one) => one.reason)).toContain('1 "__proto__" key is left out')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('gives JSON text back byte for byte and converts YAML', () => {
  expect(openApiJsonText('{ "openapi":"3.0.0" }')).toBe('{ "openapi":"3.0.0" }')
  expect(JSON.parse(openApiJsonText(shop.toString()))).toHaveProperty([
    'paths',
    '/orders',
    'get',
    'responses',
    '200',
  ])
})
