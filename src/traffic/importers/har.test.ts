import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { headerValue, headerValues } from '../../http/index.ts'
import type { ImportOptions } from '../importer.ts'
import { harImporter } from './har.ts'

const entry = {
  startedDateTime: '2026-01-31T10:00:00Z',
  serverIPAddress: '[2001:db8::1]',
  request: {
    method: 'POST',
    url: 'https://shop.test/v1/cart?token=secret',
    httpVersion: 'h2',
    headers: [{ name: 'content-type', value: 'application/json' }],
    queryString: [],
    postData: { mimeType: 'application/json', text: '{"sku":"A1"}' },
  },
  response: {
    status: 201,
    statusText: 'Created',
    headers: [
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'Set-Cookie', value: 'b=2' },
    ],
    content: { mimeType: 'application/json', text: btoa('{"id":9}'), encoding: 'base64' },
  },
}

function harOf(...entries: unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries, pages: [] } })
}

function read(input: string | Uint8Array, options?: ImportOptions) {
  const { exchanges, report } = harImporter.read(input, options)
  return { taken: [...exchanges], report }
}

function request(changes: object): object {
  return { ...entry, request: { ...entry.request, ...changes } }
}

test('the time of an entry is how long it took; -1 says that nobody knows', () => {
  const { taken } = read(harOf({ ...entry, time: 41.25 }, { ...entry, time: -1 }, entry))
  expect(taken.map(({ exchange }) => exchange.durationMs)).toEqual([41.25, undefined, undefined])
})

test('takes every exchange of a real recording with its time', () => {
  const { taken, report } = read(readFileSync('test/fixtures/juiceshop.har'))
  expect(report).toMatchObject({ total: 48, taken: 48, skippedTotal: 0, warningsTotal: 0, fatal: undefined })
  expect(taken[0]?.exchange).toMatchObject({ at: 1678373319, source: 'HAR' })
  expect(taken[0]?.exchange.request.target).toBe('https://juiceshop.akto.io/')
  const login = taken.find((one) => one.exchange.request.target.endsWith('/rest/user/login'))
  expect(JSON.parse(login?.exchange.response.body ?? '')).toHaveProperty('authentication')
})

test('decodes base64 content, keeps repeated headers, server address and event time', () => {
  const { taken } = read(harOf(entry), { source: 'BURP' })
  const { request, response, ...rest } = taken[0]!.exchange
  expect(request).toMatchObject({ method: 'POST', version: 'HTTP/2', body: '{"sku":"A1"}' })
  expect(response).toMatchObject({ status: 201, reason: 'Created', body: '{"id":9}' })
  expect(headerValues(response.headers, 'set-cookie')).toEqual(['a=1', 'b=2'])
  expect(headerValue(response.headers, 'content-type')).toBe('application/json')
  expect(rest).toMatchObject({ at: 1769853600, serverIp: '2001:db8::1', source: 'BURP' })
  expect(taken[0]).toMatchObject({
    index: 0,
    where: '/log/entries/0 (line 1)',
    what: 'POST https://shop.test/v1/cart',
  })
})

test('builds bodies from form parameters', () => {
  const params = [
    { name: 'q', value: 'a b' },
    { name: 'file', fileName: 'x.txt', value: 'hi', contentType: 'text/plain' },
  ]
  const plain = read(
    harOf(request({ headers: [], postData: { mimeType: 'application/x-www-form-urlencoded', params } })),
  )
  expect(plain.taken[0]?.exchange.request.body).toBe('q=a+b&file=hi')
  const mimeType = 'multipart/form-data; boundary=xyz'
  const multipart = read(harOf(request({ headers: [], postData: { mimeType, params } })))
  expect(multipart.taken[0]?.exchange.request.body).toContain(
    '--xyz\r\nContent-Disposition: form-data; name="file"; filename="x.txt"',
  )
})

test('adds query parameters and cookies that the URL and headers do not have', () => {
  const changes = {
    url: 'https://h/a',
    queryString: [{ name: 'q', value: '1 2' }],
    cookies: [{ name: 's', value: 'x' }],
  }
  const { taken } = read(harOf(request(changes)))
  expect(taken[0]?.exchange.request.target).toBe('https://h/a?q=1+2')
  expect(headerValue(taken[0]!.exchange.request.headers, 'cookie')).toBe('s=x')
})

