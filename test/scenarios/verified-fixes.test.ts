import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { templateText } from '../template-text.ts'
import { collectionOf, wholeCollection } from '../use-vigil.ts'
import { ask } from './ask.ts'

const INJECTION = 'SQLI_ERROR_QUERY'
const ACCESS = 'CASE'
const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html' }

/** How the target answers: to attacks when its name says nothing else. */
let mode = 'weak'
let server: TestServer
let target: Server
let shop: number

/** An order of alice, read with an injected quote or as bob where the target is weak. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const caller = /^Bearer (alice|bob)$/.exec(request.headers.authorization ?? '')?.[1]
  const isInjected = /%27|'/.test(request.url ?? '')
  const order = (): ServerResponse => response.writeHead(200, JSON_TYPE).end('{"id":7,"total":12}')
  if (mode === 'gone') return void response.writeHead(404, JSON_TYPE).end('{"error":"not found"}')
  if (mode === 'changed') return void response.writeHead(200, JSON_TYPE).end('{"notice":"maintenance"}')
  if (caller === 'alice' && !isInjected) return void order()
  if (mode === 'limited') return void response.writeHead(429, JSON_TYPE).end('{"error":"slow down"}')
  if (mode === 'unavailable') return void response.writeHead(503, JSON_TYPE).end('{}')
  if (mode === 'blocked 200')
    return void response
      .writeHead(200, HTML_TYPE)
      .end('Your request has been blocked by our security service.')
  if (mode === 'blocked 403')
    return void response.writeHead(403, HTML_TYPE).end('<title>Attention Required! | Cloudflare</title>')
  if (mode === 'cut') return void request.socket.destroy()
  if (caller === undefined) return void response.writeHead(mode === 'dead' ? 403 : 401, JSON_TYPE).end('{}')
  if (mode === 'dead') return void response.writeHead(403, JSON_TYPE).end('{}')
  if (mode === 'weak' && isInjected)
    return void response.writeHead(400, JSON_TYPE).end('{"error":"SQLITE_ERROR: near \\"x\\": syntax error"}')
  if (mode === 'fixed' && caller === 'bob') return void response.writeHead(403, JSON_TYPE).end('{}')
  order()
}

beforeAll(async () => {
  server = await startTestServer()
  target = createServer(answer)
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  await ask(server, 'ingestData', {
    batchData: [
      {
        method: 'GET',
        path: '/orders/7?q=lamp',
        requestHeaders: { host, authorization: 'Bearer alice' },
        responseHeaders: JSON_TYPE,
        statusCode: 200,
        responsePayload: '{"id":7,"total":12}',
        ip: '203.0.113.9',
        time: 1_795_000_000,
        source: 'MIRRORING',
      },
    ],
  })
  shop = await collectionOf({ call: (name, body) => ask(server, name as never, body) }, host)
  await ask(server, 'addAuthMechanism', {
    type: 'HARDCODED',
    requestData: [],
    uuid: '',
    authParamData: [{ where: 'HEADER', key: 'Authorization', value: 'Bearer bob', showHeader: true }],
  })
  await ask(server, 'saveTestEditorFile', {
    content: templateText({
      info: '  description: Read as another user.\n  details: It has no check.\n  impact: Orders leak.\n  subCategory: CASE',
      operations: '        - replace_auth_header: true',
    }),
    originalTestId: '',
  })
})
afterAll(async () => {
  await server?.close()
  target?.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

/** Runs both tests while the target is in a mode, and reads what became of their issues. */
async function issuesAfter(next: string) {
  mode = next
  const started = await ask(server, 'startTest', wholeCollection(shop, [INJECTION, ACCESS]))
  const testingRunSummaryId = started.testingRunResultSummaryHexId!
  for (;;) {
    const { state } = await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId })
    if (state === 'COMPLETED') break
    if (state === 'FAILED' || state === 'STOPPED') throw new Error(`the run ${state}`)
    await pause(50)
  }
  const { issues } = await ask(server, 'fetchAllIssues', {
    filterSubCategory: [],
    activeCollections: true,
    sortKey: 'creationTime',
    sortOrder: 1,
    limit: 10,
    skip: 0,
    filterStatus: [],
    startEpoch: 0,
    endTimeStamp: 0,
  })
  const of = (testId: string) => {
    const issue = issues!.find(({ id }) => id.testSubCategory === testId)!
    return [issue.testRunIssueStatus, issue.verificationState, issue.verificationReason ?? '']
  }
  return { injection: of(INJECTION), access: of(ACCESS) }
}

test('a finding opens issues that are verified', async () => {
  expect(await issuesAfter('weak')).toEqual({
    injection: ['OPEN', 'VERIFIED', ''],
    access: ['OPEN', 'VERIFIED', ''],
  })
})

test.each([
  ['limited', /429/],
  ['unavailable', /503/],
  ['blocked 200', /block page \(200\)/],
  ['blocked 403', /block page \(403\)/],
  ['changed', /other content than recorded/],
  ['gone', /404 instead of 200/],
  ['cut', /did not answer|failed to answer/],
])('a second run against a target that is %s closes nothing and says why', async (name, reason) => {
  const { injection, access } = await issuesAfter(name)
  expect(injection.slice(0, 2)).toEqual(['OPEN', 'NOT_VERIFIED'])
  expect(injection[2]).toMatch(reason)
  expect(access.slice(0, 2)).toEqual(['OPEN', 'NOT_VERIFIED'])
  expect(access[2]).not.toBe('')
})

test('a session that is refused as made-up credentials are closes nothing', async () => {
  const { access } = await issuesAfter('dead')
  expect(access.slice(0, 2)).toEqual(['OPEN', 'NOT_VERIFIED'])
  expect(access[2]).toMatch(/exactly as made-up credentials are/)
})

test('a target that was really fixed closes its issues, and a weakness that is back opens them again', async () => {
  expect(await issuesAfter('fixed')).toEqual({
    injection: ['FIXED', 'VERIFIED', ''],
    access: ['FIXED', 'VERIFIED', ''],
  })
  expect(await issuesAfter('limited')).toEqual({
    injection: ['FIXED', 'VERIFIED', ''],
    access: ['FIXED', 'VERIFIED', ''],
  })
  expect(await issuesAfter('weak')).toEqual({
    injection: ['OPEN', 'VERIFIED', ''],
    access: ['OPEN', 'VERIFIED', ''],
  })
}, 240_000)
