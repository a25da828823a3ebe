import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { RUN_ORDER } from '../use-vigil.ts'

let server: TestServer
let target: Server | null = null

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(async () => {
  target?.closeAllConnections()
  await new Promise((resolve) => (target === null ? resolve(null) : target.close(resolve)))
  target = null
})

const START = { ...RUN_ORDER, testName: 'run', maxConcurrentRequests: 4 }
const TEST = 'BOLA_READ'

async function call(operation: string, body: unknown): Promise<Record<string, unknown>> {
  return vigilOf(server).call(operation, body)
}

/** A shop that shows every order to whoever is signed in. Its sessions die as the options say. */
class Shop {
  readonly asked: { method: string; url: string; headers: IncomingMessage['headers'] }[] = []
  logins = 0
  /** Requests that a token is good for. */
  tokenLife = Number.POSITIVE_INFINITY
  takesLogins = true
  readonly forbidden = new Set<string>()
  readonly tokens = new Map<string, number>()
  host = ''

  async start(): Promise<void> {
    target = createServer((request, response) => {
      request.resume()
      request.on('end', () => this.#answer(request, response))
    })
    await new Promise<void>((resolve) => target!.listen(0, '127.0.0.1', resolve))
    this.host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request
    this.asked.push({ method, url, headers })
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url === '/login') {
      if (!this.takesLogins) {
        send(401, { error: 'locked' })
        return
      }
      const token = `token-${++this.logins}-of-mallory`
      this.tokens.set(token, this.tokenLife)
      send(200, { token })
      return
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    const left = this.tokens.get(token) ?? 0
    this.tokens.set(token, left - 1)
    const id = /^\/orders\/(\d+)$/.exec(url)?.[1]
    if (this.forbidden.has(token)) send(403, { error: 'not you' })
    else if (left <= 0) send(401, { error: 'who are you' })
    else if (id === undefined) send(404, { error: 'not found' })
    else send(200, { id: Number(id), total: Number(id) * 3, lines: [{ name: 'a thing' }] })
  }

  /** Makes its endpoints known with the recorded calls of a customer; @returns the collection. */
  async observe(token: string): Promise<number> {
    this.tokens.set(token, Number.POSITIVE_INFINITY)
    const messages = [
      ...Array.from({ length: 12 }, (_, i) => ({ method: 'GET', path: `/orders/${1001 + i}` })),
    ]
    const batchData = messages.map((message, i) => ({
      requestHeaders: { host: this.host, authorization: `Bearer ${token}`, accept: 'application/json' },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: JSON.stringify({ id: 1001 + i, total: (1001 + i) * 3, lines: [{ name: 'a thing' }] }),
      ip: '203.0.113.9',
      time: 1_795_000_000 + i,
      source: 'MIRRORING',
      ...message,
    }))
    await call('ingestData', { batchData })
    const { apiCollections } = (await call('getAllCollectionsBasic', {})) as {
      apiCollections: { id: number; hostName: string | null }[]
    }
    return apiCollections.find(({ hostName }) => hostName === this.host)!.id
  }

  get login(): Record<string, unknown> {
    return {
      type: 'LOGIN_REQUEST',
      requestData: [{ url: `http://${this.host}/login`, method: 'POST', body: '{"user":"mallory"}' }],
      authParamData: [
        {
          where: 'HEADER',
          key: 'Authorization',
          value: 'Bearer ${x1.response.body.token}',
          showHeader: true,
        },
      ],
    }
  }
}

interface Listed {
  readonly vulnerable: boolean
  readonly testResults: { validationReason: string }[]
  readonly testSubType: string
}

/** Runs tests and waits for the end. */
async function run(
  changes: Record<string, unknown>,
): Promise<{ state: string; error: string; results: Listed[]; runId: string }> {
  const started = await call('startTest', { ...START, selectedTests: [TEST], ...changes })
  const id = String(started['testingRunResultSummaryHexId'])
  for (const deadline = Date.now() + 60_000; ; ) {
    const summary = (await call('fetchTestingRunResultsSummary', { testingRunSummaryId: id })) as {
      state: string
      metadata: { error?: string } | null
    }
    if (summary.state !== 'SCHEDULED' && summary.state !== 'RUNNING') {
      const { testingRunResults } = (await call('fetchTestingRunResults', {
        testingRunResultSummaryHexId: id,
        queryMode: 'ALL',
        sortKey: 'time',
        sortOrder: 1,
        limit: 100,
        skip: 0,
        queryValue: '',
      })) as { testingRunResults: Listed[] }
      const runId = String(started['testingRunHexId'])
      return { state: summary.state, error: summary.metadata?.error ?? '', results: testingRunResults, runId }
    }
    if (Date.now() > deadline) throw new Error('the run does not end')
    await pause(50)
  }
}

test('an attacker that signs in finds a weakness, and signs in again when its session dies', async () => {
  const shop = new Shop()
  await shop.start()
  shop.tokenLife = 2 // the look at the start takes one; the test and its repetition the others
  const apiCollectionId = await shop.observe('token-of-alice')
  await call('addAuthMechanism', shop.login)
  const { state, results } = await run({ apiCollectionId })
  expect([state, results.map(({ vulnerable }) => vulnerable)]).toEqual(['COMPLETED', [true]])
  shop.tokenLife = 1
  shop.tokens.clear()
  shop.tokens.set('token-of-alice', 1000)
  const logins = shop.logins
  const again = await run({ apiCollectionId })
  expect(again.results.map(({ vulnerable }) => vulnerable)).toEqual([true])
  expect(shop.logins - logins).toBeGreaterThan(1)
})

test('an attacker that cannot sign in does not prove that an endpoint is secure, and the log says so once', async () => {
  const shop = new Shop()
  await shop.start()
  shop.takesLogins = false
  const loggedBefore = server.logText().length
  const apiCollectionId = await shop.observe('token-of-alice')
  await call('addAuthMechanism', shop.login)
  const { results, runId } = await run({ apiCollectionId, selectedTests: [TEST, 'BOLA_IDENTITY_HEADER'] })
  const [tried] = results.filter(({ testSubType }) => testSubType === TEST)
  expect(tried).toMatchObject({ vulnerable: false })
  expect(tried!.testResults[0]!.validationReason).toContain(
    'could not sign in: step x1 was answered with 401',
  )
  expect(
    server
      .logText()
      .slice(loggedBefore)
      .match(/run\.problem/g),
  ).toHaveLength(1)
  const { testRunLogs } = (await call('fetchTestRunLogs', { testingRunHexId: runId })) as {
    testRunLogs: { log: string; testId: string | null }[]
  }
  const told = testRunLogs.filter(({ log }) => log.includes('could not sign in'))
  expect(told).toHaveLength(1)
  expect(told[0]).toMatchObject({ testId: null })
})

test('stored credentials that the target refuses everywhere are lost, not harmless', async () => {
  const shop = new Shop()
  await shop.start()
  const apiCollectionId = await shop.observe('token-of-alice')
  const value = 'Bearer token-of-nobody'
  const authParamData = [{ where: 'HEADER', key: 'Authorization', value, showHeader: true }]
  await call('addAuthMechanism', { type: 'HardCoded', requestData: null, authParamData })
  const { results } = await run({ apiCollectionId })
  expect(results[0]!.testResults[0]!.validationReason).toContain('are not accepted')
})

test('the role under test replaces the recorded caller, whose token has expired', async () => {
  const shop = new Shop()
  await shop.start()
  const apiCollectionId = await shop.observe('token-of-alice')
  await call('addAuthMechanism', {
    type: 'HardCoded',
    requestData: null,
    authParamData: [
      { where: 'HEADER', key: 'Authorization', value: 'Bearer token-of-eve', showHeader: true },
    ],
  })
  shop.tokens.set('token-of-eve', 1000)
  shop.tokens.delete('token-of-alice')
  const recorded = await run({ apiCollectionId })
  expect(recorded.results.some(({ vulnerable }) => vulnerable)).toBe(false)
  await call('addTestRoles', { roleName: 'CUSTOMER', andConditions: null, orConditions: null })
  const { requestData, authParamData } = shop.login
  await call('addAuthToRole', {
    roleName: 'CUSTOMER',
    apiCond: {},
    authParamData,
    authAutomationType: 'LOGIN_REQUEST',
    reqData: requestData,
  })
  shop.tokenLife = 1000
  shop.asked.length = 0
  const acted = await run({
    apiCollectionId,
    testRoleId: 'CUSTOMER',
    testConfigsAdvancedSettings: [
      { operatorType: 'ADD_HEADER', operationsGroupList: [{ key: 'x-run', value: 'seven', urlsList: [] }] },
      { operatorType: 'DELETE_HEADER', operationsGroupList: [{ key: 'accept', value: null }] },
    ],
  })
  expect(acted.results.some(({ vulnerable, testSubType }) => vulnerable && testSubType === TEST)).toBe(true)
  const tested = shop.asked.filter(({ headers }) => headers['x-vigil-test'] !== undefined)
  expect(tested.length).toBeGreaterThan(2)
  expect(tested.every(({ headers }) => headers['x-run'] === 'seven')).toBe(true)
  expect(tested.some(({ headers }) => headers.accept !== undefined)).toBe(false)
  expect(tested.some(({ headers }) => headers.authorization?.includes('alice'))).toBe(false)
})

test('a run whose role under test cannot sign in fails and says why', async () => {
  const shop = new Shop()
  await shop.start()
  shop.takesLogins = false
  const apiCollectionId = await shop.observe('token-of-alice')
  await call('addTestRoles', { roleName: 'BUYER', andConditions: null, orConditions: null })
  const { requestData, authParamData } = shop.login
  await call('addAuthToRole', {
    roleName: 'BUYER',
    apiCond: {},
    authParamData,
    authAutomationType: 'LOGIN_REQUEST',
    reqData: requestData,
  })
  const { state, error } = await run({ apiCollectionId, testRoleId: 'BUYER' })
  expect([state, error]).toEqual([
    'FAILED',
    'The role BUYER could not sign in: step x1 was answered with 401.',
  ])
})

test('what roles reach is learned before tests ask for it', {
  tags: ['marathon'],
}, async () => {
  // Roles of the other tests would be tried as well.
  await server.close()
  server = await startTestServer()
  const shop = new Shop()
  await shop.start()
  const apiCollectionId = await shop.observe('token-of-alice')
  for (const [roleName, token] of [
    ['ADMIN', 'token-of-alice'],
    ['MEMBER', 'token-of-bob'],
    ['SUPPORT', 'token-of-sue'],
  ]) {
    const orConditions =
      roleName === 'SUPPORT'
        ? { operator: 'OR', predicates: [{ type: 'CONTAINS', value: '/tickets/' }] }
        : null
    await call('addTestRoles', { roleName, andConditions: null, orConditions })
    const value = `Bearer ${token}`
    const authParamData = [{ where: 'HEADER', key: 'Authorization', value, showHeader: true }]
    await call('addAuthToRole', { roleName, authParamData, authAutomationType: 'HARDCODED' })
  }
  shop.forbidden.add('token-of-bob')
  const { results } = await run({ apiCollectionId, selectedTests: ['BFLA_ROLE_MATRIX'] })
  const { rows } = await server.running.app.store.pool.query(
    'SELECT method, role_name, is_reached FROM access_matrix ORDER BY role_name',
  )
  expect(rows).toEqual([
    { method: 'GET', role_name: 'ADMIN', is_reached: true },
    { method: 'GET', role_name: 'MEMBER', is_reached: false },
  ])
  expect(results.map(({ vulnerable }) => vulnerable)).toEqual([false])
})
