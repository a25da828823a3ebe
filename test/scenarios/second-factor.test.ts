import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfAccessToken, confirmSecondFactor } from '../../src/access/index.ts'
import {
  joinPerson,
  personOf,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testPassword,
} from '../harness.ts'
import { ask, refusal } from './ask.ts'

const PERIOD_MS = 30_000
const own = { currentPassword: testPassword }

let server: TestServer
let admin: TestPerson
let member: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
})

afterAll(() => server.close())

/** The code of a secret, some steps from now. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * PERIOD_MS,
  })
}

async function signIn(code?: string): Promise<[status: number, error: string | null]> {
  const answer = await fetch(`${server.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: member.email, password: testPassword, code }),
  })
  return [answer.status, answer.headers.get('x-error-code')]
}

test('a second factor is asked for after it was proven once, and no code works twice', async () => {
  expect(await ask(member, 'fetchSecondFactor')).toEqual({ isOn: false, isAvailable: true })
  const { secret, uri } = await ask(member, 'beginSecondFactor', own)
  expect(uri).toContain(`secret=${secret}`)
  expect(uri).toMatch(/^otpauth:\/\/totp\/Vigil:member%40example\.org\?/)
  expect((await signIn())[0]).toBe(200)
  const wrong = codeOf(secret) === '000000' ? '000001' : '000000'
  expect((await refusal(member, 'enableSecondFactor', { code: wrong }))[0]).toBe(401)
  expect((await signIn())[0]).toBe(200)
  const { recoveryCodes } = await ask(member, 'enableSecondFactor', { code: codeOf(secret) })
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(await signIn()).toEqual([401, 'CODE_REQUIRED'])
  expect(await signIn(codeOf(secret))).toEqual([401, 'WRONG_CODE'])
  expect(await signIn(codeOf(secret, 1))).toEqual([200, null])
  expect(await signIn(codeOf(secret, 1))).toEqual([401, 'WRONG_CODE'])
  expect(await signIn(recoveryCodes[0])).toEqual([200, null])
  expect(await signIn(recoveryCodes[0])).toEqual([401, 'WRONG_CODE'])
  expect((await refusal(member, 'beginSecondFactor', own))[0]).toBe(422)
  const { rows } = await server.running.app.store.pool.query('SELECT * FROM second_factors')
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(JSON.stringify(rows)).not.toContain(recoveryCodes[1])
  await ask(member, 'disableSecondFactor', { code: recoveryCodes[1] })
  expect((await signIn())[0]).toBe(200)
})

test('an administrator takes a lost second factor away', async () => {
  const { secret } = await ask(member, 'beginSecondFactor', own)
  await ask(member, 'enableSecondFactor', { code: codeOf(secret) })
  expect(await signIn()).toEqual([401, 'CODE_REQUIRED'])
  expect((await refusal(member, 'resetSecondFactor', { email: member.email }))[0]).toBe(403)
  await ask(admin, 'resetSecondFactor', { email: member.email })
  expect((await signIn())[0]).toBe(200)
  expect((await refusal(admin, 'resetSecondFactor', { email: member.email }))[0]).toBe(422)
})

test('a session alone cannot turn a second factor on, and the other sessions end when it is on', async () => {
  const carol = await joinPerson(server, admin, 'carol@example.org', 'MEMBER')
  const elsewhere = personOf(
    server,
    carol.email,
    await server.post('/auth/login', { username: carol.email, password: testPassword }, { key: null }),
  )
  const wrong = { currentPassword: 'not the password' }
  expect((await refusal(carol, 'beginSecondFactor', wrong))[0]).toBe(401)
  const { secret } = await ask(carol, 'beginSecondFactor', own)
  expect((await elsewhere.call('fetchOwnUser')).status).toBe(200)
  await ask(carol, 'enableSecondFactor', { code: codeOf(secret) })
  expect((await elsewhere.call('fetchOwnUser')).status).toBe(403)
  expect((await carol.call('fetchOwnUser')).status).toBe(200)
})

test('of two confirmations at once one gives recovery codes', async () => {
  const dave = await joinPerson(server, admin, 'dave@example.org', 'MEMBER')
  const { secret } = await ask(dave, 'beginSecondFactor', own)
  const { access } = server.running.app
  const caller = (await callerOfAccessToken(access, dave.accessToken))!.caller
  // Neither goes on before both have read the factor.
  const bothRead = Promise.withResolvers<void>()
  let taken = 0
  const take = async () => {
    if (++taken === 2) bothRead.resolve()
    await bothRead.promise
    return async () => {}
  }
  const gated = { ...access, limits: { take } } as unknown as typeof access
  const both = await Promise.allSettled(
    [1, 2].map(() => confirmSecondFactor(gated, caller, '127.0.0.1', codeOf(secret))),
  )
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'SECOND_FACTOR_ON' },
  })
})
