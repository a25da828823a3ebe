import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { until } from '../until.ts'
import { ask, message } from './ask.ts'

const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiI0MiJ9', 'c2lnbmF0dXJlLWJ5dGVz'].join('.')
const IS_MEMBER = { operator: 'AND', predicates: [{ type: 'REGEX', value: 'M-[0-9]{8}' }] }
const NAMED = { operator: 'OR', predicates: [{ type: 'CONTAINS', value: 'member' }] }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function send(asked: TestServer, host: string, given: Record<string, unknown>): Promise<void> {
  const requestHeaders = { host, 'content-type': 'application/json', ...(given['requestHeaders'] as object) }
  await ask(asked, 'ingestData', { batchData: [message({ ...given, requestHeaders })] })
}

async function collectionOf(asked: TestServer, host: string): Promise<number> {
  const { apiCollections } = await ask(asked, 'getAllCollections', { hostNameRegex: `^${host}$` })
  return apiCollections![0]!.id
}

/** `POSITION name TYPE`, with a star where it is sensitive. */
async function parametersOf(asked: TestServer, host: string, method: string, url: string): Promise<string[]> {
  const key = { apiCollectionId: await collectionOf(asked, host), method, url }
  const { data } = await ask(asked, 'loadParamsOfEndpoint', key)
  return data.params.map(
    (one) => `${one.position} ${one.param} ${one.subTypeString}${one.sensitive ? ' *' : ''}`,
  )
}

async function shownOf(asked: TestServer, host: string, text: string) {
  const apiCollectionId = await collectionOf(asked, host)
  const { endpoints } = await ask(asked, 'searchEndpoints', { apiCollectionId, search: text })
  const { sensitiveInRequest, sensitiveInResponse, isSensitive } = endpoints[0]!
  return { sensitiveInRequest, sensitiveInResponse, isSensitive }
}

