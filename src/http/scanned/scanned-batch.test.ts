import { expect, test } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { readLiveBatch } from '../live-batch.ts'
import { readSampleMessage } from '../sample-message.ts'
import { plainExchange, ScannedBatch, type ScannedExchange } from './index.ts'

const NOW = 1_800_000_000
const batch = new ScannedBatch()

const usual = {
  path: '/api/v1/orders/7?page=2&sort=created',
  method: 'POST',
  type: 'HTTP/1.1',
  requestHeaders: JSON.stringify({
    host: 'shop.example',
    'sec-ch-ua': '"Chromium";v="141", "Not\\A Brand";v="8"',
    Authorization: 'Bearer abc.def',
    cookie: 'a=1; b=2',
  }),
  responseHeaders: '{"content-type":"application/json", "x-empty" : "" }',
  requestPayload: '{"name":"Zoë \\u00e9 \\ud83d\\ude00","note":"say \\"hi\\"\\n"}',
  responsePayload: '{"id":1,"items":[{"sku":"A-1"}]}',
  statusCode: '201',
  status: 'Created',
  ip: '203.0.113.9',
  destIp: null,
  time: '1795000000',
  akto_vxlan_id: '12',
  is_pending: 'false',
  source: 'MIRRORING',
  direction: '1',
  tag: '{"team":"pay"}',
  contentType: 'application/json',
}

/** What the general reader makes of each message. */
function general(bytes: Uint8Array): (Exchange | string)[] {
  const now = { at: NOW, source: 'OTHER' as const }
  return readLiveBatch(bytes).messages.map((message) => readSampleMessage(message, now))
}

/** What the reader in place makes of them; null where it leaves one to the general reader, and for the whole batch when it does not take it. */
function inPlace(bytes: Uint8Array): (Exchange | string | null)[] | null {
  if (!batch.read(bytes)) return null
  return Array.from({ length: batch.scanner.count }, (_, index) => {
    const read = batch.exchange(index, 'OTHER', NOW)
    return read === null || typeof read === 'string' ? read : plainExchange(read)
  })
}

function bytesOf(value: unknown, indent = 0): Uint8Array {
  return Buffer.from(JSON.stringify(value, null, indent))
}

/** Compares both readers; returns how many messages were read in place. */
function compare(bytes: Uint8Array): number {
  const found = inPlace(bytes)
  if (found === null) return 0
  const expected = general(bytes)
  expect(found.length).toBe(expected.length)
  found.forEach((exchange, i) => {
    if (exchange !== null) expect(exchange).toEqual(expected[i])
  })
  return found.filter((exchange) => exchange !== null).length
}

test('the usual message is read in place and says the same as in the general way', () => {
  expect(compare(bytesOf({ batchData: [usual, { ...usual, path: '/a' }] }))).toBe(2)
  expect(compare(bytesOf([usual]))).toBe(1)
  expect(compare(bytesOf({ batchData: [usual], apiCollectionId: -3 }, 2))).toBe(1)
  expect(batch.scanner.collectionId).toBe(-3)
  expect(compare(bytesOf({ batchData: [] }))).toBe(0)
  expect(batch.scanner.count).toBe(0)
})

