import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing as test } from '../shared-server.ts'
import { until } from '../until.ts'
import { wholeCollection } from '../use-vigil.ts'
import { ask, messageLines } from './ask.ts'

/** A target that refuses whatever its document does not allow: requests made from the document have to satisfy it. */

let server: TestServer
let target: Server
let origin: string
/** What the target got, with what is wrong about it. */
const seen: { request: string; faults: string[]; body: string }[] = []
const pets = new Set<string>()

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

type Checks = Record<string, boolean>

function listChecks(query: URLSearchParams, tenant: unknown): Checks {
  const limit = Number(query.get('limit'))
  return {
    limit: limit > 0 && limit <= 50 && limit % 5 === 0,
    status: ['available', 'sold'].includes(query.get('status') ?? ''),
    tags: query.getAll('tags').length >= 2,
    since: DATE_TIME.test(query.get('since') ?? ''),
    range: query.has('range[from]') && query.has('range[to]'),
    tenant: tenant === 'acme',
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of a body that is being checked
function petChecks(pet: any): Checks {
  return {
    'the example': pet.name === 'Rex',
    'the default': pet.colour === 'brown',
    'the enum': pet.kind === 'pet',
    'a nested format': /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(pet.owner?.email ?? ''),
    uuid: UUID.test(pet.ref ?? ''),
    uri: URL.canParse(pet.photo ?? ''),
    'exclusive bounds': pet.price > 0.5 && pet.price < 1,
    'multipleOf above a minimum': pet.count >= 10 && pet.count % 7 === 0,
    'unique items': pet.labels?.length >= 2 && new Set(pet.labels).size === pet.labels.length,
    'the first of oneOf': typeof pet.contact?.phone === 'string',
    length: pet.code?.length === 9,
    pattern: /^[^@\s]+@[a-z]{4,}$/.test(pet.handle ?? ''),
  }
}

/** The object of a JSON body; an empty one for what attacks send instead. */
function read(body: string): object {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

function checksOf({ method, headers, url }: IncomingMessage, body: string): Checks | null {
  const { pathname, searchParams } = new URL(url!, origin)
  const [, , pet, part] = pathname.split('/').slice(1)
  if (pathname === '/v1/pets' && method === 'GET') return listChecks(searchParams, headers['x-tenant'])
  if (pathname === '/v1/pets' && method === 'POST') return petChecks(read(body))
  if (pathname === '/v1/visits') return { petId: pets.has(new URLSearchParams(body).get('petId') ?? '') }
  if (pathname === '/v1/session') return { cookie: headers.cookie === 'sid=abc' }
  if (pet === undefined || !pathname.startsWith('/v1/pets/')) return null
  const file = /^--(\S+)\r\n[\s\S]*name="file"; filename="[^"]+"/.exec(body)
  if (part !== 'photos') return { 'a known pet': pets.has(pet) }
  return { 'a known pet': pets.has(pet), parts: headers['content-type'] === `multipart/form-data; boundary=${file?.[1]}` } // biome-ignore format: one line
}

function answerTo(request: IncomingMessage, body: string): [status: number, value: unknown] {
  const checks = checksOf(request, body)
  if (checks === null) return [404, {}]
  const faults = Object.keys(checks).filter((name) => !checks[name])
  seen.push({ request: `${request.method} ${request.url}`, faults, body })
  if (faults.length > 0) return [422, { faults }]
  if (request.method !== 'POST') return [200, { data: [...pets].map((id) => ({ id })) }]
  const id = `pet-${seen.length}z`
  if (request.url === '/v1/pets') pets.add(id)
  return [201, { id }]
}

const text = { type: 'string' }
const inQuery = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', required: true, schema, ...more }) // biome-ignore format: one line
const good = { responses: { 200: { description: 'ok' } } }
const takes = (mediaType: string, schema: object) => ({
  ...good,
  requestBody: { content: { [mediaType]: { schema } } },
})
const petId = [{ name: 'petId', in: 'path', required: true, schema: text }]
const schemas = {
  Named: { type: 'object', required: ['name'], properties: { name: { ...text, example: 'Rex' }, kind: { enum: ['pet'] } } }, // biome-ignore format: one line
  Pet: {
    allOf: [
      { $ref: '#/components/schemas/Named' },
      {
        type: 'object',
        properties: {
          colour: { ...text, default: 'brown' },
          owner: { type: 'object', properties: { email: { ...text, format: 'email' } } },
          ref: { ...text, format: 'uuid' },
          photo: { ...text, format: 'uri' },
          price: {
            type: 'number',
            minimum: 0.5,
            exclusiveMinimum: true,
            maximum: 1,
            exclusiveMaximum: true,
          },
          count: { type: 'integer', minimum: 10, multipleOf: 7 },
          labels: { type: 'array', minItems: 2, uniqueItems: true, items: text },
          contact: {
            type: 'object',
            oneOf: [
              { required: ['phone'], properties: { phone: text } },
              { required: ['fax'], properties: { fax: text } },
            ],
          },
          code: { ...text, minLength: 9, maxLength: 9 },
          handle: { ...text, pattern: '^[^@\\s]+@[a-z]{4,}$' },
        },
      },
    ],
  },
}
const document = () => ({
  openapi: '3.0.3',
  info: { title: 'Strict pets', version: '1' },
  servers: [{ url: `${origin}/v1` }],
  components: { schemas },
  paths: {
    '/pets': {
      get: {
        ...good,
        parameters: [
          inQuery('limit', {
            type: 'integer',
            minimum: 0,
            exclusiveMinimum: true,
            maximum: 50,
            multipleOf: 5,
          }),
          inQuery('status', { ...text, enum: ['available', 'sold'] }),
          inQuery('tags', { type: 'array', minItems: 2, items: text }),
          inQuery('since', { ...text, format: 'date-time' }),
          inQuery(
            'range',
            { type: 'object', properties: { from: text, to: text } },
            { style: 'deepObject', explode: true },
          ),
          { name: 'X-Tenant', in: 'header', required: true, schema: text, example: 'acme' },
        ],
      },
      post: takes('application/json', { $ref: '#/components/schemas/Pet' }),
    },
    '/pets/{petId}': { parameters: petId, get: good },
    '/pets/{petId}/photos': {
      parameters: petId,
      post: takes('multipart/form-data', {
        type: 'object',
        properties: { file: { ...text, format: 'binary' }, title: text },
      }),
    },
    '/visits': {
      post: takes('application/x-www-form-urlencoded', {
        type: 'object',
        properties: { petId: text, note: text },
      }),
    },
    '/session': {
      get: {
        ...good,
        parameters: [{ name: 'sid', in: 'cookie', required: true, schema: text, example: 'abc' }],
      },
    },
  },
})

test.beforeAll(({ shared }) => {
  server = shared
})
beforeAll(async () => {
  target = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const [status, value] = answerTo(request, Buffer.concat(parts).toString())
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
})
afterAll(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

/** Runs one test on a collection. @returns the execution */
async function run(collectionId: number, testId: string): Promise<string> {
  const started = await ask(server, 'startTest', wholeCollection(collectionId, [testId]))
  const testingRunSummaryId = started.testingRunResultSummaryHexId!
  await until('the run to end', () => ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId }), {
    isRight: ({ state }) => state === 'COMPLETED',
    ms: 90_000,
  })
  return testingRunSummaryId
}

test('generated requests satisfy formats, enums, bounds and forms, and use ids of created objects', async () => {
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content: JSON.stringify(document()),
    apiCollectionName: 'strict pets',
  })
  expect(seen, 'an import sends nothing').toEqual([])
  await run(apiCollectionId, 'SQLI_ERROR_BODY')
  const first = new Map<string, string[]>()
  for (const { request, faults } of seen) {
    const kind = request.replace(/\?.*/, '').replace(/pet-\w+/, '{petId}')
    if (!first.has(kind)) first.set(kind, faults)
  }
  expect(Object.fromEntries(first)).toEqual({
    'GET /v1/pets': [],
    'GET /v1/session': [],
    'POST /v1/pets': [],
    'POST /v1/visits': [],
    'POST /v1/pets/{petId}/photos': [],
    'GET /v1/pets/{petId}': [],
  })
})

