import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import { headerValues } from './exchange.ts'
import { parseRawRequest, parseRawResponse } from './raw-http.ts'
import { absoluteUrl, writeRawRequest, writeRawResponse } from './raw-http-write.ts'

test.each(['\r\n', '\n'])('parses a request with line end %j', (end) => {
  const raw = [
    'POST /a?b=c HTTP/1.1',
    'Host: shop.test',
    'X-A: 1',
    'X-A: 2',
    'Content-Length: 7',
    '',
    '{"q":1}',
  ].join(end)
  const { message, notes } = parseRawRequest(raw)
  expect(message).toMatchObject({ method: 'POST', target: '/a?b=c', version: 'HTTP/1.1', body: '{"q":1}' })
  expect(headerValues(message.headers, 'x-a')).toEqual(['1', '2'])
  expect(notes).toEqual([])
})

test('parses HTTP/2 start lines and a response without reason', () => {
  expect(parseRawRequest('GET https://h/a HTTP/2\n\n').message).toMatchObject({
    target: 'https://h/a',
    version: 'HTTP/2',
  })
  expect(parseRawResponse('HTTP/2 204\r\n\r\n').message).toMatchObject({ status: 204, reason: '', body: '' })
  expect(parseRawResponse('HTTP/1.1 404 Not Found\n\nno').message).toMatchObject({
    reason: 'Not Found',
    body: 'no',
  })
})

test('joins chunks, and leaves a body that is joined already', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(parseRawResponse(`${head}4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n`).message.body).toBe('{"a":1}')
  expect(parseRawResponse(`${head}{"a":1}`).message.body).toBe('{"a":1}')
  const cut = parseRawResponse(`${head}ff\r\nshort`)
  expect(cut.message.body).toBe('short')
  expect(cut.notes).toEqual(['the chunked body ends 250 bytes early'])
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('decodes a %s body', (coding, compress) => {
  const body = compress(Buffer.from('{"id":9}'))
  const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n\r\n`)
  expect(parseRawResponse(Buffer.concat([head, body])).message.body).toBe('{"id":9}')
  expect(parseRawResponse(`${head}{"id":9}`).message.body).toBe(
    coding === 'deflate' ? '{"id":9}' : '{"id":9}',
  )
})

test('refuses to inflate a decompression bomb', () => {
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n')
  const bomb = gzipSync(Buffer.alloc(20_000_000))
  const { message, notes } = parseRawResponse(Buffer.concat([head, bomb]))
  expect(notes).toEqual(['the gzip body decodes to over 5242880 bytes'])
  expect(message.bodyIsBase64).toBe(true)
})

test('tells when body and Content-Length disagree', () => {
  const head = 'POST / HTTP/1.1\nContent-Length: 4\n\n'
  expect(parseRawRequest(`${head}abcd\n`)).toMatchObject({ message: { body: 'abcd' }, notes: [] })
  expect(parseRawRequest(`${head}abc`).notes).toEqual(['the body ends 1 bytes before its Content-Length'])
  expect(parseRawRequest(`${head}abcdef`).notes).toEqual([
    'the body is 2 bytes longer than its Content-Length',
  ])
})

test('leaves out broken header lines and says so', () => {
  const { message, notes } = parseRawRequest(
    'GET / HTTP/1.1\nHost: h\nno colon\nX-Fold: a\n  b\nBad Name: 1\n\n',
  )
  expect(message.headers).toEqual(['Host', 'h', 'X-Fold', 'a b'])
  expect(notes).toEqual(['2 header lines are not "Name: value" and left out'])
})

test.each(['', 'hello', 'GET', '\0\0\0', 'HTTP/1.1 200 OK', '{"a":1}', 'one two three four'])(
  'refuses %j as a request',
  (text) => {
    expect(() => parseRawRequest(text)).toThrow(Failure)
  },
)

test('refuses absurd header counts and sizes', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => `X-${i}: 1`).join('\n')
  expect(() => parseRawRequest(`GET / HTTP/1.1\n${many}\n\n`)).toThrow(Failure)
  expect(() => parseRawRequest(`GET / HTTP/1.1\nX: ${'a'.repeat(2_000_000)}\n\n`)).toThrow(Failure)
})

test('writes a request the way proxy tools are fed', () => {
  const request = {
    method: 'GET',
    target: '/users?id=1',
    version: 'HTTP/1.1',
    headers: [
      ':authority',
      'api.x',
      'accept',
      'a',
      'Accept',
      'b',
      'content-length',
      '0',
      'cookie',
      'a=1',
      'cookie',
      'b=2',
    ],
    body: '',
  }
  expect(writeRawRequest(request, { target: 'absolute', contentLength: true })).toBe(
    'GET https://api.x/users?id=1 HTTP/1.1\nHost: api.x\nAccept: a, b\nContent-length: 0\nCookie: a=1; b=2\n\n',
  )
  expect(writeRawRequest(request, { target: 'origin', contentLength: false })).toBe(
    'GET /users?id=1 HTTP/1.1\nHost: api.x\nAccept: a, b\nCookie: a=1; b=2\n\n',
  )
})

test('writes a response without joining cookies', () => {
  const headers = ['content-type', 'application/json', 'set-cookie', 'a=1', 'set-cookie', 'b=2']
  expect(writeRawResponse({ status: 200, reason: 'OK', headers, body: '{}' }, 'HTTP/1.1')).toBe(
    'HTTP/1.1 200 \nContent-type: application/json\nSet-cookie: a=1\nSet-cookie: b=2\n\n{}',
  )
})

test.each([
  ['https://h/a?b#c', [], 'https://h/a?b#c'],
  ['/a', ['Host', 'h.test'], 'https://h.test/a'],
  ['/a', ['Host', '10.0.0.1:8080'], 'http://10.0.0.1:8080/a'],
  ['/a', ['Host', '[::1]'], 'http://[::1]/a'],
  ['/a', ['Host', 'h.test', 'X-Forwarded-Proto', 'http, https'], 'http://h.test/a'],
  ['', ['Host', 'h.test'], 'https://h.test/'],
  ['/a', [], '/a'],
])('gives the absolute URL of %s with %j', (target, headers, url) => {
  expect(absoluteUrl({ method: 'GET', target, version: '', headers, body: '' })).toBe(url)
})

test('keeps a hostile value from adding header lines', () => {
  const request = {
    method: 'GET',
    target: '/a b',
    version: '',
    headers: ['Host', 'h', 'X', 'a\r\nEvil: 1'],
    body: '',
  }
  expect(writeRawRequest(request, { target: 'origin', contentLength: true })).toBe(
    'GET /a%20b HTTP/1.1\nHost: h\nX: a  Evil: 1\n\n',
  )
})
