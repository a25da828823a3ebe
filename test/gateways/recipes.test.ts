import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Exchange } from '../../src/http/index.ts'
import { importText } from '../../src/traffic/index.ts'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { until } from '../until.ts'

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url), 'utf8')

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

function lineOf({ request, response, at, clientIp }: Exchange): string {
  const { headers } = request
  const header = (name: string): string =>
    headers[headers.findIndex((text) => text.toLowerCase() === name) + 1] ?? ''
  const host = headers.some((text) => text.toLowerCase() === 'host') ? header('host') : ''
  return [request.method, request.target, host, response.status, at - 1_769_850_000, clientIp].join(' ')
}

test.each([
  [
    'load balancers of AWS',
    'shop-access-alb.txt',
    [
      'GET https://shop.test/v1/orders/77?expand=lines  200 0 203.0.113.7',
      'DELETE https://shop.test:8443/v1/orders/78  503 1 203.0.113.7',
      'GET http://shop.test/v1/status  200 2 203.0.113.7',
    ],
  ],
  [
    'Envoy in its own format',
    'shop-access-envoy.txt',
    [
      'GET /v1/orders/77?expand=lines shop.test 200 0 203.0.113.7',
      'DELETE /v1/orders/78 shop.test:8443 503 1 ',
    ],
  ],
  [
    'API Gateway in the format of the guide',
    'shop-access-api-gateway.jsonl',
    ['GET /v1/orders/77 api.shop.test 200 0 203.0.113.7'],
  ],
  [
    'the http-log plugin of Kong',
    'shop-kong.json',
    ['GET https://shop.test:8443/v1/orders/77?expand=lines shop.test:8443 200 0 203.0.113.7'],
  ],
])('what %s writes is imported', (_, file, expected) => {
  const { exchanges, report } = importText(fixture(file), { fileName: file })
  expect([...exchanges].map(({ exchange }) => lineOf(exchange))).toEqual(expected)
  expect(report).toMatchObject({ skippedTotal: 0, warningsTotal: 0 })
})

test('responses that Hubble observed are imported with caller and time; its requests are in them', () => {
  const { exchanges, report } = importText(fixture('shop-hubble.jsonl'), { fileName: 'shop-hubble.jsonl' })
  const all = [...exchanges].map(({ exchange }) => exchange)
  expect(all.map(lineOf)).toEqual(['GET http://shop.test:8080/v1/orders/77?expand=lines  200 0 10.244.1.7'])
  expect(all[0]!.durationMs).toBe(4.5)
  expect(report.skipped.map(({ reason }) => reason)).toEqual(['no field tells the status'])
})

test('traces of the tap filter of Envoy are imported with bodies, credentials and time', () => {
  const { exchanges, report } = importText(fixture('shop-envoy-tap.json'))
  const all = [...exchanges].map(({ exchange }) => exchange)
  expect(all.map(lineOf)).toEqual([
    'POST /v1/orders?expand=lines shop.test:8443 201 0 203.0.113.7',
    'GET /v1/orders/77 shop.test:8443 200 0 ',
  ])
  expect(all[0]).toMatchObject({
    request: { body: '{"article":7,"count":2}', headers: expect.arrayContaining(['Bearer token-of-olga']) },
    response: { body: '{"id":77}' },
    ...{ durationMs: 42, source: 'MIRRORING' },
  })
  expect(all[0]!.request.headers.filter((text) => text.startsWith(':'))).toEqual([])
  expect(report.warnings.map(({ reason }) => reason)).toEqual(['Envoy cut the response body'])
  expect(report.skipped.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^a part of a streamed trace/),
    'the trace has no request or no response',
  ])
})

test('the configuration of the tap filter says where traces go, and buffers them whole', () => {
  const path = new URL('../../deploy/gateways/envoy-tap.yaml', import.meta.url)
  const filter = parse(readFileSync(path, 'utf8'))
  expect(filter.typed_config['@type']).toBe('type.googleapis.com/envoy.extensions.filters.http.tap.v3.Tap')
  const { output_config: output } = filter.typed_config.common_config.static_config
  expect(output.streaming).toBeUndefined()
  expect(output.sinks).toEqual([
    { format: 'JSON_BODY_AS_BYTES', file_per_tap: { path_prefix: '/var/log/envoy/vigil' } },
  ])
})

sharing('the http-log plugin of Kong sends its entries to Vigil itself, one or many at once', async () => {
  const entry = JSON.parse(fixture('shop-kong.json').replaceAll('shop.test', 'kong.test'))
  const other = structuredClone(entry)
  other.request.url = 'https://kong.test:8443/v1/status'
  for (const body of [entry, [other]])
    expect(await (await server.post('/api/ingestData', body)).json()).toMatchObject({ accepted: 1 })
  const urls = await until(
    'both are endpoints',
    async () => {
      await server.running.app.inventory.flush()
      const { rows } = await server.running.app.store.pool.query<{ url: string }>(
        `SELECT e.url FROM endpoints e JOIN collections c ON c.id = e.collection_id
         WHERE c.host_name = 'kong.test:8443' ORDER BY e.url`,
      )
      return rows.map(({ url }) => url)
    },
    { isRight: (found) => found.length === 2 },
  )
  expect(urls).toEqual(['/v1/orders/INTEGER', '/v1/status'])
})
