import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperationName } from '../../src/contract/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { ask, endpointsOf, message, messageLines, refusal } from './ask.ts'

const DENIED = 'You do not have access to this collection'

let server: TestServer
let admin: TestPerson
let member: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
})
afterAll(() => server.close())

/** A collection with the messages, made by an import. */
async function filled(name: string, messages: readonly Record<string, unknown>[]): Promise<number> {
  const body = { content: messageLines(messages), apiCollectionName: name }
  return (await ask(server, 'importTraffic', body)).apiCollectionId
}

async function viewOf(apiCollectionId: number) {
  return (await ask(server, 'getCollection', { apiCollectionId }))[0]!
}

test('a collection is created, renamed, described and labelled', async () => {
  const made = await ask(server, 'createCollection', { collectionName: ' First one ' })
  const id = made.apiCollectionId!
  expect(made.apiCollections).toHaveLength(1)
  expect(made.apiCollections![0]).toMatchObject({
    id,
    name: 'First one',
    displayName: 'First one',
    hostName: null,
    type: null,
    urlsCount: 0,
    deactivated: false,
    tagsList: null,
    conditions: null,
  })
  await ask(server, 'editCollectionName', { apiCollectionId: id, collectionName: 'Second' })
  await ask(server, 'saveCollectionDescription', { apiCollectionId: id, description: 'About <b>orders</b>' })
  expect(await viewOf(id)).toMatchObject({ name: 'Second', description: 'About <b>orders</b>' })
  await ask(server, 'saveCollectionDescription', { apiCollectionId: id, description: null })
  expect((await viewOf(id)).description).toBeNull()
  const label = (envType: unknown, resetEnvTypes = false) =>
    ask(server, 'updateEnvType', { apiCollectionIds: [id], envType, resetEnvTypes })
  await label([
    { keyName: 'envType', value: 'staging' },
    { keyName: 'team', value: 'pay' },
  ])
  await label([{ keyName: 'team', value: 'web' }])
  const labelled = await viewOf(id)
  expect(labelled).toMatchObject({ envType: 'STAGING', userSetEnvType: 'STAGING' })
  expect(JSON.parse(labelled.tagsList!)).toEqual([expect.objectContaining({ keyName: 'team', value: 'web' })])
  await label([], true)
  expect(await viewOf(id)).toMatchObject({ envType: null, userSetEnvType: null, tagsList: null })
  await ask(server, 'updateEnvType', { apiCollectionIds: [], envType: [] })
  expect(
    await refusal(server, 'updateEnvType', {
      apiCollectionIds: [id],
      envType: [{ keyName: 'envType', value: 'MOON' }],
    }),
  ).toEqual([422, 'Invalid environment MOON'])
  await ask(server, 'toggleCollectionsOutOfTestScope', {
    apiCollectionIds: [id],
    currentIsOutOfTestingScopeVal: false,
  })
  expect((await viewOf(id)).isOutOfTestingScope).toBe(true)
})

test('names that cannot be are refused', async () => {
  const create = (collectionName: string) => refusal(server, 'createCollection', { collectionName })
  await ask(server, 'createCollection', { collectionName: 'taken' })
  expect(await create(' ')).toEqual([422, 'Invalid collection name'])
  expect(await create('x'.repeat(61))).toEqual([422, 'Custom collections max length: 60'])
  expect(await create('a/b')).toEqual([
    422,
    "Collection names can only be alphanumeric and contain '-','.' and '_'",
  ])
  expect(await create('taken')).toEqual([422, 'Collection names must be unique'])
  const { apiCollectionId: id } = await ask(server, 'createCollection', { collectionName: 'other' })
  const rename = (apiCollectionId: number, collectionName: string) =>
    refusal(server, 'editCollectionName', { apiCollectionId, collectionName })
  expect(await rename(id!, 'taken')).toEqual([422, 'Collection names must be unique'])
  expect(await rename(7, 'free')).toEqual([422, 'No such collection exists'])
  await ask(server, 'ingestData', {
    batchData: [message({ path: '/a', requestHeaders: { host: 'named.test' } })],
  })
  const { apiCollections } = await ask(server, 'getAllCollections', { hostNameRegex: '^named' })
  expect(apiCollections).toHaveLength(1)
  expect(await rename(apiCollections![0]!.id, 'mine')).toEqual([
    422,
    'Unable to modify the Traffic API collection',
  ])
  expect(await refusal(server, 'getAllCollections', { nameRegex: '(' })).toEqual([
    422,
    'Invalid regex pattern',
  ])
})

