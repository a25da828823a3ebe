import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'
import { createSealer, Failure, newInstanceKey, readSettings, setClock } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import type { Store } from '../store/index.ts'
import { HASH_COST, hashCost, setHashCost } from './hash-cost.ts'
import {
  type Access,
  burpKey,
  callerOfAccessToken,
  callerOfKey,
  callerOfRefreshToken,
  changePassword,
  changeRole,
  createKey,
  createUser,
  endSession,
  ensureKey,
  ensureSystemUser,
  findUser,
  inviteUsers,
  listInvitations,
  listKeys,
  listUsers,
  needsFirstUser,
  openAccess,
  removeKey,
  removeUser,
  type Session,
  setUserCollections,
  signIn,
  signUp,
  startSession,
  systemUserId,
} from './index.ts'
import { checkPassword, hashPassword, noPassword, verifyPassword } from './password.ts'

const PASSWORD = 'correct horse 1'
const system = { userId: systemUserId, login: 'system' }
let store: Store
let close: () => Promise<void>
let access: Access

function open(): Access {
  const log = createLog('error', { write: () => {} })
  return openAccess(store, createSealer(newInstanceKey()), readSettings({}).settings, log)
}

async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work)
    return 'none'
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

beforeAll(async () => {
  const opened = await openTestStore()
  store = opened.store
  close = opened.close
  access = open()
  await ensureSystemUser(access)
})
afterAll(() => close())

test('of two first sign-ups at once one becomes administrator and the other needs an invitation', async () => {
  expect(await needsFirstUser(access.store.pool)).toBe(true)
  const tries = await Promise.allSettled(
    ['ada@example.org', 'eve@example.org'].map((email) =>
      signUp(access, { email, password: PASSWORD, invitationCode: '', setupCode: '', ip: '192.0.2.1' }),
    ),
  )
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = tries.find((result) => result.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'INVITATION_REQUIRED' })
  expect((await listUsers(access)).map(({ role }) => role)).toEqual(['ADMIN'])
  expect(await needsFirstUser(access.store.pool)).toBe(false)
})

test('an invitation gives its role to its address once', async () => {
  const [invitation] = await inviteUsers(access, [{ email: ' Grace@Example.org ', role: 'MEMBER' }], system)
  expect((await listInvitations(access)).map(({ login }) => login)).toEqual(['grace@example.org'])
  const join = (email: string, invitationCode: string) =>
    signUp(access, { email, password: PASSWORD, invitationCode, setupCode: '', ip: '192.0.2.2' })
  expect(await codeOf(join('mallory@example.org', invitation!.code))).toBe('INVALID_INVITATION')
  expect(await codeOf(join('grace@example.org', 'guess'))).toBe('INVALID_INVITATION')
  expect(await join('GRACE@example.org', invitation!.code)).toMatchObject({
    login: 'grace@example.org',
    role: 'MEMBER',
  })
  expect(await codeOf(join('grace@example.org', invitation!.code))).toBe('INVALID_INVITATION')
  expect(await codeOf(inviteUsers(access, [{ email: 'grace@example.org', role: 'GUEST' }], system))).toBe(
    'USER_EXISTS',
  )
})

test('a list of invitations with one bad address makes none', async () => {
  const people = [
    { email: 'new@example.org', role: 'GUEST' as const },
    { email: 'grace@example.org', role: 'GUEST' as const },
  ]
  expect(await codeOf(inviteUsers(access, people, system))).toBe('USER_EXISTS')
  expect(await listInvitations(access)).toEqual([])
})

test('an expired invitation is none', async () => {
  const [invitation] = await inviteUsers(access, [{ email: 'late@example.org', role: 'GUEST' }], system)
  const restore = setClock(() => Date.now() + 8 * 86_400_000)
  try {
    const late = {
      email: 'late@example.org',
      password: PASSWORD,
      invitationCode: invitation!.code,
      setupCode: '',
      ip: '192.0.2.3',
    }
    expect(await codeOf(signUp(access, late))).toBe('INVALID_INVITATION')
    expect(await listInvitations(access)).toEqual([])
  } finally {
    restore()
  }
})

