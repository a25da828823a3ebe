import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { headerValue } from '../../http/index.ts'
import type { ImportOptions } from '../importer.ts'
import { postmanImporter } from './postman.ts'

const shop = readFileSync('test/fixtures/imports/shop-postman-2.1.json')

function read(input: string | Uint8Array | object, options?: ImportOptions) {
  const isText = typeof input === 'string' || input instanceof Uint8Array
  const { declared, exchanges, report } = postmanImporter.read(
    isText ? input : JSON.stringify(input),
    options,
  )
  return { declared, exchanges: [...exchanges].map((one) => one.exchange), report }
}

function collection(...item: unknown[]) {
  return { info: { name: 'T' }, item }
}

test('declares every request of all folders and takes every saved response', () => {
  const { declared, exchanges, report } = read(shop, { at: 5 })
  expect(report).toMatchObject({ title: 'Shop', total: 7, taken: 7, skippedTotal: 0 })
  expect(declared.map((one) => `${one.method} ${one.origin}${one.path}`)).toEqual([
    'GET https://shop.test/v1/orders/{orderId}/lines/{lineId}',
    'POST https://shop.test/v1/orders',
    'GET https://shop.test/open',
    'POST https://shop.test/form',
    'POST https://shop.test/upload',
    'POST https://shop.test/graphql',
    'PUT https://shop.test/file',
  ])
  expect(declared[1]).toMatchObject({
    where: '/item/0/item/1/item/0',
    tags: ['Orders', 'Inner'],
    summary: 'Create',
  })
  expect(exchanges.map((one) => [one.request.target, one.response.status, one.route])).toEqual([
    ['https://shop.test/v1/orders/77/lines/STRING?expand=items', 200, '/v1/orders/{orderId}/lines/{lineId}'],
    ['https://shop.test/v1/orders/STRING', 404, '/v1/orders/{orderId}'],
  ])
  expect(exchanges[0]).toMatchObject({ source: 'POSTMAN', at: 5 })
})

test('gives path variables, query and headers as parameters and the keys of saved bodies', () => {
  const [first] = read(shop).declared
  expect(first?.parameters.map((one) => `${one.in} ${one.name}=${one.example}`)).toEqual([
    'path orderId=77',
    'path lineId=undefined',
    'query expand=items',
    'header X-Tenant=a',
  ])
  expect(first?.responses[0]?.keys.map((one) => `${one.key}:${one.type}`)).toEqual([
    'id:integer',
    'lines#$#sku:string',
  ])
})

test('inherits authentication from the nearest folder and lets a request switch it off', () => {
  const { declared, exchanges } = read(shop)
  expect(headerValue(exchanges[0]!.request.headers, 'authorization')).toBe('Bearer t0k')
  expect(declared.slice(0, 3).map((one) => one.security[0]?.[0]?.kind)).toEqual(['http', 'apiKey', undefined])
})

test('a saved response was requested with the authentication of its request, which exports leave out of the copy', () => {
  const auth = { type: 'bearer', bearer: [{ key: 'token', value: 'abc' }] }
  const saved = { code: 200, originalRequest: { method: 'GET', url: 'https://shop.test/me' }, body: '{}' }
  const open = { ...saved, originalRequest: { ...saved.originalRequest, auth: { type: 'noauth' } } }
  const item = { request: { method: 'GET', url: 'https://shop.test/me', auth }, response: [saved, open] }
  const { exchanges } = read(collection(item))
  expect(exchanges.map(({ request }) => headerValue(request.headers, 'authorization'))).toEqual([
    'Bearer abc',
    undefined,
  ])
})

test('reads every body mode and never a file', () => {
  const bodies = read(shop).declared.map((one) => one.requests[0])
  expect(bodies[1]).toMatchObject({ mediaType: 'application/json', example: '{"qty":2}' })
  expect(bodies[3]).toMatchObject({ mediaType: 'application/x-www-form-urlencoded', example: 'a=1+2' })
  expect(bodies[4]?.example).toContain('name="file"; filename="photo.png"')
  expect(JSON.parse(bodies[5]?.example ?? '')).toEqual({
    query: 'query Q { me { id } }',
    variables: { a: 1 },
  })
  expect(bodies[6]).toBeUndefined()
  expect(read(shop).declared[6]?.problems).toContain('a body from a file is left empty')
})

test('reads format 2.0: text URLs, text headers, authentication as an object', () => {
  const { declared, exchanges, report } = read(readFileSync('test/fixtures/imports/shop-postman-2.0.json'))
  expect(report).toMatchObject({ title: 'Shop 2.0', taken: 3 })
  const { request, response } = exchanges[0]!
  expect(request.headers).toEqual(['Host', 'shop.test', 'Accept', 'application/json', 'X-A', '1', 'Authorization', `Basic ${btoa('ann:s3cret')}`]) // biome-ignore format: one line reads better
  expect(response.headers).toEqual(['Content-Type', 'application/json', 'X-B', '2'])
  expect(declared[2]).toMatchObject({ origin: 'http://api.shop.test:8080', path: '/a/b' })
})

test('puts environment values over those of the collection', () => {
  const { declared } = read(shop, { variables: { host: 'beta.test', lineId: '3' } })
  expect(declared[0]).toMatchObject({ origin: 'https://beta.test', path: '/v1/orders/{orderId}/lines/3' })
})

