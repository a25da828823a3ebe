import { expect, test } from 'vitest'
import { GOOD_INPUTS } from '../bad-input/good-inputs.ts'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, messageLines, refusal, untilRead } from './ask.ts'

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

function fixture(importer: string, name: string): string {
  const input = GOOD_INPUTS.find((one) => one.importer === importer && one.name === name)!
  return input.bytes.toString('utf8')
}

const OPENAPI_30 = [
  'DELETE https://www.shop.test/api/v1/orders/INTEGER',
  'GET https://www.shop.test/api/v1/orders',
  'GET https://www.shop.test/api/v1/orders/INTEGER',
  'POST https://www.shop.test/api/v1/orders',
  'PUT https://www.shop.test/api/v1/users/STRING/avatar',
]

/** What each fixture holds, as `METHOD url`. */
const FORMATS: readonly [importer: string, name: string, format: string, endpoints: string[]][] = [
  ['openapi', 'OpenAPI 3.0 YAML', 'OPEN_API', OPENAPI_30],
  ['openapi', 'OpenAPI 3.1 JSON', 'OPEN_API', ['GET /orders/STRING', 'POST /events']],
  [
    'openapi',
    'Swagger 2 YAML',
    'OPEN_API',
    [
      'GET https://shop.test/v2/pets/INTEGER',
      'POST https://shop.test/v2/pets/INTEGER',
      'PUT https://shop.test/v2/pets',
    ],
  ],
  [
    'postman',
    'collection 2.1',
    'POSTMAN',
    [
      'GET https://shop.test/open',
      'GET https://shop.test/v1/orders/STRING/lines/STRING',
      'POST https://shop.test/form',
      'POST https://shop.test/graphql',
      'POST https://shop.test/upload',
      'POST https://shop.test/v1/orders',
      'PUT https://shop.test/file',
    ],
  ],
  [
    'postman',
    'collection 2.0',
    'POSTMAN',
    ['GET http://api.shop.test:8080/a/b', 'GET https://shop.test/health', 'GET https://shop.test/v1/me'],
  ],
  ['burp-xml', 'items', 'BURP_XML', ['GET https://shop.test/v1/me', 'POST https://shop.test/v1/cart']],
  ['sample-messages', 'batch', 'SAMPLE_MESSAGES', ['POST https://shop.test/v1/orders']],
  ['sample-messages', 'lines', 'SAMPLE_MESSAGES', ['POST https://shop.test/v1/orders']],
  [
    'raw-http',
    'messages',
    'RAW_HTTP',
    ['GET https://shop.test/v1/orders/INTEGER', 'POST https://shop.test/v1/orders'],
  ],
  [
    'curl',
    'commands',
    'CURL',
    ['POST https://shop.test/notes', 'POST https://shop.test/upload', 'POST https://shop.test/v1/orders'],
  ],
]

/** What endpoints have as their source, by the format that they came in. */
const SOURCES: Readonly<Record<string, string>> = {
  OPEN_API: 'OPEN_API',
  POSTMAN: 'POSTMAN',
  BURP_XML: 'BURP',
  SAMPLE_MESSAGES: 'OTHER',
  RAW_HTTP: 'OTHER',
  CURL: 'OTHER',
}

async function sourcesOf(apiCollectionId: number): Promise<string[]> {
  const answer = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId })
  const infos = 'apiInfoList' in answer ? answer.apiInfoList : []
  return [...new Set(infos.flatMap(({ sources }) => Object.keys(sources)))]
}

test.each(FORMATS)('%s %s is recognised and taken', async (importer, name, format, endpoints) => {
  const content = fixture(importer, name)
  const collection = `${importer} ${name}`
  const taken = await ask(server, 'importTraffic', { content, apiCollectionName: collection })
  expect(taken).toMatchObject({ format, report: { status: 'SUCCEEDED', fatalError: null, skipped: 0 } })
  expect(taken.report.taken).toBeGreaterThan(0)
  expect((await endpointsOf(server, taken.apiCollectionId)).sort()).toEqual(endpoints)
  expect(await sourcesOf(taken.apiCollectionId)).toEqual([SOURCES[format]])
  const base64 = await ask(server, 'importTraffic', {
    content: Buffer.from(content).toString('base64'),
    contentEncoding: 'base64',
    format,
    apiCollectionName: `${collection} again`,
  })
  expect((await endpointsOf(server, base64.apiCollectionId)).sort()).toEqual(endpoints)
})

