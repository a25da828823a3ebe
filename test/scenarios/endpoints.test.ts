import { beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, endpointsOf, message, messageLines, refusal } from './ask.ts'

/** The start of a window of five minutes, an hour ago. */
const BASE = Math.floor(Date.now() / 1000 / 300) * 300 - 3600
const MINUTE = BASE / 60
const HOST = 'https://shop.test'

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

async function filled(name: string, messages: readonly Record<string, unknown>[]): Promise<number> {
  const content = messageLines(messages.map((one) => ({ time: BASE, ...one })))
  return (await ask(server, 'importTraffic', { content, apiCollectionName: name })).apiCollectionId
}

async function infoOf(apiCollectionId: number, method: string, url: string) {
  return (await ask(server, 'getSingleEndpoint', { apiCollectionId, method, url })).apiInfo
}

test('an endpoint shows its parameters, samples, credentials and risk', async () => {
  const id = await filled('detail', [
    {
      method: 'POST',
      path: `${HOST}/orders?page=2`,
      requestHeaders: { host: 'shop.test', 'content-type': 'application/json', authorization: 'Basic YTpi' },
      requestPayload: '{"items":[{"sku":"A1","quantity":3}],"gift":true}',
      responsePayload: '{"id":77,"buyer":{"email":"ann@shop.test"}}',
      statusCode: 201,
    },
  ])
  const key = { apiCollectionId: id, method: 'POST', url: `${HOST}/orders` }
  const { data } = await ask(server, 'loadParamsOfEndpoint', key)
  const shown = data.params.map(
    (one) => `${one.position} ${one.responseCode} ${one.param} ${one.subTypeString}`,
  )
  expect(shown).toEqual(
    expect.arrayContaining([
      'QUERY -1 page INTEGER_32',
      'REQUEST_BODY -1 gift TRUE',
      'REQUEST_BODY -1 items#$#quantity INTEGER_32',
      'RESPONSE_BODY 201 buyer#email EMAIL',
      'RESPONSE_BODY 201 id INTEGER_32',
    ]),
  )
  expect(data.truncated).toBe(false)
  const { sampleDataList } = await ask(server, 'fetchSampleData', key)
  const sample = JSON.parse(sampleDataList![0]!.samples[0]!) as Record<string, unknown>
  expect(sample).toMatchObject({ method: 'POST', requestPayload: expect.stringContaining('"sku":"A1"') })
  expect(typeof sample['requestHeaders']).toBe('string')
  const { sensitiveSampleData } = await ask(server, 'fetchSensitiveSampleData', key)
  expect(sensitiveSampleData).toContainEqual(
    expect.objectContaining({ param: 'buyer#email', subTypeString: 'EMAIL', responseCode: 201 }),
  )
  const info = await infoOf(id, 'POST', key.url)
  expect(info).toMatchObject({
    responseCodes: [201],
    callCount: 1,
    isSensitive: true,
    sensitiveInResponse: ['EMAIL'],
    actualAuthType: ['BASIC'],
    collectionName: 'detail',
    firstSeen: BASE,
    lastSeen: BASE,
  })
  expect(info.authSeen).toEqual([{ types: ['BASIC'], outcome: '2xx', count: 1, lastSeen: BASE }])
  expect(info.riskScore).toBeGreaterThan(0)
  expect(info.riskFactors.length).toBeGreaterThan(0)
  for (const { factor, evidence, remedy } of info.riskFactors)
    expect([factor, evidence, remedy]).not.toContain('')
  expect(info.riskFactors.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(info.riskScore)
  expect(await refusal(server, 'getSingleEndpoint', { ...key, method: 'PUT' })).toEqual([
    422,
    'No such endpoint exists',
  ])
  const unknown = await ask(server, 'fetchSampleData', { ...key, method: 'PUT' })
  expect(unknown.sampleDataList).toEqual([])
})

test('a sensitive key in parentheses is shown with its samples', async () => {
  const id = await filled('keys', [{ path: `${HOST}/odata/Customers('ann@shop.test')` }])
  const key = { apiCollectionId: id, method: 'GET', url: `${HOST}/odata/Customers()`, unmasked: true }
  const { sensitiveSampleData } = await ask(server, 'fetchSensitiveSampleData', key)
  expect(sensitiveSampleData).toEqual([
    expect.objectContaining({
      param: '1#key',
      subTypeString: 'EMAIL',
      samples: [expect.stringContaining('ann@shop.test')],
    }),
  ])
})

test('at most ten samples are kept, the newest last', async () => {
  const id = await filled(
    'samples',
    Array.from({ length: 14 }, (_, n) => ({ path: `${HOST}/many?n=${n}`, time: BASE + n })),
  )
  const { sampleDataList } = await ask(server, 'fetchSampleData', {
    apiCollectionId: id,
    method: 'GET',
    url: `${HOST}/many`,
  })
  const times = sampleDataList![0]!.samples.map((text) => Number((JSON.parse(text) as { time: string }).time))
  expect(times.length).toBeLessThanOrEqual(10)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('calls are counted per minute and per address', async () => {
  const call = (offset: number, ip: string, times: number) =>
    Array.from({ length: times }, () =>
      message({ path: '/counted', requestHeaders: { host: 'stats.test' }, time: BASE + offset, ip }),
    )
  const batchData = [
    ...call(0, '198.51.100.1', 1),
    ...call(59, '198.51.100.2', 11),
    ...call(60, '198.51.100.3', 2),
    ...call(300, '198.51.100.1', 3),
    ...['4', '5', '6', '7'].flatMap((end) => call(600, `198.51.100.${end}`, 1)),
  ]
  const { accepted } = await ask(server, 'ingestData', { batchData })
  expect(accepted).toBe(batchData.length)
  const { apiCollections } = await ask(server, 'getAllCollections', { hostNameRegex: '^stats' })
  const key = { apiCollectionId: apiCollections![0]!.id, method: 'GET', url: '/counted' }
  const perMinute = async (startEpoch: number, endEpoch: number) =>
    (await ask(server, 'fetchApiCallStats', { ...key, startEpoch, endEpoch })).result!.apiCallStats
  expect(await perMinute(BASE, BASE + 3000)).toEqual([
    { ts: MINUTE, count: 12 },
    { ts: MINUTE + 1, count: 2 },
    { ts: MINUTE + 5, count: 3 },
    { ts: MINUTE + 10, count: 4 },
  ])
  expect(await perMinute(BASE + 61, BASE + 300)).toEqual([
    { ts: MINUTE + 1, count: 2 },
    { ts: MINUTE + 5, count: 3 },
  ])
  expect(await perMinute(BASE + 300, BASE)).toEqual([])
  const perAddress = await ask(server, 'fetchIpLevelApiCallStats', {
    ...key,
    startWindow: MINUTE,
    endWindow: MINUTE + 10,
  })
  expect(perAddress).toMatchObject({ startWindow: MINUTE, endWindow: MINUTE + 10 })
  expect(perAddress.bucketStats).toEqual([
    { bucketLabel: 'b1', min: 1, max: 4, p25: 1, p50: 2, p75: 4 },
    { bucketLabel: 'b2', min: 1, max: 1, p25: 1, p50: 1, p75: 1 },
  ])
  const later = await ask(server, 'fetchIpLevelApiCallStats', {
    ...key,
    startWindow: MINUTE + 1,
    endWindow: MINUTE + 9,
  })
  expect(later.bucketStats).toEqual([{ bucketLabel: 'b1', min: 1, max: 1, p25: 1, p50: 1, p75: 1 }])
  const unknown = await ask(server, 'fetchApiCallStats', {
    ...key,
    url: '/none',
    startEpoch: 0,
    endEpoch: BASE,
  })
  expect(unknown.result!.apiCallStats).toEqual([])
})

describe('a learned template', () => {
  const template = `${HOST}/orders/INTEGER`
  let id: number
  const facts = async () => {
    const info = await infoOf(id, 'GET', template)
    const { data } = await ask(server, 'loadParamsOfEndpoint', {
      apiCollectionId: id,
      method: 'GET',
      url: template,
    })
    return {
      calls: info.callCount,
      params: data.params.map((one) => [one.position, one.param, one.subTypeString, one.count]),
    }
  }
  beforeAll(async () => {
    id = await filled(
      'orders',
      Array.from({ length: 12 }, (_, n) => ({
        path: `${HOST}/orders/${n + 101}`,
        responsePayload: `{"id":${n + 101}}`,
      })),
    )
  })

  test('explains itself, splits into its paths and merges back to what it was', async () => {
    expect(await endpointsOf(server, id)).toEqual([`GET ${template}`])
    const evidence = await ask(server, 'explainTemplate', { apiCollectionId: id, url: template })
    expect(evidence).toMatchObject({ template, decidedBy: 'ENGINE', distinctValues: 12 })
    expect(evidence.examples.length).toBeGreaterThan(0)
    const before = await facts()
    const split = await ask(server, 'deMergeApi', { apiCollectionId: id, method: 'GET', url: template })
    const literal = Array.from({ length: 12 }, (_, n) => `${HOST}/orders/${n + 101}`)
    expect(split.deMergedApis!.map(({ url }) => url).sort()).toEqual(literal)
    expect(await endpointsOf(server, id)).toEqual(literal.map((url) => `GET ${url}`))
    expect((await infoOf(id, 'GET', literal[3]!)).callCount).toBe(1)
    const { sampleDataList } = await ask(server, 'fetchSampleData', {
      apiCollectionId: id,
      method: 'GET',
      url: literal[3],
    })
    expect(sampleDataList![0]!.samples).toHaveLength(1)
    expect(sampleDataList![0]!.samples[0]).toContain('/orders/104')
    expect(
      await refusal(server, 'deMergeApi', { apiCollectionId: id, method: 'GET', url: literal[0] }),
    ).toEqual([422, `No segment of the path ${literal[0]} is a parameter`])
    const { moves } = await ask(server, 'mergeApis', { apiCollectionId: id, template })
    expect(moves).toHaveLength(12)
    expect(await endpointsOf(server, id)).toEqual([`GET ${template}`])
    expect(await facts()).toEqual(before)
  })

  test('leaves out a path that a person pins', async () => {
    const { moves } = await ask(server, 'pinLiteralApi', { apiCollectionId: id, url: `${HOST}/orders/105` })
    expect(moves).toEqual([{ method: 'GET', from: template, to: `${HOST}/orders/105` }])
    expect(await endpointsOf(server, id)).toEqual([`GET ${HOST}/orders/105`, `GET ${template}`])
    expect((await facts()).calls).toBe(11)
    await filled('orders', [{ path: `${HOST}/orders/105?again` }, { path: `${HOST}/orders/999` }])
    expect((await facts()).calls).toBe(12)
    expect(await endpointsOf(server, id)).toHaveLength(2)
    const { changes } = await ask(server, 'fetchChanges', {
      startTimestamp: 0,
      endTimestamp: 0,
      apiCollectionId: id,
      kinds: ['TEMPLATE_PINNED'],
    })
    expect(changes.map(({ apiInfoKey }) => apiInfoKey.url)).toEqual([`${HOST}/orders/105`])
  })

  test.each([
    ['some', 40],
    ['more values than are remembered', 1500],
  ])('splits %s into endpoints that have every call between them', async (name, values) => {
    const collection = `split ${name}`
    const path = (n: number, query = '') => `${HOST}/parcels/${n + 1000}?depth=${query}`
    const send = (paths: string[]) =>
      filled(
        collection,
        paths.map((one, n) => ({ path: one, time: 1769850000 + n })),
      )
    const known = await send(Array.from({ length: 12 }, (_, n) => path(n)))
    await send(Array.from({ length: values }, (_, n) => path(n, 'a')))
    await send(Array.from({ length: 12 }, (_, n) => path(n, 'b')))
    const url = `${HOST}/parcels/INTEGER`
    const sum = async () => {
      const { endpoints } = await ask(server, 'searchEndpoints', {
        apiCollectionId: known,
        limit: 500,
        sortKey: 'callCount',
      })
      const { endpoints: rest, total } = await ask(server, 'searchEndpoints', {
        apiCollectionId: known,
        limit: 500,
        skip: 500,
        sortKey: 'callCount',
      })
      expect(total).toBeLessThanOrEqual(1000)
      return [...endpoints, ...rest].reduce((calls, { callCount }) => calls + callCount, 0)
    }
    const before = await ask(server, 'loadParamsOfEndpoint', { apiCollectionId: known, method: 'GET', url })
    expect(await sum()).toBe(12 + values + 12)
    const split = await ask(server, 'deMergeApi', { apiCollectionId: known, method: 'GET', url })
    expect(await sum()).toBe(12 + values + 12)
    // Calls to paths that are no longer remembered stay where they were.
    expect((await endpointsOf(server, known)).includes(`GET ${url}`)).toBe(
      values > split.deMergedApis!.length,
    )
    const first = { apiCollectionId: known, method: 'GET', url: `${HOST}/parcels/1000` }
    if (values < 64) expect((await infoOf(known, 'GET', first.url)).callCount).toBe(3)
    const direct = { ...first, url: split.deMergedApis!.at(-1)!.url }
    const names = (await ask(server, 'loadParamsOfEndpoint', direct)).data.params.map(({ param }) => param)
    expect(names).toContain('depth')
    await ask(server, 'mergeApis', { apiCollectionId: known, template: url })
    expect(await endpointsOf(server, known)).toEqual([`GET ${url}`])
    expect(await sum()).toBe(12 + values + 12)
    expect(await ask(server, 'loadParamsOfEndpoint', { ...first, url })).toEqual(before)
  })

  test('gives a split path the calls that came while it was merged', async () => {
    const send = (paths: string[], from: number) =>
      filled(
        'teams',
        paths.map((one, n) => ({ path: `${HOST}/teams/${one}`, time: 1769850000 + from + n })),
      )
    const teams = await send(['red', 'blue', 'red', 'blue'], 0)
    const template = `${HOST}/teams/STRING`
    await ask(server, 'mergeApis', { apiCollectionId: teams, template })
    await send(['red', 'red', 'red', 'green'], 10)
    const calls = async () => {
      const { endpoints } = await ask(server, 'searchEndpoints', { apiCollectionId: teams })
      return Object.fromEntries(
        endpoints.map(({ id: key, callCount }) => [key.url.slice(HOST.length), callCount]),
      )
    }
    expect(await calls()).toEqual({ '/teams/STRING': 8 })
    await ask(server, 'deMergeApi', { apiCollectionId: teams, method: 'GET', url: template })
    expect(await calls()).toEqual({ '/teams/red': 5, '/teams/blue': 2, '/teams/green': 1 })
    await ask(server, 'mergeApis', { apiCollectionId: teams, template })
    expect(await calls()).toEqual({ '/teams/STRING': 8 })
  })

  test('is refused where there is none', async () => {
    const url = `${HOST}/no/such/path`
    expect(await refusal(server, 'explainTemplate', { apiCollectionId: id, url })).toEqual([
      422,
      `No segment of the path ${url} is a parameter`,
    ])
    expect(await refusal(server, 'mergeApis', { apiCollectionId: id, template: url })).toEqual([
      422,
      `No segment of the path ${url} is a parameter`,
    ])
  })
})

test('what is new and what changed is listed', async () => {
  const id = await filled('changing', [{ path: `${HOST}/thing` }])
  await filled('changing', [
    { path: `${HOST}/thing`, time: BASE + 60, responsePayload: '{"ok":true,"email":"a@b.test"}' },
  ])
  const window = { startTimestamp: 0, endTimestamp: 0, apiCollectionId: id }
  const recent = await ask(server, 'loadRecentEndpoints', window)
  expect(recent.endpoints.map(({ id: key }) => key.url)).toEqual([`${HOST}/thing`])
  const { changes, total } = await ask(server, 'fetchChanges', window)
  expect(total).toBe(changes.length)
  const shown = changes.map(({ kind, what }) => `${kind} ${what}`)
  expect(shown).toContain(`NEW_ENDPOINT ${HOST}/thing`)
  expect(shown).toContain('NEW_SENSITIVE_DATA email: EMAIL')
  const only = await ask(server, 'fetchChanges', { ...window, kinds: ['NEW_ENDPOINT'], search: 'THING' })
  expect(only.changes).toHaveLength(1)
  const { apiCollections } = await ask(server, 'addApisToCustomCollection', {
    collectionName: 'changing group',
    apiList: [{ apiCollectionId: id, method: 'GET', url: `${HOST}/thing` }],
  })
  const ofGroup = await ask(server, 'fetchChanges', { ...window, apiCollectionId: apiCollections![0]!.id })
  expect(ofGroup.changes).toEqual(changes)
  const trend = await ask(server, 'fetchNewEndpointsTrendForNonHostCollections', {
    startTimestamp: 0,
    endTimestamp: 0,
  })
  expect(trend.data.endpoints.length).toBeGreaterThan(0)
  const { listOfEndpointsInCollection } = await ask(server, 'fetchCollectionWiseApiEndpoints', {
    apiCollectionId: String(id),
  })
  expect(listOfEndpointsInCollection).toHaveLength(1)
  const starts = await ask(server, 'fetchApiInfosFromSTIs', { apiCollectionId: id })
  expect('list' in starts && starts.list).toEqual([
    {
      _id: { apiCollectionId: id, method: 'GET', url: `${HOST}/thing` },
      startTs: BASE,
      changesCount: expect.any(Number),
    },
  ])
  const seen = await ask(server, 'getLastSeenTrafficInfoForCollections')
  expect(seen[String(id)]).toBe(String(BASE + 60))
  await filled('changing', [{ path: `${HOST}/thing/parts`, time: BASE + 90 }])
  const endpoint = { apiCollectionId: id, method: 'GET', url: `${HOST}/thing` }
  const ofOne = { startTimestamp: 0, endTimestamp: 0, endpoint }
  expect(await ask(server, 'fetchChanges', ofOne)).toEqual({ changes, total })
  const second = await ask(server, 'fetchChanges', { ...ofOne, skip: 1, limit: 1 })
  expect(second).toEqual({ changes: [changes[1]], total })
  expect(
    await refusal(server, 'fetchChanges', { ...ofOne, endpoint: { ...endpoint, method: 'PUT' } }),
  ).toEqual([422, 'No such endpoint exists'])
})

test('an endpoint is as sensitive as its parameters, in requests and in responses', async () => {
  const id = await filled('cards', [
    {
      method: 'POST',
      path: `${HOST}/users/7/credit-cards`,
      requestHeaders: { host: 'shop.test', 'content-type': 'application/json' },
      requestPayload: '{"card_number":"4111111111111111","cvv":"123"}',
      responsePayload: '{"id":9}',
      statusCode: 201,
    },
    { path: `${HOST}/weather`, responsePayload: '{"sky":"blue"}' },
  ])
  const found = async (sensitive: boolean) =>
    (await ask(server, 'searchEndpoints', { apiCollectionId: id, sensitive })).endpoints
  const [card] = await found(true)
  expect(card).toMatchObject({ id: { method: 'POST' }, isSensitive: true, sensitiveInResponse: [] })
  expect(card!.sensitiveInRequest).toContain('CREDIT_CARD')
  expect(await found(true)).toHaveLength(1)
  expect((await found(false)).map(({ id: key, isSensitive }) => [key.url, isSensitive])).toEqual([
    [`${HOST}/weather`, false],
  ])
})

test('a search filters, sorts and pages', async () => {
  const id = await filled('searched', [
    { path: `${HOST}/s/a` },
    { path: `${HOST}/s/b`, responsePayload: '{"email":"a@b.test"}' },
    { method: 'POST', path: `${HOST}/s/b` },
    { path: `${HOST}/s/100%25_x` },
  ])
  const urls = async (body: object) => {
    const { endpoints, total } = await ask(server, 'searchEndpoints', { apiCollectionId: id, ...body })
    return [total, ...endpoints.map(({ id: key }) => `${key.method} ${key.url.slice(HOST.length)}`)]
  }
  expect(await urls({ method: ['POST'] })).toEqual([1, 'POST /s/b'])
  expect(await urls({ sensitiveType: ['EMAIL'] })).toEqual([1, 'GET /s/b'])
  expect(await urls({ sensitive: true })).toEqual([1, 'GET /s/b'])
  expect(await urls({ search: '/S/A' })).toEqual([1, 'GET /s/a'])
  expect((await urls({ search: '%' }))[0]).toBe(1)
  expect((await urls({ pathPrefix: '/s' }))[0]).toBe(4)
  expect(await urls({ pathPrefix: '/s/a/' })).toEqual(await urls({ search: '/s/a' }))
  expect(await urls({ pathPrefix: '/s/', method: ['POST'] })).toEqual([1, 'POST /s/b'])
  expect([await urls({ pathPrefix: '/a' }), await urls({ pathPrefix: '/' })]).toEqual([[0], [0]])
  expect(await urls({ documented: true })).toEqual([0])
  const all = await urls({ limit: 10 })
  expect(all[0]).toBe(4)
  expect([...(await urls({ limit: 3 })), ...(await urls({ skip: 3, limit: 3 })).slice(1)]).toEqual(all)
  const down = await urls({ sortKey: 'url', sortOrder: -1 })
  expect(down.slice(1)).toEqual(all.slice(1).reverse())
})

test('data types of one’s own are kept and listed', async () => {
  const type = {
    name: 'MEMBERSHIP_NUMBER',
    operator: 'AND',
    keyConditions: { operator: 'OR', predicates: [{ type: 'CONTAINS', value: 'membership' }] },
    valueConditions: { operator: 'AND', predicates: [{ type: 'REGEX', value: '^M-[0-9]{8}$' }] },
  }
  const { dataType } = await ask(server, 'saveCustomDataType', type)
  expect(dataType).toMatchObject({ ...type, builtIn: false, active: true, sensitiveAlways: true })
  const { dataTypes } = await ask(server, 'fetchDataTypes')
  expect(dataTypes.filter(({ builtIn }) => builtIn).map(({ name }) => name)).toContain('EMAIL')
  expect(dataTypes.find(({ name }) => name === type.name)).toEqual(dataType)
  expect(await refusal(server, 'saveCustomDataType', { ...type, name: 'lower case' })).toEqual([
    422,
    'Invalid data type name',
  ])
  expect(await refusal(server, 'saveCustomDataType', { ...type, name: 'EMAIL' })).toEqual([
    422,
    'Built-in data types keep their patterns',
  ])
  expect((await refusal(server, 'saveCustomDataType', { name: 'NOTHING' }))[1]).toMatch(
    /^Invalid data type: /,
  )
  const broken = { operator: 'AND', predicates: [{ type: 'REGEX', value: '(' }] }
  expect(
    (await refusal(server, 'saveCustomDataType', { ...type, name: 'BROKEN', valueConditions: broken }))[0],
  ).toBe(422)
  const off = await ask(server, 'saveCustomDataType', { ...type, active: false })
  expect(off.dataType.active).toBe(false)
})
