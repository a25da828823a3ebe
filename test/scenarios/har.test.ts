import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, refusal } from './ask.ts'

const HOST = 'https://juiceshop.akto.io'
const recording = readFileSync('test/fixtures/juiceshop.har', 'utf8')

/** Every endpoint of the recording that is no transport of the page's socket library. */
const API_ENDPOINTS = [
  'GET /api/Cards',
  'GET /api/Challenges',
  'GET /api/Quantitys',
  'GET /redirect',
  'GET /rest/admin/application-configuration',
  'GET /rest/admin/application-version',
  'GET /rest/basket/INTEGER',
  'GET /rest/captcha',
  'GET /rest/languages',
  'GET /rest/products/INTEGER/reviews',
  'GET /rest/products/search',
  'GET /rest/user/whoami',
  'PATCH /rest/products/reviews',
  'POST /api/Feedbacks',
  'POST /rest/user/login',
  'PUT /rest/products/INTEGER/reviews',
]

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

/** Endpoints without the host and without a slash at the end. */
async function paths(id: number): Promise<string[]> {
  const all = await endpointsOf(server, id)
  return all.map((key) => key.replace(HOST, '').replace(/(?<=.)\/$/, '')).sort()
}

test.each(['uploadHar', 'importTraffic'] as const)(
  '%s finds every API endpoint of the recording, no file and no page',
  async (operation) => {
    const body = { content: recording, apiCollectionName: operation, fileName: 'juiceshop.har' }
    const { apiCollectionId: id, report } = await ask(server, operation, body)
    expect(report).toMatchObject({ format: 'HAR', total: 48, status: 'SUCCEEDED', fatalError: null })
    expect(report.taken + report.skipped + report.duplicates).toBe(48)
    const found = await paths(id)
    expect(found.filter((key) => !key.includes('/socket.io'))).toEqual(API_ENDPOINTS)
  },
)

test('endpoints of an old recording are discovered when it is imported, and first seen when it was made', async () => {
  const importedAt = Math.floor(Date.now() / 1000)
  const { apiCollectionId: id } = await ask(server, 'uploadHar', {
    content: recording,
    apiCollectionName: 'old recording',
    fileName: 'juiceshop.har',
  })
  const window = { startTimestamp: importedAt, endTimestamp: 0, apiCollectionId: id }
  const all = await endpointsOf(server, id)
  expect((await ask(server, 'loadRecentEndpoints', window)).total).toBe(all.length)
  const search = { apiCollectionId: id, newSince: importedAt, limit: 1 }
  const { endpoints, total } = await ask(server, 'searchEndpoints', search)
  expect(total, 'new this week on the overview').toBe(all.length)
  expect(endpoints[0]!.lastSeen).toBeLessThan(importedAt)
  const { changes } = await ask(server, 'fetchChanges', { ...window, kinds: ['NEW_ENDPOINT'] })
  expect(changes).toHaveLength(all.length)
  const { newCount, oldCount } = await ask(server, 'fetchEndpointsCount', {
    startTimestamp: importedAt - 1,
    endTimestamp: 0,
  })
  expect(newCount - oldCount).toBeGreaterThanOrEqual(all.length)
})

test('kinds of authentication and sensitive data are recognised', async () => {
  const { apiCollectionId: id } = await ask(server, 'uploadHar', {
    content: JSON.parse(recording),
    apiCollectionName: 'facts',
  })
  const infos = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: id })
  const apiInfoList = 'apiInfoList' in infos ? infos.apiInfoList : []
  const infoOf = (method: string, path: string) =>
    apiInfoList.find((info) => info.id.method === method && info.id.url === HOST + path)!
  expect(infoOf('GET', '/rest/basket/INTEGER')).toMatchObject({
    responseCodes: [200],
    // The recording holds a placeholder in the header authorization, and the token in a cookie.
    actualAuthType: ['AUTHORIZATION_HEADER', 'JWT'],
    allAuthTypesFound: [['AUTHORIZATION_HEADER', 'JWT']],
    apiType: 'REST',
    // Groups of other tests on the same server may hold it as well.
    collectionIds: expect.arrayContaining([id]),
  })
  expect(Object.keys(infoOf('GET', '/rest/basket/INTEGER').sources)).toEqual(['HAR'])
  expect(infoOf('POST', '/rest/user/login')).toMatchObject({ isSensitive: true })
  expect(infoOf('GET', '/rest/languages').actualAuthType).toContain('UNAUTHENTICATED')
  const { sensitiveSubtypesInCollection } = await ask(server, 'getSensitiveInfoForCollections')
  expect(JSON.parse(sensitiveSubtypesInCollection![String(id)]!)).toContain('EMAIL')
  const { data } = await ask(server, 'loadParamsOfEndpoint', {
    apiCollectionId: id,
    method: 'GET',
    url: `${HOST}/rest/user/whoami`,
  })
  expect(data.params).toContainEqual(
    expect.objectContaining({ param: 'user#email', subTypeString: 'EMAIL', sensitive: true }),
  )
})