test('an OpenAPI file is judged first and taken over second', async () => {
  const text = fixture('openapi', 'OpenAPI 3.1 JSON')
  const { uploadId } = await ask(server, 'importDataFromOpenApiSpec', { openAPIString: text })
  const { uploadDetails } = await untilRead(server, 'fetchSwaggerImportLogs', uploadId!)
  expect(uploadDetails).toMatchObject({ uploadStatus: 'SUCCEEDED', totalCount: 2 })
  const before = (await ask(server, 'getAllCollectionsBasic')).apiCollections!
  expect(before.map(({ name }) => name)).not.toContain('Shop 3.1')
  const body = { uploadId, importType: 'ALL_APIS' }
  const { apiCollectionId: id } = await ask(server, 'importSwaggerLogs', body)
  const view = await ask(server, 'getCollection', { apiCollectionId: id })
  expect(view[0]).toMatchObject({ name: 'Shop 3.1', urlsCount: 2 })
  expect((await endpointsOf(server, id!)).sort()).toEqual(['GET /orders/STRING', 'POST /events'])
  // A second call changes nothing more.
  expect((await ask(server, 'importSwaggerLogs', body)).apiCollectionId).toBe(id)
  expect(await endpointsOf(server, id!)).toHaveLength(2)
  const { openApiSchema } = await ask(server, 'fetchOpenApiSchema', { apiCollectionId: id })
  expect(openApiSchema).toBe(text)
})

test('an uploaded YAML file is returned as JSON text', async () => {
  const { apiCollectionId: id } = await ask(server, 'createCollection', { collectionName: 'yaml target' })
  const { uploadId } = await ask(server, 'importDataFromOpenApiSpec', {
    openAPIString: fixture('openapi', 'OpenAPI 3.0 YAML'),
    apiCollectionId: id,
  })
  await untilRead(server, 'fetchSwaggerImportLogs', uploadId!)
  await ask(server, 'importSwaggerLogs', { uploadId, importType: 'ALL_APIS' })
  expect((await endpointsOf(server, id!)).sort()).toEqual(OPENAPI_30)
  const { openApiSchema } = await ask(server, 'fetchOpenApiSchema', { apiCollectionId: id })
  expect(JSON.parse(openApiSchema!)).toMatchObject({ openapi: '3.0.3', info: { title: 'Shop' } })
})

test('a specification with a path and a name of thousands of bytes is taken over but for these', async () => {
  let state = 7
  const noise = (length: number): string =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return String.fromCharCode(97 + ((state >> 8) % 26))
    }).join('')
  const operation = (name: string) => ({
    get: {
      parameters: [{ in: 'query', name, schema: { type: 'string' } }],
      responses: { 200: { description: 'ok' } },
    },
  })
  const openAPIString = {
    openapi: '3.0.0',
    info: { title: 'Long names', version: '1' },
    paths: {
      [`/${noise(3_900).replace(/.{15}/g, '$&/')}`]: operation('q'),
      '/named': operation(noise(5_000)),
      '/short': operation('q'),
    },
  }
  const { uploadId } = await ask(server, 'importDataFromOpenApiSpec', {
    openAPIString: JSON.stringify(openAPIString),
  })
  const { uploadDetails } = await untilRead(server, 'fetchSwaggerImportLogs', uploadId!)
  expect(JSON.stringify(uploadDetails)).toContain('the path is longer than 1900 bytes')
  const { apiCollectionId } = await ask(server, 'importSwaggerLogs', { uploadId, importType: 'ALL_APIS' })
  expect((await endpointsOf(server, apiCollectionId!)).sort()).toEqual(['GET /named', 'GET /short'])
})

