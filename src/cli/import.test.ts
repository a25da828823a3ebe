import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../test/cli-process.ts'
import { startTestServer, type TestServer, testKey } from '../../test/harness.ts'
import { ask, endpointsOf } from '../../test/scenarios/ask.ts'
import { exitCodes } from './exit-codes.ts'

const SCHEMA = 'test/fixtures/imports/shop-schema.graphql'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const imported = (collection: string, ...more: string[]) =>
  runCli([
    'import',
    SCHEMA,
    '--collection',
    collection,
    '--server',
    server.baseUrl,
    '--key',
    testKey,
    ...more,
  ])

test('a GraphQL schema is imported with the address of its endpoint', { timeout: 120_000 }, async () => {
  const { code, stdout } = await imported('schema', '--api-url', 'https://shop.test/api/graphql')
  expect([code, stdout]).toEqual([0, expect.stringContaining('GraphQL'.toUpperCase())])
  const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
  const { id } = apiCollections!.find(({ name }) => name === 'schema')!
  expect(await endpointsOf(server, id)).toContain('POST https://shop.test/api/graphql/query/products')
})

test('an address that is none is refused', { timeout: 120_000 }, async () => {
  const { code, stderr } = await imported('no address', '--api-url', 'shop.test/graphql')
  expect([code, stderr]).toEqual([
    exitCodes.failed,
    expect.stringContaining('The base URL is not an address'),
  ])
})