/** Operations that a deactivated collection refuses, with what they need beside its id. */
const GUARDED: readonly OperationName[] = [
  'fetchCollectionWiseApiEndpoints',
  'fetchApiInfosForCollection',
  'fetchApiInfosFromSTIs',
  'fetchApiCallStats',
  'fetchIpLevelApiCallStats',
  'fetchSampleData',
  'generateOpenApiFile',
  'getSeveritiesCountPerCollection',
  'getSingleEndpoint',
  'loadParamsOfEndpoint',
  'fetchSensitiveSampleData',
  'deMergeApi',
  'mergeApis',
  'pinLiteralApi',
]

function guardedBody(apiCollectionId: number): Record<string, unknown> {
  const window = {
    startEpoch: 0,
    endEpoch: 9,
    startWindow: 0,
    endWindow: 9,
    startTimestamp: 0,
    endTimestamp: 0,
  }
  return {
    apiCollectionId,
    method: 'GET',
    url: 'https://shop.test/x',
    template: 'https://shop.test/INTEGER',
    ...window,
  }
}

test('a deactivated collection keeps everything and refuses to show it', async () => {
  const id = await filled('to pause', [{ path: 'https://shop.test/x' }])
  await ask(server, 'deactivateCollections', { apiCollections: [{ id }] })
  for (const operation of GUARDED) {
    expect([operation, await refusal(server, operation, guardedBody(id))]).toEqual([
      operation,
      [403, 'This API is not available for deactivated collections'],
    ])
  }
  const { apiCollections: basic } = await ask(server, 'getAllCollectionsBasic')
  expect(basic!.find((one) => one.id === id)).toMatchObject({ deactivated: true, urlsCount: 0 })
  expect(await viewOf(id)).toMatchObject({ deactivated: true, urlsCount: 1 })
  const during = await ask(server, 'fetchEndpointsCount', { startTimestamp: 0, endTimestamp: 0 })
  await ask(server, 'activateCollections', { apiCollections: [{ id }] })
  const after = await ask(server, 'fetchEndpointsCount', { startTimestamp: 0, endTimestamp: 0 })
  expect(after.newCount - during.newCount).toBe(1)
  expect(await endpointsOf(server, id)).toEqual(['GET https://shop.test/x'])
  expect(await refusal(server, 'deactivateCollections', { apiCollections: [{ id: 7 }] })).toEqual([
    422,
    'No such collection exists',
  ])
})

test('a group shows nothing of members whose own collection is deactivated', async () => {
  const path = 'https://pause.test/x'
  const id = await filled('paused member', [{ path }])
  const key = { apiCollectionId: id, method: 'GET', url: path }
  const name = 'with a paused member'
  const made = await ask(server, 'addApisToCustomCollection', { collectionName: name, apiList: [key] })
  const group = made.apiCollections![0]!.id
  const inGroup = { ...guardedBody(group), url: path }
  expect((await ask(server, 'fetchSampleData', inGroup)).sampleDataList).toHaveLength(1)
  expect((await ask(server, 'importInBurp', { collectionName: name })).importInBurpResult).toHaveLength(1)
  const document = async () =>
    (await ask(server, 'generateOpenApiFile', { apiCollectionId: group })).openAPIString
  expect(await document()).toContain('/x')
  await ask(server, 'deactivateCollections', { apiCollections: [{ id }] })
  for (const operation of ['fetchSampleData', 'fetchApiCallStats', 'loadParamsOfEndpoint'] as const) {
    expect([operation, await refusal(server, operation, inGroup)]).toEqual([
      operation,
      [403, 'This API is not available for deactivated collections'],
    ])
  }
  expect((await ask(server, 'importInBurp', { collectionName: name })).importInBurpResult).toEqual([])
  expect(await document()).not.toContain('/x"')
  const infos = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: group })
  expect(infos).toMatchObject({ apiInfoList: [] })
})

test('unknown collections are reported', async () => {
  const known = GUARDED.filter(
    (operation) =>
      operation !== 'fetchApiInfosForCollection' && operation !== 'getSeveritiesCountPerCollection',
  )
  for (const operation of known) {
    expect([operation, await refusal(server, operation, guardedBody(7))]).toEqual([
      operation,
      [422, 'No such collection exists'],
    ])
    expect([operation, await refusal(server, operation, guardedBody(-1))]).toEqual([
      operation,
      [422, 'API Collection ID cannot be -1'],
    ])
  }
  expect(await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: 7 })).toEqual({
    apiInfoList: [],
    redacted: false,
  })
  expect(await ask(server, 'getSeveritiesCountPerCollection', { apiCollectionId: 7 })).toEqual({})
})