test('the last administrator stays one, and nobody removes the own account', async () => {
  const [admin] = (await listUsers(access)).filter(({ role }) => role === 'ADMIN')
  expect(await codeOf(changeRole(access, admin!.id, 'GUEST', systemUserId))).toBe('LAST_ADMIN')
  expect(await codeOf(removeUser(access, admin!.id, systemUserId))).toBe('LAST_ADMIN')
  expect(await codeOf(removeUser(access, admin!.id, admin!.id))).toBe('OWN_ACCOUNT')
  const second = await createUser(access, 'second@example.org', PASSWORD, 'ADMIN')
  const both = await Promise.allSettled([
    changeRole(access, admin!.id, 'MEMBER', second.id),
    changeRole(access, second.id, 'MEMBER', admin!.id),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await listUsers(access)).filter(({ role }) => role === 'ADMIN')).toHaveLength(1)
})

test('nobody can name or change the system user', async () => {
  expect(await codeOf(changeRole(access, systemUserId, 'GUEST', 1))).toBe('NO_SUCH_USER')
  expect(await codeOf(setUserCollections(access, new Map([[systemUserId, [1]]]), 1))).toBe('NO_SUCH_USER')
  expect(await findUser(access, 'system')).toBeNull()
  const asSystem = { login: 'system', password: '', ip: '192.0.2.4', userAgent: null, deviceCookie: null }
  expect(await codeOf(signIn(access, asSystem))).toBe('WRONG_CREDENTIALS')
})

test('sign-in works with the right password only', async () => {
  const attempt = (password: string) => signInFrom('198.51.100.7', 'Grace@example.org', password)
  const session = await attempt(PASSWORD)
  const known = await callerOfAccessToken(access, session.accessToken)
  expect(known).toMatchObject({ caller: { login: 'grace@example.org', role: 'MEMBER', via: 'SESSION' } })
  expect(known?.renewedToken).toBeNull()
  expect(await codeOf(attempt('wrong password 1'))).toBe('WRONG_CREDENTIALS')
})

test('a token is renewed in its second half, and dies with its session', async () => {
  const grace = await findUser(access, 'grace@example.org')
  const session = await startSession(access, grace!, null)
  const known = await callerOfAccessToken(access, session.accessToken)
  const restore = setClock(() => Date.now() + 61 * 60_000)
  try {
    expect((await callerOfAccessToken(access, session.accessToken))?.renewedToken).toMatch(/^ey/)
  } finally {
    restore()
  }
  const late = setClock(() => Date.now() + 121 * 60_000)
  try {
    expect(await callerOfAccessToken(access, session.accessToken)).toBeNull()
  } finally {
    late()
  }
  await endSession(access, known!.caller.sessionId!)
  expect(await callerOfAccessToken(access, session.accessToken)).toBeNull()
  expect(await codeOf(callerOfRefreshToken(access, session.refreshToken))).toBe('SESSION_EXPIRED')
})

test('tokens of another instance key, altered or unsigned ones are nobody', async () => {
  const grace = await findUser(access, 'grace@example.org')
  const { accessToken } = await startSession(access, grace!, null)
  expect(await callerOfAccessToken(open(), accessToken)).toBeNull()
  expect(await callerOfAccessToken(access, `${accessToken.slice(0, -3)}AAA`)).toBeNull()
  const [, payload] = accessToken.split('.')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  expect(await callerOfAccessToken(access, unsigned)).toBeNull()
  expect(await callerOfAccessToken(access, 'x'.repeat(5000))).toBeNull()
})

test('the ten newest sessions of a user are kept', async () => {
  const user = await createUser(access, 'many@example.org', PASSWORD, 'GUEST')
  const sessions = []
  for (let i = 0; i < 12; i++) sessions.push(await startSession(access, user, null))
  const alive = await Promise.all(
    sessions.map(({ refreshToken }) => codeOf(callerOfRefreshToken(access, refreshToken))),
  )
  expect(alive.filter((code) => code === 'none')).toHaveLength(10)
  expect(alive.at(-1)).toBe('none')
})

