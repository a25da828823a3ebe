import { expect, test } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { ask, message } from './ask.ts'

const HOST = 'live.doc.test'
const DOCUMENT = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Live', version: '1' },
  servers: [{ url: `https://${HOST}` }],
  paths: {
    '/orders/{orderId}': {
      get: {
        parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
    '/refunds': { post: { responses: { 201: { description: 'made' } } } },
  },
})

let server: TestServer
let collection: number
sharing.beforeAll(async ({ shared }) => {
  server = shared
  await ask(server, 'ingestData', {
    batchData: ['/orders/17', '/admin'].map((path) => message({ path, requestHeaders: { host: HOST } })),
  })
  const { apiCollections } = await ask(server, 'getAllCollectionsBasic', {})
  collection = apiCollections.find(({ hostName }) => hostName === HOST)!.id
})

test('a recording is refused for the collection of a host', async () => {
  const answer = await server.post('/api/importTraffic', {
    apiCollectionId: collection,
    content: JSON.stringify({ batchData: [message({ path: '/x', requestHeaders: { host: HOST } })] }),
  })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain("Traffic mirroring collection can't be used")
})

test('a specification documents what a host was seen to offer, and counts no calls', async () => {
  await ask(server, 'importTraffic', { apiCollectionId: collection, content: DOCUMENT })
  const { endpoints } = await ask(server, 'searchEndpoints', { apiCollectionId: collection, limit: 50 })
  const seen = endpoints.map(({ id, isDocumented, callCount }) => [
    id.method,
    id.url,
    isDocumented,
    callCount,
  ])
  expect(seen.sort()).toEqual([
    ['GET', '/admin', false, 1],
    ['GET', '/orders/INTEGER', true, 1],
    ['POST', '/refunds', true, 0],
  ])
})
