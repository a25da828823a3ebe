import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endRun } from '../../src/app/alerts/end-run.ts'
import { recordFindings } from '../../src/app/alerts/record-findings.ts'
import type { NewRun } from '../../src/testing/records/index.ts'
import { createRun, recordResults, SecretMask, stopRun } from '../../src/testing/records/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { pairOf, runOf, startedRun } from '../test-results.ts'
import { ask, messageLines, refusal } from './ask.ts'

const HOST = 'https://shop.test'
let server: TestServer
let admin: TestPerson
let guest: TestPerson
let chat: Receiver
let shop: number
let path = 0

beforeAll(async () => {
  chat = await startReceiver()
  server = await startTestServer({ 'allowed-alert-targets': chat.host })
  admin = await signUpPerson(server, 'admin@example.org')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
  const paths = Array.from({ length: 60 }, (_none, at) => `${HOST}/rest/p${at}x`)
  const taken = await ask(server, 'importTraffic', {
    apiCollectionName: 'shop',
    content: messageLines(paths.map((one) => ({ path: one }))),
  })
  shop = taken.apiCollectionId
})
afterAll(async () => {
  await server.close()
  await chat.close()
})
beforeEach(async () => {
  const { customWebhooks } = await ask(admin, 'fetchCustomWebhooks')
  for (const { id } of customWebhooks) await ask(admin, 'deleteCustomWebhook', { id })
  chat.heard.length = 0
  chat.answer(() => ({ status: 200 }))
})

const store = () => server.running.app.store

/** An execution that finds something at so many new endpoints; @returns its ids. */
async function execution(given: Partial<NewRun>, found: number, severity: 'HIGH' | 'LOW' = 'HIGH') {
  const run = await startedRun(store(), { collectionIds: [shop], name: 'nightly', ...given })
  const pairs = Array.from({ length: found }, () =>
    pairOf({
      collectionId: shop,
      url: `${HOST}/rest/p${path++ % 60}x`,
      testId: `T${Math.floor(path / 60)}`,
      severity,
    }),
  )
  for (const pair of pairs)
    await recordResults(store(), run.summaryId, [pair], {
      mask: new SecretMask([]),
      follow: recordFindings,
      seal: (text: string) => text,
    })
  return run
}

async function heard(count: number): Promise<Record<string, unknown>[]> {
  await expect.poll(() => chat.heard.length).toBe(count)
  return chat.heard.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
}

async function channel(given: Record<string, unknown>) {
  const { customWebhook } = await ask(admin, 'addCustomWebhook', {
    webhookType: 'DEFAULT',
    url: `${chat.url}/hook`,
    ...given,
  })
  return customWebhook
}

test('the end of an execution is sent to the Slack channel of its run, and to Teams if it asks', async () => {
  await ask(admin, 'addSlackWebhook', { webhookUrl: `${chat.url}/slack/one`, webhookName: 'one' })
  await ask(admin, 'addSlackWebhook', { webhookUrl: `${chat.url}/slack/two`, webhookName: 'two' })
  await channel({ webhookType: 'MICROSOFT_TEAMS', url: `${chat.url}/teams` })
  const { apiTokenList } = await ask(admin, 'fetchSlackWebhooks')
  const two = apiTokenList!.find(({ name }) => name === 'two')!
  const silent = await execution({}, 1)
  await endRun(store(), silent.summaryId, { state: 'COMPLETED' })
  const told = await execution({ sendsSlack: true, slackChannelId: two.id, sendsTeams: true }, 2)
  await endRun(store(), told.summaryId, { state: 'COMPLETED' })
  await heard(2)
  expect(chat.heard.map((one) => one.path).sort()).toEqual(['/slack/two', '/teams'])
  expect(chat.heard.every(({ body }) => body.includes(`/runs/${told.runId}`))).toBe(true)
  expect(chat.heard[0]!.body).toContain('2 high')
})

test('a run stopped by a user is reported as stopped, a scheduled one is not', async () => {
  await channel({ selectedWebhookOptions: ['TESTING_RUN_RESULTS'] })
  const { runId } = await execution({}, 1)
  await ask(admin, 'stopTest', { testingRunHexId: runId })
  const [message] = await heard(1)
  expect(message).toMatchObject({
    title: 'Test run “nightly” was stopped',
    data: { state: 'STOPPED', counts: { HIGH: 1 } },
  })
  await createRun(
    store(),
    runOf({ collectionIds: [shop], scheduledAt: Math.floor(Date.now() / 1000) + 86_400 }),
  )
  const running = await execution({ name: 'second' }, 0)
  await ask(admin, 'stopAllTests')
  const all = await heard(2)
  expect(all[1]).toMatchObject({ data: { runId: running.runId, state: 'STOPPED' } })
  await ask(admin, 'stopTest', { testingRunHexId: runId })
  const { rows } = await store().pool.query(`SELECT FROM outgoing_messages WHERE state = 'WAITING'`)
  expect(rows, 'a run that was stopped ends once').toEqual([])
})

