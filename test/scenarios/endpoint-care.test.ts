import { expect } from 'vitest'
import { nowSeconds } from '../../src/kit/index.ts'
import { joinPerson, type TestServer } from '../harness.ts'
import { adminOf, sharing as test } from '../shared-server.ts'
import { until } from '../until.ts'
import { RUN_ORDER } from '../use-vigil.ts'
import { ask, message, messageLines, refusal } from './ask.ts'

/** What people say of endpoints, who calls them, and what a data type would change. */

const HOST = 'https://cared.test'
/** On a machine that is busy with other things. */
const timeout = 120_000
let server: TestServer

test.beforeAll(({ shared }) => {
  server = shared
})

async function filled(apiCollectionName: string, paths: readonly string[]): Promise<number> {
  const content = messageLines(paths.map((path) => ({ path: `${HOST}/${apiCollectionName}${path}` })))
  return (await ask(server, 'importTraffic', { apiCollectionName, content })).apiCollectionId
}

const keyOf = (apiCollectionId: number, path: string) => ({
  apiCollectionId,
  method: 'GET',
  url: `${HOST}${path}`,
})

const urlsOf = async (request: object) =>
  (await ask(server, 'searchEndpoints', request)).endpoints.map(({ id }) => id.url.slice(HOST.length))

test('endpoints are tagged, given to owners, and found by both', { timeout }, async () => {
  const apiCollectionId = await filled('tagged', ['/orders', '/users', '/idle'])
  const orders = keyOf(apiCollectionId, '/tagged/orders')
  const users = keyOf(apiCollectionId, '/tagged/users')
  const { updatedCount } = await ask(server, 'updateEndpoints', {
    apiList: [orders, users, keyOf(apiCollectionId, '/tagged/none')],
    addTags: ['payments', ' pci '],
    owner: ' team-a ',
  })
  expect(updatedCount).toBe(2)
  await ask(server, 'updateEndpoints', {
    apiList: [users],
    addTags: ['late'],
    removeTags: ['pci'],
    owner: '',
  })
  const { apiInfo } = await ask(server, 'getSingleEndpoint', orders)
  expect(apiInfo).toMatchObject({ tags: ['payments', 'pci'], owner: 'team-a', state: 'ACTIVE' })
  expect(await urlsOf({ apiCollectionId, tag: ['payments'] })).toEqual(['/tagged/orders', '/tagged/users'])
  expect(await urlsOf({ apiCollectionId, tag: ['pci', 'none'] })).toEqual(['/tagged/orders'])
  expect(await urlsOf({ apiCollectionId, owner: ['team-a'] })).toEqual(['/tagged/orders'])
  expect(await urlsOf({ apiCollectionId, owner: [''] })).toEqual(['/tagged/idle', '/tagged/users'])
  expect(await urlsOf({ apiCollectionId, owner: ['', 'team-a'] })).toHaveLength(3)
  const { tags, owners } = await ask(server, 'fetchEndpointTags')
  expect(tags).toEqual(expect.arrayContaining([{ name: 'late', endpoints: 1 }]))
  expect(tags).toContainEqual({ name: 'payments', endpoints: 2 })
  expect(owners).toContainEqual({ name: 'team-a', endpoints: 1 })
  expect(await refusal(server, 'updateEndpoints', { apiList: [keyOf(apiCollectionId, '/no')] })).toEqual([
    422,
    'No such endpoint exists',
  ])
})