describe('a type that a person made', () => {
  const host = 'custom.test'
  const body = '{"ref":"M-12345678","other":"X-1"}'

  test('is found at every position of later messages', async () => {
    await ask(server, 'saveCustomDataType', { name: 'MEMBER_REF', valueConditions: IS_MEMBER })
    await send(server, host, {
      method: 'POST',
      path: '/join?by=M-00000001',
      requestHeaders: { 'x-member': 'M-00000002', cookie: 'a=b; m=M-00000003' },
      requestPayload: body,
      responseHeaders: { 'content-type': 'application/json', 'x-ref': 'M-00000004' },
      responsePayload: `{"list":[${body}]}`,
    })
    const found = await parametersOf(server, host, 'POST', '/join')
    expect(found.filter((one) => one.includes('MEMBER_REF'))).toEqual([
      'QUERY by MEMBER_REF *',
      'REQUEST_HEADER x-member MEMBER_REF *',
      'COOKIE m MEMBER_REF *',
      'REQUEST_BODY ref MEMBER_REF *',
      'RESPONSE_HEADER x-ref MEMBER_REF *',
      'RESPONSE_BODY list#$#ref MEMBER_REF *',
    ])
    expect(found).toContain('REQUEST_BODY other GENERIC')
    expect(await shownOf(server, host, '/join')).toMatchObject({
      sensitiveInRequest: ['MEMBER_REF'],
      sensitiveInResponse: ['MEMBER_REF'],
      isSensitive: true,
    })
  })

  test('is found in the path', async () => {
    for (let n = 10; n < 30; n++) await send(server, 'path.test', { path: `/cards/M-000000${n}` })
    await ask(server, 'explainTemplate', {
      apiCollectionId: await collectionOf(server, 'path.test'),
      url: '/cards/STRING',
    }).catch(() => null)
    const merged = { apiCollectionId: await collectionOf(server, 'path.test'), template: '/cards/STRING' }
    await ask(server, 'mergeApis', merged)
    await send(server, 'path.test', { path: '/cards/M-00000099' })
    expect(await parametersOf(server, 'path.test', 'GET', '/cards/STRING')).toContain('PATH 1 MEMBER_REF *')
  })

  test('goes by key and value, joined as asked', async () => {
    await ask(server, 'saveCustomDataType', {
      name: 'BOTH',
      operator: 'AND',
      keyConditions: NAMED,
      valueConditions: { operator: 'AND', predicates: [{ type: 'STARTS_WITH', value: 'K' }] },
    })
    await ask(server, 'saveCustomDataType', {
      name: 'EITHER',
      operator: 'OR',
      sensitiveAlways: false,
      keyConditions: { operator: 'AND', predicates: [{ type: 'EQUALS_TO', value: 'flag' }] },
      valueConditions: { operator: 'AND', predicates: [{ type: 'EQUALS_TO', value: '4711' }] },
    })
    await send(server, 'joined.test', {
      path: '/x',
      responsePayload: '{"member":"K1","memberB":"L1","guest":"K1","flag":true,"n":4711,"m":4712}',
    })
    const found = await parametersOf(server, 'joined.test', 'GET', '/x')
    expect(found.filter((one) => one.startsWith('RESPONSE_BODY'))).toEqual([
      'RESPONSE_BODY flag EITHER',
      'RESPONSE_BODY guest GENERIC',
      'RESPONSE_BODY m INTEGER_32',
      'RESPONSE_BODY member BOTH *',
      'RESPONSE_BODY memberB GENERIC',
      'RESPONSE_BODY n EITHER',
    ])
  })

  test('never hides a sensitive value that Vigil knows', async () => {
    await ask(server, 'saveCustomDataType', {
      name: 'CONTACT',
      sensitiveAlways: false,
      keyConditions: { operator: 'AND', predicates: [{ type: 'EQUALS_TO', value: 'contact' }] },
    })
    await send(server, 'hidden.test', { path: '/x', responsePayload: '{"contact":"ann@shop.test"}' })
    const found = await parametersOf(server, 'hidden.test', 'GET', '/x')
    expect(found).toContain('RESPONSE_BODY contact EMAIL *')
    expect(found).toContain('RESPONSE_BODY contact CONTACT')
  })

  test('is found in retained samples when it is saved later, and gone when it is switched off', async () => {
    const type = {
      name: 'LATE_TYPE',
      valueConditions: { operator: 'AND', predicates: [{ type: 'REGEX', value: 'LATE-[0-9]+' }] },
      sensitiveAlways: false,
      sensitivePosition: ['RESPONSE_PAYLOAD'],
    }
    await send(server, 'late.test', { path: '/x?q=LATE-1', responsePayload: '{"code":"LATE-2"}' })
    await ask(server, 'saveCustomDataType', type)
    await until('the sensitive endpoint', async () => (await shownOf(server, 'late.test', '/x')).isSensitive)
    const found = await parametersOf(server, 'late.test', 'GET', '/x')
    expect(found).toContain('QUERY q LATE_TYPE')
    expect(found).toContain('RESPONSE_BODY code LATE_TYPE *')
    await ask(server, 'saveCustomDataType', { ...type, sensitivePosition: ['REQUEST_PAYLOAD'] })
    expect(await shownOf(server, 'late.test', '/x')).toEqual({
      sensitiveInRequest: ['LATE_TYPE'],
      sensitiveInResponse: [],
      isSensitive: true,
    })
    await ask(server, 'saveCustomDataType', { ...type, active: false })
    expect(await shownOf(server, 'late.test', '/x')).toMatchObject({ sensitiveInRequest: [] })
    await send(server, 'late.test', { path: '/y?q=LATE-1' })
    expect(await parametersOf(server, 'late.test', 'GET', '/y')).toContain('QUERY q GENERIC')
  })

  test('is masked in samples when asked, those stored before included', async () => {
    const type = {
      name: 'MASKED_TYPE',
      valueConditions: { operator: 'AND', predicates: [{ type: 'REGEX', value: 'HIDE-[0-9]+' }] },
      redacted: true,
    }
    const given = {
      path: '/x?a=HIDE-1&b=2',
      requestHeaders: { cookie: 'c=HIDE-3; d=4' },
      responsePayload: '{"deep":[{"e":"HIDE-5"}],"f":6}',
    }
    await send(server, 'masked.test', given)
    await ask(server, 'saveCustomDataType', type)
    const samples = async (url: string) => {
      const apiCollectionId = await collectionOf(server, 'masked.test')
      // What is stored, not what people are shown.
      const key = { apiCollectionId, method: 'GET', url, unmasked: true }
      return JSON.stringify((await ask(server, 'fetchSampleData', key)).sampleDataList)
    }
    await until('the hidden sample', async () => !(await samples('/x')).includes('HIDE'))
    await send(server, 'masked.test', { ...given, path: given.path.replace('/x', '/y') })
    const stored = await samples('/y')
    expect(stored).not.toContain('HIDE')
    expect(stored).toContain('a=****&b=2')
    expect(stored).toContain('c=****; d=4')
    expect(stored).toContain('****')
  })
})