test('new issues are one signed message with the worst of them, and ignored severities are left out', async () => {
  await channel({
    selectedWebhookOptions: ['NEW_ISSUES'],
    leastSeverity: 'HIGH',
    signingKey: 'key',
    headers: { 'x-team': 'shop' },
  })
  const low = await execution({}, 3, 'LOW')
  await endRun(store(), low.summaryId, { state: 'COMPLETED' })
  const run = await execution({}, 15)
  expect(chat.heard).toEqual([])
  await endRun(store(), run.summaryId, { state: 'COMPLETED' })
  const [message] = await heard(1)
  expect(message).toMatchObject({ event: 'NEW_ISSUES', data: { counts: { HIGH: 15 }, runName: 'nightly' } })
  expect((message!['data'] as { issues: unknown[] }).issues).toHaveLength(10)
  const { headers, body } = chat.heard[0]!
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', 'key').update(signed).digest('base64')}`,
  )
  expect(headers['x-team']).toBe('shop')
})

test('what a transaction takes back was never told', async () => {
  await channel({ selectedWebhookOptions: ['NEW_ISSUES', 'TESTING_RUN_RESULTS'] })
  const run = await startedRun(store(), { collectionIds: [shop] })
  const broken = recordResults(
    store(),
    run.summaryId,
    [pairOf({ collectionId: shop, url: `${HOST}/rest/p1x`, testId: 'LOST' })],
    {
      mask: new SecretMask([]),
      follow: async (client, results, keeps) => {
        await recordFindings(client, results, keeps)
        throw new Error('the process dies here')
      },
      seal: (text: string) => text,
    },
  )
  await expect(broken).rejects.toThrow()
  const { rows } = await store().pool.query(`SELECT FROM outgoing_messages WHERE summary_id = $1`, [
    run.summaryId,
  ])
  expect(rows).toEqual([])
  await stopRun(store(), run.runId)
})