test('what was said of paths is said of the template that takes their place, and of them again after it', {
  timeout,
}, async () => {
  const apiCollectionId = await filled('merged', ['/fox', '/sun', '/ice'])
  const [fox, sun] = [keyOf(apiCollectionId, '/merged/fox'), keyOf(apiCollectionId, '/merged/sun')]
  await ask(server, 'updateEndpoints', { apiList: [fox], addTags: ['fast'], owner: 'ann' })
  await ask(server, 'updateEndpoints', { apiList: [sun], addTags: ['warm'] })
  const template = keyOf(apiCollectionId, '/merged/STRING')
  await ask(server, 'mergeApis', { apiCollectionId, template: template.url })
  const shown = async (key: object) => (await ask(server, 'getSingleEndpoint', key)).apiInfo
  expect(await shown(template)).toMatchObject({ tags: ['fast', 'warm'], owner: 'ann' })
  expect(await urlsOf({ apiCollectionId, tag: ['warm'] })).toEqual(['/merged/STRING'])
  await ask(server, 'updateEndpoints', { apiList: [template], removeTags: ['fast'], owner: 'bob' })
  expect(await shown(template)).toMatchObject({ tags: ['warm'], owner: 'bob' })
  await ask(server, 'deMergeApi', template)
  expect(await shown(sun)).toMatchObject({ tags: ['warm'] })
  expect(await shown(fox)).toMatchObject({ tags: [] })
})

test('a template has the strictest state of its paths, and paths keep what was set on their template', {
  timeout,
}, async () => {
  const apiCollectionId = await filled('strict', ['/fox', '/sun', '/ice'])
  const [fox, sun, ice] = ['fox', 'sun', 'ice'].map((name) => keyOf(apiCollectionId, `/strict/${name}`))
  const template = keyOf(apiCollectionId, '/strict/STRING')
  const merge = () => ask(server, 'mergeApis', { apiCollectionId, template: template.url })
  const say = (key: object, state: string) => ask(server, 'updateEndpoints', { apiList: [key], state })
  const states = async (...keys: object[]) => {
    const read = keys.map(async (key) => (await ask(server, 'getSingleEndpoint', key)).apiInfo.state)
    return Promise.all(read)
  }
  const listed = (...state: string[]) => urlsOf({ apiCollectionId, state })
  await say(fox!, 'DEACTIVATED')
  await say(sun!, 'IGNORED')
  await merge()
  expect(await states(template)).toEqual(['IGNORED'])
  expect(await listed('IGNORED')).toEqual(['/strict/STRING'])
  expect(await listed('DEACTIVATED')).toEqual([])
  expect(await listed('ACTIVE', 'DEACTIVATED')).toEqual([])
  expect(await urlsOf({ apiCollectionId, testState: ['OUT_OF_SCOPE'] })).toEqual(['/strict/STRING'])
  const run = { type: 'COLLECTION_WISE', apiCollectionId, selectedTests: ['SQLI_BOOLEAN_QUERY'] }
  expect((await ask(server, 'dryRunTest', run)).endpoints).toBe(0)
  await ask(server, 'deMergeApi', template)
  expect(await states(fox!, sun!, ice!)).toEqual(['DEACTIVATED', 'IGNORED', 'ACTIVE'])
  await merge()
  await say(template, 'ACTIVE')
  expect(await states(template)).toEqual(['ACTIVE'])
  expect(await listed('ACTIVE')).toEqual(['/strict/STRING'])
  await say(template, 'DEACTIVATED')
  // A path that no endpoint stood for before the merge.
  await filled('strict', ['/owl'])
  await ask(server, 'deMergeApi', template)
  const all = [fox!, sun!, ice!, keyOf(apiCollectionId, '/strict/owl')]
  expect(await states(...all)).toEqual(all.map(() => 'DEACTIVATED'))
  await ask(server, 'updateEndpoints', { apiList: all, state: 'ACTIVE' })
  await merge()
  expect(await states(template)).toEqual(['ACTIVE'])
})

