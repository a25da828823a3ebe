import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBuilt } from '../../src/app/index.ts'
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
import { newHexId, nowSeconds } from '../../src/kit/index.ts'
import {
  joinPerson,
  personOf,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testPassword,
} from '../harness.ts'
import { ask, messageLines } from '../scenarios/ask.ts'
import { exchangeOf, pairOf, report, startedRun } from '../test-results.ts'
import {
  bodyOfOperation,
  runOrder,
  type Seeded,
  seedInventory,
  seedRun,
  WITHOUT_SECOND_FACTOR,
} from './suitable-requests.ts'

/** Stands in every place of a collection that was not granted where something can stand. */
const CANARY = 'canary4711'
const SECRET = `Bearer ${CANARY}-secret`
const HOST = 'https://shop.test'

let server: TestServer
let admin: TestPerson
/** Granted one collection, and none. */
let restricted: { member: TestPerson; guest: TestPerson }
let foreign: Seeded
let mine: Seeded

beforeAll(async () => {
  server = await startTestServer()
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
afterAll(() => server.close())

async function grant(person: TestPerson, collectionIds: number[]): Promise<void> {
  const { users } = await ask(admin, 'getTeamData')
  const { id } = users.find(({ login }) => login === person.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: collectionIds } })
}

/** What the member has: a collection with the endpoint that bodies speak of, uploads, a run and a crawl. */
async function seedOwn(): Promise<Seeded> {
  const { member } = restricted
  const paths = ['/rest/user', ...Array.from({ length: 12 }, (_, n) => `/rest/basket/${n + 6}`)]
  const taken = await ask(member, 'importTraffic', {
    apiCollectionName: 'mine',
    content: messageLines(paths.map((path) => ({ path: HOST + path }))),
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
    run: await seedRun(server, shop),
    crawlId: started.headers.get(crawlIdHeader) ?? '',
    recordingUploadId: taken.uploadId,
  }
}

/** Puts the canary wherever a collection, or something about it, can hold a text. */
async function plantCanaries({ shop, crawlId, run }: Seeded): Promise<void> {
  const { store } = server.running.app
  await ask(server, 'importTraffic', {
    apiCollectionId: shop,
    fileName: `${CANARY}.har`,
    content: messageLines(
      ['/rest/user', `/${CANARY}/one`, `/${CANARY}/two`].map((path) => ({
        path: HOST + path,
        requestHeaders: { host: 'shop.test', authorization: SECRET, 'x-key': CANARY },
        requestPayload: `{"password":"${CANARY}"}`,
        responsePayload: `{"token":"${CANARY}","email":"${CANARY}@shop.test"}`,
      })),
    ),
  })
  await ask(server, 'saveCollectionDescription', { apiCollectionId: shop, description: CANARY })
  await ask(server, 'addApisToCustomCollection', {
    collectionName: `group ${CANARY}`,
    apiList: [{ apiCollectionId: shop, method: 'GET', url: `${HOST}/rest/user` }],
  })
  const other = await startedRun(store, { collectionIds: [shop], name: CANARY, metadata: { branch: CANARY } })
  const url = `${HOST}/${CANARY}/one`
  await report(store, other.summaryId, [
    pairOf({
      collectionId: shop,
      url,
      explanation: CANARY,
      baseline: exchangeOf(url, 200, CANARY),
    }),
    pairOf({ collectionId: shop, url: `${HOST}/rest/user`, testId: 'CANARY_TEST', explanation: CANARY }),
  ])
  const { issues } = await ask(server, 'fetchAllIssues', {
    ...{ filterSubCategory: [], activeCollections: false, sortKey: 'severity', sortOrder: -1 },
    ...{ limit: 100, skip: 0, filterStatus: [], startEpoch: 0, endTimeStamp: 0 },
  })
  for (const { id } of issues!)
    await ask(server, 'updateIssueDescription', { issueId: id, description: CANARY })
  await ask(server, 'saveCrawlerUrl', {
    crawlId,
    url: `${HOST}/${CANARY}`,
    accepted: true,
    sourceUrl: CANARY,
  })
  await ask(server, 'insertDastLog', { crawlId, log: { log: CANARY } })
  await ask(server, 'uploadCrawlerGraph', {
    crawlId,
    steps: [
      {
        from: 'a',
        to: 'b',
        fromUrl: CANARY,
        toUrl: CANARY,
        action: 'click',
        xpath: '',
        text: CANARY,
        calls: [],
      },
    ],
  })
  await ask(server, 'saveCrawlMemory', { crawlId, memory: JSON.stringify({ seen: CANARY }) })
  await ask(server, 'initiateCrawler', {
    hostname: `https://${CANARY}.test`,
    crawlingTime: 600,
    username: CANARY,
    password: CANARY,
  })
  for (const apiCollectionId of [String(shop), '0'])
    await ask(server, 'recordMaliciousEvent', {
      maliciousEvent: {
        ...{ actor: '203.0.113.47', filterId: CANARY, detectedAt: String(nowSeconds()) },
        ...{ latestApiIp: '203.0.113.47', latestApiEndpoint: `/${CANARY}`, latestApiMethod: 'GET' },
        ...{ eventType: 'EVENT_TYPE_SINGLE', category: 'SQLI', severity: 'HIGH', host: `${CANARY}.test` },
        ...{ latestApiCollectionId: apiCollectionId, latestApiOrig: CANARY },
      },
    })
  await ask(server, 'modifyThreatActorStatus', { actorIp: '203.0.113.47', status: 'watched', reason: CANARY })
  await ask(server, 'addThreatSuppression', { apiCollectionId: shop, url: `/${CANARY}`, reason: CANARY })
  const auth = [{ where: 'HEADER', key: 'Authorization', value: SECRET, showHeader: true }]
  await ask(server, 'addTestRoles', { roleName: CANARY })
  await ask(server, 'addAuthToRole', {
    roleName: CANARY,
    authParamData: auth,
    authAutomationType: 'HARDCODED',
  })
  await ask(server, 'addAuthMechanism', { type: 'HardCoded', authParamData: auth })
  const webhook = { webhookType: 'DEFAULT', headers: { 'x-key': CANARY }, signingKey: CANARY }
  await ask(server, 'addCustomWebhook', {
    ...webhook,
    url: `https://alerts.invalid/${CANARY}`,
    webhookName: CANARY,
  })
  await ask(server, 'addSlackWebhook', { webhookUrl: `https://chat.invalid/${CANARY}`, webhookName: CANARY })
  await ask(server, 'generateReportPDF', { reportFilterList: { apiCollectionId: [shop] } })
  await store.pool.query(
    `INSERT INTO login_pictures (role_name, flow_id, position, picture, taken_at) VALUES ($1, $2, 0, $3, $4)`,
    [CANARY, newHexId(), Buffer.from(CANARY), nowSeconds()],
  )
  expect(run.resultId).not.toBe('')
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

const encoded = [
  CANARY,
  Buffer.from(CANARY).toString('base64').slice(0, 12),
  Buffer.from(CANARY).toString('hex'),
]

function holdsCanary(text: string): boolean {
  const lower = text.toLowerCase()
  return encoded.some((form) => lower.includes(form.toLowerCase()))
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

describe('callers restricted to some collections', () => {
  test('get nothing of it by any path beside the operations, nor by the stream of changes', {
    timeout: 120_000,
  }, async () => {
    const { reports } = await ask(server, 'fetchReports', {})
    const paths = routes
      .filter(
        ({ method, audience, path }) =>
          method === 'GET' && audience === 'key or session' && path !== changesPath,
      )
      .flatMap(({ path }) =>
        path.includes('{id}') ? reports.map(({ reportId }) => path.replace('{id}', reportId)) : [path],
      )
    expect(paths.length).toBeGreaterThan(3)
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
    await expect.poll(stream.heard, { timeout: 20_000 }).toContain('event: changed')
    expect(holdsCanary(stream.heard())).toBe(false)
    stream.leave()
    const { status, text } = await asked('/api/blocklist', { 'x-api-key': server.settings.apiKey! })
    expect([status, text.includes('203.0.113.47')]).toEqual([200, false]) // watched, not blocked
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
    // The canaries are there to be found: answers to somebody with all collections hold them.
    expect(seenByAdmin.length).toBeGreaterThan(20)
  })
})
