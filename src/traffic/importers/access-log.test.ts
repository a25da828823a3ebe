import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ImportOptions } from '../importer.ts'
import { accessLogImporter } from './access-log.ts'

const jsonLines = readFileSync('test/fixtures/imports/shop-access.jsonl', 'utf8')
const combined = readFileSync('test/fixtures/imports/shop-access-combined.txt', 'utf8')

function read(text: string, options: ImportOptions = {}) {
  const { exchanges, report } = accessLogImporter.read(text, { at: 1_769_850_000, ...options })
  const all = [...exchanges].map(({ exchange }) => exchange)
  return { all, report }
}

test('entries of nginx become requests and statuses without bodies, marked as of a log', () => {
  const { all, report } = read(jsonLines)
  expect(report).toMatchObject({ total: 2, taken: 2 })
  expect(all[0]).toMatchObject({
    request: { method: 'GET', target: 'https://shop.test/v1/orders/77?expand=lines', body: '' },
    response: { status: 200, headers: ['Content-Type', 'application/json'] },
    at: 1_769_853_600,
    clientIp: '203.0.113.7',
    source: 'ACCESS_LOG',
  })
})

test('lines of the common and the combined log format are read with their zone', () => {
  const { all } = read(combined)
  expect(
    all.map(({ request, response, at }) => [request.method, request.target, response.status, at]),
  ).toEqual([
    ['GET', '/v1/orders/77?expand=lines', 200, 1_769_850_000],
    ['DELETE', '/v1/orders/78', 404, 1_769_850_001],
  ])
  expect(all[0]?.request.headers).toContain('Mozilla/5.0 ("odd")')
})

test.each([
  [
    'Caddy',
    '{"request":{"method":"GET","host":"h.test","uri":"/a","remote_ip":"203.0.113.9"},"status":204,"ts":1769850001.5}',
  ],
  [
    'Traefik',
    '{"RequestMethod":"GET","RequestPath":"/a","RequestHost":"h.test","DownstreamStatus":204,"StartUTC":"2026-01-31T09:00:01Z","ClientHost":"203.0.113.9"}',
  ],
  [
    'Envoy',
    '{"method":"GET","path":"/a","authority":"h.test","response_code":204,"start_time":"2026-01-31T09:00:01.000Z","downstream_remote_address":"203.0.113.9:5555"}',
  ],
  [
    'a request line',
    '{"request":"GET /a HTTP/1.1","host":"h.test","status":204,"time":"2026-01-31T09:00:01Z","remote_addr":"203.0.113.9"}',
  ],
  [
    'ECS',
    '{"http":{"request":{"method":"GET"},"response":{"status_code":204}},"url":{"original":"/a","domain":"h.test"},"@timestamp":"2026-01-31T09:00:01Z","client":{"ip":"203.0.113.9"}}',
  ],
  [
    'pino',
    '{"req":{"method":"GET","url":"/a","headers":{"host":"h.test"},"remoteAddress":"203.0.113.9"},"res":{"statusCode":204},"time":1769850001000}',
  ],
])('%s: the usual names are known', (_name, line) => {
  const [exchange] = read(line).all
  expect(exchange).toMatchObject({
    request: { method: 'GET', target: '/a' },
    response: { status: 204 },
    at: 1_769_850_001,
    clientIp: '203.0.113.9',
  })
  expect(exchange?.request.headers).toEqual(['Host', 'h.test'])
})

test('other names are given by a mapping; without it the entry is skipped with the names it has', () => {
  const line = '{"verb2":"GET","target":{"raw":"/a?b=1"},"code":200}'
  expect(read(line).report.skipped[0]?.reason).toBe(
    'no known field tells the path; it has verb2, target, code: name the field',
  )
  const { all } = read(line, { fields: { method: 'verb2', url: 'target.raw', status: 'code' } })
  expect(all[0]).toMatchObject({
    request: { method: 'GET', target: '/a?b=1' },
    response: { status: 200 },
    at: 1_769_850_000,
  })
})

test('an array of entries and a base URL for logs that name no host', () => {
  const { all, report } = read('[{"method":"GET","uri":"/a","status":200},7]', {
    baseUrl: 'https://shop.test/x',
  })
  expect(all[0]?.request.target).toBe('https://shop.test/a')
  expect(report.skipped).toMatchObject([{ index: 1, reason: 'the entry is not an object' }])
})