test('ignored endpoints are counted apart in collections and groups, and keys can be asked for by state', {
  timeout,
}, async () => {
  const apiCollectionId = await filled('apart', ['/seen', '/noise', '/paused'])
  const [seen, noise, paused] = ['seen', 'noise', 'paused'].map((name) =>
    keyOf(apiCollectionId, `/apart/${name}`),
  )
  await ask(server, 'updateEndpoints', { apiList: [noise], state: 'IGNORED' })
  await ask(server, 'updateEndpoints', { apiList: [paused], state: 'DEACTIVATED' })
  await ask(server, 'createCustomCollection', {
    collectionName: 'apart-group',
    conditions: [{ type: 'CUSTOM', operator: 'OR', data: { apisList: [noise, seen] } }],
  })
  const counts = async () => {
    const { apiCollections } = await ask(server, 'getAllCollections')
    return ['apart', 'apart-group'].map((wanted) => {
      const { urlsCount, ignoredUrlsCount } = apiCollections.find(({ name }) => name === wanted)!
      return [urlsCount, ignoredUrlsCount]
    })
  }
  await until('the group has its members', async () => (await counts())[1]![0] === 2)
  expect(await counts()).toEqual([
    [3, 1],
    [2, 1],
  ])
  await server.running.app.store.pool.query(
    'UPDATE endpoints SET last_tested = $2 WHERE collection_id = $1',
    [apiCollectionId, nowSeconds()],
  )
  const { apiCollections } = await ask(server, 'getAllCollections')
  const groupId = apiCollections.find(({ name }) => name === 'apart-group')!.id
  // Without the ignored endpoint, in the group as well.
  expect(await ask(server, 'getCoverageInfoForCollections', {})).toMatchObject({
    [apiCollectionId]: 2,
    [groupId]: 1,
  })
  const keys = async (state?: string[]) =>
    (
      await ask(server, 'fetchCollectionWiseApiEndpoints', { apiCollectionId, state })
    ).listOfEndpointsInCollection!.map(({ url }) => url.replace(/^.*\//, ''))
  expect(await keys()).toEqual(['noise', 'paused', 'seen'])
  expect(await keys(['ACTIVE', 'DEACTIVATED'])).toEqual(['paused', 'seen'])
  expect(await keys(['IGNORED'])).toEqual(['noise'])
})

test('a tag that an endpoint has no room for is refused, and nothing is changed', { timeout }, async () => {
  const apiCollectionId = await filled('crowded', ['/full', '/free'])
  const [full, free] = [keyOf(apiCollectionId, '/crowded/full'), keyOf(apiCollectionId, '/crowded/free')]
  const twenty = Array.from({ length: 20 }, (_none, at) => `crowd-${at + 10}`)
  await ask(server, 'updateEndpoints', { apiList: [full], addTags: twenty })
  const change = { apiList: [full, free], addTags: ['crowd-0'], owner: 'ann' }
  expect(await refusal(server, 'updateEndpoints', change)).toEqual([
    422,
    `GET ${full.url} would have more than 20 tags, so nothing was changed`,
  ])
  const shown = async (key: object) => (await ask(server, 'getSingleEndpoint', key)).apiInfo
  expect(await shown(full)).toMatchObject({ tags: twenty, owner: '' })
  expect(await shown(free)).toMatchObject({ tags: [], owner: '' })
  await ask(server, 'updateEndpoints', { apiList: [full], addTags: ['crowd-0'], removeTags: ['crowd-29'] })
  expect((await shown(full)).tags).toEqual(['crowd-0', ...twenty.slice(0, -1)])
})

test('a run at nothing but deactivated endpoints says why it cannot begin', { timeout }, async () => {
  const apiCollectionId = await filled('all-off', ['/off'])
  const off = keyOf(apiCollectionId, '/all-off/off')
  await ask(server, 'updateEndpoints', { apiList: [off], state: 'DEACTIVATED' })
  const { testingRunResultSummaryHexId: testingRunSummaryId } = await ask(server, 'startTest', {
    ...RUN_ORDER,
    type: 'CUSTOM',
    apiInfoKeyList: [off],
    testName: 'all off',
    selectedTests: ['SQLI_ERROR_QUERY'],
  })
  const ended = await until(
    'the run to end',
    () => ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId: String(testingRunSummaryId) }),
    { isRight: ({ state }) => state !== 'SCHEDULED' && state !== 'RUNNING' },
  )
  expect(ended).toMatchObject({
    state: 'FAILED',
    metadata: { error: 'Everything this run aims at is out of testing scope, deactivated or ignored.' },
  })
})

