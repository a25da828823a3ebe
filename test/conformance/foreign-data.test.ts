import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endRun } from '../../src/app/alerts/end-run.ts'
import { recordFindings } from '../../src/app/alerts/record-findings.ts'
import { createKey, isBuilt } from '../../src/app/index.ts'
import { serveHttp } from '../../src/cli/mcp/serve-http.ts'
import { toolsOf } from '../../src/cli/mcp/tools.ts'
import {
  changesPath,
  crawlIdHeader,
  errorCodeHeader,
  findOperation,
  type OperationName,
  operationNames,
  reachOf,
  routes,
} from '../../src/contract/index.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import { recordResults, SecretMask } from '../../src/testing/records/index.ts'
import {
  joinPerson,
  personOf,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testPassword,
} from '../harness.ts'
import { type Mailbox, startMailbox } from '../mailbox.ts'
import { textOfPdf } from '../pdf-text.ts'
import { type HeardRequest, type Receiver, startReceiver } from '../receiver.ts'
import { ask, messageLines } from '../scenarios/ask.ts'
import { pairOf, startedRun } from '../test-results.ts'
import { allTests, resultsOfRun, wholeCollection } from '../use-vigil.ts'
import { CANARY, HOST, holdsCanary, plantCanaries } from './canaries.ts'
import {
  bodyOfOperation,
  runOrder,
  type Seeded,
  seedInventory,
  seedRun,
  WITHOUT_SECOND_FACTOR,
} from './suitable-requests.ts'

let server: TestServer
let admin: TestPerson
/** Granted one collection, and none. */
let restricted: { member: TestPerson; guest: TestPerson }
let foreign: Seeded
let mine: Seeded
/** Stands in for the member's target, for everybody's chats and for the tracker. */
let outside: Receiver
let mailbox: Mailbox

beforeAll(async () => {
  outside = await startReceiver()
  mailbox = await startMailbox()
  server = await startTestServer({
    'allowed-targets': outside.host,
    'allowed-alert-targets': outside.host,
    'smtp-url': mailbox.url,
    'base-url': 'http://localhost:9090',
  })
  admin = await signUpPerson(server, 'admin@example.org')
  restricted = {
    member: await joinPerson(server, admin, 'member@example.org', 'MEMBER'),
    guest: await joinPerson(server, admin, 'guest@example.org', 'GUEST'),
  }
  foreign = await seedInventory(server, admin)
  await plantCanaries(foreign)
  await grant(restricted.member, [])
  await grant(restricted.guest, [])
  mine = await seedOwn()
}, 240_000)
afterAll(async () => {
  await server.close()
  await outside.close()
  await mailbox.close()
})

async function grant(person: TestPerson, collectionIds: number[]): Promise<void> {
  const { users } = await ask(admin, 'getTeamData')
  const { id } = users.find(({ login }) => login === person.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: collectionIds } })
}

/** What the member has: a collection with the endpoint that bodies speak of, uploads, a run and a crawl. */
async function seedOwn(): Promise<Seeded> {
  const { member } = restricted
  const paths = ['/rest/user', ...Array.from({ length: 12 }, (_, n) => `/rest/basket/${n + 6}`)]
  const requestHeaders = { host: outside.host, authorization: 'Bearer own-token-of-the-member' }
  const taken = await ask(member, 'importTraffic', {
    apiCollectionName: 'mine',
    content: messageLines(
      [...paths, '/rest/search?q=1&url=https://mine.test/a'].map((path) => ({
        path: outside.url + path,
        requestHeaders,
      })),
    ),
  })
  const shop = taken.apiCollectionId
  const started = await member.call('initiateCrawler', {
    hostname: 'https://mine.test',
    crawlingTime: 600,
    collectionName: 'mine',
  })
  return {
    ...foreign,
    shop,
    run: await seedRun(server, shop, `${outside.url}/rest/user`),
    crawlId: started.headers.get(crawlIdHeader) ?? '',
    recordingUploadId: taken.uploadId,
  }
}

