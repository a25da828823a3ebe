import { expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import type { Exchange } from './exchange.ts'
import { parseSampleMessage, readSampleMessage, writeSampleMessage } from './sample-message.ts'

const ingest = {
  path: '/v1/orders/77?expand=items',
  method: 'GET',
  type: 'HTTP/1.1',
  requestHeaders: '{"host":"shop.test","authorization":"Bearer t0k"}',
  responseHeaders: '{"content-type":"application/json"}',
  requestPayload: '',
  responsePayload: '{"id":77,"total":12.5}',
  statusCode: '200',
  status: 'OK',
  ip: '203.0.113.9',
  destIp: '10.0.3.4',
  time: '1769850000',
  akto_account_id: '1000000',
  akto_vxlan_id: '7',
  is_pending: 'false',
  source: 'MIRRORING',
  direction: '1',
  tag: '{"team":"pay"}',
}

function read(value: unknown): Exchange {
  const exchange = readSampleMessage(value, { at: 1 })
  if (typeof exchange === 'string') throw new Error(exchange)
  return exchange
}

test('reads an ingest message whose values are all texts', () => {
  const exchange = read(ingest)
  expect(exchange.request).toEqual({
    method: 'GET',
    target: '/v1/orders/77?expand=items',
    version: 'HTTP/1.1',
    headers: ['host', 'shop.test', 'authorization', 'Bearer t0k'],
    body: '',
  })
  expect(exchange.response).toMatchObject({ status: 200, reason: 'OK', body: '{"id":77,"total":12.5}' })
  expect(exchange).toMatchObject({
    at: 1769850000,
    clientIp: '203.0.113.9',
    serverIp: '10.0.3.4',
    source: 'MIRRORING',
    direction: 1,
    vxlanId: 7,
  })
  expect(exchange.tags?.['team']).toBe('pay')
})

test('reads the nested form with its query parameters', () => {
  const exchange = read({
    request: {
      url: 'https://h/a',
      queryParams: 'x=1',
      method: 'post',
      type: null,
      headers: '{"a":"1"}',
      body: 'b',
    },
    response: { statusCode: 201, headers: { c: 'd' }, body: 'e' },
  })
  expect(exchange.request).toMatchObject({
    method: 'POST',
    target: 'https://h/a?x=1',
    version: 'HTTP/1.1',
    body: 'b',
  })
  expect(exchange.response).toMatchObject({ status: 201, headers: ['c', 'd'], body: 'e' })
  expect(exchange.at).toBe(1)
})

test('reads the key variants that crawlers send', () => {
  const exchange = read({
    url: 'https://h/a',
    method: 'GET',
    requestHeaders: { accept: '*/*' },
    requestBody: { q: 1 },
    responseCode: 404,
    responseBody: 'no',
    responseHeaders: null,
    time: 1769850000123,
  })
  expect(exchange.request).toMatchObject({
    target: 'https://h/a',
    headers: ['accept', '*/*'],
    body: '{"q":1}',
  })
  expect(exchange.response).toMatchObject({ status: 404, headers: [], body: 'no' })
  expect(exchange).toMatchObject({ at: 1769850000, source: 'OTHER' })
})

test('decodes base64 bodies to text where they are text', () => {
  const text = read({ ...ingest, bodyEncoding: 'base64', responsePayload: btoa('{"id":9}') })
  expect(text.response.body).toBe('{"id":9}')
  expect(text.response.bodyIsBase64).toBeUndefined()
  const binary = read({ ...ingest, bodyEncoding: 'base64', responsePayload: '/9j/AA==' })
  expect(binary.response).toMatchObject({ body: '/9j/AA==', bodyIsBase64: true })
})

test('writes a message that reads back as the same exchange', () => {
  const full: Exchange = {
    ...read(ingest),
    request: {
      method: 'PUT',
      target: 'https://h/a?b=c',
      version: 'HTTP/2',
      headers: ['Cookie', 'a="1"', 'Cookie', 'b=2'],
      body: '/9j/AA==',
      bodyIsBase64: true,
    },
    direction: 2,
    messageId: 'm-1',
    route: '/a/{id}',
  }
  expect(parseSampleMessage(writeSampleMessage(full))).toEqual(full)
  const plain = read({ ...ingest, tag: undefined, destIp: undefined, ip: 'null' })
  expect(parseSampleMessage(writeSampleMessage(plain))).toEqual(plain)
})

test('leaves no NUL and no lone surrogate in any text', () => {
  const exchange = read({ ...ingest, requestPayload: 'a\0b', responsePayload: 'x\ud800', status: 'O\0K' })
  expect(exchange.request).toMatchObject({ body: btoa('a\0b'), bodyIsBase64: true })
  expect(exchange.response).toMatchObject({ body: 'x\ufffd', reason: 'O K' })
})

test('keeps hostile label names harmless', () => {
  const exchange = read({ ...ingest, tag: '{"__proto__":"x","polluted":"y"}' })
  expect(Object.keys(exchange.tags ?? {})).toEqual(['__proto__', 'polluted'])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test.each([
  [null, 'a message must be an object'],
  [[], 'a message must be an object'],
  [{}, '"method" is missing or no HTTP method'],
  [{ method: 'G E T', path: '/' }, '"method" is missing or no HTTP method'],
  [{ method: 'GET' }, '"path" is missing'],
  [{ method: 'GET', path: '/a\r\nb' }, '"path" holds control characters'],
  [{ method: 'GET', path: `/${'a'.repeat(70_000)}` }, '"path" is longer than 65536 characters'],
  [{ ...ingest, requestHeaders: '{"a":' }, '"requestHeaders" is not a map of header names to values'],
  [{ ...ingest, responseHeaders: 7 }, '"responseHeaders" is not a map of header names to values'],
  [{ ...ingest, is_pending: 'true' }, 'the response is not complete'],
  [
    { ...ingest, requestHeaders: Array.from({ length: 1001 }, (_, i) => [`h${i}`, '1']) },
    '"requestHeaders" has more than 1000 headers',
  ],
  [
    { ...ingest, requestPayload: 'x'.repeat(5_242_881) },
    '"requestPayload" is longer than 5242880 characters',
  ],
])('refuses message %# with its reason', (value, reason) => {
  expect(readSampleMessage(value)).toBe(reason)
})

test('throws a failure for text that is not a sample message', () => {
  for (const text of ['', '{', '[]', '{"method":"GET"}']) {
    expect(() => parseSampleMessage(text)).toThrow(Failure)
  }
})