test('a deactivated endpoint is left out of test runs, and an ignored one can be left out of lists', {
  timeout,
}, async () => {
  const apiCollectionId = await filled('set-aside', ['/kept', '/off', '/noise'])
  await ask(server, 'updateEndpoints', {
    apiList: [keyOf(apiCollectionId, '/set-aside/off')],
    state: 'DEACTIVATED',
  })
  await ask(server, 'updateEndpoints', {
    apiList: [keyOf(apiCollectionId, '/set-aside/noise')],
    state: 'IGNORED',
  })
  expect(await urlsOf({ apiCollectionId })).toHaveLength(3)
  const listed = { apiCollectionId, state: ['ACTIVE', 'DEACTIVATED'] }
  expect(await urlsOf(listed)).toEqual(['/set-aside/kept', '/set-aside/off'])
  expect(await urlsOf({ apiCollectionId, state: ['IGNORED'] })).toEqual(['/set-aside/noise'])
  expect(await urlsOf({ apiCollectionId, testState: ['OUT_OF_SCOPE'] })).toHaveLength(2)
  // An answer is kept for a while, so each asks for another test.
  const tested = async (test: string) => {
    const request = { type: 'COLLECTION_WISE', apiCollectionId, selectedTests: [test] }
    return (await ask(server, 'dryRunTest', request)).endpoints
  }
  expect(await tested('XSS_REFLECTED_QUERY')).toBe(1)
  const all = ['kept', 'off', 'noise'].map((name) => keyOf(apiCollectionId, `/set-aside/${name}`))
  await ask(server, 'updateEndpoints', { apiList: all, state: 'ACTIVE' })
  expect(await tested('SQLI_ERROR_QUERY')).toBe(3)
  expect(await urlsOf(listed)).toHaveLength(3)
})

test('documented endpoints are found by whether they were called', { timeout }, async () => {
  const content = JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'drift', version: '1' },
    servers: [{ url: HOST }],
    paths: Object.fromEntries(
      ['/drifted/used', '/drifted/idle'].map((path) => [path, { get: { responses: { 200: {} } } }]),
    ),
  })
  const { apiCollectionId } = await ask(server, 'importTraffic', { apiCollectionName: 'drifted', content })
  await filled('drifted', ['/used', '/shadow'])
  const found = async (request: object) =>
    (await urlsOf({ apiCollectionId, ...request })).map((url) => url.replace(/^.*\//, ''))
  expect(await found({ documented: true, called: false })).toEqual(['idle'])
  expect(await found({ documented: true, called: true })).toEqual(['used'])
  expect(await found({ documented: false, called: true })).toEqual(['shadow'])
  const at = async (quietSince: number) => (await found({ quietSince })).sort()
  expect(await at(nowSeconds() + 60)).toEqual(['shadow', 'used'])
  expect(await at(1)).toEqual([])
})

