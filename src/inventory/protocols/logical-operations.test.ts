import { describe, expect, it } from 'vitest'
import { parseBody, parseQuery } from '../../http/index.ts'
import { logicalOperationsOf } from './logical-operations.ts'
import type { LogicalOperations, OperationView } from './operation.ts'

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status?: number
  readonly responseType?: string
}

function view({
  method = 'POST',
  target = '/api',
  headers = {},
  body = '',
  status = 200,
  responseType = '',
}: Sent): OperationView {
  const [path = '', query = ''] = target.split('?', 2)
  const requestType = headers['content-type'] ?? (body === '' ? '' : 'application/json')
  const parsed = parseBody({ contentType: requestType, body })
  return {
    exchange: {
      request: { method, target, version: 'HTTP/1.1', headers: Object.entries(headers).flat(), body },
      response: { status, reason: '', headers: [], body: '' },
      at: 0,
      clientIp: '',
      serverIp: '',
      source: 'OTHER',
      direction: 1,
      vxlanId: 0,
    },
    target: { path, query },
    requestHeaders: Object.entries(headers).flat(),
    requestType,
    responseType,
    query: parseQuery(query),
    requestBody: parsed.kind === 'tree' ? parsed.value : undefined,
  }
}

function suffixes(result: LogicalOperations): string[] {
  return result.operations.map((operation) => operation.pathSuffix)
}

function graphql(query: string, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({ query, ...rest })
}

describe('plain requests', () => {
  it('are one REST operation without suffix', () => {
    const result = logicalOperationsOf(view({ body: '{"email":"a@b.test"}' }))
    expect(result).toEqual({
      apiType: 'REST',
      operations: [{ pathSuffix: '', method: 'POST', name: '', attributes: {} }],
    })
  })

  it('stay REST with a search text under query', () => {
    expect(logicalOperationsOf(view({ body: '{"query":"shoes","page":1}' })).apiType).toBe('REST')
    expect(logicalOperationsOf(view({ body: '{"query":{"match":{"a":1}}}' })).apiType).toBe('REST')
    expect(logicalOperationsOf(view({ method: 'GET', target: '/search?query=red+shoes' })).apiType).toBe(
      'REST',
    )
    expect(logicalOperationsOf(view({ body: '{"query":"query about my order"}' })).apiType).toBe('REST')
  })

  it('are marked when they answer with an event stream', () => {
    const result = logicalOperationsOf(view({ method: 'GET', responseType: 'text/event-stream' }))
    expect(result.operations[0]?.attributes).toEqual({ protocol: 'SSE' })
  })
})

describe('GraphQL', () => {
  it('is recognised by the shape of the body on any path', () => {
    const result = logicalOperationsOf(
      view({ target: '/data', body: graphql('query Mine { orders { id } me { name } }') }),
    )
    expect(result.apiType).toBe('GRAPHQL')
    expect(suffixes(result)).toEqual(['/query/orders', '/query/me'])
    expect(result.operations[0]?.attributes).toMatchObject({ operationName: 'Mine', depth: 2, batchSize: 1 })
  })

  it('has one endpoint per field, whatever the aliases', () => {
    const result = logicalOperationsOf(
      view({ body: graphql('mutation { a: pay(id: 1) { ok } b: pay(id: 2) { ok } }') }),
    )
    expect(suffixes(result)).toEqual(['/mutation/pay'])
    expect(result.operations[0]?.attributes['aliases']).toBe(2)
  })

  it('follows fragments and ends at cycles of them', () => {
    const text =
      'query { ...A } fragment A on Query { user { id } ...B } fragment B on Query { cart { id } ...A }'
    expect(suffixes(logicalOperationsOf(view({ body: graphql(text) })))).toEqual([
      '/query/user',
      '/query/cart',
    ])
  })

  it('runs the named operation of several', () => {
    const text = 'query One { a } mutation Two { b }'
    expect(suffixes(logicalOperationsOf(view({ body: graphql(text, { operationName: 'Two' }) })))).toEqual([
      '/mutation/b',
    ])
    expect(suffixes(logicalOperationsOf(view({ body: graphql(text) })))).toEqual(['/query/a', '/mutation/b'])
  })

  it('splits batches', () => {
    const body = JSON.stringify([{ query: '{ a }' }, { query: '{ b }' }, { query: '{ a }' }])
    const result = logicalOperationsOf(view({ body }))
    expect(suffixes(result)).toEqual(['/query/a', '/query/b'])
    expect(result.operations[0]?.attributes['batchSize']).toBe(3)
  })

  it('is found in GET requests', () => {
    const target = `/graphql?query=${encodeURIComponent('query { product(id: 1) { name } }')}`
    expect(suffixes(logicalOperationsOf(view({ method: 'GET', target })))).toEqual(['/query/product'])
  })

  it('learns persisted queries from requests that carry text and hash', () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'aa11' } }
    expect(
      suffixes(
        logicalOperationsOf(view({ body: JSON.stringify({ operationName: 'GetCartQuery', extensions }) })),
      ),
    ).toEqual(['/query/GetCartQuery'])
    logicalOperationsOf(view({ body: graphql('query GetCartQuery { cart { id } }', { extensions }) }))
    const target = `/graphql?operationName=GetCartQuery&extensions=${encodeURIComponent(JSON.stringify(extensions))}`
    expect(suffixes(logicalOperationsOf(view({ method: 'GET', target })))).toEqual(['/query/cart'])
  })

  it('reads bare documents and uploads', () => {
    const bare = view({ headers: { 'content-type': 'application/graphql' }, body: '{ orders { id } }' })
    expect(suffixes(logicalOperationsOf(bare))).toEqual(['/query/orders'])
    const upload = view({
      body: JSON.stringify({ operations: graphql('mutation { upload { id } }'), map: '{}' }),
    })
    expect(suffixes(logicalOperationsOf(upload))).toEqual(['/mutation/upload'])
  })

  it('notes introspection', () => {
    const result = logicalOperationsOf(view({ body: graphql('{ __schema { types { name } } }') }))
    expect(result.operations[0]).toMatchObject({
      pathSuffix: '/query/__schema',
      attributes: { isIntrospection: true },
    })
  })

  it('keeps its type on a graphql address when the document is broken', () => {
    const body = graphql('query { unfinished', { operationName: 'x' })
    expect(logicalOperationsOf(view({ target: '/graphql', body }))).toMatchObject({ apiType: 'GRAPHQL' })
    expect(logicalOperationsOf(view({ target: '/api', body }))).toMatchObject({ apiType: 'REST' })
  })

  it('refuses hostile documents in bounded time', () => {
    const before = process.hrtime.bigint()
    for (const text of [
      '{a'.repeat(30_000),
      `{${'a '.repeat(49_000)}}`,
      `query { ${'...F '.repeat(3000)} } fragment F on Q { a }`,
    ]) {
      logicalOperationsOf(view({ body: graphql(text) }))
    }
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(2000)
  })
})

