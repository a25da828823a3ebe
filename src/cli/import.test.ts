import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { runCli } from '../../test/cli-process.ts'
import { type TestServer, testKey } from '../../test/harness.ts'
import { ask, endpointsOf } from '../../test/scenarios/ask.ts'
import { sharing as test } from '../../test/shared-server.ts'
import { exitCodes } from './exit-codes.ts'
import { importFile } from './import.ts'

const SCHEMA = 'test/fixtures/imports/shop-schema.graphql'

let server: TestServer

test.beforeAll(async ({ shared }) => {
  server = shared
})

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

test('a GraphQL schema is imported with the address of its endpoint', async () => {
  const { code, stdout } = await imported('schema', '--api-url', 'https://shop.test/api/graphql')
  expect([code, stdout]).toEqual([0, expect.stringContaining('GraphQL: ')])
  const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
  const { id } = apiCollections!.find(({ name }) => name === 'schema')!
  expect(await endpointsOf(server, id)).toContain('POST https://shop.test/api/graphql/query/products')
})

test('an invalid address is refused', async () => {
  const { code, stderr } = await imported('no address', '--api-url', 'shop.test/graphql')
  expect([code, stderr]).toEqual([
    exitCodes.failed,
    expect.stringContaining('The base URL is not an address'),
  ])
})

test('several documents are imported from files, a URL and standard input; one without entries fails', async () => {
  const document = (path: string): string =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'shop', version: '1' },
      servers: [{ url: 'https://shop.test' }],
      paths: { [path]: { get: { responses: { 200: { description: 'done' } } } } },
    })
  const asked: string[] = []
  const host = createServer((request, response) => {
    asked.push(request.url!)
    if (request.url!.startsWith('/gone.json')) response.writeHead(404)
    response.end(document('/from-url'))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => host.once('listening', resolve))
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const flags = ['--collection', 'many', '--server', server.baseUrl, '--key', testKey]
  try {
    const refused = await runCli(['import', SCHEMA, `${origin}/gone.json?token=secret`, ...flags])
    expect(refused.code).toBe(exitCodes.failed)
    expect(refused.stderr).toContain(`${origin}/gone.json could not be fetched: the answer has status 404`)
    expect(refused.stderr).not.toContain('secret')
    const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
    expect(apiCollections!.map(({ name }) => name)).not.toContain('many')

    const inputs = [`${origin}/openapi.json`, '-', SCHEMA]
    const { code, stdout } = await runCli(['import', ...inputs, '--json', ...flags], document('/from-input'))
    expect(code).toBe(0)
    const reports = JSON.parse(stdout) as { input: string; report: { taken: number } }[]
    expect(reports.map(({ input }) => input)).toEqual([inputs[0], 'standard input', SCHEMA])
    expect(reports.every(({ report }) => report.taken > 0)).toBe(true)
    const collections = (await ask(server, 'getAllCollectionsBasic')).apiCollections!
    const { id } = collections.find(({ name }) => name === 'many')!
    expect(await endpointsOf(server, id)).toEqual(
      expect.arrayContaining([expect.stringContaining('/from-url'), expect.stringContaining('/from-input')]),
    )

    const empty = document('/none').replace(/"paths":.*$/, '"paths":{}}')
    const nothing = await runCli(['import', '-', ...flags], empty)
    expect([nothing.code, nothing.stdout]).toEqual([
      exitCodes.failed,
      'OpenAPI: 0 entries, 0 imported, 0 skipped, 0 repeated\n',
    ])
    expect(asked).toEqual(['/gone.json?token=secret', '/openapi.json'])
  } finally {
    host.close()
  }
})

test('what is wrong with entries that were taken is printed, each reason once', async () => {
  const request = (path: string) => ({ name: path, request: { method: 'GET', url: `{{host}}${path}` } })
  const collection = { info: { name: 'c' }, item: [request('/a'), request('/b')] }
  const flags = ['--collection', 'doubts', '--server', server.baseUrl, '--key', testKey]
  const { code, stdout } = await runCli(['import', '-', ...flags], JSON.stringify(collection))
  expect([code, stdout.split('\n')]).toEqual([
    0,
    expect.arrayContaining([
      'Postman: 2 entries, 2 imported, 0 skipped, 0 repeated',
      'warning: /item/0: /a (GET): the variable "host" has no value (2 entries, this is the first)',
    ]),
  ])
})

test.each([
  [['import', '--collection', 'x', '--key', testKey], '<file> is missing'],
  [['import', '-', '-', '--collection', 'x', '--key', testKey], 'standard input can be read once'],
  [['import', 'no-such-file.har', '--collection', 'x', '--key', testKey], 'cannot be read'],
])('%j is refused', async (args, reason) => {
  await expect(importFile.run(args.slice(1))).rejects.toMatchObject({
    code: 'BAD_COMMAND',
    details: { reason: expect.stringContaining(reason) },
  })
})
