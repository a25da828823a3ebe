import { expect, test } from 'vitest'
import { describeFailure } from './describe-failure.ts'
import { readRequest } from './read-request.ts'
import type { OperationName } from './types.ts'

function refusal(name: OperationName, body: unknown): { status: number; messages: string[] } {
  try {
    readRequest(name, body)
  } catch (error) {
    const { status, messages } = describeFailure(error)
    return { status, messages }
  }
  throw new Error('the request was read')
}

test.each([[null], [[]], ['text'], [7], [true]])('a body that is not an object is refused: %j', (body) => {
  expect(refusal('getAllCollections', body)).toEqual({
    status: 400,
    messages: ['The body is not a JSON object'],
  })
})

test('an absent body reads as an empty object', () => {
  expect(readRequest('getAllCollections', undefined)).toEqual({ nameRegex: null, hostNameRegex: null })
})

test('unknown fields fall away, also inside objects', () => {
  const key = { method: 'GET', apiCollectionId: 1, url: '/a', more: 1 }
  const read = readRequest('generateOpenApiFile', { apiCollectionId: 1, apiInfoKeyList: [key], other: {} })
  expect(Object.keys(read)).not.toContain('other')
  expect(read.apiInfoKeyList).toEqual([{ method: 'GET', apiCollectionId: 1, url: '/a' }])
})

test('integers are read from decimal text, at the top and inside lists and objects', () => {
  expect(readRequest('fetchCollectionWiseApiEndpoints', { apiCollectionId: '-12' }).apiCollectionId).toBe(-12)
  expect(
    readRequest('getCoverageInfoForCollections', { apiCollectionIds: ['1', 2] }).apiCollectionIds,
  ).toEqual([1, 2])
  expect(
    readRequest('deleteApis', { apiList: [{ method: 'GET', apiCollectionId: '3', url: '/' }] }).apiList,
  ).toEqual([{ method: 'GET', apiCollectionId: 3, url: '/' }])
})

test('the values of maps are read like fields, and their keys stay what they are', () => {
  const body: unknown = JSON.parse('{"userCollectionMap":{"1002":["7"],"__proto__":["8"]}}')
  const { userCollectionMap } = readRequest('updateUserCollections', body)
  expect(Object.entries(userCollectionMap)).toEqual([
    ['1002', [7]],
    ['__proto__', [8]],
  ])
  expect(Object.getPrototypeOf(userCollectionMap)).toBe(Object.prototype)
})

test('booleans are read from "true" and "false", and from no other text', () => {
  expect(
    readRequest('generateOpenApiFile', { apiCollectionId: 1, includeHeaders: 'false' }).includeHeaders,
  ).toBe(false)
  expect(refusal('generateOpenApiFile', { apiCollectionId: 1, includeHeaders: 'no' }).messages).toEqual([
    'Invalid value for includeHeaders',
  ])
})

test('a required field that is absent, or null without a default, is named', () => {
  const wanted = { status: 422, messages: ['apiCollectionId is required'] }
  expect(refusal('getSeveritiesCountPerCollection', {})).toEqual(wanted)
  expect(refusal('getSeveritiesCountPerCollection', { apiCollectionId: null })).toEqual(wanted)
})

test('a required field with a default must be sent, but may be null', () => {
  expect(refusal('fetchEndpointsCount', { startTimestamp: 1 }).messages).toEqual(['endTimestamp is required'])
  expect(readRequest('fetchEndpointsCount', { startTimestamp: 1, endTimestamp: null })).toEqual({
    startTimestamp: 1,
    endTimestamp: 0,
  })
})

test('a field with its own sentence is refused with it', () => {
  expect(refusal('fetchPostmanImportLogs', {}).messages).toEqual(['Upload id is required'])
})

test('one field may replace another, which is then not required', () => {
  const read = readRequest('fetchApiInfosForCollection', { apiCollectionIds: [1] })
  expect(read).toEqual({ apiCollectionId: null, apiCollectionIds: [1] })
  expect(refusal('fetchApiInfosForCollection', { apiCollectionIds: null }).messages).toEqual([
    'apiCollectionId is required',
  ])
  expect(refusal('fetchApiInfosForCollection', { apiCollectionId: null }).messages).toEqual([
    'apiCollectionId is required',
  ])
})

test('a second spelling is read when the first is absent', () => {
  expect(readRequest('uploadHar', { harString: '{}' }).content).toBe('{}')
  expect(readRequest('uploadHar', { content: { log: {} }, harString: '{}' }).content).toEqual({ log: {} })
})

test.each([
  ['2147483648'],
  [2_147_483_648],
  [-2_147_483_649],
  [1.5],
  ['1.5'],
  ['0x10'],
  [''],
  ['12345678901234567890'],
  [true],
  [{}],
  [[1]],
])('a collection id of %j is refused', (apiCollectionId) => {
  expect(refusal('fetchOpenApiSchema', { apiCollectionId })).toEqual({
    status: 422,
    messages: ['Invalid value for apiCollectionId'],
  })
})

test.each([[2_147_483_647], [-2_147_483_648], ['2147483647'], [0]])('a collection id of %j is read', (id) => {
  expect(readRequest('fetchOpenApiSchema', { apiCollectionId: id }).apiCollectionId).toBe(Number(id))
})

test('text holds no U+0000, documents may', () => {
  expect(refusal('createCollection', { collectionName: 'a\u0000' }).messages).toEqual([
    'Invalid value for collectionName',
  ])
  expect(
    refusal('deleteApis', { apiList: [{ method: 'G\u0000', apiCollectionId: 1, url: '/' }] }).messages,
  ).toEqual(['Invalid value for apiList'])
  expect(readRequest('uploadHar', { content: '\u0000' }).content).toBe('\u0000')
})

test('a refusal names the field of a record, and no name of the caller', () => {
  const told = (name: Parameters<typeof refusal>[0], body: object) => refusal(name, body).messages
  expect(told('modifyThreatConfiguration', { threatConfiguration: { archivalDays: 5 } })).toEqual([
    'Invalid value for threatConfiguration.archivalDays',
  ])
  expect(
    told('initiateCrawler', { hostname: 'https://a.test', customHeaders: { 'x-own': 5 } }).join(),
  ).not.toContain('x-own')
})

test('keys that reach for prototypes are harmless', () => {
  const body: unknown = JSON.parse(
    '{"apiCollectionId":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}',
  )
  const read = readRequest('fetchOpenApiSchema', body)
  expect(Object.keys(read)).toEqual(['apiCollectionId'])
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  const inherited = Object.create({ apiCollectionId: 1 }) as unknown
  expect(refusal('fetchOpenApiSchema', inherited).messages).toEqual(['apiCollectionId is required'])
})

test('a default is never shared between calls', () => {
  const first = readRequest('saveCustomDataType', { name: 'A' })
  first.categories.push('PII')
  expect(readRequest('saveCustomDataType', { name: 'A' }).categories).toEqual([])
})

test('a list too deep for the schema is refused without recursion into it', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(refusal('getCoverageInfoForCollections', { apiCollectionIds: deep }).messages).toEqual([
    'Invalid value for apiCollectionIds',
  ])
})
