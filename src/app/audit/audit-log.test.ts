import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testPassword,
} from '../../../test/harness.ts'
import { auditActions } from './audited-operations.ts'
import { storableRequest } from './storable-request.ts'

let server: TestServer
let ada: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ada = await signUpPerson(server, 'ada@example.org')
})
afterAll(() => server.close())

interface Entry {
  login: string
  via: string
  action: string
  outcome: string | null
  request: Record<string, unknown>
  changes: { kind: string; id: string; before: unknown; after: unknown }[]
}

const login = (username: string, password = 'x') =>
  server.post('/auth/login', { username, password }, { key: null })

async function logged(filter: Record<string, unknown> = {}): Promise<{ auditLogs: Entry[]; total: number }> {
  const answer = await ada.call('fetchAuditLog', filter)
  expect(answer.status).toBe(200)
  return (await answer.json()) as { auditLogs: Entry[]; total: number }
}

test('a change is logged with its actor, before and after', async () => {
  await ada.call('inviteUsers', { invitations: [{ email: 'bob@example.org', role: 'MEMBER' }] })
  await server.running.app.store.pool.query(
    `INSERT INTO users (id, login, password_hash, role, created_at) VALUES (7, 'bob@example.org', '', 'MEMBER', 1)`,
  )
  await ada.call('updateUserRole', { email: 'Bob@example.org', role: 'GUEST' })
  const [latest] = (await logged()).auditLogs
  expect(latest).toMatchObject({
    login: 'ada@example.org',
    via: 'SESSION',
    action: 'updateUserRole',
    outcome: 'OK',
    request: { email: 'Bob@example.org', role: 'GUEST' },
    changes: [{ kind: 'user', id: 'bob@example.org', before: { role: 'MEMBER' }, after: { role: 'GUEST' } }],
  })
})

test('created and removed records have one side only', async () => {
  const { id } = (await server.client.call('createCollection', { collectionName: 'audited' }))
    .apiCollections[0]!
  await server.client.call('editCollectionName', { apiCollectionId: id, collectionName: 'renamed' })
  await server.client.call('deleteCollection', { apiCollectionId: id })
  const { auditLogs } = await logged({ login: 'system' })
  expect(auditLogs.map(({ action }) => action)).toEqual([
    'deleteCollection',
    'editCollectionName',
    'createCollection',
  ])
  expect(auditLogs[0]!.changes[0]).toMatchObject({
    kind: 'collection',
    before: { name: 'renamed' },
    after: null,
  })
  expect(auditLogs[1]!.changes[0]).toMatchObject({ before: { name: 'audited' }, after: { name: 'renamed' } })
  expect(auditLogs[0]!.via).toBe('EXTERNAL_API')
})

test('what was refused is logged with the reason, reads and traffic are not logged', async () => {
  const { total } = await logged()
  await ada.call('removeUser', { email: 'ada@example.org' })
  await ada.call('getTeamData')
  await server.client.call('ingestData', { batchData: [] } as never).catch(() => {})
  const after = await logged()
  expect(after.total).toBe(total + 1)
  expect(after.auditLogs[0]).toMatchObject({ action: 'removeUser', outcome: 'OWN_ACCOUNT', changes: [] })
})

test('requests for unmasked data are logged, other reads of the same are not', async () => {
  const { id } = (await server.client.call('createCollection', { collectionName: 'revealed' }))
    .apiCollections[0]!
  const sample = { apiCollectionId: id, method: 'GET', url: '/orders' }
  await ada.call('fetchSampleData', sample)
  await ada.call('fetchSampleData', { ...sample, unmasked: true })
  const found = { latestApiOrigRegex: '4111111111111111' }
  await ada.call('fetchSuspectSampleData', { ...found, unmasked: true })
  const { auditLogs } = await logged()
  expect(auditLogs.slice(0, 3)).toMatchObject([
    { action: 'fetchSuspectSampleData', outcome: 'OK', request: { unmasked: true } },
    { action: 'fetchSampleData', outcome: 'OK', request: { ...sample, unmasked: true }, changes: [] },
    { action: 'createCollection' },
  ])
  expect(JSON.stringify(auditLogs)).not.toContain('4111111111111111')
  expect(auditActions).toContain('fetchSampleData')
})

test('sign-ins are logged, also refused ones, without what was typed into the wrong field', async () => {
  await login('ada@example.org', testPassword)
  await login('ada@example.org', 'a wrong secret-password')
  await login('secret-password typed as name', 'x')
  const { auditLogs } = await logged({ action: 'signIn' })
  expect(auditLogs.map((entry) => [entry.login, entry.outcome, entry.via])).toEqual([
    ['unknown', 'WRONG_CREDENTIALS', 'PASSWORD'],
    ['ada@example.org', 'WRONG_CREDENTIALS', 'PASSWORD'],
    ['ada@example.org', 'OK', 'PASSWORD'],
  ])
  expect((await logged({ action: 'signUp' })).total).toBe(1)
})

test('no secret of any request reaches the log', async () => {
  const secret = 'secret-0123456789'
  await ada.call('addCustomWebhook', {
    webhookType: 'DEFAULT',
    url: `https://hooks.example/${secret}?token=${secret}`,
    webhookName: 'chat',
    headers: { 'x-token': secret },
    signingKey: secret,
  })
  await ada.call('addTestRoles', { roleName: 'ATTACKER_2' })
  await ada.call('addAuthToRole', {
    roleName: 'ATTACKER_2',
    apiCond: { [secret]: secret },
    authParamData: [{ key: 'authorization', value: secret, where: 'HEADER' }],
    authAutomationType: 'HARDCODED',
  })
  await ada.call('saveTicketTracker', {
    trackerType: 'GITHUB',
    baseUrl: 'https://api.github.com',
    apiToken: secret,
  })
  await ada.call('updatePassword', { currentPassword: `${secret} 1`, newPassword: `${secret} 2` })
  const { rows } = await server.running.app.store.pool.query<{ text: string }>(
    'SELECT string_agg(request::text || changes::text, chr(10)) AS text FROM audit_log',
  )
  expect(rows[0]!.text).not.toContain(secret)
  expect(rows[0]!.text).toContain('https://hooks.example/…')
})

test('texts that the store cannot hold do not keep a change from being made', async () => {
  const answer = await ada.call('inviteUsers', {
    invitations: [{ email: 'eve@example.org', role: 'GUEST', note: 'half a pair \ud800, and \u0000' }],
  })
  expect(answer.status).toBe(200)
})

test('a name that no account can have is refused, not a fault of the server', async () => {
  expect((await login('nul\u0000@example.org')).status).toBe(422)
})

test('only administrators read it', async () => {
  await server.running.app.store.pool.query(
    "UPDATE users SET role = 'MEMBER' WHERE login = 'ada@example.org'",
  )
  server.running.app.access.callers.clear()
  expect((await ada.call('fetchAuditLog')).status).toBe(403)
})

test('documents are stored as length and hash, so that a change of them shows', () => {
  const first = storableRequest({ content: 'id: A' }) as { content: string }
  expect(first.content).toMatch(/^5 characters, SHA-256 [0-9a-f]{12}…$/)
  expect(storableRequest({ content: 'id: B' })).not.toEqual(first)
})

test('sign-ins and writes of people can be asked for', () => {
  expect(auditActions).toContain('signIn')
  expect(auditActions).toContain('startTest')
  expect(auditActions).not.toContain('ingestData')
})
