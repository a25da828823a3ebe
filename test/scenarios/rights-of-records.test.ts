import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endRun } from '../../src/app/alerts/end-run.ts'
import { recordFindings } from '../../src/app/alerts/record-findings.ts'
import { createKey } from '../../src/app/index.ts'
import { crawlIdHeader, operations } from '../../src/contract/index.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import { recordResults, SecretMask } from '../../src/testing/records/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { pairOf, startedRun } from '../test-results.ts'
import { ask, message, messageLines, refusal } from './ask.ts'

const CANARY = 'canary4711-secret'
const FOREIGN = 'https://vault.test/account'

let server: TestServer
let admin: TestPerson
let member: TestPerson
let memberId: number
/** Stands in for the member's target and for everybody's chat. */
let outside: Receiver
let foreign: number
let mine: number

beforeAll(async () => {
  outside = await startReceiver()
  server = await startTestServer({
    'allowed-alert-targets': outside.host,
    'allowed-targets': outside.host,
  })
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  const { users } = await ask(admin, 'getTeamData')
  memberId = users.find(({ login }) => login === member.email)!.id
  foreign = await filled('vault', [
    { path: FOREIGN, requestHeaders: { host: 'vault.test', authorization: `Bearer ${CANARY}` } },
  ])
  mine = await filled('mine', [
    { path: `${outside.url}/mine`, requestHeaders: { host: outside.host, authorization: 'Bearer own' } },
  ])
}, 240_000)
afterAll(async () => {
  await server.close()
  await outside.close()
})
beforeEach(() => {
  outside.heard.length = 0
})

async function filled(apiCollectionName: string, messages: Record<string, unknown>[]): Promise<number> {
  const content = messageLines(messages.map((one) => message(one)))
  return (await ask(server, 'importTraffic', { apiCollectionName, content })).apiCollectionId
}

async function grant(collectionIds: number[]): Promise<void> {
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [memberId]: collectionIds } })
}

const fromSample = {
  authAutomationType: 'SAMPLE_DATA',
  authParamData: [
    { where: 'HEADER', key: 'authorization', value: '${x1.request.headers.authorization}', showHeader: true },
  ],
}
const sampleOfForeign = () => [{ apiCollectionId: foreign, method: 'GET', url: FOREIGN }]

/** Tries a test on the member's own endpoint that acts as a role. */
async function tryAs(role: string) {
  const content = String(operations.saveTestEditorFile.example.request['content']).replace(
    'replace_auth_header: true',
    `modify_header: { '\${roles_access_context.${role}}': 1 }`,
  )
  return ask(member, 'runTestForGivenTemplate', {
    content,
    apiInfoKey: { apiCollectionId: mine, method: 'GET', url: `${outside.url}/mine` },
    sampleDataList: [],
  })
}

const sent = () => JSON.stringify(outside.heard)

test('a credential cannot take samples of a collection that was not granted', async () => {
  await grant([mine])
  await ask(member, 'addTestRoles', { roleName: 'OWN' })
  const credential = { roleName: 'OWN', ...fromSample, reqData: sampleOfForeign() }
  for (const [name, body] of [
    ['addAuthToRole', credential],
    [
      'addAuthToRole',
      { ...credential, reqData: [{ ...sampleOfForeign()[0], apiCollectionId: String(foreign) }] },
    ],
    ['updateAuthInRole', { ...credential, index: 0 }],
    ['addAuthMechanism', { type: 'SAMPLE_DATA', requestData: sampleOfForeign(), authParamData: [] }],
  ] as const)
    expect((await refusal(member, name, body))[0]).toBe(403)
})

test('a credential acts with what its author and its user may see when it is used', {
  timeout: 240_000,
}, async () => {
  await grant([mine, foreign])
  await ask(member, 'addTestRoles', { roleName: 'BOTH' })
  await ask(member, 'addAuthToRole', { roleName: 'BOTH', ...fromSample, reqData: sampleOfForeign() })
  await tryAs('BOTH')
  expect(sent()).toContain(CANARY)
  outside.heard.length = 0
  await grant([mine])
  const trial = await tryAs('BOTH')
  expect(JSON.stringify(trial)).not.toContain(CANARY)
  expect(sent()).not.toContain(CANARY)
})

test('a role of others is used by restricted people only once it is shared with a collection of theirs', {
  timeout: 240_000,
}, async () => {
  await grant([mine])
  await ask(admin, 'addTestRoles', { roleName: 'SHOP_USER' })
  const authParamData = [
    { where: 'HEADER', key: 'authorization', value: `Bearer ${CANARY}`, showHeader: true },
  ]
  await ask(admin, 'addAuthToRole', { roleName: 'SHOP_USER', authParamData, authAutomationType: 'HARDCODED' })
  const names = async () => (await ask(member, 'fetchTestRoles')).testRoles!.map(({ name }) => name)
  expect(await names()).not.toContain('SHOP_USER')
  await tryAs('SHOP_USER')
  expect(sent()).not.toContain(CANARY)
  expect((await refusal(member, 'deleteTestRole', { roleName: 'SHOP_USER' }))[0]).toBe(403)
  await ask(admin, 'shareTestRole', { roleName: 'SHOP_USER', apiCollectionIds: [mine] })
  expect(await names()).toContain('SHOP_USER')
  await tryAs('SHOP_USER')
  expect(sent()).toContain(CANARY)
  expect((await refusal(member, 'deleteTestRole', { roleName: 'SHOP_USER' }))[0]).toBe(403)
})