test('calls are counted by status class and callers over time', { timeout }, async () => {
  const now = Math.floor(nowSeconds() / 300) * 300
  const call = (statusCode: number, ip: string, time: number) =>
    message({ path: '/busy', requestHeaders: { host: 'busy.test' }, statusCode, ip, time })
  await ask(server, 'ingestData', {
    batchData: [
      call(200, '203.0.113.1', now - 3_500),
      call(200, '203.0.113.1', now - 3_490),
      call(404, '203.0.113.2', now - 3_480),
      call(200, '203.0.113.1', now - 60),
      call(301, '203.0.113.1', now - 59),
      call(503, '203.0.113.3', now - 58),
    ],
  })
  const { endpoints } = await ask(server, 'searchEndpoints', { search: '/busy' })
  const request = { apiList: [endpoints[0]!.id], startTimestamp: now - 3_600, endTimestamp: now }
  const { traffic } = await ask(server, 'fetchEndpointTraffic', request)
  const none = { success: 0, redirects: 0, clientErrors: 0, serverErrors: 0, other: 0 }
  expect(traffic).toEqual([
    {
      apiInfoKey: endpoints[0]!.id,
      buckets: [
        {
          ...none,
          start: now - 3_600,
          success: 3,
          redirects: 1,
          clientErrors: 1,
          serverErrors: 1,
          callers: 3,
        },
      ],
      latencies: [],
    },
  ])
  const parts = await ask(server, 'fetchEndpointTraffic', { ...request, buckets: 12 })
  expect(parts.traffic[0]!.buckets).toMatchObject([
    { success: 2, clientErrors: 1, redirects: 0, callers: 2 },
    { success: 1, redirects: 1, serverErrors: 1, callers: 2 },
  ])
  const [first, last] = parts.traffic[0]!.buckets
  expect(last!.start - first!.start).toBeGreaterThan(2_700)
  expect(first!.start % (parts.bucketMinutes * 60)).toBe(0)
})

