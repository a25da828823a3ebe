import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { protobufImporter } from './protobuf.ts'

const shop = readFileSync('test/fixtures/imports/shop.proto', 'utf8')
const described = (text: string): string[] =>
  protobufImporter
    .read(text)
    .declared.map(({ protocol = 'HTTP', method, path }) => `${protocol} ${method} ${path}`)

const OPERATIONS = [
  'GRPC POST /shop.v1.Orders/GetOrder',
  'HTTP GET /v1/users/{name}/orders/{name.2}',
  'GRPC POST /shop.v1.Orders/PlaceOrder',
  'HTTP POST /v1/users/{user_id}/orders',
  'GRPC POST /shop.v1.Orders/WatchOrders',
]

test('declares each method by its gRPC path and by its HTTP forms', () => {
  expect(described(shop)).toEqual(OPERATIONS)
  expect(protobufImporter.read(shop).declared[0]).toMatchObject({
    summary: 'Reads one order.',
    effect: 'READ',
    requests: [
      { mediaType: 'application/grpc', keys: [{ key: 'name' }, { key: 'withLines', type: 'boolean' }] },
    ],
  })
})

test('an HTTP form has its path, query and body from the fields of the message', () => {
  const [, get, , post] = protobufImporter.read(shop, { baseUrl: 'https://shop.test/x' }).declared
  expect(get).toMatchObject({
    origin: 'https://shop.test',
    requests: [],
    parameters: [{ name: 'name' }, { name: 'name.2' }, { name: 'withLines', in: 'query' }],
  })
  expect(post?.requests[0]).toMatchObject({
    mediaType: 'application/json',
    keys: [{ key: 'quantity', required: true }, { key: 'kind' }],
    example: '{"quantity":1,"kind":"KIND_UNSPECIFIED"}',
  })
})

test('a type that holds itself ends, and types of protobuf have their JSON form', () => {
  const [get] = protobufImporter.read(shop).declared
  expect(get?.responses[0]?.keys).toEqual(
    expect.arrayContaining([{ key: 'createdAt', type: 'string', format: 'date-time', required: false }]),
  )
})

test('reads the JSON descriptor of the same services, HTTP forms included', () => {
  const json = JSON.stringify(protobuf.parse(shop).root.toJSON())
  expect(described(json)).toEqual(OPERATIONS)
})
