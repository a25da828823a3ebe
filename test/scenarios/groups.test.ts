import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopMonitor } from '../../bench/event-loop/monitor.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { until } from '../until.ts'
import { ask, endpointsOf, message, messageLines, refusal, untilRead } from './ask.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function groupBy(name: string, type: string, data: object): Promise<number> {
  const conditions = [{ type, operator: 'AND', data }]
  const made = await ask(server, 'createCustomCollection', { collectionName: name, conditions })
  return made.apiCollectionId!
}

async function send(host: string, given: Record<string, unknown>): Promise<void> {
  const requestHeaders = { host, 'content-type': 'application/json', ...(given['requestHeaders'] as object) }
  await ask(server, 'ingestData', { batchData: [message({ ...given, requestHeaders })] })
}

/** Waits until a group has exactly these endpoints. */
async function untilHolds(group: number, endpoints: readonly string[]): Promise<void> {
  const expected = JSON.stringify([...endpoints].sort())
  await until(
    `a group of ${expected}`,
    async () => JSON.stringify((await endpointsOf(server, group)).sort()),
    {
      isRight: (found) => found === expected,
    },
  )
}

test('endpoints that come later join the groups whose conditions they meet', async () => {
  const byPath = await groupBy('admin paths', 'URL_REGEX', { regex: '^/admin' })
  const byAuth = await groupBy('basic', 'AUTH_TYPE', { types: ['BASIC'] })
  const byData = await groupBy('mail', 'SENSITIVE_TYPE', { types: ['EMAIL'] })
  const byName = await groupBy('tenant', 'PARAM', { names: ['tenant'] })
  expect(await endpointsOf(server, byPath)).toEqual([])
  await send('late.test', { path: '/admin/users?tenant=3' })
  await send('late.test', { path: '/open' })
  await untilHolds(byPath, ['GET /admin/users'])
  await untilHolds(byName, ['GET /admin/users'])
  const seen = await ask(server, 'getLastSeenTrafficInfoForCollections')
  expect(Number(seen[String(byPath)])).toBeGreaterThan(1_000_000_000)
  expect(seen[String(byAuth)]).toBeUndefined()
  await send('late.test', {
    path: '/open',
    requestHeaders: { authorization: 'Basic YTpi' },
    responsePayload: '{"email":"ann@shop.test"}',
  })
  await untilHolds(byData, ['GET /open'])
  for (let n = 0; n < 30; n++) {
    await send('late.test', {
      path: '/open',
      requestHeaders: { authorization: 'Basic YTpi' },
      time: 1769850001 + n,
    })
  }
  expect(await endpointsOf(server, byAuth)).not.toContain('GET /admin/users')
})

test('templates take the place of their paths, and give it back', async () => {
  const group = await groupBy('orders', 'URL_REGEX', { regex: '/desk/' })
  const host = 'https://desk.test'
  const paths = ['fox', 'sun', 'ice'].map((name) => `${host}/desk/${name}`)
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content: messageLines(paths.map((path) => ({ path }))),
    apiCollectionName: 'desk',
  })
  await untilHolds(
    group,
    paths.map((path) => `GET ${path}`),
  )
  const url = `${host}/desk/STRING`
  await ask(server, 'mergeApis', { apiCollectionId, template: url })
  await untilHolds(group, [`GET ${url}`])
  await ask(server, 'deMergeApi', { apiCollectionId, method: 'GET', url })
  await untilHolds(
    group,
    paths.map((path) => `GET ${path}`),
  )
})

test('documented endpoints join as well, and a deleted type leaves its group', {
  tags: ['marathon'],
}, async () => {
  const byMethod = await groupBy('patch', 'METHOD', { methods: ['PATCH'] })
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/things/{id}': { patch: { responses: { 200: { description: 'ok' } } } } },
  }
  await ask(server, 'importTraffic', { content: JSON.stringify(document), apiCollectionName: 'documented' })
  await untilHolds(byMethod, ['PATCH /things/STRING'])
  const type = {
    name: 'BADGE',
    valueConditions: { operator: 'AND', predicates: [{ type: 'REGEX', value: 'B-[0-9]{4}' }] },
  }
  const byType = await groupBy('badges', 'SENSITIVE_TYPE', { types: ['BADGE'] })
  await send('badge.test', { path: '/b', responsePayload: '{"badge":"B-1234"}' })
  await ask(server, 'saveCustomDataType', type)
  await untilHolds(byType, ['GET /b'])
  await ask(server, 'saveCustomDataType', { ...type, active: false })
  await untilHolds(byType, [])
})

test('conditions with characters that nothing can hold are refused with their index', async () => {
  const fine = { type: 'METHOD', operator: 'AND', data: { methods: ['GET'] } }
  for (const bad of [
    { type: 'METHOD', data: { methods: ['GET\u0000'] } },
    { type: 'PARAM', data: { names: ['tenant', '\u0000'] } },
    { type: 'URL_REGEX', data: { regex: 'a\u0000b' } },
    { type: 'AUTH_TYPE', data: { types: ['JWT\ud800'] } },
    { type: 'METHOD', data: { methods: ['GET'], note: '\u0000' } },
  ]) {
    const conditions = [fine, { ...bad, operator: 'AND' }]
    const reason = 'Invalid condition 1: data holds U+0000 or half a surrogate pair'
    const preview = await refusal(server, 'getEndpointsListFromConditions', { conditions })
    expect(preview).toEqual([422, reason])
    const group = { collectionName: 'of bad characters', conditions }
    expect(await refusal(server, 'createCustomCollection', group)).toEqual([422, reason])
  }
})

test('a large pattern over many endpoints does not hold up the server, and a larger one is refused', async () => {
  const paths = Array.from({ length: 300 }, (_, i) => `/long/${'abcdefghij'.repeat(8)}/of${i}/list`)
  const openAPIString = JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'many', version: '1' },
    paths: Object.fromEntries(
      paths.map((path) => [path, { get: { responses: { 200: { description: '' } } } }]),
    ),
  })
  const { apiCollectionId } = await ask(server, 'createCollection', { collectionName: 'of many' })
  const uploaded = await ask(server, 'importDataFromOpenApiSpec', { openAPIString, apiCollectionId })
  await untilRead(server, 'fetchSwaggerImportLogs', uploaded.uploadId!)
  await ask(server, 'importSwaggerLogs', { uploadId: uploaded.uploadId, importType: 'ALL_APIS' } as never)
  await until('the endpoints', async () => (await endpointsOf(server, apiCollectionId!)).length, {
    isRight: (count) => count === paths.length,
  })
  const byPattern = (regex: string) => ({
    conditions: [{ type: 'URL_REGEX', operator: 'AND', data: { regex } }],
    skip: 0,
    limit: 10,
  })
  const monitor = new LoopMonitor()
  const found = await ask(server, 'getEndpointsListFromConditions', byPattern('(?:.?){400}a{300}'))
  monitor.stop()
  expect(found.apiCount).toBe(0)
  expect(monitor.read().workMs).toBeLessThan(50)
  const [status, sentence] = await refusal(
    server,
    'getEndpointsListFromConditions',
    byPattern('(?:a?){900}a{900}'),
  )
  expect([status, sentence]).toEqual([422, expect.stringContaining('at most 2000 can be searched for')])
})