test('endpoints are sorted by latency, and one shows it by the hour', { timeout }, async () => {
  const hour = Math.floor(nowSeconds() / 3_600) * 3_600
  const call = (path: string, time: number, durationMs?: number) =>
    message({ path, requestHeaders: { host: 'latency.test' }, time, durationMs })
  await ask(server, 'ingestData', {
    batchData: [
      call('/latency/quick', hour - 1, 10),
      call('/latency/quick', hour - 3_601, 640),
      call('/latency/slow', hour - 2, 1_200),
      call('/latency/unknown', hour - 3),
    ],
  })
  const sorted = async (sortOrder: number) =>
    (await ask(server, 'searchEndpoints', { search: '/latency/', sortKey: 'latencyP95', sortOrder }))
      .endpoints
  const endpoints = await sorted(-1)
  expect(endpoints.map(({ id }) => id.url.replace(/^.*\//, ''))).toEqual(['slow', 'quick', 'unknown'])
  expect((await sorted(1)).map(({ id }) => id.url)).toEqual(endpoints.map(({ id }) => id.url).reverse())
  const [slow, quick, unknown] = endpoints
  expect([unknown!.latencyP50, unknown!.latencyP95]).toEqual([null, null])
  expect(slow!.latencyP50).toBeGreaterThan(quick!.latencyP50!)
  const window = { startTimestamp: hour - 7_200, endTimestamp: hour, buckets: 24 }
  const { latencyMinutes, traffic } = await ask(server, 'fetchEndpointTraffic', {
    apiList: [quick!.id],
    ...window,
  })
  expect(latencyMinutes).toBe(60)
  expect(traffic[0]!.latencies.map(({ start }) => start)).toEqual([hour - 7_200, hour - 3_600])
  const [early, late] = traffic[0]!.latencies
  expect(early!.p95).toBeGreaterThan(late!.p95!)
})

test('a data type shows what it would change before it is saved', { timeout }, async () => {
  const responsePayload = '{"membership":"M-12345678","other":"X-1"}'
  const content = messageLines([
    { path: `${HOST}/previewed/a`, responsePayload },
    { path: `${HOST}/previewed/b`, responsePayload: '{"membership":"none"}' },
  ])
  const { apiCollectionId } = await ask(server, 'importTraffic', { apiCollectionName: 'previewed', content })
  const type = {
    name: 'PREVIEWED_MEMBER',
    valueConditions: { operator: 'AND', predicates: [{ type: 'REGEX', value: 'M-[0-9]{8}' }] },
  }
  const place = {
    apiInfoKey: keyOf(apiCollectionId, '/previewed/a'),
    displayName: 'membership',
    position: 'RESPONSE_BODY',
    responseCode: 200,
  }
  const preview = await ask(server, 'previewDataType', type)
  expect(preview).toMatchObject({ parameters: 1, endpoints: 1, changedCount: 1, isCut: false })
  expect(preview.changed).toEqual([{ ...place, before: 'NONE', after: 'SENSITIVE' }])
  expect((await ask(server, 'fetchDataTypes')).dataTypes.map(({ name }) => name)).not.toContain(type.name)
  await ask(server, 'saveCustomDataType', type)
  await until('the saved type to hold', () => ask(server, 'previewDataType', type), {
    isRight: ({ changedCount, parameters }) => changedCount === 0 && parameters === 1,
  })
  const elsewhere = { ...type, sensitiveAlways: false, sensitivePosition: ['REQUEST_PAYLOAD'] }
  const narrowed = await ask(server, 'previewDataType', elsewhere)
  expect(narrowed.changed).toEqual([{ ...place, before: 'SENSITIVE', after: 'FOUND' }])
  const off = await ask(server, 'previewDataType', { ...type, active: false })
  expect(off).toMatchObject({ parameters: 0, endpoints: 0 })
  expect(off.changed).toEqual([{ ...place, before: 'SENSITIVE', after: 'NONE' }])
  await ask(server, 'saveCustomDataType', { ...type, active: false })
  expect((await refusal(server, 'previewDataType', { name: 'NOTHING' }))[0]).toBe(422)
})

test('people restricted to some collections change, count and preview only these', { timeout }, async () => {
  const mine = await filled('care-mine', ['/a'])
  const vault = await filled('care-vault', ['/b'])
  const admin = await adminOf(server)
  const member = await joinPerson(server, admin, 'carer@example.org', 'MEMBER')
  const { users } = await ask(admin, 'getTeamData')
  const { id } = users.find(({ login }) => login === member.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [mine] } })
  const [own, foreign] = [keyOf(mine, '/care-mine/a'), keyOf(vault, '/care-vault/b')]
  await ask(server, 'updateEndpoints', { apiList: [foreign], addTags: ['secret-tag'], owner: 'secret-owner' })
  await ask(member, 'updateEndpoints', { apiList: [own], addTags: ['own-tag'] })
  const tags = JSON.stringify(await ask(member, 'fetchEndpointTags'))
  expect(tags).toContain('own-tag')
  expect(tags).not.toContain('secret')
  for (const [operation, body] of [
    ['updateEndpoints', { apiList: [own, foreign], addTags: ['x'] }],
    ['fetchEndpointTraffic', { apiList: [own, foreign], startTimestamp: 0, endTimestamp: 1 }],
    ['fetchChanges', { startTimestamp: 0, endTimestamp: 0, endpoint: foreign }],
    ['fetchSuspectSampleData', { endpoint: foreign }],
  ] as const)
    expect((await refusal(member, operation, body))[0], operation).toBe(403)
  const type = {
    name: 'ANY_NAME',
    keyConditions: { operator: 'OR', predicates: [{ type: 'REGEX', value: '.*' }] },
  }
  const { changed, samples } = await ask(member, 'previewDataType', type)
  expect(samples).toBe(1)
  expect(changed.every(({ apiInfoKey }) => apiInfoKey.apiCollectionId === mine)).toBe(true)
  const { pool } = server.running.app.store
  await pool.query(
    `INSERT INTO samples (endpoint_id, slot, observed_at, status, message)
     SELECT s.endpoint_id, 'copy ' || n, s.observed_at, s.status, s.message
     FROM samples s JOIN endpoints e ON e.id = s.endpoint_id, generate_series(1, 999) n WHERE e.collection_id = $1`,
    [mine],
  )
  expect(await ask(member, 'previewDataType', type)).toMatchObject({ samples: 1_000, isCut: false })
  await pool.query(
    `INSERT INTO samples (endpoint_id, slot, observed_at, status, message)
     SELECT endpoint_id, 'one more', observed_at, status, message FROM samples WHERE slot = 'copy 1'`,
  )
  expect(await ask(member, 'previewDataType', type)).toMatchObject({ samples: 1_000, isCut: true })
})
