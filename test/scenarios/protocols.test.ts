import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, message } from './ask.ts'

let server: TestServer
sharing.beforeAll(({ shared }) => {
  server = shared
})

/** Sends one live message and gives back the endpoints of its host, with their API types. */
async function after(host: string, given: Record<string, unknown>): Promise<string[]> {
  const one = message({
    method: 'POST',
    ...given,
    requestHeaders: { host, 'content-type': 'application/json', ...(given['requestHeaders'] as object) },
  })
  await ask(server, 'ingestData', { batchData: [one] })
  const { apiCollections } = await ask(server, 'getAllCollections', { hostNameRegex: `^${host}` })
  const { endpoints } = await ask(server, 'searchEndpoints', { apiCollectionId: apiCollections![0]!.id })
  return endpoints.map(({ id, apiType }) => `${id.method} ${id.url} ${apiType}`)
}

test('a path that was plain at first is looked at again when it speaks GraphQL', async () => {
  const path = '/graphql'
  await after('graph.test', { path, requestPayload: '{"ping":1}' })
  await after('graph.test', { path, requestPayload: '{"ping":2}' })
  const found = await after('graph.test', { path, requestPayload: '{"query":"{ orders { id } }"}' })
  expect(found).toContain('POST /graphql/query/orders GRAPHQL')
  await after('graph.test', { path, requestPayload: '{"ping":3}' })
  const more = await after('graph.test', { path, requestPayload: '{"query":"mutation { pay { id } }"}' })
  expect(more).toContain('POST /graphql/mutation/pay GRAPHQL')
})

test('GraphQL in the query of a known path is found', async () => {
  await after('graph-get.test', { method: 'GET', path: '/api' })
  const found = await after('graph-get.test', {
    method: 'GET',
    path: '/api?query=%7B%20me%20%7B%20id%20%7D%20%7D',
  })
  expect(found).toContain('GET /api/query/me GRAPHQL')
})

test('so are JSON-RPC, in a list as well', async () => {
  await after('rpc.test', { path: '/rpc', requestPayload: '{"hello":1}' })
  const one = await after('rpc.test', {
    path: '/rpc',
    requestPayload: '{"jsonrpc":"2.0","id":1,"method":"pay"}',
  })
  expect(one).toContain('POST /rpc/pay REST')
  const many = await after('rpc.test', {
    path: '/rpc',
    requestPayload: '[{"jsonrpc":"2.0","id":1,"method":"list"}]',
  })
  expect(many).toContain('POST /rpc/list REST')
})

test('and SOAP', async () => {
  await after('soap.test', { path: '/service', requestPayload: '{"hello":1}' })
  const requestPayload =
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><GetPrice/></e:Body></e:Envelope>'
  const found = await after('soap.test', {
    path: '/service',
    requestPayload,
    requestHeaders: { 'content-type': 'text/xml' },
  })
  expect(found).toContain('POST /service/GetPrice SOAP')
})

test('and WebSocket', async () => {
  await after('socket.test', { method: 'GET', path: '/live' })
  const found = await after('socket.test', {
    method: 'GET',
    path: '/live',
    statusCode: '101',
    responsePayload: '',
    requestHeaders: { upgrade: 'websocket', 'sec-websocket-key': 'AQIDBAUGBwgJCgsMDQ4PEA==' },
  })
  expect(found).toContain('WS /live WEBSOCKET')
})

test('a protocol without a name for its operations changes the type of the known endpoint', async () => {
  const path = '/pkg.Prices/Get'
  await after('grpc.test', { path, requestPayload: '{"hello":1}' })
  const found = await after('grpc.test', {
    path,
    requestPayload: 'AAAAAAA=',
    requestHeaders: { 'content-type': 'application/grpc' },
  })
  expect(found).toEqual([`POST ${path} GRPC`])
})
