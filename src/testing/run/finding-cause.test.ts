import { expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { changedPart, findingCause } from './finding-cause.ts'

function exchange(target: string, given: { body?: string; headers?: string[] } = {}): Exchange {
  return {
    request: {
      method: 'POST',
      target,
      version: 'HTTP/1.1',
      headers: ['host', 'shop.example', 'content-type', 'application/json', ...(given.headers ?? [])],
      body: given.body ?? '',
    },
    response: { status: 200, reason: '', headers: [], body: '' },
    at: 1,
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}

const attempt = (sent: Exchange, validates: boolean) => ({
  step: 'x1',
  exchange: sent,
  validates,
  reasons: null,
  percentageMatch: 0,
  responseTimeMs: 1,
  isTruncated: false,
})

const FEED = 'https://shop.example/feeds'

test.each([
  ['a query parameter', [`${FEED}?url=a&page=1`], [`${FEED}?url=http://169.254.169.254&page=1`], 'query url'],
  [
    'a body field',
    [FEED, { body: '{"feed":"a","n":1}' }],
    [FEED, { body: '{"feed":"b","n":1}' }],
    'body feed',
  ],
  ['an added field', [FEED, { body: '{"n":1}' }], [FEED, { body: '{"n":1,"role":"admin"}' }], 'body role'],
  ['the path', [`${FEED}/7`], [`${FEED}/8`], 'path'],
  ['a header', [FEED], [FEED, { headers: ['X-Forwarded-Host', 'a.example'] }], 'header x-forwarded-host'],
  ['nothing', [FEED], [FEED, { headers: ['user-agent', 'vigil'] }], ''],
] as const)('the changed part of a request is %s', (_what, before, after, part) => {
  const of = ([target, given]: readonly [string, object?]): Exchange => exchange(target, given)
  expect(changedPart(of(before), of(after))).toBe(part)
})

test('the request that proved a finding tells its place', () => {
  const baseline = exchange(`${FEED}?url=a&q=b`)
  const attempts = [
    attempt(exchange(`${FEED}?url=a&q='`), false),
    attempt(exchange(`${FEED}?url='&q=b`), true),
  ]
  const flow = { attempts, control: null }
  expect(findingCause({ scope: 'parameter', family: 'CWE-89', within: null }, flow, baseline)).toEqual({
    scope: 'parameter',
    family: 'CWE-89',
    place: 'query url',
  })
  expect(findingCause({ scope: 'host', family: 'CORS', within: null }, flow, baseline).place).toBe(
    'shop.example',
  )
  expect(findingCause({ scope: 'endpoint', family: 'CWE-639', within: null }, flow, baseline).place).toBe('')
})