test('a redacted collection forgets its samples and masks what comes', async () => {
  const secret = 'Rumpelstiltskin'
  const one = (n: number) => ({ path: `https://shop.test/x`, responsePayload: `{"name":"${secret}${n}"}` })
  const id = await filled('to redact', [one(1)])
  const key = { apiCollectionId: id, method: 'GET', url: 'https://shop.test/x' }
  const shown = async () => JSON.stringify(await ask(server, 'fetchSampleData', key))
  expect(await shown()).toContain(secret)
  expect((await ask(server, 'redactCollection', { apiCollectionId: id, redacted: true })).redacted).toBe(true)
  expect(await viewOf(id)).toMatchObject({ redact: true, sampleCollectionsDropped: true })
  expect((await ask(server, 'fetchSampleData', key)).sampleDataList).toEqual([])
  await filled('to redact', [one(2)])
  expect(await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: id })).toMatchObject({
    redacted: true,
  })
  await ask(server, 'redactCollection', { apiCollectionId: id, redacted: false })
  expect(await shown()).not.toContain(secret)
  expect(JSON.stringify(await ask(server, 'loadParamsOfEndpoint', key))).not.toContain(secret)
  await filled('to redact', [one(3)])
  expect(await shown()).toContain(`${secret}3`)
})

test('groups hold what their conditions say, of every type', async () => {
  const jwt = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.c2ln`
  const id = await filled('grouped', [
    { path: 'https://grouped.test/plain' },
    { path: 'https://grouped.test/mail', responsePayload: '{"email":"ann@grouped.test"}' },
    {
      path: 'https://grouped.test/secure',
      requestHeaders: { host: 'grouped.test', authorization: `Bearer ${jwt}` },
    },
    { method: 'DELETE', path: 'https://grouped.test/plain?confirmation=yes' },
    {
      method: 'POST',
      path: 'https://other-host.test/graphql',
      requestPayload: '{"query":"query Q { me { id } }"}',
    },
  ])
  const within = { type: 'COLLECTION', operator: 'AND', data: { apiCollectionIds: [id] } }
  const cases: [type: string, data: unknown, members: string[]][] = [
    ['METHOD', { methods: ['delete'] }, ['DELETE https://grouped.test/plain']],
    ['URL_REGEX', { regex: '/MAIL$' }, ['GET https://grouped.test/mail']],
    ['PARAM', { names: ['confirmation'] }, ['DELETE https://grouped.test/plain']],
    ['SENSITIVE_TYPE', { types: ['EMAIL'] }, ['GET https://grouped.test/mail']],
    ['AUTH_TYPE', { types: ['JWT'] }, ['GET https://grouped.test/secure']],
    [
      'CUSTOM',
      { apisList: [{ apiCollectionId: id, method: 'GET', url: 'https://grouped.test/plain' }] },
      ['GET https://grouped.test/plain'],
    ],
  ]
  for (const [n, [type, data, members]] of cases.entries()) {
    const conditions = [within, { type, operator: 'AND', data }]
    const { apiCollectionId: group, apiCollections } = await ask(server, 'createCustomCollection', {
      collectionName: `group ${n}`,
      conditions,
    })
    expect([type, await endpointsOf(server, group!)]).toEqual([type, members])
    expect(apiCollections![0]).toMatchObject({ type: 'API_GROUP', urlsCount: members.length })
    expect(JSON.parse(apiCollections![0]!.conditions!)).toEqual(conditions)
    const preview = await ask(server, 'getEndpointsListFromConditions', { conditions })
    expect([type, preview.apiCount]).toEqual([type, members.length])
  }
  const count = async (type: string, data: unknown) => {
    const conditions = [within, { type, operator: 'AND', data }]
    return (await ask(server, 'getEndpointsListFromConditions', { conditions })).apiCount
  }
  expect(await count('ALL', {})).toBe(5)
  expect(await count('HOST_REGEX', { regex: '^other-host' })).toBe(1)
  expect(await count('API_TYPE', { types: ['GRAPHQL'] })).toBe(1)
  expect(
    await count('ACCESS_TYPE', { types: ['PUBLIC', 'PRIVATE', 'PARTNER', 'THIRD_PARTY'] }),
  ).toBeGreaterThan(0)
  const either = [
    within,
    { type: 'METHOD', operator: 'OR', data: { methods: ['DELETE'] } },
    { type: 'URL_REGEX', operator: 'OR', data: { regex: 'mail' } },
  ]
  expect((await ask(server, 'getEndpointsListFromConditions', { conditions: either })).apiCount).toBe(2)
  const bad = [within, { type: 'URL_REGEX', operator: 'AND', data: { regex: '(' } }]
  expect(
    (await refusal(server, 'createCustomCollection', { collectionName: 'bad', conditions: bad }))[1],
  ).toMatch(/^Invalid condition 1: /)
})

test('endpoints are added to a group and taken out one by one', async () => {
  const id = await filled('members', [{ path: 'https://m.test/a' }, { path: 'https://m.test/b' }])
  const key = (path: string) => ({ apiCollectionId: id, method: 'GET', url: `https://m.test/${path}` })
  const add = (apiList: unknown) => ({ collectionName: 'picked', apiList })
  const { apiCollections } = await ask(server, 'addApisToCustomCollection', add([key('a'), key('b')]))
  const group = apiCollections![0]!.id
  expect(await endpointsOf(server, group)).toEqual(['GET https://m.test/a', 'GET https://m.test/b'])
  const infos = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: group })
  expect('apiInfoList' in infos && infos.apiInfoList[0]!.collectionIds.toSorted()).toEqual(
    [id, group].toSorted(),
  )
  expect(
    (await ask(server, 'fetchSampleData', { ...key('a'), apiCollectionId: group })).sampleDataList,
  ).toHaveLength(1)
  await ask(server, 'removeApisFromCustomCollection', add([key('a')]))
  expect(await endpointsOf(server, group)).toEqual(['GET https://m.test/b'])
  expect(await refusal(server, 'addApisToCustomCollection', add([]))).toEqual([
    422,
    "APIs list can't be empty",
  ])
  expect(await refusal(server, 'addApisToCustomCollection', add([key('nowhere')]))).toEqual([
    422,
    'No such endpoint exists',
  ])
  expect(
    await refusal(server, 'addApisToCustomCollection', { collectionName: 'members', apiList: [key('a')] }),
  ).toEqual([422, 'The collection is not an API group'])
  const conditions = [{ type: 'METHOD', operator: 'AND', data: { methods: ['WS'] } }]
  expect(await refusal(server, 'updateCustomCollection', { apiCollectionId: id, conditions })).toEqual([
    422,
    'The collection is not an API group',
  ])
  await ask(server, 'updateCustomCollection', { apiCollectionId: group, conditions })
  expect(await endpointsOf(server, group)).toEqual(['GET https://m.test/b'])
  expect(await ask(server, 'deleteApis', { apiList: [key('b')] })).toMatchObject({ deletedCount: 1 })
  expect(await endpointsOf(server, group)).toEqual([])
})

