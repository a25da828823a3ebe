import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { collectionOf, type Installation, wholeCollection } from '../use-vigil.ts'

let server: TestServer
let target: Server
let vigil: Installation
let collectionId: number
/** Notes of the target by their number; 1 to 3 stood there before anybody tested. */
const notes = new Map<number, string>()
const deleted: { id: number; credential: string | undefined }[] = []
let next = 0

beforeAll(async () => {
  server = await startTestServer()
  vigil = vigilOf(server)
  target = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  const message = (method: string, path: string, status: number, more: object = {}) => ({
    method,
    path,
    requestHeaders: { host, authorization: 'Bearer of-ann', 'content-type': 'application/json' },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: status,
    ip: '203.0.113.9',
    time: 1_795_000_000 + next++,
    source: 'MIRRORING',
    ...more,
  })
  const made = { requestPayload: '{"title":"milk"}', responsePayload: '{"id":1,"title":"milk"}' }
  await vigil.call('ingestData', {
    batchData: [
      message('POST', '/notes', 201, made),
      message('POST', '/lists', 201, made),
      ...[1, 2, 3].map((id) => message('DELETE', `/notes/${id}`, 204)),
    ],
  })
  collectionId = await collectionOf(vigil, host)
})
afterAll(async () => {
  await server.close()
  target.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})
beforeEach(() => {
  deleted.length = 0
  notes.clear()
  for (const id of [1, 2, 3]) notes.set(id, 'milk')
  next = 100
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method, url = '', headers } = request
  const id = Number(/^\/notes\/(\d+)$/.exec(url)?.[1])
  if (method === 'DELETE' && notes.delete(id)) {
    deleted.push({ id, credential: headers.authorization })
    response.writeHead(204).end()
  } else if (method === 'POST' && /^\/(?:notes|lists)$/.test(url)) {
    const { title } = JSON.parse(Buffer.concat(chunks).toString()) as { title: string }
    notes.set(++next, title)
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: next, title }))
  } else response.writeHead(404).end()
}

/** Runs a test that makes things; @returns numbers of those that are left beside the first three. */
async function leftAfter(cleanUpTestingResources: boolean, path: string): Promise<number[]> {
  const started = await vigil.call('startTest', {
    ...wholeCollection(collectionId, ['TEXT_WITHOUT_BOUND']),
    type: 'CUSTOM',
    apiInfoKeyList: [{ apiCollectionId: collectionId, method: 'POST', url: path }],
    cleanUpTestingResources,
  })
  await expect
    .poll(
      async () =>
        (
          (await vigil.call('fetchTestingRunResultsSummary', {
            testingRunSummaryId: started['testingRunResultSummaryHexId'],
          })) as { state: string }
        ).state,
      { timeout: 20_000 },
    )
    .toBe('COMPLETED')
  expect(next, 'the test made something').toBeGreaterThan(100)
  return [...notes.keys()].filter((id) => id > 3)
}

test('what tests made is deleted with the credentials that made it, and nothing else is', async () => {
  expect(await leftAfter(true, '/notes')).toEqual([])
  expect([...notes.keys()]).toEqual([1, 2, 3])
  expect(deleted.length).toBe(next - 100)
  expect(new Set(deleted.map(({ credential }) => credential))).toEqual(new Set(['Bearer of-ann']))
})

test('without the wish everything stays', async () => {
  expect((await leftAfter(false, '/notes')).length).toBe(next - 100)
  expect(deleted).toEqual([])
})

test('where the inventory knows no DELETE, none is tried', async () => {
  expect((await leftAfter(true, '/lists')).length).toBe(next - 100)
  expect(deleted).toEqual([])
})
