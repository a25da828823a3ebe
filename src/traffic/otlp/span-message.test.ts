import { expect, test } from 'vitest'
import { jsonSpans } from './json-spans.ts'
import { protobufSpans } from './protobuf-spans.ts'
import { spanMessage } from './span-message.ts'
import { traceBatches } from './trace-batches.ts'

/** The message of a server's span with these attributes. */
function messageOf(attributes: Record<string, unknown>, service = ''): unknown {
  const list = (values: Record<string, unknown>) =>
    Object.entries(values).map(([key, value]) => ({
      key,
      value: Array.isArray(value)
        ? { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
        : typeof value === 'number'
          ? { intValue: String(value) }
          : { stringValue: value },
    }))
  const span = {
    traceId: 'AB',
    spanId: 'CD',
    kind: 2,
    startTimeUnixNano: '1769850000500000000',
    attributes: list(attributes),
  }
  const resource = { attributes: list({ 'service.name': service }) }
  const [read] = jsonSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] })
  return spanMessage(read!)
}

test('reads the stable conventions, with the headers that were recorded', () => {
  expect(
    messageOf({
      'http.request.method': 'GET',
      'url.scheme': 'https',
      'url.path': '/orders/7',
      'url.query': 'page=2',
      'server.address': 'shop.test',
      'server.port': 8443,
      'http.response.status_code': 200,
      'http.route': '/orders/{id}',
      'client.address': '203.0.113.9',
      'user_agent.original': 'shop/1',
      'http.request.header.x_team': ['pay', 'risk'],
      'http.response.header.content-type': ['application/json'],
    }),
  ).toEqual({
    id: 'ab:cd',
    method: 'GET',
    path: 'https://shop.test:8443/orders/7?page=2',
    type: 'HTTP/1.1',
    statusCode: 200,
    time: 1_769_850_000,
    ip: '203.0.113.9',
    source: 'OPEN_TELEMETRY',
    requestHeaders: [
      ['x-team', 'pay'],
      ['x-team', 'risk'],
      ['host', 'shop.test:8443'],
      ['user-agent', 'shop/1'],
    ],
    requestPayload: '',
    responseHeaders: [['content-type', 'application/json']],
    responsePayload: '',
    route: '/orders/{id}',
  })
})

test.each<[string, Record<string, unknown>, object]>([
  [
    'the earlier conventions',
    {
      'http.method': 'POST',
      'http.target': '/a?b=1',
      'http.host': 'shop.test:81',
      'http.scheme': 'http',
      'http.status_code': 201,
      'net.peer.ip': '::1',
    },
    { method: 'POST', path: 'http://shop.test:81/a?b=1', statusCode: 201, ip: '::1' },
  ],
  [
    'a whole URL',
    { 'http.method': 'GET', 'http.url': 'https://shop.test/a' },
    { path: 'https://shop.test/a' },
  ],
  [
    'an IPv6 address',
    {
      'http.method': 'GET',
      'url.path': '/a',
      'url.scheme': 'http',
      'server.address': 'fd00::2',
      'server.port': 80,
    },
    { path: 'http://[fd00::2]/a' },
  ],
  [
    'a method beyond the usual',
    { 'http.request.method': '_OTHER', 'http.request.method_original': 'PURGE', 'url.path': '/a' },
    { method: 'PURGE' },
  ],
  [
    'a span without host, by the name of its service',
    { 'http.request.method': 'GET', 'url.path': '/a' },
    { path: '/a', requestHeaders: [['host', 'checkout']] },
  ],
])('reads %s', (_, attributes, expected) => {
  expect(messageOf(attributes, 'Checkout')).toMatchObject(expected)
})

test('a span that lacks one of its ids has no id, so that it is never a duplicate', () => {
  const attributes = [
    { key: 'http.target', value: { stringValue: '/a' } },
    { key: 'http.method', value: { stringValue: 'GET' } },
  ]
  for (const ids of [{}, { traceId: 'ab' }, { spanId: 'cd' }, { traceId: '00', spanId: 'cd' }]) {
    const spans = [{ ...ids, kind: 2, attributes }]
    const [read] = jsonSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    expect(spanMessage(read!)).not.toHaveProperty('id')
  }
  const withoutIds = Buffer.from(
    '0a1e121c121a3002' + '4a160a0b687474702e6d6574686f6412070a05504154' + '4348',
    'hex',
  )
  const [read] = protobufSpans(withoutIds)
  expect(read).toMatchObject({ id: '', kind: 'server', attributes: new Map([['http.method', 'PATCH']]) })
})

test('refuses what is not a message of Protocol Buffers', () => {
  for (const bytes of ['0a', '0aff', '0a01', '07', 'ffffffffffffffffffffff', '09aa'])
    expect(() => [...protobufSpans(Buffer.from(bytes, 'hex'))], bytes).toThrow(
      expect.objectContaining({ code: 'INVALID_TRACES' }),
    )
  expect([...protobufSpans(Buffer.from('0a00', 'hex'))]).toEqual([])
})

test('a span tells how long the request took, unless it has no end or ends before its start', () => {
  const taken = (endTimeUnixNano?: string) => {
    const attributes = [
      { key: 'http.method', value: { stringValue: 'GET' } },
      { key: 'http.target', value: { stringValue: '/a' } },
    ]
    const span = { kind: 2, startTimeUnixNano: '1769850000500000000', endTimeUnixNano, attributes }
    const [read] = jsonSpans({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    return (spanMessage(read!) as Record<string, unknown>)['durationMs']
  }
  expect(['1769850000537000000', '1769850000400000000', undefined].map(taken)).toEqual([
    37,
    undefined,
    undefined,
  ])
  const fixed = (field: number, value: bigint) => {
    const bytes = Buffer.alloc(9)
    bytes[0] = field * 8 + 1
    bytes.writeBigUInt64LE(value, 1)
    return bytes
  }
  const wrapped = (field: number, message: Buffer) =>
    Buffer.concat([Buffer.from([field * 8 + 2, message.length]), message])
  const span = Buffer.concat([fixed(7, 1_769_850_000_500_000_000n), fixed(8, 1_769_850_000_537_000_000n)])
  const [read] = protobufSpans(wrapped(1, wrapped(2, wrapped(2, span))))
  expect(read!.milliseconds).toBe(37)
})

test('a request has at most 50,000 spans of HTTP requests; the others are refused with the reason', () => {
  const attributes = new Map([
    ['http.method', 'GET'],
    ['http.target', '/a'],
  ])
  const span = {
    id: '',
    kind: 'server',
    seconds: 0,
    milliseconds: undefined,
    attributes,
    resource: new Map(),
  } as const
  const { bodies, refused } = traceBatches(
    Array.from({ length: 50_003 }, () => span),
    7,
  )
  const first = JSON.parse(new TextDecoder().decode(bodies[0]))
  expect([bodies.length, first.apiCollectionId, first.batchData.length]).toEqual([10, 7, 5000])
  expect(refused).toEqual({
    count: 3,
    reason: 'the request has more than 50000 spans of HTTP requests',
  })
})