describe('JSON-RPC', () => {
  it('is recognised by the shape of the body, batches split', () => {
    const body = JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] },
      { jsonrpc: '2.0', method: 'eth_log' },
    ])
    const result = logicalOperationsOf(view({ target: '/rpc', body }))
    expect(result.apiType).toBe('REST')
    expect(suffixes(result)).toEqual(['/eth_call', '/eth_log'])
    expect(result.operations[1]?.attributes).toEqual({
      protocol: 'JSON_RPC',
      batchSize: 2,
      isNotification: true,
    })
  })

  it('adds the tool to tool calls of agents', () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_order' },
    })
    const [operation] = logicalOperationsOf(view({ target: '/mcp', body })).operations
    expect(operation).toMatchObject({ pathSuffix: '/tools/call/find_order', attributes: { protocol: 'MCP' } })
  })

  it('does not put free text into the address', () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '../../etc/passwd?x' })
    expect(suffixes(logicalOperationsOf(view({ body })))).toEqual([''])
  })
})

describe('SOAP and XML-RPC', () => {
  const envelope =
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetPrice xmlns="u"><Item>a</Item></GetPrice></s:Body></s:Envelope>'

  it('name the operation by SOAPAction', () => {
    const headers = { 'content-type': 'text/xml', soapaction: '"http://tempuri.org/IPrices/ReadPrice"' }
    const result = logicalOperationsOf(view({ headers, body: envelope }))
    expect(result.apiType).toBe('SOAP')
    expect(suffixes(result)).toEqual(['/ReadPrice'])
  })

  it('else by the first child of the body', () => {
    expect(
      suffixes(
        logicalOperationsOf(
          view({ headers: { 'content-type': 'text/xml', soapaction: '""' }, body: envelope }),
        ),
      ),
    ).toEqual(['/GetPrice'])
    expect(
      suffixes(
        logicalOperationsOf(
          view({ headers: { 'content-type': 'application/soap+xml; charset=utf-8' }, body: envelope }),
        ),
      ),
    ).toEqual(['/GetPrice'])
  })

  it('leave other XML alone', () => {
    const other = view({ headers: { 'content-type': 'application/xml' }, body: '<order><id>1</id></order>' })
    expect(logicalOperationsOf(other)).toMatchObject({ apiType: 'REST', operations: [{ pathSuffix: '' }] })
  })

  it('read the method of XML-RPC', () => {
    const body = '<?xml version="1.0"?><methodCall><methodName>wp.getPosts</methodName><params/></methodCall>'
    const result = logicalOperationsOf(view({ headers: { 'content-type': 'text/xml' }, body }))
    expect(result.operations[0]).toMatchObject({
      pathSuffix: '/wp.getPosts',
      attributes: { protocol: 'XML_RPC' },
    })
  })
})

describe('gRPC and WebSocket', () => {
  it('split service and method of a gRPC path', () => {
    const result = logicalOperationsOf(
      view({ target: '/shop.v1.Cart/AddItem', headers: { 'content-type': 'application/grpc+proto' } }),
    )
    expect(result).toMatchObject({
      apiType: 'GRPC',
      operations: [
        {
          pathSuffix: '',
          name: 'shop.v1.Cart/AddItem',
          attributes: { service: 'shop.v1.Cart', method: 'AddItem' },
        },
      ],
    })
  })

  it('give an upgraded connection the method WS', () => {
    const headers = { upgrade: 'websocket', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' }
    const result = logicalOperationsOf(view({ method: 'GET', target: '/live', headers, status: 101 }))
    expect(result).toMatchObject({ apiType: 'WEBSOCKET', operations: [{ method: 'WS', pathSuffix: '' }] })
    expect(logicalOperationsOf(view({ method: 'GET', headers, status: 400 })).apiType).toBe('REST')
  })
})
