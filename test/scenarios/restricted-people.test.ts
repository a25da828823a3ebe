import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { nowSeconds } from '../../src/kit/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { until } from '../until.ts'
import { collectionOf, wholeCollection } from '../use-vigil.ts'
import { ask, message, messageLines, refusal } from './ask.ts'

const CANARY = 'canary4711-secret'
const ATTACKER = '203.0.113.77'
/** Counts logins of one client, wherever they go. */
const COUNTING = `
id: CountedLogins
filter:
  url: {regex: ["/login"]}
info: {category: {name: BRUTE, displayName: Brute force}, subCategory: BRUTE, severity: HIGH}
aggregation_rules:
  - rule: {name: three, condition: {matchCount: 3, windowThreshold: 5}}
`

let server: TestServer
let admin: TestPerson
let member: TestPerson
let memberId: number
/** The target that both know, and a host of the member's alone. */
let target: Receiver
let elsewhere: Receiver
let mine: number
let foreign: number

beforeAll(async () => {
  target = await startReceiver()
  elsewhere = await startReceiver()
  server = await startTestServer({
    'allowed-targets': `${target.host},${elsewhere.host}`,
    'allowed-alert-targets': elsewhere.host,
  })
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  memberId = (await ask(admin, 'getTeamData')).users.find(({ login }) => login === member.email)!.id
  await ask(server, 'saveFilterYamlTemplate', { content: COUNTING })
  mine = await filled('mine', `${target.url}/mine`)
  foreign = await filled('vault', 'https://vault.test/account')
  await grant([mine])
}, 240_000)
afterAll(async () => {
  await server.close()
  await target.close()
  await elsewhere.close()
})
beforeEach(() => {
  target.heard.length = 0
  elsewhere.heard.length = 0
})

async function filled(apiCollectionName: string, path: string): Promise<number> {
  const requestHeaders = { host: new URL(path).host, authorization: 'Bearer recorded' }
  const content = messageLines([message({ path, requestHeaders })])
  return (await ask(server, 'importTraffic', { apiCollectionName, content })).apiCollectionId
}

async function grant(collectionIds: number[]): Promise<void> {
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [memberId]: collectionIds } })
}

const ended = (testingRunSummaryId: string) =>
  until('the end of the run', () => ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId }), {
    isRight: ({ state }) => state === 'COMPLETED' || state === 'FAILED',
  })

test('a run of somebody else is sent nowhere else, and tests nothing else, by restricted people', {
  timeout: 240_000,
}, async () => {
  await ask(admin, 'addTestRoles', { roleName: 'VAULT_USER' })
  const authParamData = [
    { where: 'HEADER', key: 'authorization', value: `Bearer ${CANARY}`, showHeader: true },
  ]
  await ask(admin, 'addAuthToRole', {
    roleName: 'VAULT_USER',
    authParamData,
    authAutomationType: 'HARDCODED',
  })
  const { testRoles } = await ask(admin, 'fetchTestRoles')
  const run = (await ask(admin, 'startTest', {
    ...wholeCollection(mine, ['CORS_ORIGIN_REFLECTED']),
    testName: 'of the administrator',
    testRoleId: testRoles!.find(({ name }) => name === 'VAULT_USER')!.hexId,
  } as never)) as { testingRunHexId: string; testingRunResultSummaryHexId: string }
  const { testingRunHexId } = run
  await ended(run.testingRunResultSummaryHexId)
  expect(JSON.stringify(target.heard)).toContain(CANARY)
  const { testingRun } = await ask(member, 'fetchTestingRunResultSummaries', {
    testingRunHexId,
    startTimestamp: 0,
    endTimestamp: 0,
  } as never)
  const testingRunConfigId = testingRun!.testIdConfig
  const changes = [
    ['startTest', { testingRunHexId, overriddenTestAppUrl: elsewhere.url }],
    ['startTest', { testingRunHexId, selectedTests: ['SQLI_ERROR_QUERY'] }],
    [
      'modifyTestingRunConfig',
      { testingRunConfigId, editableTestingRunConfig: { overriddenTestAppUrl: elsewhere.url } },
    ],
  ] as const
  for (const [operation, body] of changes) {
    const [status, sentence] = await refusal(member, operation, body)
    expect([operation, status, sentence]).toEqual([
      operation,
      403,
      expect.stringContaining('started this run'),
    ])
  }
  const again = await ask(member, 'startTest', { testingRunHexId } as never)
  await ended(again.testingRunResultSummaryHexId!)
  expect(elsewhere.heard, 'the member may run it again as it is').toEqual([])
  const redirected = await ask(admin, 'startTest', changes[0][1] as never)
  await ended(redirected.testingRunResultSummaryHexId!)
  expect(JSON.stringify(elsewhere.heard), 'its owner may send it elsewhere').toContain(CANARY)
})

