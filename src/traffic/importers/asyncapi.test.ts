import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asyncApiImporter } from './asyncapi.ts'

const version2 = readFileSync('test/fixtures/imports/shop-asyncapi-2.yaml', 'utf8')
const version3 = readFileSync('test/fixtures/imports/shop-asyncapi-3.json', 'utf8')
const described = (text: string): string[] =>
  asyncApiImporter.read(text).declared.map(({ method, origin, path }) => `${method} ${origin}${path}`)

test.each([
  [2, version2, 'POST'],
  [3, version3, 'PUT'],
])(
  'version %i: a WebSocket channel is one operation, a use of an HTTP channel another',
  (_version, text, method) => {
    expect(described(text)).toEqual([
      expect.stringMatching(/^WS https:\/\/shop\.test\/live\/orders\/\{orderId\}\/updates$/),
      `${method} https://shop.test/api/orders`,
    ])
  },
)

test('messages that clients send are the request, those that they receive the response', () => {
  const [socket] = asyncApiImporter.read(version2).declared
  expect(socket).toMatchObject({
    protocol: 'WEBSOCKET',
    requests: [{ keys: [{ key: 'action', required: true }], example: '{"action":"watch"}' }],
    responses: [{ status: '101', keys: [{ key: 'id' }, { key: 'state' }] }],
    parameters: [
      { name: 'orderId', in: 'path', type: 'integer' },
      { name: 'token', in: 'query', required: true },
    ],
  })
  const [, place] = asyncApiImporter.read(version3).declared
  expect(place).toMatchObject({
    requests: [{ keys: [{ key: 'qty' }] }],
    responses: [{ keys: [{ key: 'id' }, { key: 'state' }] }],
  })
})

test('keys of HTTP count as security, and YAML places have their line', () => {
  const [, place] = asyncApiImporter.read(version2).declared
  expect(place?.security).toEqual([[expect.objectContaining({ kind: 'apiKey', parameter: 'x-shop-key' })]])
  expect(place?.where).toBe('/channels/~1orders/publish (line 28)')
})

test('channels without a server get the base URL; what the application itself sends over HTTP is skipped', () => {
  const hook = { asyncapi: '3.0.0', info: { title: 'T' }, channels: { a: { address: 'a' } }, operations: {} }
  const uses = (action: string) => ({
    o: { action, channel: { $ref: '#/channels/a' }, bindings: { http: { method: 'DELETE' } } },
  })
  const read = (action: string) =>
    asyncApiImporter.read(JSON.stringify({ ...hook, operations: uses(action) }), {
      baseUrl: 'https://shop.test',
    })
  expect(read('receive').declared).toMatchObject([
    { method: 'DELETE', origin: 'https://shop.test', path: '/a' },
  ])
  expect(read('send').report).toMatchObject({ taken: 0, skippedTotal: 1 })
})
