import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { ask, message, messageLines, refusal } from './ask.ts'

const DAY = 86_400

let server: TestServer
let admin: TestPerson
let member: TestPerson

beforeAll(async () => {
  server = await startTestServer({ 'sample-days': '30' })
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
})

afterAll(() => server.close())

const keptOf = async (kind: string) =>
  (await ask(member, 'fetchOrganisation')).organisation.kept.find((one) => one.kind === kind)

test('administrators name the organisation and choose its zone, everybody reads it', async () => {
  expect((await ask(member, 'fetchOrganisation')).organisation).toMatchObject({
    name: '',
    timeZone: '',
    redactsNewCollections: false,
  })
  expect((await refusal(member, 'updateOrganisation', { name: 'Mine' }))[0]).toBe(403)
  await ask(admin, 'updateOrganisation', { name: ' Example Payments ', timeZone: 'Europe/Berlin' })
  await ask(admin, 'updateOrganisation', { redactsNewCollections: false })
  expect((await ask(member, 'fetchOrganisation')).organisation).toMatchObject({
    name: 'Example Payments',
    timeZone: 'Europe/Berlin',
  })
  expect((await refusal(admin, 'updateOrganisation', { timeZone: 'Mars/Olympus' }))[0]).toBe(422)
  const { auditLogs } = await ask(admin, 'fetchAuditLog', { action: 'updateOrganisation' })
  expect(auditLogs.map(({ outcome }) => outcome)).toEqual(['INVALID_TIME_ZONE', 'OK', 'OK'])
})

test('a shorter retention removes what is older, and a choice is taken back', async () => {
  const path = 'https://kept.test/a'
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    apiCollectionName: 'kept',
    content: messageLines([{ path, time: Math.floor(Date.now() / 1000) }]),
  })
  const samples = async () =>
    (
      (await ask(server, 'fetchSampleData', { apiCollectionId, method: 'GET', url: path })).sampleDataList ??
      []
    ).flatMap((item) => item.samples).length
  const { retention, app } = server.running
  await app.store.pool.query('UPDATE samples SET stored_at = stored_at - $1', [10 * DAY])
  await retention.purge()
  expect(await samples()).toBe(1)
  await ask(admin, 'updateOrganisation', { kept: [{ kind: 'SAMPLES', time: 7 }] })
  expect(await keptOf('SAMPLES')).toEqual({
    kind: 'SAMPLES',
    unit: 'DAY',
    time: 7,
    byDefault: 30,
    isChosen: true,
  })
  await retention.purge()
  expect(await samples()).toBe(0)
  await ask(admin, 'updateOrganisation', { kept: [{ kind: 'SAMPLES', time: null }] })
  expect(await keptOf('SAMPLES')).toMatchObject({ time: 30, isChosen: false })
})

test('times of more than 36,500 days are refused, and one that was stored removes nothing', async () => {
  const refused = async (kind: string, time: number) =>
    refusal(admin, 'updateOrganisation', { name: 'Not this', kept: [{ kind, time }] })
  expect(await refused('COUNTERS', 36_501)).toEqual([422, 'COUNTERS can be kept for at most 36500 days'])
  expect((await refused('ADDRESSES', 876_001))[0]).toBe(422)
  const { organisation } = await ask(admin, 'updateOrganisation', {
    kept: [
      { kind: 'COUNTERS', time: 36_500 },
      { kind: 'ADDRESSES', time: 876_000 },
    ],
  })
  expect(organisation.name).not.toBe('Not this')
  const { app, retention } = server.running
  await app.store.pool.query(
    `UPDATE settings SET value = jsonb_set(value, '{kept}', $1::jsonb) WHERE name = 'organisation'`,
    [JSON.stringify({ SAMPLES: 876_000, AUDIT_LOG: 876_000, REQUEST_LOG: 876_000 })],
  )
  await expect(retention.purge()).resolves.not.toHaveProperty('samples')
  const kinds = ['SAMPLES', 'AUDIT_LOG', 'REQUEST_LOG']
  await ask(admin, 'updateOrganisation', { kept: kinds.map((kind) => ({ kind, time: null })) })
})

test('changes that are made at the same time all hold', async () => {
  const { organisation } = await ask(member, 'fetchOrganisation')
  const kinds = organisation.kept.map(({ kind }) => kind)
  const change = (body: object) => ask(admin, 'updateOrganisation', body)
  const times = (time: number | null) => kinds.map((kind) => change({ kept: [{ kind, time }] }))
  await Promise.all([change({ timeZone: 'Asia/Tokyo' }), ...times(3_000), change({ name: 'All at once' })])
  const after = (await ask(member, 'fetchOrganisation')).organisation
  expect(after).toMatchObject({ name: 'All at once', timeZone: 'Asia/Tokyo' })
  expect(after.kept.map(({ time }) => time)).toEqual(kinds.map(() => 3_000))
  await change({ kept: kinds.map((kind) => ({ kind, time: null })) })
})

test('how long test results are kept is chosen like the rest', async () => {
  const { rows } = await server.running.app.store.pool.query<{ id: number }>(
    `INSERT INTO outgoing_requests (sent_at, purpose, method, host, url)
     VALUES ($1, 'test', 'GET', 'kept.test', '/') RETURNING id`,
    [Math.floor(Date.now() / 1000) - 400 * DAY],
  )
  const isThere = async () =>
    (await server.running.app.store.pool.query('SELECT FROM outgoing_requests WHERE id = $1', [rows[0]!.id]))
      .rowCount === 1
  expect(await keptOf('REQUEST_LOG')).toMatchObject({ unit: 'DAY', time: 0, isChosen: false })
  await server.running.retention.purge()
  expect(await isThere()).toBe(true)
  const kept = [
    { kind: 'REQUEST_LOG', time: 90 },
    { kind: 'TEST_RESULTS', time: 90 },
  ]
  await ask(admin, 'updateOrganisation', { kept })
  expect(await keptOf('TEST_RESULTS')).toMatchObject({ time: 90, byDefault: 0, isChosen: true })
  await server.running.retention.purge()
  expect(await isThere()).toBe(false)
})

test('new collections store no payload values when the organisation wants it', async () => {
  await ask(admin, 'updateOrganisation', { redactsNewCollections: true })
  const time = Math.floor(Date.now() / 1000)
  const secret = 'canary-of-a-new-collection'
  await ask(server, 'ingestData', {
    batchData: [message({ path: `https://redacted.test/a?note=${secret}`, time })],
  })
  const { apiCollectionId } = await ask(server, 'importTraffic', {
    apiCollectionName: 'redacted import',
    content: messageLines([{ path: `https://imported.test/b?note=${secret}`, time }]),
  })
  const { rows } = await server.running.app.store.pool.query<{ is_redacted: boolean }>(
    `SELECT is_redacted FROM collections WHERE id = $1 OR host_name = 'redacted.test'`,
    [apiCollectionId],
  )
  expect(rows).toEqual([{ is_redacted: true }, { is_redacted: true }])
  const stored = await server.running.app.store.pool.query(
    `SELECT FROM samples WHERE position($1 in message::text) > 0`,
    [secret],
  )
  expect(stored.rowCount).toBe(0)
  await ask(admin, 'updateOrganisation', { redactsNewCollections: false })
})