test('nothing is said that the recording does not show', async () => {
  const { apiCollectionId: id } = await ask(server, 'uploadHar', {
    content: recording,
    apiCollectionName: 'said',
  })
  const { endpoints } = await ask(server, 'searchEndpoints', { apiCollectionId: id, limit: 100 })
  for (const endpoint of endpoints) {
    // It names no address, so it does not tell who can reach them; and there is no specification.
    expect(endpoint.apiAccessTypes).toEqual([])
    expect(endpoint.isDocumented).toBe(false)
    const { apiInfo } = await ask(server, 'getSingleEndpoint', endpoint.id)
    const { riskFactors, riskScore } = apiInfo
    expect(riskFactors.map(({ factor }) => factor)).not.toContain('undocumented or retired')
    expect(riskFactors.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(riskScore)
    const { data } = await ask(server, 'loadParamsOfEndpoint', endpoint.id)
    const shown = data.params.flatMap(({ examples }) => examples).join('\n')
    expect(shown).not.toMatch(/victim123|eyJ|@juice-sh\.op/)
  }
  const login = endpoints.find((one) => one.id.url === `${HOST}/rest/user/login`)!
  const { apiInfo } = await ask(server, 'getSingleEndpoint', login.id)
  expect(apiInfo.riskFactors.map(({ factor }) => factor)).not.toContain('anonymous access')
})

test('the same recording again counts nothing', async () => {
  const body = { content: recording, apiCollectionName: 'twice' }
  const { apiCollectionId: id } = await ask(server, 'uploadHar', body)
  const before = await ask(server, 'searchEndpoints', { apiCollectionId: id, limit: 100 })
  const { report } = await ask(server, 'uploadHar', body)
  expect(report.duplicates).toBe(48 - report.skipped)
  const after = await ask(server, 'searchEndpoints', { apiCollectionId: id, limit: 100 })
  const counts = ({ endpoints }: typeof before) => endpoints.map(({ id: key, callCount }) => [key, callCount])
  expect(counts(after)).toEqual(counts(before))
})

test('the report names place and reason of every entry that was skipped', async () => {
  const { uploadId, apiCollectionId, harErrors, report } = await ask(server, 'uploadHar', {
    content: recording,
    apiCollectionName: 'reported',
    fileName: 'shop.har',
  })
  expect(harErrors).toHaveLength(report.skipped)
  expect(report.skipped).toBeGreaterThan(0)
  const skipped = await ask(server, 'fetchImportReport', { uploadId, outcomes: ['SKIPPED'] })
  expect(skipped.total).toBe(report.skipped)
  for (const row of skipped.rows) {
    expect(row.place).toMatch(/entries\[\d+\]|line \d+|entry \d+/)
    expect(row.what).toMatch(/^[A-Z]+ https:/)
    expect(row.reasons.join()).not.toBe('')
  }
  const all = await ask(server, 'fetchImportReport', { uploadId, limit: 500 })
  expect(all.rows).toHaveLength(48)
  expect(all.rows.map((row) => row.position)).toEqual(Array.from({ length: 48 }, (_, n) => n))
  const page = await ask(server, 'fetchImportReport', { uploadId, skip: 40, limit: 5 })
  expect(page.rows).toEqual(all.rows.slice(40, 45))
  expect(page.total).toBe(48)
  const { imports, total } = await ask(server, 'fetchImports', { apiCollectionId })
  expect(total).toBe(1)
  expect(imports).toEqual([report])
  expect(imports[0]).toMatchObject({ uploadId, fileName: 'shop.har', apiCollectionId })
})

test('a target that cannot take a file is refused with its reason', async () => {
  const upload = (target: object) => refusal(server, 'uploadHar', { content: recording, ...target })
  expect(await upload({})).toEqual([422, 'apiCollectionName or apiCollectionId is required'])
  expect(await upload({ apiCollectionId: 7 })).toEqual([422, 'No such collection exists'])
  expect(await upload({ apiCollectionName: ' ' })).toEqual([
    422,
    'apiCollectionName or apiCollectionId is required',
  ])
  expect(await upload({ apiCollectionName: 'a/b' })).toEqual([
    422,
    "Collection names can only be alphanumeric and contain '-','.' and '_'",
  ])
  const { apiCollectionId: group } = await ask(server, 'createCustomCollection', {
    collectionName: 'a group without files',
    conditions: [{ type: 'ALL', operator: 'AND', data: {} }],
  })
  expect(await upload({ apiCollectionId: group })).toEqual([422, "API groups can't be used"])
  const { apiCollectionId: off } = await ask(server, 'createCollection', { collectionName: 'off' })
  await ask(server, 'deactivateCollections', { apiCollections: [{ id: off }] })
  expect(await upload({ apiCollectionId: off })).toEqual([
    422,
    "Deactivated collection can't be used, please create a new collection.",
  ])
  expect((await refusal(server, 'uploadHar', { content: '{"log":', apiCollectionName: 'x' }))[1]).toMatch(
    /^Invalid HAR file: .*line 1/,
  )
  expect(await refusal(server, 'fetchImportReport', { uploadId: 'f'.repeat(24) })).toEqual([
    422,
    'Invalid uploadId',
  ])
})