const variants: Record<string, Record<string, unknown>> = {
  'without most fields': { method: 'get', path: '/x' },
  'with numbers where digits stand': { ...usual, statusCode: 404, time: 1795000001, direction: 2 },
  'with a duration': { ...usual, durationMs: '12' },
  'with a duration as a number': { ...usual, durationMs: 0 },
  'with a long duration': { ...usual, durationMs: 99_999_999 },
  'with a duration in seconds': { ...usual, durationSeconds: '0.012' },
  'with a fraction of a millisecond': { ...usual, durationMs: '0.4' },
  'with a duration that is not a number': { ...usual, durationMs: 'soon' },
  'with a negative duration': { ...usual, durationMs: -1 },
  'without a duration where others have one': { ...usual, durationMs: null },
  'with empty texts': { ...usual, requestHeaders: '', responseHeaders: '{}', statusCode: '', time: '' },
  'with a query of nothing': { ...usual, path: '/a?' },
  'with the outbound direction': { ...usual, direction: '2', destIp: '10.0.0.7' },
  'with a time in milliseconds': { ...usual, time: '1795000000123' },
  'with an unknown source and no address': { ...usual, source: 'nobody', ip: 'null' },
  'with repeated header names': { ...usual, requestHeaders: '{"a":"1","a":"2","A":"3"}' },
  'with blanks between header signs': { ...usual, requestHeaders: ' {"a" : "1" ,\t"b":"2"}' },
  'with a list of headers': { ...usual, requestHeaders: '[["a","1"]]' },
  'with header values that are no texts': { ...usual, requestHeaders: '{"a":1,"b":["x","y"]}' },
  'with escapes in header values': {
    ...usual,
    requestHeaders: '{"a":"\\\\\\"\\/","b":"\\u00e9","c":"x\\ny"}',
  },
  'with header names of other alphabets': { ...usual, requestHeaders: '{"größe":"1"}' },
  'with header values of other alphabets': { ...usual, requestHeaders: '{"x":"größe"}' },
  'with broken header text': { ...usual, requestHeaders: '{"a":"1"' },
  'with an absolute target': { ...usual, path: 'https://shop.example/a?b=1' },
  'with a fragment': { ...usual, path: '/a#b?c' },
  'with a fragment behind the query': { ...usual, path: '/a?c#b' },
  'with a path of other alphabets': { ...usual, path: '/größe' },
  'with control characters in the path': { ...usual, path: '/a\u0001' },
  'with a NUL in the body': { ...usual, responsePayload: 'a\0b' },
  'with half of a character in the body': { ...usual, responsePayload: 'a\ud800b' },
  'with a body of bytes': { ...usual, responsePayload: 'AAEC', responseBodyEncoding: 'base64' },
  'with its own id': { ...usual, id: 'm-1' },
  'in the nested form': {
    request: { url: '/a', method: 'GET', headers: { host: 'h' } },
    response: { statusCode: 200 },
  },
  'that is pending': { ...usual, is_pending: 'true' },
  'that is pending by a literal': { ...usual, is_pending: true },
  'without a method': { path: '/a' },
  'with an invalid method': { ...usual, method: 'G ET' },
  'with a status of four digits': { ...usual, statusCode: '2000' },
  'with an invalid status': { ...usual, statusCode: 'two' },
  'with a body that is a value': { ...usual, requestPayload: { a: 1 } },
  'with a fraction': { ...usual, time: 1.5 },
  'with a long address': { ...usual, ip: 'x'.repeat(2000) },
  'with many headers': {
    ...usual,
    requestHeaders: JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`h${i}`, 'v']))),
  },
}

test.each(Object.entries(variants))('a message %s is read alike by both readers', (_, message) => {
  compare(bytesOf({ batchData: [usual, message, usual] }))
  compare(bytesOf([message]))
})

test.each([
  'with a duration',
  'with a duration as a number',
  'without a duration where others have one',
  'with numbers where digits stand',
  'with empty texts',
  'with a query of nothing',
  'with the outbound direction',
  'with an unknown source and no address',
  'with repeated header names',
])('a message %s is read in place', (name) => {
  expect(compare(bytesOf([variants[name]]))).toBe(1)
})

test('keys that stand twice count as the general reader counts them', () => {
  const text = JSON.stringify(usual).replace('"method":"POST"', '"method":"POST","method":"PUT"')
  compare(Buffer.from(`[${text}]`))
  expect(inPlace(Buffer.from(`[${text}]`))).toEqual([null])
})

test('a message that is left to the general reader is found in the bytes again', () => {
  const odd = { ...usual, id: 'm-2' }
  expect(batch.read(bytesOf({ batchData: [usual, odd] }))).toBe(true)
  expect(batch.scanner.parsed(1)).toEqual(odd)
})

test('whatever byte is changed, lost or doubled, nothing is read that the general reader reads otherwise', () => {
  const whole = bytesOf({ batchData: [usual, { ...usual, path: '/b?q=1' }], apiCollectionId: 5 })
  const signs = Buffer.from('"\\{}[]:,0 u\n\u0000xé')
  let taken = 0
  for (let at = 0; at < whole.length; at++) {
    for (const sign of [signs[at % signs.length]!, signs[(at * 7 + 3) % signs.length]!]) {
      const changed = Buffer.from(whole)
      changed[at] = sign
      taken += agreed(changed)
    }
    taken += agreed(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]))
    taken += agreed(Buffer.concat([whole.subarray(0, at + 1), whole.subarray(at)]))
    if (at % 5 === 0) taken += agreed(whole.subarray(0, at))
  }
  expect(taken).toBeGreaterThan(500)
})

/** 1 when the bytes were read in place, and alike; the general reader must not throw then. */
function agreed(bytes: Uint8Array): number {
  const found = inPlace(bytes)
  if (found === null) return 0
  const { messages, collectionId } = readLiveBatch(bytes)
  expect(found.length).toBe(messages.length)
  expect(batch.scanner.collectionId).toBe(collectionId)
  found.forEach((exchange, i) => {
    if (exchange !== null)
      expect(exchange).toEqual(readSampleMessage(messages[i], { at: NOW, source: 'OTHER' }))
  })
  return 1
}

test('what was read is gone with the next batch, and asking for it fails', () => {
  batch.read(bytesOf([usual]))
  const exchange = batch.exchange(0, 'OTHER', NOW)
  if (exchange === null || typeof exchange === 'string') throw new Error('it was not read in place')
  expect(exchange.response.body).toBe(usual.responsePayload)
  batch.read(bytesOf([usual]))
  expect(() => exchange.request.body).toThrow('given back')
})