test('keeps requests whose server is unknown, with the variables that have no value', () => {
  const text = collection({ name: 'x', request: { url: '{{nowhere}}/a/b?x={{y}}' } })
  const { declared } = read(text)
  expect(declared[0]).toMatchObject({ origin: '', path: '/a/b' })
  expect(declared[0]?.problems).toEqual([
    'no saved response; kept as declared',
    'the variable "nowhere" has no value',
    'the variable "y" has no value',
  ])
  const schemeless = collection({ request: { url: '{{scheme}}://h.test/a' } })
  expect(read(schemeless).declared[0]).toMatchObject({ origin: 'https://h.test', path: '/a' })
  expect(read(text, { baseUrl: 'https://b.test/x' }).declared[0]?.origin).toBe('https://b.test')
})

test.each([
  ['/jobs/{{id}}:cancel', '/jobs/{id}:cancel', '/jobs/STRING:cancel', ['id']],
  ['/jobs/:id:cancel', '/jobs/{id}:cancel', '/jobs/STRING:cancel', ['id']],
  ['/odata/Orders({{id}})', '/odata/Orders({id})', '/odata/Orders({id})', ['id']],
  [
    "/odata/Lines(A={{a b}},B='{{b}}')",
    "/odata/Lines(A={a_b},B='{b}')",
    "/odata/Lines(A={a_b},B='{b}')",
    ['a b', 'b'],
  ],
  ['/files/{{name}}.json', '/files/{name}.json', '/files/STRING.json', ['name']],
  ['/reports/:id.pdf', '/reports/{id}.pdf', '/reports/STRING.pdf', ['id']],
])('variables without value within the segments of %s are parameters', (url, route, path, names) => {
  const response = [{ code: 200, body: '{}' }]
  const { declared, exchanges } = read(collection({ request: { url: `https://h${url}` }, response }))
  expect(declared[0]?.path).toBe(route)
  expect(declared[0]?.parameters.map(({ name }) => name)).toEqual(names.map((name) => name.replace(' ', '_')))
  expect(exchanges.map((one) => one.request.target)).toEqual([`https://h${path}`])
})

test.each([
  ['localhost:3000/a', 'http://localhost:3000'],
  ['127.0.0.1:8080/a', 'http://127.0.0.1:8080'],
  ['shop.test/a', 'https://shop.test'],
])('%s without a scheme is of %s', (url, origin) => {
  expect(read(collection({ request: { url } })).declared[0]?.origin).toBe(origin)
})

test('an invalid host is reported with its request, which is imported without a host', () => {
  const { declared } = read(collection({ request: { url: 'https://ann:secret@sh^op.test/a' } }))
  expect(declared[0]).toMatchObject({ origin: '', path: '/a' })
  expect(declared[0]?.problems).toContain('"sh^op.test" is not a host: it holds ^')
})

test.each([
  ['oauth2', { oauth2: [{ key: 'accessToken', value: 'abc' }] }, 'Bearer abc', 'oauth2'],
  ['oauth2', { oauth2: [{ key: 'headerPrefix', value: 'Token' }] }, 'Token sample-auth-token', 'oauth2'],
  ['digest', { digest: [] }, 'Digest sample-auth-token', 'http'],
  ['awsv4', {}, 'AWS4-HMAC-SHA256 sample-auth-token', 'http'],
  ['strange', {}, undefined, undefined],
])('reads authentication %s', (type, attributes, header, kind) => {
  const request = { url: 'https://h/', auth: { type, ...attributes } }
  const { declared, exchanges } = read(collection({ request, response: [{ code: 200 }] }))
  expect(headerValue(exchanges[0]!.request.headers, 'authorization')).toBe(header)
  expect(declared[0]?.security[0]?.[0]?.kind).toBe(kind)
})

test('skips invalid requests and takes the others', () => {
  const good = { request: 'https://h/a' }
  const items = [5, {}, { request: 7 }, { request: { url: '' } }, { request: 'grpc://h/x' }, { request: { method: 'A B', url: 'https://h/' } }, good] // biome-ignore format: one line reads better
  const { declared, report } = read(collection(...items))
  expect(declared).toHaveLength(1)
  expect(report.skipped.map((one) => `${one.where}: ${one.reason}`)).toEqual([
    '/item/0: the item is not an object',
    '/item/1: it has no request',
    '/item/2: it has no request',
    '/item/3: it has no URL',
    '/item/4: the URL scheme is grpc',
    '/item/5: the method is not an HTTP method',
  ])
})

test('ends at folders nested too deep and at variables that contain themselves', () => {
  let item: object = { request: 'https://h/deep' }
  for (let i = 0; i < 60; i++) item = { name: 'f', item: [item] }
  expect(read(collection(item)).report.skipped[0]?.reason).toBe('folders are nested deeper than 32')
  const bomb = {
    ...collection({ request: 'https://h/{{a}}' }),
    variable: [{ key: 'a', value: '{{a}}{{a}}{{a}}{{a}}' }],
  }
  expect(read(bomb)).toMatchObject({
    // A name stays within its own value.
    declared: [
      { path: '/{a}{a}{a}{a}', problems: expect.arrayContaining(['the variable "a" has no value']) },
    ],
  })
})

test.each([
  ['[]', 'the document is not an object'],
  ['{"info":{}}', 'it has no "item" list'],
  ['{"item":{}}', 'it has no "item" list'],
  ['{"requests":[],"order":[]}', 'collections of version 1 are not supported; export it as v2.1'],
  ['{"info":{},"item":[{]}', 'expected a quoted key (line 1, column 21, character 20)'],
])('refuses %s with the reason', (text, reason) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INVALID_POSTMAN', details: expect.objectContaining({ reason }) })) // biome-ignore format: one line reads better
})