test('a recorded sample is preferred to a generated request', async () => {
  const asked = 'limit=50&status=sold&tags=a&tags=b&since=2026-01-01T00:00:00Z'
  const recorded = messageLines([
    {
      path: `${origin}/v1/pets?${asked}`,
      requestHeaders: { 'x-tenant': 'acme' },
      responsePayload: '{"data":[]}',
    },
  ])
  const named = { apiCollectionName: 'recorded pets' }
  const { apiCollectionId } = await ask(server, 'importTraffic', { ...named, content: recorded })
  await ask(server, 'importTraffic', { ...named, content: JSON.stringify(document()) })
  seen.length = 0
  const testingRunResultSummaryHexId = await run(apiCollectionId, 'CORS_ORIGIN_REFLECTED')
  const lists = seen.filter(({ request }) => request.startsWith('GET /v1/pets?'))
  expect(lists.length).toBeGreaterThan(0)
  expect(lists.filter(({ request }) => !request.includes('limit=50&status=sold'))).toEqual([])
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    ...{ testingRunResultSummaryHexId, queryMode: 'ALL', sortKey: 'time', sortOrder: 1 },
    ...{ limit: 100, skip: 0, queryValue: '' },
  })
  const isGenerated = (end: string) =>
    testingRunResults!.find(({ apiInfoKey }) => apiInfoKey.method === 'GET' && apiInfoKey.url.endsWith(end))
      ?.generatedRequest
  expect([isGenerated('/pets'), isGenerated('/session')]).toEqual([false, true])
})
