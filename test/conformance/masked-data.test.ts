import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isBuilt } from '../../src/app/index.ts'
import { gatherReport } from '../../src/app/reports/gather-report.ts'
import { findOperation, operationNames } from '../../src/contract/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { ask, messageLines } from '../scenarios/ask.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { templateText } from '../template-text.ts'
import { collectionOf, RUN_ORDER } from '../use-vigil.ts'
import { bodyOfOperation, runOrder, type Seeded, seedInventory } from './suitable-requests.ts'

/** What no answer, alert, ticket or report may show: data of people, and credentials at every place of a request. */
const SECRETS = {
  card: '4111111111111111',
  ssn: '536-90-4399',
  email: 'ann.lee@shop.example',
  encodedEmail: 'ann.lee%40shop.example',
  bearer: 'Zq8w3nLp0Xr5Tk2v9Ym4',
  cookie: 'Kd93mVb27sQp41xTz6Wn',
  queryToken: 'Hf62kPz93nRt58yLq1Vc',
  weakToken: 'opaque-token-value',
  userPassword: 'pass-in-the-address',
  runHeader: 'header-of-the-run-77',
  cardInText: '4012 8888 8888 1881',
  mailInText: 'bob.ray@shop.example',
}
const TARGET = `/rest/user?card=${SECRETS.card}&mail=${SECRETS.encodedEmail}&access_token=${SECRETS.queryToken}&api_key=${SECRETS.weakToken}`
const FILTER = `
id: MaskedCards
filter:
  response_payload: {regex: ["card"]}
info: {category: {name: DATA_LEAK, displayName: Data leak}, subCategory: DATA_LEAK, severity: HIGH}
`
const TEST = templateText({
  info: '  description: Shows cards\n  details: Shows cards\n  impact: Shows cards\n  subCategory: MASKED_CARDS',
  filters: '  response_code: {eq: 200}',
  operations: '      - add_header: {x-probe: "1"}',
  validate: `  response_payload: {contains_either: ["spare"]}`,
}).replace('id: CASE', 'id: MASKED_CARDS')
const ANSWER = `{"card":${SECRETS.card},"spare":"${SECRETS.card}","ssn":"${SECRETS.ssn}","mail":"${SECRETS.email}","access_token":"${SECRETS.weakToken}","error":"declined:\\n${SECRETS.cardInText} of ${SECRETS.mailInText}.\\n${'at pay (/app/pay.js:1:2) '.repeat(20)}"}`

let server: TestServer
let admin: TestPerson
let people: { member: TestPerson; guest: TestPerson }
let chat: Receiver
let target: Server
let seeded: Seeded
let issueId: string

beforeAll(async () => {
  chat = await startReceiver()
  chat.answer(({ method }) =>
    method === 'GET'
      ? { status: 200, body: [] }
      : { status: 201, body: { number: 1, html_url: 'https://git.example/1' } },
  )
  target = createServer((request, response) => {
    const isProbe = request.headers['x-probe'] === '1'
    response.setHeader('content-type', 'application/json').end(isProbe ? ANSWER : '{"ok":true}')
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  server = await startTestServer({ 'allowed-alert-targets': chat.host })
  admin = await signUpPerson(server, 'admin@example.org')
  people = {
    member: await joinPerson(server, admin, 'member@example.org', 'MEMBER'),
    guest: await joinPerson(server, admin, 'guest@example.org', 'GUEST'),
  }
  await ask(server, 'saveFilterYamlTemplate', { content: FILTER })
  await ask(server, 'saveTestEditorFile', { content: TEST, originalTestId: '' })
  for (const selectedWebhookOptions of [['NEW_ISSUES'], ['NEW_THREATS'], ['TESTING_RUN_RESULTS']] as const)
    await ask(admin, 'addCustomWebhook', {
      ...{
        webhookType: 'DEFAULT',
        url: `${chat.url}/${selectedWebhookOptions[0]}`,
        webhookName: selectedWebhookOptions[0],
      },
      ...{ selectedWebhookOptions: [...selectedWebhookOptions] },
    })
  seeded = await seedInventory(server, admin)
  await plant()
}, 240_000)
afterAll(async () => {
  target?.closeAllConnections()
  target?.close()
  await server?.close()
  await chat?.close()
})

const exchange = (host: string, path: string) => ({
  path,
  requestHeaders: {
    host,
    authorization: `Bearer ${SECRETS.bearer}`,
    cookie: `session=${SECRETS.cookie}`,
    'content-type': 'application/json',
  },
  method: 'POST',
  requestPayload: `{"card":"${SECRETS.card}","client_secret":"${SECRETS.weakToken}"}`,
  responseHeaders: { 'content-type': 'application/json', 'set-cookie': `session=${SECRETS.cookie}; Path=/` },
  responsePayload: ANSWER,
})

/** Puts the secrets wherever traffic, a run, a crawl and another detector bring them. */
async function plant(): Promise<void> {
  const { shop, crawlId } = seeded
  await ask(server, 'importTraffic', {
    apiCollectionId: shop,
    content: messageLines([
      { ...exchange('shop.test', `https://shop.test${TARGET}`), method: 'GET' },
      exchange('shop.test', `https://shop.test/people/${SECRETS.email}/cards/${SECRETS.card}`),
    ]),
  })
  await ask(server, 'initiateCrawler', {
    hostname: `https://shop.test${TARGET}`,
    crawlingTime: 600,
    applicationPages: `https://shop.test${TARGET}`,
  })
  const address = `https://bob:${SECRETS.userPassword}@shop.test${TARGET}`
  await ask(server, 'saveCrawlerUrl', { crawlId, url: address, accepted: true, sourceUrl: `${address}&n=1` })
  await ask(server, 'insertDastLog', { crawlId, log: { log: `Loaded ${address}` } })
  await ask(server, 'uploadCrawlerGraph', {
    crawlId,
    steps: [
      {
        from: 'a',
        to: 'b',
        fromUrl: address,
        toUrl: `${address}&n=2`,
        action: 'click',
        xpath: '',
        text: 'Go',
        calls: [`GET ${address}`],
      },
    ],
  })
  await ask(server, 'recordMaliciousEvent', {
    maliciousEvent: {
      ...{ actor: '203.0.113.9', filterId: 'MaskedCards', detectedAt: String(Math.floor(Date.now() / 1000)) },
      ...{ latestApiIp: '203.0.113.9', latestApiEndpoint: TARGET, latestApiMethod: 'GET' },
      ...{ eventType: 'EVENT_TYPE_SINGLE', category: 'DATA_LEAK', severity: 'HIGH', host: 'shop.test' },
      ...{ latestApiCollectionId: String(shop), latestApiOrig: `GET ${TARGET}` },
    },
  })
  seeded = { ...seeded, run: await testedRun() }
}

/** A run on the live target whose attack makes it answer with the secrets. */
async function testedRun(): Promise<Seeded['run']> {
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  const batchData = [
    {
      ...exchange(host, TARGET),
      method: 'GET',
      statusCode: 200,
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    },
  ]
  await ask(server, 'ingestData', { batchData })
  const started = await ask(server, 'startTest', {
    ...RUN_ORDER,
    testName: 'masked',
    apiCollectionId: await collectionOf(vigilOf(server), host),
    selectedTests: ['MASKED_CARDS'],
    testConfigsAdvancedSettings: [
      { operatorType: 'ADD_HEADER', operationsGroupList: [{ key: 'x-env-key', value: SECRETS.runHeader }] },
    ],
  })
  const summaryId = started.testingRunResultSummaryHexId!
  await vi.waitFor(
    async () =>
      expect(
        await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId }),
      ).toMatchObject({
        state: 'COMPLETED',
      }),
    { timeout: 60_000, interval: 200 },
  )
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    ...{ testingRunResultSummaryHexId: summaryId, queryMode: 'VULNERABLE', sortKey: 'time', sortOrder: 1 },
    ...{ limit: 10, skip: 0, queryValue: '' },
  })
  expect(testingRunResults).toHaveLength(1)
  const { issues } = await ask(server, 'fetchAllIssues', {
    ...{ filterSubCategory: ['MASKED_CARDS'], activeCollections: false, sortKey: 'severity', sortOrder: -1 },
    ...{ limit: 10, skip: 0, filterStatus: [], startEpoch: 0, endTimeStamp: 0 },
  })
  issueId = issues![0]!.id as never
  return { runId: started.testingRunHexId!, summaryId, resultId: testingRunResults![0]!.hexId }
}

