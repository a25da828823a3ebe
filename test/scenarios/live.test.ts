import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, message, refusal } from './ask.ts'

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

async function collectionOfHost(host: string): Promise<number> {
  const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
  return apiCollections!.find(({ hostName }) => hostName === host)!.id
}

async function callCounts(apiCollectionId: number): Promise<Record<string, number>> {
  const { endpoints } = await ask(server, 'searchEndpoints', { apiCollectionId, limit: 100 })
  return Object.fromEntries(endpoints.map(({ id, callCount }) => [`${id.method} ${id.url}`, callCount]))
}

test('header maps come as JSON text, as objects and as lists of pairs', async () => {
  const headers = { host: 'forms.test', authorization: 'Basic YW5uOnMzY3JldA==', 'x-tenant': 'a' }
  const forms = [JSON.stringify(headers), headers, Object.entries(headers)]
  const batchData = forms.map((requestHeaders, n) =>
    message({
      path: `/form${n}`,
      requestHeaders,
      statusCode: n === 0 ? '200' : 200,
      time: n === 0 ? '1769850000' : 1769850000,
    }),
  )
  expect(await ask(server, 'ingestData', { batchData })).toEqual({
    accepted: 3,
    duplicates: 0,
    rejected: [],
    dropped: {},
  })
  const id = await collectionOfHost('forms.test')
  const infos = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: id })
  expect('apiInfoList' in infos && infos.apiInfoList.map((info) => info.actualAuthType)).toEqual([
    ['BASIC'],
    ['BASIC'],
    ['BASIC'],
  ])
})

test('a batch or a message that comes again counts once', async () => {
  const batchData = [
    message({ path: '/a', requestHeaders: { host: 'again.test' } }),
    message({ path: '/a', requestHeaders: { host: 'again.test' } }),
    message({ path: '/a', requestHeaders: { host: 'again.test' }, id: 'one' }),
  ]
  expect(await ask(server, 'ingestData', { batchData })).toEqual({
    accepted: 3,
    duplicates: 0,
    rejected: [],
    dropped: {},
  })
  expect(await ask(server, 'ingestData', { batchData })).toEqual({
    accepted: 0,
    duplicates: 3,
    rejected: [],
    dropped: {},
  })
  const renamed = message({ path: '/b', requestHeaders: { host: 'again.test' }, id: 'one' })
  expect((await ask(server, 'ingestData', { batchData: [renamed] })).duplicates).toBe(1)
  expect(await callCounts(await collectionOfHost('again.test'))).toEqual({ 'GET /a': 3 })
})

test('bad items are reported by their index and do not affect others', async () => {
  const good = message({ path: '/fine', requestHeaders: { host: 'mixed.test' } })
  const batchData = [
    7,
    good,
    { ...good, path: undefined },
    { ...good, requestHeaders: '{"host":' },
    null,
    { ...good, method: 'NOT A METHOD' },
    { ...good, path: '/also' },
  ]
  const { accepted, rejected } = await ask(server, 'ingestData', { batchData })
  expect(accepted).toBe(2)
  expect(rejected.map(({ index }) => index)).toEqual([0, 2, 3, 4, 5])
  for (const { reason } of rejected) expect(reason.length).toBeGreaterThan(5)
  expect(await endpointsOf(server, await collectionOfHost('mixed.test'))).toEqual(['GET /also', 'GET /fine'])
})

test('a message with an invalid host is rejected with the host and the reason', async () => {
  const batchData = ['shop .test', ''].map((host) => message({ path: '/a', requestHeaders: { host } }))
  const { rejected } = await ask(server, 'ingestData', { batchData })
  expect(rejected).toEqual([
    { index: 0, reason: '"shop .test" is not a host: it holds a blank' },
    { index: 1, reason: 'the message names no host: send a host header or an absolute URL' },
  ])
})

test('a batch may name one collection for all', async () => {
  const { apiCollectionId: id } = await ask(server, 'createCollection', { collectionName: 'named' })
  const batchData = [message({ path: 'https://named.test/a?x=1', requestHeaders: {} })]
  expect((await ask(server, 'ingestData', { batchData, apiCollectionId: id })).accepted).toBe(1)
  expect(await endpointsOf(server, id!)).toEqual(['GET https://named.test/a'])
  const { totals: before } = await ask(server, 'fetchTrafficLedger')
  const refused = (apiCollectionId: number) => refusal(server, 'ingestData', { batchData, apiCollectionId })
  expect(await refused(7)).toEqual([422, 'No such collection exists'])
  const { apiCollectionId: group } = await ask(server, 'createCustomCollection', {
    collectionName: 'a group',
    // Nothing that other tests send to the shared server is in it.
    conditions: [{ type: 'HOST_REGEX', operator: 'AND', data: { regex: '^nobody[.]named[.]test' } }],
  })
  expect(await refused(group!)).toEqual([422, "API groups can't be used"])
  expect(await endpointsOf(server, group!)).toEqual([])
  await ask(server, 'deactivateCollections', { apiCollections: [{ id }] })
  batchData[0]!['time'] = 1769850001
  expect(await refused(id!)).toEqual([
    422,
    "Deactivated collection can't be used, please create a new collection.",
  ])
  expect((await ask(server, 'fetchTrafficLedger')).totals).toEqual(before)
})

