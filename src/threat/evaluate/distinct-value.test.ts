import { expect, test } from 'vitest'
import { LiveReader } from '../../http/index.ts'
import type { AggregationRule, DistinctIdentifier } from '../filters/filter.ts'
import { distinctValues } from './distinct-value.ts'

const message = {
  method: 'POST',
  path: '/orders/7?user=tom%20b&USER=eve',
  type: 'HTTP/1.1',
  requestHeaders: JSON.stringify({
    host: 'shop.example',
    'X-Tenant': 'blue',
    'content-type': 'application/json',
  }),
  responseHeaders: JSON.stringify({ 'content-type': 'application/json', 'X-Node': 'n7' }),
  requestPayload: '{"login":{"name":"ann"}}',
  responsePayload: '{"id":42,"name":""}',
  statusCode: '200',
  status: 'OK',
  ip: '203.0.113.9',
  time: '1795000000',
  source: 'MIRRORING',
}

function distinctOf(source: DistinctIdentifier['source'], key: string, readsInPlace: boolean): string | null {
  const bytes = Buffer.from(JSON.stringify({ batchData: [message] }))
  const exchange = new LiveReader(readsInPlace).open(bytes, 'OTHER').exchangeAt(0)
  if (typeof exchange === 'string') throw new Error(exchange)
  expect(exchange.toExchange !== undefined).toBe(readsInPlace)
  const rule = { distinct: { source, key, count: 20 } } as unknown as AggregationRule
  return distinctValues([rule], { exchange, actorAddress: '', country: '', collectionId: 0 })[0]!
}

test.each([
  ['url', '', '/orders/7'],
  ['query_param', 'User', 'tom b'],
  ['request_headers', 'x-tenant', 'blue'],
  ['request_headers', 'X-TENANT', 'blue'],
  ['request_headers', 'x-none', null],
  ['response_headers', 'x-node', 'n7'],
  ['request_payload', 'name', 'ann'],
  ['response_payload', 'id', '42'],
  ['response_payload', 'name', null],
] as const)('%s %s is the same of a message read in place and of a built one', (source, key, value) => {
  expect(distinctOf(source, key, true)).toBe(value)
  expect(distinctOf(source, key, false)).toBe(value)
})
