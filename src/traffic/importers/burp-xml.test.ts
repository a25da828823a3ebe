import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { headerValues } from '../../http/index.ts'
import { burpXmlImporter } from './burp-xml.ts'

const shop = readFileSync('test/fixtures/imports/shop-burp-items.xml', 'utf8')

function read(text: string | Uint8Array) {
  const { exchanges, report } = burpXmlImporter.read(text, { at: 5 })
  return { taken: [...exchanges], report }
}

function items(...bodies: string[]): string {
  return `<items>\n${bodies.map((body) => `<item>${body}</item>\n`).join('')}</items>`
}

const request = '<request><![CDATA[GET /a HTTP/1.1\nHost: h\n\n]]></request>'
const response = '<response><![CDATA[HTTP/1.1 200 OK\n\nok]]></response>'

test('takes base64 and plain items with address, time and repeated headers', () => {
  const { taken, report } = read(shop)
  expect(report).toMatchObject({ total: 2, taken: 2, warningsTotal: 0, fatal: undefined })
  const [first, second] = taken.map((one) => one.exchange)
  expect(first).toMatchObject({ at: 1769853600, serverIp: '203.0.113.40', source: 'BURP' })
  expect(first?.request).toMatchObject({
    method: 'GET',
    target: 'https://shop.test/v1/me?x=1',
    version: 'HTTP/2',
  })
  expect(headerValues(first!.response.headers, 'set-cookie')).toEqual(['a=1', 'b=2'])
  expect(second?.request).toMatchObject({ target: 'https://shop.test/v1/cart', body: '{"sku":"A1"}' })
  expect(second?.response).toMatchObject({ status: 201, body: '{"id":9}' })
  expect(second?.at).toBeGreaterThan(1769850000)
  expect(taken[1]).toMatchObject({ index: 1, where: 'line 25', what: 'POST https://shop.test/v1/cart' })
})

test('takes every complete item before a cut and tells where the cut is', () => {
  const end = shop.indexOf('</item>') + 8
  expect(read(shop.slice(0, end)).report).toMatchObject({
    taken: 1,
    skippedTotal: 0,
    fatal: { reason: 'unclosed tag: items' },
  })
  const { report } = read(shop.slice(0, shop.lastIndexOf('<mimetype>')))
  expect(report).toMatchObject({
    total: 2,
    taken: 1,
    skipped: [{ index: 1, where: 'line 25', reason: 'the item is not complete' }],
  })
  expect(report.fatal?.where).toMatch(/^line 41, /)
  const inData = read(shop.slice(0, shop.lastIndexOf(']]>')))
  expect(inData.report.fatal?.reason).toMatch(/^a CDATA section is never closed/)
})

test('decodes compressed bodies', () => {
  const raw = Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'),
    gzipSync('{"a":1}'),
  ])
  const { taken } = read(items(`${request}<response base64="true">${raw.toString('base64')}</response>`))
  expect(taken[0]?.exchange.response.body).toBe('{"a":1}')
})

test('builds the URL from host, port and protocol where the item has none', () => {
  const { taken } = read(
    items(`<host>shop.test</host><port>8080</port><protocol>http</protocol>${request}${response}`),
  )
  expect(taken[0]?.exchange.request.target).toBe('http://shop.test:8080/a')
  expect(read(items(request + response)).taken[0]?.exchange.request.target).toBe('https://h/a')
})

test.each([
  ['', 'it has no request'],
  [request, 'it got no response'],
  [`<request>hello</request>${response}`, 'the first line is not a request line'],
  [`<request base64="true">{not base64}</request>${response}`, 'its request is marked base64 but is none'],
  [`${request}<response>hello</response>`, 'the first line is not a status line'],
])('skips item %# with its line and reason', (body, reason) => {
  const { taken, report } = read(items(request + response, body, request + response))
  expect(taken.map((one) => one.index)).toEqual([0, 2])
  expect(report.skipped).toEqual([expect.objectContaining({ index: 1, where: 'line 8', reason })])
})

test('never expands entities', () => {
  const bomb = '<!DOCTYPE items [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><items><item>&b;</item></items>'
  expect(() => read(bomb)).toThrow(expect.objectContaining({ code: 'INVALID_BURP_XML' }))
  const external = '<!DOCTYPE items [<!ENTITY a SYSTEM "file:///etc/passwd">]><items/>'
  expect(() => read(external)).toThrow(expect.objectContaining({ code: 'INVALID_BURP_XML' }))
  expect(read(items(`<request>GET /&lt;a&gt; HTTP/1.1\nHost: h\n\n</request>${response}`)).taken[0]?.exchange.request.target).toBe('https://h/<a>') // biome-ignore format: one line reads better
})

test('keeps the order of text and CDATA and passes over comments', () => {
  const mixed = '<request>GET /a<!-- <item> -->b<![CDATA[c HTTP/1.1\nHost: h]]>\n\n</request>'
  expect(read(items(mixed + response)).taken[0]?.exchange.request.target).toBe('https://h/abc')
})

test.each(['<html></html>', '<items', 'x', '<', '<items2/>', '<a><items/></a>'])(
  'refuses %s with the place',
  (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INVALID_BURP_XML' }))
  },
)

test.each([
  '<a>'.repeat(50),
  '<x/>'.repeat(2000),
  `<item>${'<x/>'.repeat(2000)}`,
  `<item ${'a="1" '.repeat(9)}>`,
  '</b>',
])('stops at absurd markup %# and says why', (markup) => {
  const { report } = read(`<items>${markup}`)
  expect(report.fatal?.where).toMatch(/^line 1, column \d+$/)
})

test('tells the line of every item, whatever line ends and sections stand between', () => {
  const item = `<item>${request}${response}</item>`
  const text = `<items>\r\n${item}\r\n<!-- a\nb -->\r\n${item}\n\n${' '.repeat(70_000)}\r\n${item}</items>`
  const expected = [...text.matchAll(/<item>/g)].map((match) => text.slice(0, match.index).split('\n').length)
  expect(read(text).taken.map((one) => one.where)).toEqual(expected.map((line) => `line ${line}`))
})
