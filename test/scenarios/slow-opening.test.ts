import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { sharing } from '../shared-server.ts'
import { resultsOfRun, wholeCollection } from '../use-vigil.ts'
import { ask } from './ask.ts'

/** Together longer than a process keeps an execution of which it has no checks. */
const ANSWER_MS = 1_000
const OPERATIONS = 8

let server: TestServer
let target: Server
let origin: string

sharing.beforeAll(({ shared }) => {
  server = shared
})

beforeAll(async () => {
  target = createServer((_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"items":[]}'), ANSWER_MS)
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
})

afterAll(() => {
  target.closeAllConnections()
  target.close()
})

sharing('a run completes whose requests from a document take longer than a process may be idle', async () => {
  const good = { get: { responses: { 200: { description: 'ok' } } } }
  const paths = Object.fromEntries(Array.from({ length: OPERATIONS }, (_, i) => [`/lists${i}`, good]))
  const document = {
    openapi: '3.1.0',
    info: { title: 'slow', version: '1' },
    servers: [{ url: origin }],
    paths,
  }
  const content = JSON.stringify(document)
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    content,
    apiCollectionName: 'slow opening',
  })
  const results = await resultsOfRun(
    vigilOf(server),
    wholeCollection(apiCollectionId!, ['VERSION_DISCLOSURE_SERVER']),
  )
  expect(results).toHaveLength(OPERATIONS)
})
