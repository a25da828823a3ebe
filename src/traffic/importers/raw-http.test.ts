import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rawHttpImporter } from './raw-http.ts'

function read(input: string | Uint8Array) {
  const { exchanges, report } = rawHttpImporter.read(input, { at: 5 })
  return { taken: [...exchanges], report }
}

const pair = 'GET /a HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nbody'

test('takes pairs of request and response', () => {
  const { taken, report } = read(
    `${pair}\n\n=====\nPOST /b HTTP/1.1\nHost: h\n\n{"q":1}\n\n### next\nHTTP/1.1 201 Created\n\nok\n`,
  )
  expect(taken.map(({ exchange: e }) => [e.request.method, e.request.target, e.response.status])).toEqual([
    ['GET', '/a', 200],
    ['POST', '/b', 201],
  ])
  expect(taken[0]?.exchange.response.body.trim()).toBe('body')
  expect(taken[1]?.exchange.request.body.trim()).toBe('{"q":1}')
  expect(taken[1]?.where).toBe('line 10')
  expect(report).toMatchObject({ total: 2, taken: 2 })
})

test('takes a request alone with status 0 and says so', () => {
  const { taken, report } = read('GET /a HTTP/1.1\nHost: h\n\n')
  expect(taken[0]?.exchange.response.status).toBe(0)
  expect(report.warnings[0]?.reason).toBe('no response follows it')
})

test('keeps binary and compressed bodies whole', () => {
  const head = Buffer.from(
    'GET /a HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n',
  )
  expect(read(Buffer.concat([head, gzipSync('{"é":1}')])).taken[0]?.exchange.response.body).toBe('{"é":1}')
})

test('does not take start lines inside a body for messages', () => {
  const { taken } = read('POST /a HTTP/1.1\nHost: h\n\nfirst\nGET /x HTTP/1.1\nlast')
  expect(taken).toHaveLength(1)
})

test('skips what has no counterpart or is broken, with its line', () => {
  const many = Array.from({ length: 1001 }, (_, i) => `X-${i}: 1`).join('\n')
  const { taken, report } = read(
    `HTTP/1.1 200 OK\n\nalone\n\nGET /b HTTP/1.1\n${many}\n\nGET /c HTTP/1.1\nHost: h\n\n`,
  )
  expect(taken.map((one) => one.what)).toEqual(['GET /c'])
  expect(report.skipped.map((one) => `${one.where}: ${one.reason}`)).toEqual([
    'line 1: a response without its request',
    'line 5: more than 1000 headers',
  ])
})

test('refuses a text without messages', () => {
  expect(() => read('hello world')).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }))
})

test('reads files of requests without a version behind lines of ###, with their variables', () => {
  const { taken } = read(
    [
      '@site = https://shop.test',
      '@host={{site}}/v1',
      '### all',
      '# a remark',
      'GET {{host}}/orders',
      'Accept: */*',
      '',
      '### one',
      '',
      'POST {{host}}/orders',
      'Content-Type: application/json',
      '',
      '{"see":"GET https://shop.test/no"}',
      '',
      'GET https://shop.test/content',
      '### last',
      'DELETE https://shop.test/v1/orders/1',
    ].join('\n'),
  )
  expect(taken.map(({ exchange: { request } }) => `${request.method} ${request.target}`)).toEqual([
    'GET https://shop.test/v1/orders',
    'POST https://shop.test/v1/orders',
    'DELETE https://shop.test/v1/orders/1',
  ])
  expect(taken[1]?.exchange.request.body).toContain('GET https://shop.test/content')
  expect(taken.map(({ where }) => where)).toEqual(['line 5', 'line 10', 'line 17'])
})