test('a deleted collection is gone, and its file can come again', async () => {
  const messages = [{ path: 'https://gone.test/a' }]
  const id = await filled('gone', messages)
  await ask(server, 'deleteCollection', { apiCollectionId: id })
  expect(await ask(server, 'getCollection', { apiCollectionId: id })).toEqual([])
  expect(await refusal(server, 'fetchCollectionWiseApiEndpoints', { apiCollectionId: id })).toEqual([
    422,
    'No such collection exists',
  ])
  expect(await refusal(server, 'deleteCollection', { apiCollectionId: id })).toEqual([
    422,
    'No such collection exists',
  ])
  const again = await filled('gone', messages)
  expect(await endpointsOf(server, again)).toEqual(['GET https://gone.test/a'])
  await ask(server, 'deleteMultipleCollections', { apiCollections: [{ id: again }, { id: 7 }] })
  expect(await ask(server, 'getCollection', { apiCollectionId: again })).toEqual([])
})

test('a person restricted to some collections sees nothing of the others', async () => {
  const email = '{"email":"ann@secret.test"}'
  const mine = await filled('mine', [{ path: 'https://mine.test/a', responsePayload: email }])
  const theirs = await filled('theirs', [{ path: 'https://secret.test/b', responsePayload: email }])
  const { apiCollectionId: group } = await ask(server, 'addApisToCustomCollection', {
    collectionName: 'their group',
    apiList: [{ apiCollectionId: theirs, method: 'GET', url: 'https://secret.test/b' }],
  })
  expect(group).toBeDefined()
  const { users } = await ask(admin, 'getTeamData')
  const user = users.find(({ login }) => login === member.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [user.id]: [mine] } })
  const lists: [OperationName, Record<string, unknown>][] = [
    ['getAllCollections', {}],
    ['getAllCollectionsBasic', {}],
    ['getLastSeenTrafficInfoForCollections', {}],
    ['getSensitiveInfoForCollections', {}],
    ['getRiskScoreInfo', {}],
    ['getCoverageInfoForCollections', {}],
    ['getSeverityInfoForCollections', {}],
    ['searchEndpoints', {}],
    ['loadRecentEndpoints', { startTimestamp: 0, endTimestamp: 0 }],
    ['fetchChanges', { startTimestamp: 0, endTimestamp: 0 }],
    ['fetchImports', {}],
    ['fetchTrafficLedger', {}],
    ['getEndpointsListFromConditions', { conditions: [{ type: 'ALL', operator: 'AND', data: {} }] }],
  ]
  for (const [operation, body] of lists) {
    const shown = JSON.stringify(await ask(member, operation, body))
    expect([operation, shown.includes('secret.test'), shown.includes(String(theirs))]).toEqual([
      operation,
      false,
      false,
    ])
  }
  const { apiCollections } = await ask(member, 'getAllCollections')
  expect(apiCollections!.map(({ id }) => id)).toEqual([mine])
  const counted = await ask(member, 'fetchEndpointsCount', { startTimestamp: 0, endTimestamp: 0 })
  expect(counted.newCount).toBe(1)
  const trend = await ask(member, 'fetchNewEndpointsTrendForNonHostCollections', {
    startTimestamp: 0,
    endTimestamp: 0,
  })
  expect(trend.data.endpoints.map(({ count }) => count)).toEqual([1])
  expect(await ask(member, 'getCollection', { apiCollectionId: theirs })).toEqual([])
  const { imports } = await ask(server, 'fetchImports', { apiCollectionId: theirs })
  expect(await refusal(member, 'fetchImportReport', { uploadId: imports[0]!.uploadId })).toEqual([
    403,
    'You do not have access to the object that uploadId names',
  ])
  const body = {
    ...guardedBody(theirs),
    collectionName: 'free',
    description: '',
    redacted: true,
    content: 'curl https://a.test/x',
  }
  const refused: OperationName[] = [
    ...GUARDED,
    'explainTemplate',
    'fetchOpenApiSchema',
    'editCollectionName',
    'saveCollectionDescription',
    'redactCollection',
    'deleteCollection',
    'loadRecentEndpoints',
    'fetchChanges',
    'importTraffic',
  ]
  for (const operation of refused) {
    expect([operation, await refusal(member, operation, body)]).toEqual([operation, [403, DENIED]])
  }
  const list = { apiCollections: [{ id: theirs }] }
  expect(await refusal(member, 'deactivateCollections', list)).toEqual([403, DENIED])
  expect(await refusal(member, 'activateCollections', list)).toEqual([403, DENIED])
  expect(await refusal(member, 'deleteMultipleCollections', list)).toEqual([403, DENIED])
  expect(await viewOf(theirs)).toMatchObject({ urlsCount: 1 })
  expect(await refusal(member, 'importInBurp', { collectionName: 'theirs' })).toEqual([403, DENIED])
  expect(await refusal(member, 'ingestData', { batchData: [] })).toEqual([
    403,
    'This call covers collections that you cannot access; it requires access to all collections',
  ])
  const theirKey = { apiCollectionId: theirs, method: 'GET', url: 'https://secret.test/b' }
  const myKey = { apiCollectionId: mine, method: 'GET', url: 'https://mine.test/a' }
  expect(await refusal(member, 'deleteApis', { apiList: [theirKey] })).toEqual([403, DENIED])
  for (const operation of ['addApisToCustomCollection', 'removeApisFromCustomCollection'] as const) {
    for (const key of [theirKey, myKey]) {
      const change = { collectionName: 'their group', apiList: [key] }
      expect([operation, await refusal(member, operation, change)]).toEqual([operation, [403, DENIED]])
    }
  }
  const both = { apiCollectionIds: [mine, theirs] }
  const infos = await ask(member, 'fetchApiInfosForCollection', both)
  expect('apiInfoListByCollection' in infos && Object.keys(infos.apiInfoListByCollection)).toEqual([
    String(mine),
  ])
})