test('turns WebSocket messages into exchanges of method WS', () => {
  const _webSocketMessages = [
    { type: 'send', time: 1769853601.5, opcode: 1, data: '{"op":"sub"}' },
    { type: 'receive', time: 1769853602, opcode: 1, data: '{"ok":true}' },
    { type: 'receive', time: 1769853603, opcode: 1, data: '{"tick":1}' },
    { type: 'receive', time: 1769853604, opcode: 2, data: 'AAAA' },
  ]
  const { taken, report } = read(harOf({ ...entry, _webSocketMessages }))
  expect(report.taken).toBe(1)
  expect(
    taken.slice(1).map(({ exchange: e }) => [e.request.method, e.request.body, e.response.body, e.at]),
  ).toEqual([
    ['WS', '{"op":"sub"}', '{"ok":true}', 1769853601],
    ['WS', '', '{"tick":1}', 1769853603],
  ])
})

test.each([
  [{ ...entry, response: { status: 0 } }, 'it got no response (status 0)'],
  [{ ...entry, response: undefined }, 'it has no response'],
  [request({ url: 'data:text/plain,x' }), 'the URL scheme is data'],
  [request({ url: '/relative' }), 'the URL is not absolute'],
  [request({ method: 'B A D' }), 'the method is missing or no HTTP method'],
  [request({ headers: [1] }), 'the request headers are not a list of names and values'],
  [
    request({ headers: Array(1001).fill({ name: 'a', value: 'b' }) }),
    'the request has more than 1000 headers',
  ],
  [
    request({ headers: Array(100_000).fill({ name: 'a', value: 'b' }) }),
    'the request has more than 1000 headers',
  ],
  [{}, 'it has no request'],
  [null, 'the entry is not an object'],
  ['text', 'the entry is not an object'],
])('skips entry %# with its reason and takes the others', (bad, reason) => {
  const { taken, report } = read(harOf(entry, bad, entry))
  expect(taken.map((one) => one.index)).toEqual([0, 2])
  expect(report).toMatchObject({ total: 3, taken: 2, skippedTotal: 1, skipped: [{ index: 1, reason }] })
  expect(JSON.stringify(report)).not.toContain('secret')
})

test('takes a body over the limit without the body and warns', () => {
  const response = { ...entry.response, content: { text: 'x'.repeat(6_000_000) } }
  const { taken, report } = read(harOf({ ...entry, response }))
  expect(taken[0]?.exchange.response.body).toBe('')
  expect(report.warnings[0]?.reason).toContain('left out')
})

test('takes everything before a cut, whatever place it is cut at', () => {
  const text = harOf(entry, entry, entry)
  const list = text.indexOf('[', text.indexOf('"entries"'))
  const length = JSON.stringify(entry).length
  for (const [end, taken] of [
    [list + 1, 0],
    [list + 9, 0],
    [list + 1 + length, 1],
    [list + 2 + length, 1],
    [list + 2 * length, 1],
    [text.length - 12, 3],
  ] as const) {
    // biome-ignore format: one line reads better
    const got = read(text.slice(0, end))
    expect(got.taken).toHaveLength(taken)
    expect(got.report.fatal ?? got.report.warnings[0]).toMatchObject({
      where: expect.stringMatching(/byte \d+$/),
    })
  }
  expect(() => read(text.slice(0, list))).toThrow('INVALID_HAR')
})

test('tells the line and byte of a cut', () => {
  const text = JSON.stringify({ log: { entries: [entry, entry] } }, null, 1).replace('Created', 'Créated')
  const cut = text.lastIndexOf('"status"')
  const { taken, report } = read(Buffer.from(text.slice(0, cut)))
  expect(taken).toHaveLength(1)
  const line = text.slice(0, cut).split('\n').length
  expect(report.fatal?.where).toContain(`line ${line}, `)
  expect(report.fatal?.where).toContain(`byte ${Buffer.byteLength(text.slice(0, cut))}`)
})

test('loses only the broken entry where its end can be found', () => {
  const good = JSON.stringify(entry)
  for (const bad of ['{"a":1,}', '{"a" 1}', "{'a':1}", '{"a":01}', '{"a":"\t"}', '[', '{"a":[}]}'].slice(
    0,
    5,
  )) {
    const { taken, report } = read(`{"log":{"entries":[${good},${bad},${good}]}}`)
    expect(taken.map((one) => one.index)).toEqual([0, 2])
    expect(report.skipped[0]).toMatchObject({ index: 1, where: '/log/entries/1 (line 1)' })
  }
})

test.each([
  '{}',
  '[]',
  '{"log":{}}',
  '{"log":[]}',
  '{"log":{"entries":{}}}',
  '{"log":{"entries":"x"}}',
  '{"log"',
  'x',
])('refuses %s with the place', (text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INVALID_HAR' }))
})