const login = (host: string, at: number) => ({
  ...message({ path: '/login', method: 'POST', ip: ATTACKER, time: nowSeconds() + at }),
  requestHeaders: { host, 'content-type': 'application/json' },
  requestPayload: JSON.stringify({ note: `${host}-${CANARY}` }),
  statusCode: 200,
})

test('an event shows those of its messages that belong to granted collections', async () => {
  for (const [at, host] of ['hidden.test', 'hidden.test', 'shown.test'].entries())
    await ask(server, 'ingestData', { batchData: [login(host, at - 3)] } as never)
  const shown = await collectionOf({ call: (name, body) => ask(server, name as never, body) }, 'shown.test')
  await grant([mine, shown])
  const { maliciousEvents } = await ask(member, 'fetchSuspectSampleData', { ips: [ATTACKER] } as never)
  expect(maliciousEvents).toMatchObject([{ eventType: 'AGGREGATED', apiCollectionId: shown }])
  const { refId, actor, filterId } = maliciousEvents![0]!
  for (const body of [{ refId }, { actor, filterId }, { refId, eventType: 'AGGREGATED', actor, filterId }]) {
    const behind = async (person: TestPerson) => {
      const answer = await ask(person, 'fetchAggregateMaliciousRequests', body as never)
      return answer.maliciousPayloadsResponses!.map(({ orig }) => orig)
    }
    expect((await behind(admin)).join()).toContain('hidden.test')
    expect(await behind(member)).toEqual([expect.stringContaining('shown.test')])
  }
})

test('the history of an actor tells restricted people what was set, and not why', async () => {
  await ask(admin, 'modifyThreatActorStatus', { actorIp: ATTACKER, status: 'blocked', reason: CANARY })
  const history = async (person: TestPerson) =>
    (await ask(person, 'fetchThreatActorHistory', { actor: ATTACKER })).statusChanges
  expect(await history(admin)).toMatchObject([{ toStatus: 'blocked', reason: CANARY }])
  expect(await history(member)).toMatchObject([{ toStatus: 'blocked', reason: '' }])
})

test('issues and roles name no collections that were not granted', async () => {
  const { apiCollections } = await ask(admin, 'addApisToCustomCollection', {
    collectionName: 'hidden group',
    apiList: [{ apiCollectionId: mine, method: 'GET', url: `${target.url}/mine` }],
  })
  const group = apiCollections![0]!.id
  const { summaryId } = await startedRun(server.running.app.store, { collectionIds: [mine] })
  await report(server.running.app.store, summaryId, [
    pairOf({ collectionId: mine, url: `${target.url}/mine`, testId: 'ONE' }),
  ])
  await ask(admin, 'shareTestRole', { roleName: 'VAULT_USER', apiCollectionIds: [mine, foreign] })
  const filters = {
    ...{ filterSubCategory: ['ONE'], activeCollections: false, sortKey: 'severity', sortOrder: -1 },
    ...{ limit: 10, skip: 0, filterStatus: [], startEpoch: 0, endTimeStamp: 0 },
  }
  const told = async (person: TestPerson) => ({
    issues: (await ask(person, 'fetchAllIssues', filters as never)).issues!.map((one) => one.collectionIds),
    groups: (await ask(person, 'fetchIssueGroups', filters as never)).issueGroups!.map(
      ({ issue }) => issue.collectionIds,
    ),
    roles: (await ask(person, 'fetchTestRoles')).testRoles!.find(({ name }) => name === 'VAULT_USER')!
      .apiCollectionIds,
  })
  const all = [[mine, group].sort((a, b) => a - b)]
  expect(await told(admin)).toEqual({ issues: all, groups: all, roles: [mine, foreign] })
  expect(await told(member)).toEqual({ issues: [[mine]], groups: [[mine]], roles: [mine] })
})

test('channels of others are not told of, not even that there are any', async () => {
  await ask(admin, 'addCustomWebhook', {
    webhookType: 'DEFAULT',
    url: `${elsewhere.url}/hook`,
    selectedWebhookOptions: ['NEW_THREATS'],
  } as never)
  const present = async (person: TestPerson) =>
    (await ask(person, 'checkWebhook', { webhookType: 'DEFAULT' })).webhookPresent
  expect([await present(admin), await present(member)]).toEqual([true, false])
})