test('batches of ever new header names are read on', () => {
  for (let round = 0; round < 300; round++) {
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${round}-${i}`, 'v']))
    expect(compare(bytesOf([{ ...usual, requestHeaders: JSON.stringify(headers) }]))).toBe(1)
  }
})

test.each([
  ['{"query":"{ me }"}', true],
  ['[{"id":1},{"jsonrpc":"2.0"}]', true],
  [`{"note":"${'x'.repeat(40)}persistedQuery"}`, true],
  ['{"quest":"jqQ","jsonrp":1}', false],
  ['{"q":"quer', false],
  ['', false],
])('signs of other protocols in %s', (requestPayload, holdsSign) => {
  batch.read(bytesOf([{ ...usual, requestPayload, responsePayload: '"query"' }]))
  const exchange = batch.exchange(0, 'OTHER', NOW)
  if (exchange === null || typeof exchange === 'string') throw new Error('it was not read in place')
  expect(exchange.request.holdsSign).toBe(holdsSign)
})

test('texts are unescaped wherever they contain quotes and backslashes', () => {
  const signs = [
    'a',
    'b',
    '"',
    '"',
    '\\',
    '\n',
    '/',
    'é',
    '😀',
    '\u0007',
    '{"k":"v"}',
    '\\"',
    'plain text without signs',
  ]
  let state = 7
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * below)
  }
  for (let i = 0; i < 4000; i++) {
    const text = Array.from({ length: next(24) }, () => signs[next(signs.length)]!).join('')
    expect(batch.read(Buffer.from(JSON.stringify([{ path: `/${i}`, responsePayload: text }])))).toBe(true)
    expect(batch.textOf(0, 8) ?? '').toBe(text)
  }
})

test('headers with the same names as the previous message are distinguished from others', () => {
  const names = (letter: string) =>
    Object.fromEntries([
      ['host', 'a'],
      [`x-${letter.repeat(20)}`, 'b'],
      ['x-id', 'c'],
    ])
  const messages = [
    { ...usual, requestHeaders: JSON.stringify(names('a')) },
    { ...usual, requestHeaders: JSON.stringify(names('a')) },
    { ...usual, requestHeaders: JSON.stringify(names('b')) },
    { ...usual, requestHeaders: JSON.stringify({ ...names('b'), more: 'd' }) },
    { ...usual, path: 'no path', requestHeaders: JSON.stringify(names('a')) },
    { ...usual, requestHeaders: JSON.stringify(names('a')) },
    { ...usual, requestHeaders: '{}' },
    { ...usual, requestHeaders: JSON.stringify(names('b')) },
  ]
  expect(compare(bytesOf(messages))).toBe(7)
  const layoutAt = (i: number) => (batch.exchange(i, 'OTHER', NOW) as ScannedExchange).request.layout
  expect(batch.read(bytesOf(messages))).toBe(true)
  const layouts = [0, 1, 2, 3, 5, 6, 7].map(layoutAt)
  expect(layouts[1]).toBe(layouts[0])
  expect(layouts[4]).toBe(layouts[0])
  expect(layouts[6]).toBe(layouts[2])
  expect(new Set(layouts).size).toBe(4)
})

test('of header values only short ones are kept beyond their batch', () => {
  const long = 'x'.repeat(5000)
  const requestHeaders = JSON.stringify({ host: 'shop.example', accept: long, 'x-many': long })
  const message = bytesOf([{ ...usual, requestHeaders }])
  for (let i = 0; i < 2; i++) {
    expect(batch.read(message)).toBe(true)
    const { request } = batch.exchange(0, 'OTHER', NOW) as ScannedExchange
    expect(request.header('host')).toBe('shop.example')
    expect(request.header('accept') === long).toBe(true)
    expect(request.layout.latestValues.map((value) => value?.length)).toEqual(['shop.example'.length])
  }
})

test('of the values of many headers only those of the first are kept', () => {
  const name = 'x-forwarded-for'
  const spellings = Array.from({ length: 60 }, (_, i) =>
    [...name].map((letter, k) => ((i >> (k % 6)) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  const headers = Object.fromEntries(spellings.map((spelling, i) => [spelling, `203.0.113.${i}`]))
  expect(batch.read(bytesOf([{ ...usual, requestHeaders: JSON.stringify(headers) }]))).toBe(true)
  const { request } = batch.exchange(0, 'OTHER', NOW) as ScannedExchange
  const values = spellings.map((_, i) => request.frequentHeaderAt(i))
  expect(values).toEqual(Object.values(headers))
  expect(values.slice(0, 20)).toEqual(request.layout.latestValues.slice(0, 20))
  expect(request.layout.latestValues.length).toBeLessThan(40)
})