/** The same request about what the member was granted. */
function aboutOwn(body: unknown): unknown {
  let text = JSON.stringify(body)
  const pairs: [string | number, string | number][] = [
    [foreign.shop, mine.shop],
    [foreign.run.runId, mine.run.runId],
    [foreign.run.summaryId, mine.run.summaryId],
    [foreign.run.resultId, mine.run.resultId],
    [foreign.crawlId, mine.crawlId],
    [foreign.recordingUploadId, mine.recordingUploadId],
    [HOST, outside.url],
  ]
  for (const [theirs, own] of pairs) text = text.replaceAll(String(theirs), String(own))
  return JSON.parse(
    text.replaceAll('by conformance', 'by the member').replaceAll('invalid/conformance', 'invalid/own'),
  )
}

interface Said {
  readonly status: number
  readonly code: string | null
  readonly text: string
}

async function said(answer: Response): Promise<Said> {
  const headers = JSON.stringify([...answer.headers])
  return {
    status: answer.status,
    code: answer.headers.get(errorCodeHeader),
    text: `${headers} ${await answer.text()}`,
  }
}

async function asAdmin(name: OperationName, body: unknown): Promise<Said> {
  if (!findOperation(name)!.sessionOnly) return said(await server.post(`/api/${name}`, body))
  const answer = await server.post(
    '/auth/login',
    { username: admin.email, password: testPassword },
    { key: null },
  )
  return said(await personOf(server, admin.email, answer).call(name, body))
}

/** A request that is not read proves nothing: every answer is 200 or 403, but for these. */
const OTHER_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  // A document that nobody uploaded, a trial of somebody else, and a login that is played on a host that nobody has.
  fetchOpenApiSchema: ['NO_OPENAPI_SCHEMA'],
  fetchTestingRunPlaygroundStatus: ['PLAYGROUND_NOT_FOUND'],
  fetchRecordedFlowOutput: ['RECORDED_FLOW_FAILED'],
  // Views and rules of somebody else look like none; codes of a device that nobody has are wrong.
  deleteSavedView: ['VIEW_NOT_FOUND'],
  deleteFalsePositive: ['RULE_NOT_FOUND'],
  ...WITHOUT_SECOND_FACTOR,
}
/** Why an administrator is refused a well-formed request: the member has the module, or made the recording first. */
const OF_THE_MEMBER = new Set(['MODULE_OF_ANOTHER', 'NO_RECORDED_FLOW', 'RECORDED_FLOW_FAILED'])

/** What the stream of changes says to a person, until they leave. */
async function overhear(person: TestPerson): Promise<{ heard(): string; leave(): void }> {
  const leaving = new AbortController()
  const answer = await fetch(server.baseUrl + changesPath, {
    headers: { 'access-token': person.accessToken },
    signal: leaving.signal,
  })
  expect(answer.status).toBe(200)
  let text = ''
  const listen = async (): Promise<void> => {
    for await (const chunk of answer.body!) text += Buffer.from(chunk).toString()
  }
  listen().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  await expect.poll(() => text).toContain('event: ready')
  return { heard: () => text, leave: () => leaving.abort() }
}

const ALL_ISSUES = {
  ...{ filterSubCategory: [], activeCollections: false, sortKey: 'severity', sortOrder: -1 },
  ...{ limit: 100, skip: 0, filterStatus: [], startEpoch: 0, endTimeStamp: 0 },
}

/** A target that greets everybody, and two trackers that make tickets. */
function answerOfOutside({ method, path }: HeardRequest): { status: number; body: unknown } {
  if (path.startsWith('/rest/api/2/'))
    return method === 'GET' ? { status: 200, body: { issues: [] } } : { status: 201, body: { key: 'SEC-5' } }
  if (path.startsWith('/repos/'))
    return method === 'GET'
      ? { status: 200, body: [] }
      : { status: 201, body: { number: 17, html_url: `${outside.url}/acme/shop/issues/17` } }
  return { status: 200, body: { ok: true } }
}