test('operations with problems are listed, and left out when asked', async () => {
  const openAPIString = {
    openapi: '3.0.0',
    info: { title: 'Half good', version: '1' },
    paths: {
      '/good': { get: { responses: { 200: { description: 'ok' } } } },
      '/bad': { get: { parameters: [{ $ref: '#/nowhere' }], responses: { 200: { description: 'ok' } } } },
    },
  }
  const { uploadId } = await ask(server, 'importDataFromOpenApiSpec', { openAPIString })
  const { uploadDetails } = await untilRead(server, 'fetchSwaggerImportLogs', uploadId!)
  expect(uploadDetails).toMatchObject({
    uploadStatus: 'SUCCEEDED',
    totalCount: 2,
    apisWithErrorsAndParsed: 1,
  })
  const { logs } = uploadDetails as { logs: { term: string; description: string }[] }
  expect(logs[0]).toEqual({ term: 'Url', description: 'Errors' })
  expect(logs).toHaveLength(2)
  expect(logs[1]!.term).toContain('/bad')
  const { apiCollectionId } = await ask(server, 'importSwaggerLogs', {
    uploadId,
    importType: 'ONLY_SUCCESSFUL_APIS',
  })
  expect(await endpointsOf(server, apiCollectionId!)).toEqual(['GET /good'])
  expect((await ask(server, 'importSwaggerLogs', { uploadId, importType: 'ALL_APIS' })).apiCollectionId).toBe(
    apiCollectionId,
  )
  expect((await endpointsOf(server, apiCollectionId!)).sort()).toEqual(['GET /bad', 'GET /good'])
})

test('a Postman collection is judged, taken over, and its report deleted', async () => {
  const { uploadId } = await ask(server, 'importDataFromPostmanFile', {
    postmanCollectionFile: fixture('postman', 'collection 2.1'),
    allowReplay: false,
  })
  const { uploadDetails } = await untilRead(server, 'fetchPostmanImportLogs', uploadId)
  expect(uploadDetails).toMatchObject({ uploadStatus: 'SUCCEEDED', uploadId })
  const { logs, errorCount } = uploadDetails as { logs: unknown[]; errorCount: number }
  expect(logs).toHaveLength(errorCount === 0 ? 0 : errorCount + 1)
  const { apiCollectionId: id } = await ask(server, 'ingestPostman', { uploadId, importType: 'ALL_APIS' })
  expect((await ask(server, 'getCollection', { apiCollectionId: id }))[0]!.name).toBe('Shop')
  expect((await endpointsOf(server, id)).length).toBe(7)
  const elsewhere = await ask(server, 'ingestPostman', {
    uploadId,
    apiCollectionName: 'elsewhere',
    importType: null,
  })
  expect(elsewhere.apiCollectionId).not.toBe(id)
  expect((await endpointsOf(server, elsewhere.apiCollectionId)).length).toBe(7)
  await ask(server, 'deletePostmanImportLogs', { uploadId })
  expect(await refusal(server, 'fetchPostmanImportLogs', { uploadId })).toEqual([422, 'Invalid upload id'])
  expect((await endpointsOf(server, id)).length).toBe(7)
})

test('ids in the paths of a Postman collection are values, and traffic joins them', async () => {
  const request = (url: string) => ({ name: url, request: { method: 'GET', url } })
  const content = JSON.stringify({
    info: { name: 'Ids', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [request('https://shop.test/orders/77'), request('https://shop.test/orders/78')],
  })
  const apiCollectionName = 'postman ids'
  const { apiCollectionId } = await ask(server, 'importTraffic', { content, apiCollectionName })
  const recorded = messageLines([{ path: 'https://shop.test/orders/79' }])
  await ask(server, 'importTraffic', { content: recorded, apiCollectionName })
  expect(await endpointsOf(server, apiCollectionId)).toEqual(['GET https://shop.test/orders/INTEGER'])
})

test('a Postman environment gives the variables of its collection their values', async () => {
  const collection = {
    info: { name: 'Stages', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'me', request: { method: 'GET', url: '{{baseUrl}}/me' } }],
  }
  const environment = {
    name: 'stage',
    _postman_variable_scope: 'environment',
    values: [
      { key: 'baseUrl', value: 'https://stage.test', enabled: true },
      { key: 'baseUrl', value: 'https://off.test', enabled: false },
    ],
  }
  const wanted = ['GET https://stage.test/me']
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content: JSON.stringify(collection),
    environment,
    apiCollectionName: 'stage at once',
  })
  expect(await endpointsOf(server, apiCollectionId)).toEqual(wanted)
  const { uploadId } = await ask(server, 'importDataFromPostmanFile', {
    postmanCollectionFile: collection,
    environment: JSON.stringify(environment),
  })
  await untilRead(server, 'fetchPostmanImportLogs', uploadId)
  const later = await ask(server, 'ingestPostman', { uploadId, importType: 'ALL_APIS' })
  expect(await endpointsOf(server, later.apiCollectionId)).toEqual(wanted)
  const content = JSON.stringify(environment)
  const alone = await refusal(server, 'importTraffic', { content, apiCollectionName: 'x' })
  expect(alone[1]).toContain('it is an environment; send it together with its collection')
})