test('a new password ends the other sessions', async () => {
  const grace = await findUser(access, 'grace@example.org')
  const [here, there] = [await startSession(access, grace!, null), await startSession(access, grace!, null)]
  const { caller } = (await callerOfAccessToken(access, here.accessToken))!
  const change = (current: string, next: string) =>
    changePassword(access, caller, '203.0.113.5', { current, next, revokesKeys: false })
  expect(await codeOf(change('wrong password 1', 'another horse 2'))).toBe('WRONG_CREDENTIALS')
  expect(await codeOf(change(PASSWORD, 'short1'))).toBe('WEAK_PASSWORD')
  await change(PASSWORD, 'another horse 2')
  expect(await callerOfAccessToken(access, here.accessToken)).not.toBeNull()
  expect(await callerOfAccessToken(access, there.accessToken)).toBeNull()
})

test('a key is shown once, acts as its owner and stops at once when removed', async () => {
  const grace = await findUser(access, 'grace@example.org')
  const made = await createKey(access, grace!.id, 'CICD', 'pipeline')
  expect(made.key).toMatch(/^[A-Za-z0-9]{40}$/)
  expect((await listKeys(access, [grace!.id]))[0]).toMatchObject({
    maskedKey: `${made.key.slice(0, 4)}${'*'.repeat(36)}`,
    kind: 'CICD',
  })
  const { rows } = await store.pool.query('SELECT * FROM api_keys')
  expect(JSON.stringify(rows)).not.toContain(made.key)
  expect(await callerOfKey(access, made.key)).toMatchObject({
    userId: grace!.id,
    role: 'MEMBER',
    via: 'CICD',
  })
  await setUserCollections(access, new Map([[grace!.id, [7, 3, 7]]]), systemUserId)
  expect(await callerOfKey(access, made.key)).toMatchObject({ collectionIds: [3, 7] })
  expect(await codeOf(removeKey(access, made.id, { userId: 1, role: 'MEMBER' }))).toBe('NO_SUCH_KEY')
  await removeKey(access, made.id, { userId: grace!.id, role: 'MEMBER' })
  expect(await callerOfKey(access, made.key)).toBeNull()
})

test('a busy key costs no query', async () => {
  const key = 'a'.repeat(40)
  await ensureKey(access, key, 'busy')
  await callerOfKey(access, key)
  const queries = vi.spyOn(store.pool, 'connect')
  for (let i = 0; i < 100; i++) await callerOfKey(access, key)
  expect(queries).not.toHaveBeenCalled()
  queries.mockRestore()
})

test('a key removed by another process stops within seconds', async () => {
  const key = 'b'.repeat(40)
  await ensureKey(access, key, 'other process')
  expect(await callerOfKey(access, key)).not.toBeNull()
  await store.pool.query(`DELETE FROM api_keys WHERE name = 'other process'`)
  const restore = setClock(() => Date.now() + 11_000)
  try {
    expect(await callerOfKey(access, key)).toBeNull()
  } finally {
    restore()
  }
})

test('the key of a start is made once', async () => {
  const before = (await listKeys(access, null)).length
  await Promise.all([1, 2, 3].map(() => ensureKey(access, 'c'.repeat(40), 'again')))
  await ensureKey(access, 'c'.repeat(40), 'again')
  expect((await listKeys(access, null)).length).toBe(before + 1)
})

test('the BURP key is the same each time, until the instance key changes', async () => {
  const grace = await findUser(access, 'grace@example.org')
  const first = await burpKey(access, grace!.id)
  expect((await burpKey(access, grace!.id)).key).toBe(first.key)
  const renewed = await burpKey(open(), grace!.id)
  expect(renewed.key).not.toBe(first.key)
  access.callers.clear()
  expect(await callerOfKey(access, first.key)).toBeNull()
})

test('invalid keys are refused without a query', async () => {
  for (const text of ['', 'short', `${'a'.repeat(39)}'`, 'a'.repeat(41)]) {
    expect(await callerOfKey(access, text)).toBeNull()
  }
})

test('a removed user is gone with sessions and keys', async () => {
  const user = await createUser(access, 'leaver@example.org', PASSWORD, 'MEMBER')
  const session = await startSession(access, user, null)
  const { key } = await createKey(access, user.id, 'EXTERNAL_API', 'own')
  await removeUser(access, user.id, systemUserId)
  expect(await callerOfAccessToken(access, session.accessToken)).toBeNull()
  expect(await callerOfKey(access, key)).toBeNull()
})