async function addChannels(person: TestPerson, path: string, mail: string): Promise<void> {
  const told = {
    selectedWebhookOptions: ['TESTING_RUN_RESULTS', 'NEW_ISSUES', 'NEW_THREATS', 'ACTOR_STATUS'],
    leastSeverity: 'LOW',
  }
  await ask(person, 'addCustomWebhook', { ...told, webhookType: 'DEFAULT', url: outside.url + path })
  await ask(person, 'addCustomWebhook', {
    ...told,
    webhookType: 'MICROSOFT_TEAMS',
    url: `${outside.url}${path}/teams`,
  })
  await ask(person, 'addCustomWebhook', { ...told, webhookType: 'MAIL', url: mail })
}

/** Tests that act as others and ask for what is theirs, and tests that change what was recorded. */
async function testsOfOthersData(): Promise<string[]> {
  const names = await allTests({ call: (name, body) => ask(admin, name as never, body) })
  return names.filter((name) => /^(?:BOLA|BFLA|SQLI_ERROR|CORS|SSRF_METADATA)/.test(name))
}

/** A run over the collection that was not granted ends with findings, and its host is attacked. */
async function endForeignRun(): Promise<void> {
  const { store } = server.running.app
  const run = await startedRun(store, { collectionIds: [foreign.shop], name: CANARY, userLogin: admin.email })
  const found = pairOf({ collectionId: foreign.shop, url: `${HOST}/${CANARY}/two`, explanation: CANARY })
  await recordResults(store, run.summaryId, [found], {
    mask: new SecretMask([]),
    follow: recordFindings,
    seal: (text: string) => text,
  })
  await endRun(store, run.summaryId, { state: 'COMPLETED' })
  await ask(server, 'recordMaliciousEvent', {
    maliciousEvent: {
      ...{ actor: '203.0.113.48', filterId: CANARY, detectedAt: String(nowSeconds()) },
      ...{ latestApiIp: '203.0.113.48', latestApiEndpoint: `/${CANARY}`, latestApiMethod: 'GET' },
      ...{ eventType: 'EVENT_TYPE_SINGLE', category: 'SQLI', severity: 'HIGH', host: `${CANARY}.test` },
      ...{ latestApiCollectionId: String(foreign.shop), latestApiOrig: CANARY },
    },
  })
  await ask(server, 'modifyThreatActorStatus', { actorIp: '203.0.113.48', status: 'watched', reason: CANARY })
}

/** Waits until every message to another system was sent, or tried where nobody listens. */
async function everythingSent(): Promise<void> {
  const { pool } = server.running.app.store
  const untried = async (): Promise<number> => {
    await pool.query('UPDATE outgoing_messages SET next_at = 0 WHERE attempts = 0')
    const { rowCount } = await pool.query(
      `SELECT FROM outgoing_messages WHERE state IN ('WAITING', 'GATHERING') AND (attempts = 0 OR lease_until <> 0)`,
    )
    return rowCount!
  }
  await expect.poll(untried).toBe(0)
}

const isOfAdmin = ({ path }: HeardRequest): boolean => path.startsWith('/of-admin')

/** Every request that left for somebody who was not granted all collections, with its headers. */
function sentToOthers(): string[] {
  return outside.heard.filter((one) => !isOfAdmin(one)).map((one) => JSON.stringify(one))
}

/** What a report of all that a person sees shows. */
async function reportOf(person: TestPerson): Promise<string> {
  const { generatedReportId } = await ask(person, 'generateReportPDF', { reportFilterList: {} })
  const reportId = generatedReportId!
  await expect
    .poll(async () => (await ask(person, 'downloadReportPDF', { reportId })).status)
    .toBe('COMPLETED')
  const { pdf } = await ask(person, 'downloadReportPDF', { reportId })
  return textOfPdf(Buffer.from(pdf!, 'base64'))
}

/** Calls a tool as an agent does, without a session of the protocol. */
async function askTool(address: string, key: string, name: string, args: unknown): Promise<string> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  return answer.text()
}