test('a receiver that fails is tried again with the same id, until it takes the message', async () => {
  chat.answer(() =>
    chat.heard.length < 3 ? { status: 503, headers: { 'retry-after': '1' } } : { status: 204 },
  )
  await channel({ selectedWebhookOptions: ['TESTING_RUN_RESULTS'] })
  const run = await execution({}, 0)
  await endRun(store(), run.summaryId, { state: 'FAILED', error: 'Failed to fetch auth token' })
  for (const count of [1, 2]) {
    await expect.poll(() => chat.heard.length).toBe(count)
    await expect
      .poll(async () => (await ask(admin, 'fetchDeliveries')).deliveries[0]!.problem)
      .toContain('503')
    await store().pool.query('UPDATE outgoing_messages SET next_at = 0')
  }
  await heard(3)
  expect(new Set(chat.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(chat.heard[0]!.body).toContain('Failed to fetch auth token')
  await expect
    .poll(async () => (await ask(admin, 'fetchDeliveries', { limit: 1 })).deliveries[0])
    .toMatchObject({ state: 'DONE', attempts: 3, problem: null })
})

test('a message whose process was killed is delivered by the next', async () => {
  await channel({ selectedWebhookOptions: ['TESTING_RUN_RESULTS'] })
  const run = await execution({}, 0)
  await endRun(store(), run.summaryId, { state: 'COMPLETED' })
  await heard(1)
  const state = async (): Promise<unknown> => {
    const { rows } = await store().pool.query('SELECT state FROM outgoing_messages WHERE summary_id = $1', [
      run.summaryId,
    ])
    return rows[0]?.state
  }
  await expect.poll(state).toBe('DONE')
  // As it stands after a kill in mid-attempt: taken, the lease over, never settled.
  await store().pool.query(
    `UPDATE outgoing_messages SET state = 'WAITING', lease_until = 1, next_at = 1 WHERE summary_id = $1`,
    [run.summaryId],
  )
  const [first, second] = await heard(2)
  expect(second!['id']).toBe(first!['id'])
})

test('a test message tells at once whether it arrived', async () => {
  const { id } = await channel({})
  expect(await ask(admin, 'sendTestAlert', { id })).toEqual({
    isDelivered: true,
    statusCode: 200,
    problem: null,
  })
  expect(chat.heard[0]!.body).toContain('admin@example.org')
  chat.answer(() => ({ status: 404 }))
  expect(await ask(admin, 'sendTestAlert', { id })).toMatchObject({ isDelivered: false, statusCode: 404 })
  chat.answer(() => null)
  expect(await ask(admin, 'sendTestAlert', { id })).toMatchObject({ isDelivered: false, statusCode: null })
  expect(await refusal(admin, 'sendTestAlert', { id: 5 })).toEqual([422, 'Webhook not found'])
})

test('private addresses are refused unless the operator names them, and redirects are not followed', async () => {
  for (const url of [
    'https://127.0.0.1:1/x',
    'https://169.254.169.254/latest/',
    'https://localhost/hook',
    'https://10.0.0.1/',
  ]) {
    const { id } = await channel({ url })
    const outcome = await ask(admin, 'sendTestAlert', { id })
    expect(outcome).toMatchObject({ isDelivered: false, statusCode: null })
    expect(outcome.problem).toContain('VIGIL_ALLOWED_ALERT_TARGETS')
  }
  expect(
    await refusal(admin, 'addCustomWebhook', { webhookType: 'DEFAULT', url: 'http://hooks.example/x' }),
  ).toContain(422)
  expect(
    await refusal(admin, 'addCustomWebhook', { webhookType: 'DEFAULT', url: 'file:///etc/passwd' }),
  ).toContain(422)
  chat.answer(() => ({ status: 302, headers: { location: `${chat.url}/elsewhere` } }))
  const { id } = await channel({})
  expect(await ask(admin, 'sendTestAlert', { id })).toMatchObject({ isDelivered: false, statusCode: 302 })
  expect(chat.heard).toHaveLength(1)
})

test('what is secret of a channel is sealed, masked and not in the audit', async () => {
  const made = await channel({
    url: `${chat.url}/secret-path-of-the-hook`,
    headers: { 'x-key': 'secret-header' },
    signingKey: 'secret-sign',
  })
  await ask(admin, 'sendTestAlert', { id: made.id })
  const { customWebhooks } = await ask(admin, 'fetchCustomWebhooks')
  const { rows } = await store().pool.query<{ text: string }>(
    `SELECT (c::text || coalesce((SELECT string_agg(o::text, '') FROM outgoing_requests o), '')) AS text
     FROM alert_channels c WHERE id = $1`,
    [made.id],
  )
  const shown = JSON.stringify(customWebhooks) + rows[0]!.text + server.logText()
  for (const secret of ['secret-path-of-the-hook', 'secret-header', 'secret-sign'])
    expect(shown).not.toContain(secret)
  expect(customWebhooks[0]).toMatchObject({ isSigned: true, headerNames: ['x-key'] })
  expect(await refusal(guest, 'fetchCustomWebhooks')).toContain(403)
  expect(
    await refusal(admin, 'addCustomWebhook', {
      webhookType: 'DEFAULT',
      url: `${chat.url}/secret-path-of-the-hook`,
    }),
  ).toEqual([422, 'This webhook url already exists'])
  for (const headers of [{ host: 'x' }, { 'a b': 'x' }, { a: 'x\r\ny: z' }])
    expect(
      await refusal(admin, 'addCustomWebhook', { webhookType: 'DEFAULT', url: `${chat.url}/other`, headers }),
    ).toContain(422)
})

test('channels are changed, and a type is there or not', async () => {
  const { id } = await channel({})
  expect(await ask(admin, 'checkWebhook', { webhookType: 'DEFAULT', webhookOption: 'NEW_ISSUES' })).toEqual({
    webhookPresent: false,
  })
  const { customWebhook } = await ask(admin, 'updateCustomWebhook', {
    id,
    selectedWebhookOptions: ['NEW_ISSUES'],
    webhookName: 'renamed',
  })
  expect(customWebhook).toMatchObject({
    webhookName: 'renamed',
    selectedWebhookOptions: ['NEW_ISSUES'],
    leastSeverity: 'LOW',
  })
  expect(await ask(admin, 'checkWebhook', { webhookType: 'DEFAULT', webhookOption: 'NEW_ISSUES' })).toEqual({
    webhookPresent: true,
  })
  expect(await ask(admin, 'checkWebhook', { webhookType: 'MICROSOFT_TEAMS' })).toEqual({
    webhookPresent: false,
  })
})