test.each([
  ['password1', 'too short'],
  ['elevenchars', 'too short'],
  [`${'lamp river '.repeat(11)}12345678`, 'too long'],
  ['password1234', 'common'],
  ['P@ssw0rd2026!', 'common'],
  ['letmeinletmein', 'common'],
  ['1q2w3e4r5t6y', 'common'],
  ['qwertyuiop[]', 'common'],
  ['Welcome12345!', 'common'],
  ['abcdefghijklmn', 'repeated or neighbouring'],
  ['aaaaaaaaaaaaaaa', 'repeated or neighbouring'],
  ['9876543210987', 'repeated or neighbouring'],
  ['ada@example.org', 'your e-mail address'],
  ['Vigil-Ada-2026', 'your e-mail address'],
])('the password %s is refused as %s', async (text, why) => {
  const refused = checkPassword(text, 'ada@example.org')
  expect(await codeOf(refused)).toBe('WEAK_PASSWORD')
  await expect(refused).rejects.toMatchObject({ details: { reason: expect.stringContaining(why) } })
})

test.each([
  ['lamp river tuna'],
  ['correcthorsebatterystaple'],
  ['xK9#mQ2$vL5p'],
  ['дождь в октябре'],
  ['x1'.repeat(4) + 'lamp river tuna'.repeat(8)],
])('the password %s is accepted', async (text) => {
  await checkPassword(text, 'ada@example.org')
})

test('a password hash is salted and verifies its own password only', async () => {
  const cheap = hashCost()
  onTestFinished(() => setHashCost(cheap))
  setHashCost(HASH_COST)
  const [one, two] = [await hashPassword('geheim 12'), await hashPassword('geheim 12')]
  expect(one).toMatch(/^scrypt\$15\$8\$3\$/)
  expect(one).not.toBe(two)
  expect(await verifyPassword('geheim 12', one)).toBe(true)
  expect(await verifyPassword('geheim 13', one)).toBe(false)
  expect(await verifyPassword('', noPassword)).toBe(false)
})

test('an unknown account is refused and waits like one that is there', async () => {
  for (const login of ['grace@example.org', 'nobody@example.org']) {
    const limited = open()
    for (let n = 0; n < 9; n++)
      await limited.limits.take({ account: login, address: '192.0.2.1', device: null })
    const attempts = [1, 2].map(() => codeOf(signInFrom('192.0.2.1', login, 'wrong password 1', limited)))
    expect(await Promise.all(attempts)).toEqual(['WRONG_CREDENTIALS', 'TOO_MANY_REQUESTS'])
  }
})

test('a key that expires stops at its time, and says so', async () => {
  const grace = await findUser(access, 'grace@example.org')
  const made = await createKey(access, grace!.id, 'EXTERNAL_API', 'for a week', 7)
  expect((await listKeys(access, [grace!.id])).at(-1)).toMatchObject({
    expiresAt: made.createdAt + 7 * 86_400,
  })
  expect(await callerOfKey(access, made.key)).toMatchObject({ userId: grace!.id })
  const restore = setClock(() => Date.now() + 7 * 86_400_000)
  try {
    expect(await codeOf(callerOfKey(access, made.key))).toBe('KEY_EXPIRED')
  } finally {
    restore()
  }
})

test('a new password revokes the keys of the person when asked to, and only then', async () => {
  const user = await createUser(access, 'keys@example.org', PASSWORD, 'MEMBER')
  const { key } = await createKey(access, user.id, 'EXTERNAL_API', 'own')
  const session = await startSession(access, user, null)
  const { caller } = (await callerOfAccessToken(access, session.accessToken))!
  const change = (current: string, next: string, revokesKeys: boolean) =>
    changePassword(access, caller, '203.0.113.6', { current, next, revokesKeys })
  expect(await change(PASSWORD, 'lamp river tuna', false)).toBe(0)
  expect(await callerOfKey(access, key)).not.toBeNull()
  expect(await change('lamp river tuna', 'tuna river lamp', true)).toBe(1)
  expect(await callerOfKey(access, key)).toBeNull()
})

function signInFrom(ip: string, login: string, password: string, to = access): Promise<Session> {
  return signIn(to, { login, password, ip, userAgent: null, deviceCookie: null })
}
