import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  joinPerson,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testKey,
} from '../../test/harness.ts'
import { createKey } from '../app/index.ts'
import { errorCodeHeader, operationList, roles, routes } from '../contract/index.ts'

// Every call goes over a socket and most wait for a store or a password hash: slow on a busy machine.

let server: TestServer
let admin: TestPerson
let member: TestPerson
let guest: TestPerson
let cicdKey: string
let burpKey: string

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
  const { access } = server.running.app
  cicdKey = (await createKey(access, 0, 'CICD', 'gate test')).key
  burpKey = (await createKey(access, 0, 'BURP', 'gate test')).key
})
afterAll(() => server.close())

async function outcome(answer: Response): Promise<[number, string | null]> {
  await answer.arrayBuffer()
  return [answer.status, answer.headers.get(errorCodeHeader)]
}

describe('every operation of the contract', () => {
  test('refuses calls without key and session', async () => {
    for (const { name } of operationList) {
      expect([name, await outcome(await server.post(`/api/${name}`, {}, { key: null }))]).toEqual([
        name,
        [403, 'INVALID_KEY'],
      ])
    }
  })

  test('refuses wrong, empty and malformed keys, even beside a good session', async () => {
    const headers = { 'access-token': admin.accessToken }
    for (const { name } of operationList) {
      for (const key of ['w'.repeat(40), '', testKey.slice(1)]) {
        expect([name, await outcome(await server.post(`/api/${name}`, {}, { key, headers }))]).toEqual([
          name,
          [403, 'INVALID_KEY'],
        ])
      }
    }
  })

  test('refuses a broken session', async () => {
    for (const { name } of operationList) {
      const headers = { 'access-token': `${admin.accessToken.slice(0, -4)}AAAA` }
      expect([name, await outcome(await server.post(`/api/${name}`, {}, { key: null, headers }))]).toEqual([
        name,
        [403, 'SESSION_EXPIRED'],
      ])
    }
  })

  test('refuses keys of a kind that does not open it', async () => {
    for (const { name, sessionOnly, keyKinds } of operationList) {
      for (const [kind, key] of [
        ['EXTERNAL_API', testKey],
        ['CICD', cicdKey],
        ['BURP', burpKey],
      ] as const) {
        const isOpen = !sessionOnly && (kind === 'EXTERNAL_API' || (keyKinds ?? []).includes(kind))
        if (isOpen) continue
        expect([name, kind, await outcome(await server.post(`/api/${name}`, {}, { key }))]).toEqual([
          name,
          kind,
          [403, 'KEY_NOT_ALLOWED'],
        ])
      }
    }
  })

  test('refuses roles below its own', async () => {
    const people = { GUEST: guest, MEMBER: member, ADMIN: admin }
    for (const { name, role } of operationList) {
      for (const low of roles.slice(0, roles.indexOf(role))) {
        const answer = await people[low].call(name)
        expect([name, low, answer.status, await answer.json()]).toEqual([
          name,
          low,
          403,
          { actionErrors: [`The role '${low}' does not have access.`] },
        ])
      }
    }
  })

  test('that writes is closed to guests, but for their own account and reports of what they may read', () => {
    const open = operationList.filter(({ access, role }) => access === 'write' && role === 'GUEST')
    expect(open.map(({ name }) => name).sort()).toEqual([
      'addApiToken',
      'beginSecondFactor',
      'deleteApiToken',
      'disableSecondFactor',
      'downloadBurpPluginJar',
      'enableSecondFactor',
      'generateReportPDF',
      'logout',
      'sendHealthCheck',
      'updatePassword',
    ])
  })
})

test('every route answers without key and session only where the contract says so', async () => {
  for (const { method, path, audience } of routes) {
    const answer = await fetch(server.baseUrl + path, { method })
    await answer.arrayBuffer()
    if (audience === 'anyone') expect([path, answer.status]).not.toEqual([path, 403])
    else expect([path, answer.status]).toEqual([path, 403])
    if (audience === 'anyone') continue
    const wrong = await fetch(server.baseUrl + path, { method, headers: { 'x-api-key': 'w'.repeat(40) } })
    await wrong.arrayBuffer()
    expect([path, wrong.status]).toEqual([path, 403])
  }
})

test('documents and figures answer with a key that opens everything, with a session, and to no other key', async () => {
  for (const { path, audience } of routes) {
    if (audience !== 'key or session') continue
    const status = async (headers: Record<string, string>) => {
      const answer = await fetch(server.baseUrl + path, { headers })
      await answer.body?.cancel() // one of them is a stream without end
      return answer.status
    }
    // A path with a name in it lets them in as well; nothing is named like its template.
    const allowed = path.includes('{') ? 404 : 200
    expect([path, await status({ 'x-api-key': testKey })]).toEqual([path, allowed])
    expect([path, await status({ 'access-token': guest.accessToken })]).toEqual([path, allowed])
    expect([path, await status({ 'x-api-key': burpKey })]).toEqual([path, 403])
  }
})

test('a key wins over a session', async () => {
  const answer = await server.post(
    '/api/fetchOwnUser',
    {},
    { headers: { 'access-token': guest.accessToken } },
  )
  expect(await answer.json()).toMatchObject({ via: 'EXTERNAL_API', user: { login: 'system', role: 'ADMIN' } })
})

test('the wording of refusals is that of the interface', async () => {
  const texts = async (answer: Response) => (await answer.json()) as unknown
  expect(await texts(await server.post('/api/fetchOwnUser', {}, { key: null }))).toEqual({
    actionErrors: ['Invalid or missing API key'],
  })
  expect(
    await texts(await server.post('/api/fetchOwnUser', {}, { key: null, headers: { 'access-token': 'x' } })),
  ).toEqual({ actionErrors: ['Session expired'] })
  expect(await texts(await server.post('/api/logout', {}))).toEqual({
    actionErrors: ['API key is not allowed on this path'],
  })
})

test('a deed of one person takes effect on the next call of another', async () => {
  const team = (await (await admin.call('getTeamData')).json()) as { users: { id: number; login: string }[] }
  const { id } = team.users.find(({ login }) => login === 'member@example.org')!
  expect((await admin.call('updateUserCollections', { userCollectionMap: { [id]: [] } })).status).toBe(200)
  expect(await (await member.call('fetchOwnUser')).json()).toMatchObject({ user: { collectionIds: [] } })
  expect(await (await admin.call('getAllUsersCollections')).json()).toMatchObject({ [id]: '[]' })
  await admin.call('updateUserCollections', { userCollectionMap: { [id]: null } })
  await admin.call('updateUserRole', { email: 'member@example.org', role: 'GUEST' })
  expect(await (await member.call('fetchOwnUser')).json()).toMatchObject({ user: { role: 'GUEST' } })
  await admin.call('removeUser', { email: 'member@example.org' })
  expect((await member.call('fetchOwnUser')).status).toBe(403)
})
