import type { AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  joinPerson,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testPassword,
} from '../../test/harness.ts'
import { errorCodeHeader } from '../contract/index.ts'

let smtp: SMTPServer
let server: TestServer
let ada: TestPerson
/** Messages as they arrived. */
const mails: { to: string; text: string; user: string }[] = []
let refuses = false

const newPassword = 'seven brown lanterns'

beforeAll(async () => {
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'mail secret' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => (refuses ? done(new Error('mailbox full')) : done()),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        // Long lines are folded with "=" (RFC 2045).
        const text = raw.replace(/=\r\n/g, '').replace(/=3D/g, '=')
        mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text, user: String(user) })
        done()
      })
    },
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  server = await startTestServer({
    'smtp-url': `smtp://vigil:mail%20secret@127.0.0.1:${port}`,
    'base-url': 'http://localhost:9090',
    'mail-from': 'Vigil <vigil@example.org>',
  })
  ada = await signUpPerson(server, 'ada@example.org')
})
afterAll(async () => {
  await server.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})

const codeOf = (answer: Response) => [answer.status, answer.headers.get(errorCodeHeader)]
const ask = (email: string) => server.post('/auth/password-reset', { email }, { key: null })
const complete = (code: string, password: string) =>
  server.post('/auth/password-reset/complete', { code, password }, { key: null })

test('an invitation is mailed with its link', async () => {
  const answer = await ada.call('inviteUsers', {
    invitations: [{ email: 'bob@example.org', role: 'MEMBER' }],
  })
  const { invitations } = (await answer.json()) as { invitations: { link: string; isMailed: boolean }[] }
  expect(invitations[0]!.isMailed).toBe(true)
  const mail = mails.find(({ to }) => to === 'bob@example.org')!
  expect(mail.user).toBe('vigil')
  expect(mail.text).toContain('From: Vigil <vigil@example.org>')
  expect(mail.text).toContain(invitations[0]!.link)
  expect(mail.text).toContain('ada@example.org invited you')
})

test('an invitation that cannot be mailed is made, and says so', async () => {
  refuses = true
  const answer = await ada.call('inviteUsers', {
    invitations: [{ email: 'carol@example.org', role: 'GUEST' }],
  })
  refuses = false
  expect(await answer.json()).toMatchObject({
    invitations: [{ email: 'carol@example.org', isMailed: false }],
  })
})

test('a channel of mail sends alerts, and says why it cannot', async () => {
  const ask = async (operation: Parameters<typeof ada.call>[0], body: object) =>
    (await (await ada.call(operation, body)).json()) as Record<string, unknown>
  const added = await ada.call('addCustomWebhook', { webhookType: 'MAIL', url: ' team@example.org ' })
  const { customWebhook } = (await added.json()) as { customWebhook: { id: number } }
  expect(customWebhook).toMatchObject({ url: 'mailto:team@example.org', webhookName: 'team@example.org' })
  expect(await ask('sendTestAlert', { id: customWebhook.id })).toMatchObject({
    isDelivered: true,
    statusCode: 250,
  })
  const mail = mails.find(({ to }) => to === 'team@example.org')!
  expect(mail.text).toContain('Subject: Vigil can reach this channel')
  expect(mail.text).toMatch(/^X-Vigil-Message: [0-9a-f]{24}/m)
  refuses = true
  const refused = await ask('sendTestAlert', { id: customWebhook.id })
  refuses = false
  expect(refused).toMatchObject({ isDelivered: false, problem: expect.stringContaining('mailbox full') })
  for (const url of ['team', 'a@b.test, c@d.test', 'Team <team@example.org>'])
    expect(codeOf(await ada.call('addCustomWebhook', { webhookType: 'MAIL', url }))).toEqual([
      422,
      'WEBHOOK_URL_INVALID',
    ])
})

