import { readFileSync } from 'node:fs'
import { buildSchema, introspectionFromSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { importText } from '../detect-importer.ts'
import type { DeclaredOperation } from '../index.ts'

const SCHEMA = readFileSync('test/fixtures/imports/shop-schema.graphql', 'utf8')

function sent({ requests }: DeclaredOperation): { query: string; variables: Record<string, unknown> } {
  return JSON.parse(requests[0]!.example!)
}

describe('a GraphQL schema', () => {
  const { declared, importer } = importText(SCHEMA, { baseUrl: 'https://shop.test/api/graphql' })

  test('is declared field by field at its endpoint, with what each field does and to what', () => {
    expect(importer).toBe('graphql')
    const told = declared.map(({ path, target, effect, resource }) => [path, target, effect, resource])
    expect(told).toEqual(
      [
        ['query/products', 'READ', 'Product'],
        ['query/product', 'READ', 'Product'],
        ['query/orders', 'READ', 'Order'],
        ['query/order', 'READ', 'Order'],
        ['query/search', 'READ', 'Found'],
        ['query/startedAt', 'READ', 'startedAt'],
        ['mutation/createOrder', 'CREATE', 'Order'],
        ['mutation/changeNote', 'CHANGE', 'Order'],
        ['mutation/deleteOrder', 'DELETE', 'Order'],
      ].map(([name, ...rest]) => [`/api/graphql/${name}`, '/api/graphql', ...rest]),
    )
    expect(declared.map(({ origin }) => origin)).toContain('https://shop.test')
  })

  test('gives requests that a server of that schema accepts', () => {
    const schema = buildSchema(SCHEMA)
    for (const operation of declared)
      expect(validate(schema, parse(sent(operation).query)), operation.path).toEqual([])
    const create = sent(declared.find(({ path }) => path.endsWith('createOrder'))!)
    expect(create.query).toContain('product { id name price }')
    expect(create.variables).toEqual({
      input: { productId: '1', quantity: 1, size: 'SMALL', note: 'string', tags: ['string'] },
    })
  })

  test('is the same as the answer to an introspection query', () => {
    const content = JSON.stringify({ data: introspectionFromSchema(buildSchema(SCHEMA)) })
    const { declared: introspected } = importText(content, { baseUrl: 'https://shop.test/api/graphql' })
    expect(introspected).toEqual(declared)
  })
})

test.each([
  ['', '', '/graphql/query/a'],
  ['https://shop.test', 'https://shop.test', '/graphql/query/a'],
  ['https://shop.test/', 'https://shop.test', '/graphql/query/a'],
  ['https://shop.test/v2/gql/', 'https://shop.test', '/v2/gql/query/a'],
  ['/v2/gql', '', '/v2/gql/query/a'],
])('a schema at %j has its fields at %j%s', (baseUrl, origin, path) => {
  const { declared } = importText('type Query { a: Int }', { baseUrl })
  expect(declared[0]).toMatchObject({ origin, path })
})

test('a part of a larger schema is read, subscriptions are reported as skipped', () => {
  const { declared, report } = importText(
    'extend type Query { a(x: Foo!): Bar @key(fields: "id") }\ntype Subscription { b: Int }\nschema { query: Query subscription: Subscription }',
  )
  expect(sent(declared[0]!)).toEqual({ query: 'query ($x: Foo!) { a(x: $x) }', variables: { x: 'string' } })
  expect(report.warnings.map(({ reason }) => reason)).toEqual([
    'the type Foo is not defined; it is taken for a scalar',
    'the type Bar is not defined; it is taken for a scalar',
  ])
  expect(report.skipped).toMatchObject([{ where: 'subscription b', reason: 'subscriptions are not tested' }])
})