test('invalid uploads and invalid files are refused', async () => {
  const { uploadId } = await ask(server, 'importTraffic', {
    content: fixture('curl', 'commands'),
    apiCollectionName: 'other upload',
  })
  for (const id of ['nonsense', 'f'.repeat(24), uploadId]) {
    expect(await refusal(server, 'fetchSwaggerImportLogs', { uploadId: id })).toEqual([
      422,
      'Invalid uploadId',
    ])
    expect(await refusal(server, 'importSwaggerLogs', { uploadId: id, importType: 'ALL_APIS' })).toEqual([
      422,
      'Invalid uploadId',
    ])
    for (const operation of ['fetchPostmanImportLogs', 'ingestPostman', 'deletePostmanImportLogs'] as const) {
      expect(await refusal(server, operation, { uploadId: id, importType: 'ALL_APIS' })).toEqual([
        422,
        'Invalid upload id',
      ])
    }
  }
  expect(await refusal(server, 'fetchSwaggerImportLogs')).toEqual([422, 'uploadId is required'])
  expect(await refusal(server, 'fetchPostmanImportLogs')).toEqual([422, 'Upload id is required'])
  expect((await ask(server, 'fetchImportReport', { uploadId })).report.uploadId).toBe(uploadId)
  const { apiCollectionId: group } = await ask(server, 'createCustomCollection', {
    collectionName: 'group target',
    conditions: [{ type: 'ALL', operator: 'AND', data: {} }],
  })
  const openAPIString = fixture('openapi', 'OpenAPI 3.1 JSON')
  expect(
    await refusal(server, 'importDataFromOpenApiSpec', { openAPIString, apiCollectionId: group }),
  ).toEqual([422, "Can't upload OpenAPI file for collection groups"])
  expect((await refusal(server, 'importDataFromOpenApiSpec', { openAPIString: '{"swagger":' }))[1]).toMatch(
    /^Invalid OpenAPI file: /,
  )
  expect((await refusal(server, 'importDataFromPostmanFile', { postmanCollectionFile: '[]' }))[1]).toMatch(
    /^Invalid Postman collection: /,
  )
  expect(await refusal(server, 'importTraffic', { content: '', apiCollectionName: 'x' })).toEqual([
    422,
    'The file is empty',
  ])
  const { apiCollectionId: bare } = await ask(server, 'createCollection', { collectionName: 'bare' })
  expect(await refusal(server, 'fetchOpenApiSchema', { apiCollectionId: bare })).toEqual([
    422,
    `No OpenAPI schema found for collection ID: ${bare}`,
  ])
})

test('a large file is answered soon and read to its end', async () => {
  const padding = 'x'.repeat(400)
  const messages = Array.from({ length: 15_000 }, (_, n) => ({
    path: `https://large.test/things?page=${n}`,
    responsePayload: `{"text":"${padding}"}`,
  }))
  const content = messageLines(messages)
  expect(content.length).toBeGreaterThan(9 * 2 ** 20)
  const imported = await ask(server, 'importTraffic', { content, apiCollectionName: 'large' })
  expect(['IN_PROGRESS', 'SUCCEEDED']).toContain(imported.report.status)
  await expect
    .poll(async () => (await ask(server, 'fetchImportReport', { uploadId: imported.uploadId })).report, {
      timeout: 60_000,
      interval: 200,
    })
    .toMatchObject({ status: 'SUCCEEDED', taken: 15_000, skipped: 0 })
  expect(await endpointsOf(server, imported.apiCollectionId)).toEqual(['GET https://large.test/things'])
})