test('a new password does not replace the second factor: it starts no session', async () => {
  const eve = await joinPerson(server, ada, 'eve@example.org', 'MEMBER')
  const { secret } = (await (
    await eve.call('beginSecondFactor', { currentPassword: testPassword })
  ).json()) as { secret: string }
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  expect((await eve.call('enableSecondFactor', { code: totp.generate() })).status).toBe(200)
  await ask('eve@example.org')
  const mail = () =>
    mails.findLast(({ to, text }) => to === 'eve@example.org' && text.includes('/reset-password?'))
  await expect.poll(() => mail() !== undefined).toBe(true)
  const done = await complete(/\?code=([\w-]{32})/.exec(mail()!.text)![1]!, newPassword)
  expect([done.status, await done.json()]).toEqual([200, { loginResult: null }])
  expect([done.headers.get('access-token'), done.headers.get('set-cookie')]).toEqual([null, null])
  const signIn = (code?: string) =>
    server.post('/auth/login', { username: 'eve@example.org', password: newPassword, code }, { key: null })
  expect(codeOf(await signIn())).toEqual([401, 'CODE_REQUIRED'])
  expect((await signIn(totp.generate({ timestamp: Date.now() + 30_000 }))).status).toBe(200)
})

test('a person who resets the password chooses whether their API keys stop working', async () => {
  const fay = await joinPerson(server, ada, 'fay@example.org', 'MEMBER')
  const made = await fay.call('addApiToken', { tokenUtility: 'EXTERNAL_API' })
  const { apiTokenList } = (await made.json()) as { apiTokenList: { key: string }[] }
  const withKey = async () =>
    (await server.post('/api/getAllCollectionsBasic', {}, { key: apiTokenList[0]!.key })).status
  const reset = async (revokeApiTokens: unknown) => {
    const before = mails.length
    await ask('fay@example.org')
    await expect.poll(() => mails.length).toBeGreaterThan(before)
    const code = /\?code=([\w-]{32})/.exec(mails.at(-1)!.text)![1]!
    const body = { code, password: newPassword, revokeApiTokens }
    return server.post('/auth/password-reset/complete', body, { key: null })
  }
  expect(codeOf(await reset('perhaps'))).toEqual([422, 'INVALID_FIELD'])
  expect([(await reset(false)).status, await withKey()]).toEqual([200, 200])
  expect([(await reset(true)).status, await withKey()]).toEqual([200, 403])
})

test('a person chooses a new password with the link of a mail', async () => {
  expect((await ask('Ada@example.org')).status).toBe(202)
  await expect.poll(() => mails.some(({ to }) => to === 'ada@example.org')).toBe(true)
  const { text } = mails.find(({ to }) => to === 'ada@example.org')!
  const code = /http:\/\/localhost:9090\/reset-password\?code=([\w-]{32})/.exec(text)![1]!
  expect(codeOf(await complete(code, 'short'))).toEqual([422, 'WEAK_PASSWORD'])
  const done = await complete(code, newPassword)
  expect(await done.json()).toMatchObject({ loginResult: { login: 'ada@example.org' } })
  expect(codeOf(await complete(code, newPassword))).toEqual([422, 'INVALID_RESET_CODE'])
  const signIn = (password: string) =>
    server.post('/auth/login', { username: 'ada@example.org', password }, { key: null })
  expect((await signIn(newPassword)).status).toBe(200)
  expect(codeOf(await signIn(testPassword))).toEqual([401, 'WRONG_CREDENTIALS'])
  // Sessions from before are over.
  expect((await ada.call('fetchOwnUser')).status).toBe(403)
  expect(server.logText()).not.toContain(code)
  expect(server.logText()).not.toContain('mail secret')
})

test('an address without an account gets the same answer and no mail, and nobody fills a mailbox', async () => {
  const before = mails.length
  const unknown = await ask('nobody@example.org')
  expect([unknown.status, await unknown.text()]).toEqual([202, '{}'])
  const statuses: number[] = []
  for (let times = 0; times < 12; times++) statuses.push((await ask('ada@example.org')).status)
  expect(statuses).toContain(429)
  await expect.poll(() => mails.length).toBe(before + 3)
})

test('a server without mail says whom to ask', async () => {
  const health = (await (await fetch(`${server.baseUrl}/health`)).json()) as { signIn: unknown }
  expect(health.signIn).toEqual({ password: true, provider: null, mail: true })
})
