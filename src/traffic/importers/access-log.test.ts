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

test.each([
  ['nginx', '"request_time":"0.120"', 120],
  ['Caddy', '"duration":0.0125', 12.5],
  ['Envoy', '"duration":37', 37],
  ['Traefik', '"Duration":1500000', 1.5],
  ['Kong', '"latencies":{"request":41,"proxy":40}', 41],
  ['pino', '"responseTime":9', 9],
  ['Google Cloud', '"httpRequest":{"latency":"0.250s"}', 250],
  ['Elastic', '"event":{"duration":2000000}', 2],
  ['a float of single precision', '"duration":0.0023458003997802734', 2.346],
  ['many decimals', '"responseTime":"5.637013999978080"', 5.637],
  ['a float with an exponent', '"duration":3.25e-7', 0],
  ['a fraction with an exponent', '"duration":"2.5E-3"', 2.5],
  ['whole milliseconds', '"response_time":"12"', 12],
  ['a fraction with its unit', '"response_time":"3.412 ms"', 3.412],
  ['morgan, whose unit is not known', '"response_time":"3.412"', undefined],
  ['an unknown unit', '"duration":"3h"', undefined],
  ['nothing measured', '"request_time":"-"', undefined],
])('%s: how long the request took is known', (_name, field, milliseconds) => {
  const [exchange] = read(`{"method":"GET","uri":"/a","status":200,${field}}`).all
  expect(exchange?.durationMs).toBe(milliseconds)
})

test('a mapped field with a duration is read by its unit, or by its fraction', () => {
  const taken = (value: string) =>
    read(`{"method":"GET","uri":"/a","status":200,"took":${value}}`, { fields: { duration: 'took' } }).all[0]
      ?.durationMs
  expect(['"1.5s"', '"7 ms"', '0.25', '80'].map(taken)).toEqual([1500, 7, 250, 80])
})

test('lines of load balancers tell how long requests took', () => {
  const envoy = (times: string) =>
    `[2026-01-31T09:00:01.000Z] "GET /a HTTP/1.1" 200 - 0 12 ${times} "203.0.113.9" "agent" "id" "h.test" "10.0.0.1:80"`
  const alb = (times: string) =>
    `https 2026-01-31T09:00:01.000000Z app/shop/1 203.0.113.9:5555 10.0.0.1:80 ${times} 200 200 34 366 "GET https://h.test:443/a HTTP/1.1" "agent" - -`
  const durations = (...lines: string[]) => lines.map((line) => read(line).all[0]?.durationMs)
  expect(durations(envoy('37 35'), envoy('4 -'))).toEqual([37, 4])
  expect(durations(alb('0.001 0.048 0.000'), alb('-1 -1 -1'))).toEqual([49, undefined])
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