const encoded = Object.entries(SECRETS).flatMap(([name, secret]) => [
  [name, secret.toLowerCase()] as const,
  [`${name} in Base64`, Buffer.from(secret).toString('base64').slice(0, 14).toLowerCase()] as const,
])

/** Names of the secrets that a text holds, each with what stands before it. */
function found(text: string): string[] {
  const lower = text.toLowerCase()
  return encoded.flatMap(([name, form]) => {
    const at = lower.indexOf(form)
    return at < 0 ? [] : [`${name} in ${text.slice(Math.max(0, at - 100), at)}`]
  })
}

describe('data of people and credentials that were recorded', () => {
  test('are not in any alert, ticket or report', async () => {
    const tracker = { baseUrl: chat.url, userEmail: '', apiToken: 'token-of-the-tracker' }
    await ask(admin, 'saveTicketTracker', { trackerType: 'GITHUB', ...tracker })
    await ask(admin, 'createJiraIssue', { issueId, projId: 'acme/shop', issueType: '' } as never)
    const { app } = server.running
    // Events are gathered for a while before they are told.
    await app.store.pool.query('UPDATE outgoing_messages SET next_at = 0')
    app.notifier.wake()
    const told = (path: string) => chat.heard.filter((one) => one.path.startsWith(path))
    await vi.waitFor(
      () => {
        for (const path of ['/NEW_ISSUES', '/NEW_THREATS', '/TESTING_RUN_RESULTS'])
          expect(told(path), `${path} of ${chat.heard.map((one) => one.path)}`).not.toEqual([])
        expect(chat.heard.some(({ method, path }) => method === 'POST' && path.includes('/issues'))).toBe(
          true,
        )
      },
      { timeout: 30_000 },
    )
    expect(found(JSON.stringify(chat.heard.map(({ path, body }) => path + body)))).toEqual([])
    const filters = { testingRunResultSummaryId: [seeded.run.summaryId] }
    for (const reportFilterList of [filters, {}]) {
      const definition = {
        filters: reportFilterList,
        issueKeys: null,
        visible: null,
        userLogin: 'admin@example.org',
      }
      const content = JSON.stringify(await gatherReport({ ...app } as never, definition as never))
      expect(content).toContain('MASKED_CARDS')
      expect(found(content)).toEqual([])
    }
  })

  test('are not in any answer to callers who did not ask to see them', { timeout: 400_000 }, async () => {
    const leaks: string[] = []
    let answered = 0
    for (const name of runOrder(operationNames.filter(isBuilt))) {
      const body = await bodyOfOperation(name, seeded)
      for (const [who, person] of Object.entries(people)) {
        if (who === 'guest' && findOperation(name)!.role !== 'GUEST') continue
        const answer = await person.call(name, body)
        if (answer.status === 200) answered++
        const text = `${JSON.stringify([...answer.headers])} ${await answer.text()}`
        leaks.push(...found(text).map((leak) => `${name} as ${who}: ${leak}`))
      }
    }
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(150)
  })
})