test('a batch over its limit is refused whole', async () => {
  const batchData = new Array(10_001).fill(1)
  expect(await refusal(server, 'ingestData', { batchData })).toEqual([
    422,
    'A batch can contain at most 10000 messages',
  ])
})

test('traffic of a deactivated host is dropped, and taken again once it is active', async () => {
  const send = (path: string) =>
    ask(server, 'ingestData', { batchData: [message({ path, requestHeaders: { host: 'paused.test' } })] })
  await send('/before')
  const id = await collectionOfHost('paused.test')
  await ask(server, 'deactivateCollections', { apiCollections: [{ id }] })
  const paused = await send('/while')
  expect(paused).toEqual({ accepted: 0, duplicates: 0, rejected: [], dropped: { deactivated: 1 } })
  await ask(server, 'activateCollections', { apiCollections: [{ id }] })
  await send('/after')
  expect(await endpointsOf(server, id)).toEqual(['GET /after', 'GET /before'])
})

test('the answer and the ingest counters agree on every message', async () => {
  const { totals: before } = await ask(server, 'fetchTrafficLedger')
  const good = message({ path: '/counted', requestHeaders: { host: 'ledger.test' } })
  const batchData = [
    good,
    { ...good, path: '/main.js', responseHeaders: { 'content-type': 'text/javascript' } },
    5,
    { ...good, requestHeaders: {} },
  ]
  const first = await ask(server, 'ingestData', { batchData })
  const rule = Object.keys(first.dropped)[0]!
  expect(first).toMatchObject({ accepted: 1, duplicates: 0, dropped: { [rule]: 1 } })
  expect(first.rejected.map(({ index }) => index)).toEqual([2, 3])
  const again = await ask(server, 'ingestData', { batchData: [good] })
  expect(again).toEqual({ accepted: 0, duplicates: 1, rejected: [], dropped: {} })
  const { totals, days } = await ask(server, 'fetchTrafficLedger')
  expect(totals.received - before.received).toBe(5)
  expect(totals.accepted - before.accepted).toBe(1)
  expect(totals.duplicates - before.duplicates).toBe(1)
  expect(totals.rejected - before.rejected).toBe(2)
  expect(totals.dropped[rule]! - (before.dropped[rule] ?? 0)).toBe(1)
  for (const counts of [totals, ...days]) {
    const dropped = Object.values(counts.dropped).reduce((sum, count) => sum + count, 0)
    expect(counts.received).toBe(counts.accepted + counts.duplicates + counts.rejected + dropped)
  }
})

test('a batch may be a bare list, or one message', async () => {
  const one = (path: string) => message({ path, requestHeaders: { host: 'bare.test' } })
  expect((await ask(server, 'ingestData', [one('/a'), one('/b')])).accepted).toBe(2)
  expect((await ask(server, 'ingestData', one('/c'))).accepted).toBe(1)
  expect(await endpointsOf(server, await collectionOfHost('bare.test'))).toHaveLength(3)
})

test('unknown paths that answer with an error are listed as probes, never as endpoints', async () => {
  const probe = message({ path: '/.git/config', requestHeaders: { host: 'probed.test' }, statusCode: 404 })
  const real = message({ path: '/real', requestHeaders: { host: 'probed.test' } })
  await ask(server, 'ingestData', { batchData: [real, probe] })
  expect(await endpointsOf(server, await collectionOfHost('probed.test'))).toEqual(['GET /real'])
  const { probes } = await ask(server, 'fetchTrafficLedger', { limit: 100 })
  expect(probes).toContainEqual(expect.objectContaining({ method: 'GET', path: '/.git/config', status: 404 }))
})

test('matrix parameters do not make new endpoints, and are listed as path parameters', async () => {
  const sent = ['/cars;color=red', '/cars;color=blue;year=2020', '/cars', '/cars;color=red'].map((path) =>
    message({ path, requestHeaders: { host: 'matrix.test' } }),
  )
  expect((await ask(server, 'ingestData', { batchData: sent })).accepted).toBe(4)
  const id = await collectionOfHost('matrix.test')
  expect(await callCounts(id)).toEqual({ 'GET /cars': 4 })
  const { data } = await ask(server, 'loadParamsOfEndpoint', {
    apiCollectionId: id,
    url: '/cars',
    method: 'GET',
  })
  const matrix = data.params.filter(({ isUrlParam }) => isUrlParam)
  expect(matrix.map(({ param, displayName, count }) => [param, displayName, count])).toEqual([
    ['0#color', 'cars;color', 3],
    ['0#year', 'cars;year', 1],
  ])
})

test('what a crawler captured goes the same way', async () => {
  const { apiCollectionId: id } = await ask(server, 'createCollection', { collectionName: 'crawled' })
  const crawlerData = JSON.stringify(message({ path: 'https://crawled.test/items?q=1' }))
  const first = await server.post('/api/uploadCrawlerData', { apiCollectionId: String(id), crawlerData })
  expect(first.status).toBe(200)
  expect(await endpointsOf(server, id!)).toEqual(['GET https://crawled.test/items'])
  const infos = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId: id })
  expect('apiInfoList' in infos && Object.keys(infos.apiInfoList[0]!.sources)).toEqual(['CRAWLER'])
  expect((await refusal(server, 'uploadCrawlerData', { apiCollectionId: '7', crawlerData }))[0]).toBe(422)
  expect((await refusal(server, 'uploadCrawlerData', { apiCollectionId: id, crawlerData: '{' }))[0]).toBe(422)
})