test('a crawl signs in with what the person who started it may use, and its job goes to the key of its module', async () => {
  await grant([mine, foreign])
  const { testRoles } = await ask(member, 'fetchTestRoles')
  const role = testRoles!.find(({ name }) => name === 'BOTH')!
  const { access } = server.running.app
  const { key } = await createKey(access, memberId, 'EXTERNAL_API', 'module')
  const other = await createKey(access, memberId, 'EXTERNAL_API', 'other')
  const beat = (with_: string) =>
    server.post(
      '/api/updateModuleInfoForHeartbeat',
      { moduleInfo: { id: 'lab-1', moduleType: 'DAST', name: 'lab', startedTs: nowSeconds() } },
      { key: with_ },
    )
  expect((await beat(key)).status).toBe(200)
  expect((await beat(other.key)).status).toBe(403)
  const started = await member.call('initiateCrawler', {
    hostname: outside.url,
    crawlingTime: 600,
    collectionName: 'mine',
    selectedModuleName: 'lab',
    testRoleHexId: role.hexId,
    customHeaders: { 'x-key': CANARY },
  })
  const crawlId = started.headers.get(crawlIdHeader)!
  await grant([mine])
  for (const stranger of [other.key, undefined]) {
    const answer = await server.post(
      '/api/fetchPendingDastJobs',
      { moduleName: 'lab' },
      stranger === undefined ? {} : { key: stranger },
    )
    expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining(CANARY)])
  }
  const answer = await server.post('/api/fetchPendingDastJobs', { moduleName: 'lab' }, { key })
  const [job] = (await answer.json()) as { crawlId: string; roleHeaders: object; customHeaders: object }[]
  expect(job).toMatchObject({ crawlId, roleHeaders: {}, customHeaders: { 'x-key': CANARY } })
})

test('channels are notified of what their owners may see', { timeout: 240_000 }, async () => {
  await grant([mine])
  const options = ['TESTING_RUN_RESULTS', 'NEW_ISSUES', 'NEW_THREATS', 'ACTOR_STATUS']
  for (const [person, path] of [
    [admin, 'all'],
    [member, 'restricted'],
  ] as const)
    await ask(person, 'addCustomWebhook', {
      webhookType: 'DEFAULT',
      url: `${outside.url}/${path}`,
      selectedWebhookOptions: options,
      leastSeverity: 'LOW',
    })
  const { store } = server.running.app
  for (const [collectionId, name] of [
    [foreign, CANARY],
    [mine, 'own run'],
  ] as const) {
    const run = await startedRun(store, { collectionIds: [collectionId], name, userLogin: admin.email })
    const url = collectionId === foreign ? FOREIGN : `${outside.url}/mine`
    await recordResults(store, run.summaryId, [pairOf({ collectionId, url })], {
      mask: new SecretMask([]),
      follow: recordFindings,
      seal: (text: string) => text,
    })
    await endRun(store, run.summaryId, { state: 'COMPLETED' })
  }
  await ask(server, 'recordMaliciousEvent', {
    maliciousEvent: {
      ...(operations.recordMaliciousEvent.example.request['maliciousEvent'] as object),
      ...{ detectedAt: String(nowSeconds()), latestApiCollectionId: String(foreign), host: CANARY },
    },
  })
  await ask(server, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'watched', reason: CANARY })
  await store.pool.query(`UPDATE outgoing_messages SET next_at = 0`)
  const told = (path: string) =>
    outside.heard.filter((one) => one.path === `/${path}`).map(({ body }) => body)
  await expect.poll(() => told('all').length).toBe(6)
  await expect.poll(() => told('restricted').length).toBe(2)
  // A message counts as sent a moment after its receiver has it.
  const waiting = async (): Promise<number> => {
    const { rowCount } = await store.pool.query(
      `SELECT FROM outgoing_messages WHERE state IN ('WAITING', 'GATHERING')`,
    )
    return rowCount!
  }
  await expect.poll(waiting).toBe(0)
  expect(told('all').join()).toContain(CANARY)
  expect(told('restricted').join()).not.toMatch(/canary|vault/)
  expect(told('restricted').join()).toContain('own run')
  const deliveries = async (person: TestPerson) => (await ask(person, 'fetchDeliveries')).deliveries.length
  expect([await deliveries(admin), await deliveries(member)]).toEqual([8, 2])
})