describe('callers restricted to some collections', () => {
  test('get nothing of it by any path beside the operations, nor by the stream of changes', async () => {
    const { reports } = await ask(server, 'fetchReports', {})
    const paths = routes
      .filter(
        ({ method, audience, path }) =>
          method === 'GET' && audience !== 'refresh cookie' && path !== changesPath,
      )
      .flatMap(({ path }) =>
        path.includes('{id}') ? reports.map(({ reportId }) => path.replace('{id}', reportId)) : [path],
      )
    paths.push('/', '/docs/')
    expect(paths.length).toBeGreaterThan(6)
    const asked = async (path: string, headers: Record<string, string>) =>
      said(await fetch(server.baseUrl + path, { headers, signal: AbortSignal.timeout(30_000) }))
    for (const [who, person] of Object.entries(restricted)) {
      for (const path of paths) {
        const { text } = await asked(path, { 'access-token': person.accessToken })
        expect([who, path, holdsCanary(text)]).toEqual([who, path, false])
      }
    }
    const stream = await overhear(restricted.member)
    const imported = (apiCollectionId: number, path: string) =>
      ask(server, 'importTraffic', { apiCollectionId, content: messageLines([{ path }]) })
    await imported(foreign.shop, `${HOST}/${CANARY}/of-the-stream`)
    await imported(mine.shop, 'https://mine.test/of-the-stream')
    await expect.poll(stream.heard).toContain('event: changed')
    expect(holdsCanary(stream.heard())).toBe(false)
    stream.leave()
    const { status, text } = await asked('/api/blocklist', { 'x-api-key': server.settings.apiKey! })
    expect([status, text.includes('203.0.113.47')]).toEqual([200, false]) // watched, not blocked
  })

  test('get nothing of it by what is sent for them: requests of tests, tickets, alerts, mails and reports', {
    tags: ['marathon'],
    timeout: 240_000,
  }, async () => {
    const { member } = restricted
    outside.answer(answerOfOutside)
    await addChannels(admin, '/of-admin', 'admin-alerts@example.org')
    await addChannels(member, '/of-member', 'member-alerts@example.org')
    for (const trackerType of ['JIRA', 'GITHUB'] as const)
      await ask(admin, 'saveTicketTracker', {
        ...{ trackerType, baseUrl: outside.url, userEmail: '', apiToken: 'token-of-the-tracker' },
      })
    const own = {
      where: 'HEADER',
      key: 'authorization',
      value: 'Bearer role-of-the-member',
      showHeader: true,
    }
    await ask(member, 'addTestRoles', { roleName: 'MEMBER' })
    await ask(member, 'addAuthToRole', {
      ...{ roleName: 'MEMBER', authParamData: [own], authAutomationType: 'HARDCODED' },
    })
    const order = wholeCollection(mine.shop, await testsOfOthersData())
    const results = await resultsOfRun({ call: (name, body) => ask(member, name as never, body) }, {
      ...order,
      testName: 'of the member',
    } as never)
    expect(results.length).toBeGreaterThan(10)
    expect(sentToOthers().filter((text) => text.includes('/rest/')).length).toBeGreaterThan(10)
    expect(sentToOthers().join()).toContain('role-of-the-member')
    await endForeignRun()
    const { issues } = await ask(member, 'fetchAllIssues', ALL_ISSUES)
    expect(issues!.length).toBeGreaterThan(0)
    const ids = issues!.map(({ id }) => id)
    const foreignIds = (await ask(admin, 'fetchAllIssues', ALL_ISSUES)).issues!.map(({ id }) => id)
    for (const projId of ['SEC', 'acme/shop']) {
      await ask(member, 'createJiraIssue', { issueId: ids[0], projId, issueType: 'Bug' })
      const all = { issueIdArray: [...foreignIds, ...ids], projId, issueType: 'Bug' }
      await member.call('bulkCreateJiraTickets', all)
    }
    await everythingSent()
    expect(sentToOthers().some((text) => text.includes('token-of-the-tracker'))).toBe(true)
    expect(sentToOthers().some((text) => text.includes('/of-member'))).toBe(true)
    expect(sentToOthers().filter(holdsCanary)).toEqual([])
    expect(mailbox.mails.some(({ to }) => to === 'member-alerts@example.org')).toBe(true)
    expect(mailbox.mails.filter(({ to, text }) => to.startsWith('member') && holdsCanary(text))).toEqual([])
    // There is something to leak: callers with all collections get it.
    expect(outside.heard.some((one) => isOfAdmin(one) && holdsCanary(one.body))).toBe(true)
    expect(mailbox.mails.some(({ to, text }) => to.startsWith('admin') && holdsCanary(text))).toBe(true)
    expect(holdsCanary(await reportOf(admin))).toBe(true)
    for (const person of Object.values(restricted))
      expect([person.email, holdsCanary(await reportOf(person))]).toEqual([person.email, false])
  })

  test('get nothing of it by the Model Context Protocol', {
    tags: ['marathon'],
    timeout: 240_000,
  }, async () => {
    const { users } = await ask(admin, 'getTeamData')
    const { id } = users.find(({ login }) => login === restricted.member.email)!
    const { key } = await createKey(server.running.app.access, id, 'EXTERNAL_API', 'for an agent')
    const tools = toolsOf({ groups: ['all'], writes: false })
    const served = await serveHttp({ baseUrl: server.baseUrl, tools, maxTokens: 200_000, port: 0 })
    const leaks: string[] = []
    let answered = 0
    for (const { name } of tools) {
      const body = await bodyOfOperation(name as OperationName, foreign)
      for (const args of [body, aboutOwn(body)]) {
        const text = await askTool(served.address, key, name, args)
        if (text.includes('"isError":false') || !text.includes('isError')) answered++
        if (holdsCanary(text)) leaks.push(`${name}: ${text.slice(0, 500)}`)
      }
    }
    served.server.closeAllConnections()
    served.server.close()
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(tools.length / 2)
  })

  test('get nothing of a collection that was not granted, whatever they call', {
    timeout: 560_000,
  }, async () => {
    const leaks: string[] = []
    const malformed: string[] = []
    const destroyed: string[] = []
    const unrefused: string[] = []
    const seenByAdmin: string[] = []
    for (const name of runOrder(operationNames.filter(isBuilt))) {
      const body = await bodyOfOperation(name, foreign)
      const bodies = { foreign: body, own: aboutOwn(body) }
      let isProven = false
      for (const [who, person] of Object.entries(restricted)) {
        for (const [whose, sent] of Object.entries(bodies)) {
          const { status, code, text } = await said(await person.call(name, sent))
          const place = `${name} as ${who}, ${whose}`
          if (holdsCanary(text)) leaks.push(`${place}: ${text.slice(0, 1500)}`)
          const isOther = OTHER_ANSWERS[name]?.includes(code ?? '') === true
          const isRead = status === 200 || status === 403 || isOther
          if (!isRead) malformed.push(`${place}: ${status} ${code} ${text.slice(-200)}`)
          if (status === 200 && whose === 'foreign') isProven = true
          if (reachOf(name) === 'account' && status === 200) unrefused.push(place)
        }
      }
      // The same request of somebody with all collections: it was well-formed, and nothing of what it names is gone.
      if (isProven && findOperation(name)!.access === 'write') continue
      const { status, code, text } = await asAdmin(name, body)
      const isOther = OTHER_ANSWERS[name]?.includes(code ?? '') === true
      const isWellFormed = status === 200 || isOther || OF_THE_MEMBER.has(code ?? '')
      if (holdsCanary(text)) seenByAdmin.push(name)
      if (!isWellFormed) destroyed.push(`${name}: ${status} ${text.slice(-300)}`)
    }
    expect({ leaks, malformed, destroyed, unrefused }).toEqual({
      leaks: [],
      malformed: [],
      destroyed: [],
      unrefused: [],
    })
    await everythingSent()
    expect(sentToOthers().filter(holdsCanary)).toEqual([])
    // The canaries are there to be found: answers to somebody with all collections hold them.
    expect(seenByAdmin.length).toBeGreaterThan(20)
  })
})