describe('settings of a built-in type', () => {
  test('switch it off, change where it is sensitive, and bring it back', async () => {
    const host = 'builtin.test'
    const email = { name: 'EMAIL', sensitiveAlways: true, sensitivePosition: [] }
    await send(server, host, { path: '/a?mail=ann@shop.test', responsePayload: '{"email":"ann@shop.test"}' })
    await ask(server, 'saveCustomDataType', {
      ...email,
      sensitiveAlways: false,
      sensitivePosition: ['REQUEST_PAYLOAD'],
    })
    expect(await shownOf(server, host, '/a')).toEqual({
      sensitiveInRequest: ['EMAIL'],
      sensitiveInResponse: [],
      isSensitive: true,
    })
    await ask(server, 'saveCustomDataType', { ...email, active: false })
    await send(server, host, { path: '/b', responsePayload: '{"email":"ann@shop.test"}' })
    expect(await parametersOf(server, host, 'GET', '/b')).toContain('RESPONSE_BODY email GENERIC')
    await ask(server, 'saveCustomDataType', email)
    await until('the sensitive endpoint', async () => (await shownOf(server, host, '/b')).isSensitive)
    expect(await shownOf(server, host, '/a')).toMatchObject({ sensitiveInResponse: ['EMAIL'] })
  })

  test('saved as they were change nothing', async () => {
    const { dataTypes } = await ask(server, 'fetchDataTypes')
    const { sensitiveAlways, sensitivePosition } = dataTypes.find(({ name }) => name === 'PASSWORD')!
    await ask(server, 'saveCustomDataType', { name: 'PASSWORD', sensitiveAlways, sensitivePosition })
    await send(server, 'password.test', {
      method: 'POST',
      path: '/login',
      requestPayload: '{"password":"abc123"}',
    })
    expect(await parametersOf(server, 'password.test', 'POST', '/login')).toContain(
      'REQUEST_BODY password PASSWORD',
    )
  })
})

test('a token is sensitive wherever it stands, but for the Authorization header', async () => {
  await send(server, 'token.test', {
    path: `/x?access=${JWT}`,
    requestHeaders: { authorization: `Bearer ${JWT}`, 'x-id': JWT, cookie: `lang=en; token=${JWT}` },
    responseHeaders: { 'content-type': 'application/json', 'set-cookie': `token=${JWT}; HttpOnly` },
    responsePayload: `{"token":"${JWT}"}`,
  })
  const found = await parametersOf(server, 'token.test', 'GET', '/x')
  expect(found.filter((one) => one.includes('JWT'))).toEqual([
    'QUERY access JWT *',
    'REQUEST_HEADER authorization JWT',
    'REQUEST_HEADER x-id JWT *',
    'COOKIE token JWT *',
    'RESPONSE_HEADER set-cookie#token JWT *',
    'RESPONSE_BODY token JWT *',
  ])
  await send(server, 'token.test', { path: `/reset/${JWT}` })
  expect(await parametersOf(server, 'token.test', 'GET', '/reset/STRING')).toContain('PATH 1 JWT *')
})

test('what is encoded in a value is found, with the way to it', async () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64url')
  const token = [
    base64('{"alg":"HS256"}'),
    base64('{"data":{"email":"ann@shop.test"}}'),
    'c2lnbmF0dXJl',
  ].join('.')
  await send(server, 'nested.test', {
    path: '/x',
    requestHeaders: { authorization: `Bearer ${token}` },
    responsePayload: JSON.stringify({
      blob: base64('{"password":"victim123"}'),
      plain: 'nothing to see here',
    }),
  })
  const key = { apiCollectionId: await collectionOf(server, 'nested.test'), method: 'GET', url: '/x' }
  const { data } = await ask(server, 'loadParamsOfEndpoint', key)
  const routes = data.params.flatMap(({ route, sensitive }) => (route === null ? [] : [[route, sensitive]]))
  expect(routes).toEqual([
    ['authorization → jwt → email', true],
    ['blob → base64 → json → password', true],
  ])
  expect(await shownOf(server, 'nested.test', '/x')).toMatchObject({
    sensitiveInRequest: ['EMAIL'],
    sensitiveInResponse: ['PASSWORD'],
  })
})

test('a type saved on one server holds on the others that share its database', {
  tags: ['marathon'],
}, async ({ skip }) => {
  const first = await startTestServer()
  if (first.place.databaseUrl === null) {
    await first.close()
    return skip('the embedded store has one process')
  }
  const second = await startTestServer({}, first.place)
  try {
    await ask(first, 'saveCustomDataType', { name: 'SHARED_TYPE', valueConditions: IS_MEMBER })
    let n = 0
    await until('the type in the other process', async () => {
      await send(second, 'shared.test', { path: `/x?n=${n++}`, responsePayload: '{"ref":"M-12345678"}' })
      const found = await parametersOf(second, 'shared.test', 'GET', '/x')
      return found.includes('RESPONSE_BODY ref SHARED_TYPE *')
    })
  } finally {
    await second.stop()
    await first.close()
  }
})

test('half a surrogate pair in a condition is kept as U+FFFD', async () => {
  const conditions = { operator: 'AND', predicates: [{ type: 'EQUALS_TO', value: 'a\ud800' }] }
  const { dataType } = await ask(server, 'saveCustomDataType', { name: 'HALF', valueConditions: conditions })
  expect(dataType.valueConditions?.predicates).toMatchObject([{ value: 'a\ufffd' }])
})
