import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { type TestServer, testKey } from '../../test/harness.ts'
import { sarifFaults } from '../../test/sarif-shape.ts'
import { ask, endpointsOf, messageLines } from '../../test/scenarios/ask.ts'
import { sharing as test } from '../../test/shared-server.ts'
import { pairOf, report, startedRun } from '../../test/test-results.ts'
import { endExecution } from '../testing/records/index.ts'
import { exitCodes } from './exit-codes.ts'
import { exportCollection } from './export.ts'

let server: TestServer
let folder: string

test.beforeAll(async ({ shared }) => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-export-test-'))
  server = shared
  const response = { 200: { description: 'done' } }
  const document = {
    openapi: '3.0.3',
    info: { title: 'shop', version: '1' },
    servers: [{ url: 'https://shop.test' }],
    paths: {
      '/orders': { get: { responses: response }, post: { responses: response } },
      // A comma in a path, and more endpoints than a page of the interface holds.
      '/a,b': { get: { responses: response } },
      ...Object.fromEntries(
        Array.from({ length: 320 }, (_, at) => [`/thing${at}/list`, { get: { responses: response } }]),
      ),
    },
  }
  await ask(server, 'importTraffic', { content: JSON.stringify(document), apiCollectionName: 'export' })
  await ask(server, 'importTraffic', { content: RECORDED, apiCollectionName: 'recorded' })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => vi.restoreAllMocks())

const RECORDED = messageLines([
  { path: 'https://shop.test/carts?page=2', responsePayload: '{"carts":[]}' },
  {
    ...{ method: 'POST', path: 'https://shop.test/carts', requestPayload: '{"item":"book","note":"ü"}' },
    requestHeaders: {
      host: 'shop.test',
      'content-type': 'application/json',
      authorization: 'Bearer s3cr3t-t0ken',
    },
    statusCode: '201',
  },
])

const flags = () => ['--collection', 'export', '--server', server.baseUrl, '--key', testKey]

async function printed(...args: string[]): Promise<string> {
  const said: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  expect(await exportCollection.run([...args, ...flags()])).toBe(exitCodes.done)
  return said.join('')
}

test('the OpenAPI document has every endpoint of the collection, over all pages', async () => {
  const { openapi, paths } = JSON.parse(await printed('openapi')) as {
    openapi: string
    paths: Record<string, Record<string, unknown>>
  }
  expect(openapi).toMatch(/^3\.1\./)
  expect(Object.keys(paths)).toHaveLength(322)
  expect(Object.keys(paths['/orders']!)).toEqual(expect.arrayContaining(['get', 'post']))
})

test('the table has a row for each endpoint, with its cells quoted where they must be', async () => {
  const lines = (await printed('csv')).split('\r\n')
  expect(lines[0]).toMatch(/^method,url,authentication,access,sensitive,risk,/)
  expect(lines.filter((line) => /^(GET|POST),/.test(line))).toHaveLength(323)
  expect(lines.some((line) => line.startsWith('GET,"https://shop.test/a,b",'))).toBe(true)
})

const recordedFlags = () => flags().with(1, 'recorded')

async function printedOf(...args: string[]): Promise<string> {
  const said: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  expect(await exportCollection.run([...args, ...recordedFlags()])).toBe(exitCodes.done)
  return said.join('')
}

test.each(['har', 'postman'])('an exported %s document imports as the same endpoints', async (format) => {
  const text = await printedOf(format)
  expect(text, 'credentials are masked').not.toContain('s3cr3t')
  expect(await printedOf(format, '--secrets', 'shown')).toContain('Bearer s3cr3t-t0ken')
  const apiCollectionName = `again from ${format}`
  const { report, apiCollectionId } = await ask(server, 'importTraffic', { content: text, apiCollectionName })
  expect(report).toMatchObject({ taken: 2, skipped: 0 })
  expect((await endpointsOf(server, apiCollectionId)).sort()).toEqual([
    'GET https://shop.test/carts',
    'POST https://shop.test/carts',
  ])
  const sample = await ask(server, 'fetchSampleData', {
    ...{ method: 'POST', url: 'https://shop.test/carts', apiCollectionId },
  })
  expect(JSON.stringify(sample)).toContain('ü')
})

test('an endpoint without a message is named in a Postman collection, and noted', async () => {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const { item } = JSON.parse(await printed('postman')) as { item: { name: string }[] }
  expect(item).toHaveLength(323)
  expect(item.map(({ name }) => name)).toContain('POST /orders')
  expect(said.join('')).toMatch(/\d+ of 323 endpoints have no recorded message/)
})

test('open issues of a collection are valid SARIF, a result for each cause', async () => {
  const { store } = server.running.app
  const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
  const { id } = apiCollections!.find(({ displayName }) => displayName === 'recorded')!
  const { summaryId } = await startedRun(store, { collectionIds: [id], keepsIssuesOpen: false })
  const url = 'https://shop.test/carts'
  await report(store, summaryId, [pairOf({ collectionId: id, url, outcome: 'VULNERABLE', severity: 'HIGH' })])
  await endExecution(store, summaryId, { state: 'COMPLETED' })
  const sarif = JSON.parse(await printedOf('sarif'))
  expect(sarifFaults(sarif)).toEqual([])
  expect(sarif.runs[0].results).toMatchObject([
    {
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'carts' } },
          logicalLocations: [{ fullyQualifiedName: 'GET /carts' }],
        },
      ],
    },
  ])
})

test('a file is written once, for its owner only', async () => {
  const out = join(folder, 'shop.csv')
  expect(await printed('csv', '--out', out)).toBe('')
  expect(statSync(out).mode & 0o777).toBe(0o600)
  const text = readFileSync(out, 'utf8')
  await expect(exportCollection.run(['csv', '--out', out, ...flags()])).rejects.toMatchObject({
    code: 'BAD_COMMAND',
  })
  expect(readFileSync(out, 'utf8')).toBe(text)
})

test('an unknown format and an unknown collection are refused', async () => {
  await expect(exportCollection.run(['pdf', ...flags()])).rejects.toMatchObject({
    details: { reason: '<format> is openapi, csv, har, postman, sarif, not pdf' },
  })
  const other = ['csv', '--server', server.baseUrl, '--key', testKey, '--collection', 'nowhere']
  await expect(exportCollection.run(other)).rejects.toMatchObject({
    details: { reason: '--collection: no collection has the name nowhere' },
  })
})

test('a server that cannot be reached ends with code 1 and what to do', async () => {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const args = ['csv', '--collection', 'export', '--server', 'http://127.0.0.1:1', '--key', testKey]
  expect(await exportCollection.run(args)).toBe(exitCodes.failed)
  expect(said.join('')).toMatch(/cannot be reached: .* --server/)
})
