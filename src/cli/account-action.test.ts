import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type CliServer, startCli } from '../../test/cli-process.ts'
import { copyEmbeddedStore } from '../../test/store-fixture.ts'
import type { Command } from './command.ts'
import { explainFailure } from './explain-failure.ts'
import { key } from './key.ts'
import { user } from './user.ts'

/** Keys and accounts while a server holds the embedded store. */

let folder: string
let server: CliServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-control-'))
  await copyEmbeddedStore(folder, 'library')
  server = await startCli(['--data-dir', folder])
})
afterAll(async () => {
  server?.process.kill('SIGTERM')
  await server?.ended
  expect(existsSync(join(folder, 'control.sock'))).toBe(false)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})
afterEach(() => vi.restoreAllMocks())

async function run(
  command: Command,
  args: string[],
  input = '',
  dataDir = folder,
): Promise<{ code: number; out: string; said: string }> {
  const [out, said]: [string[], string[]] = [[], []]
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin)
  const code = await command.run([...args, '--data-dir', dataDir]).catch(explainFailure)
  vi.restoreAllMocks()
  return { code, out: out.join(''), said: said.join('') }
}

function statusWith(apiKey: string): Promise<number> {
  return fetch(`${server.baseUrl}/api/getAllCollectionsBasic`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: '{}',
  }).then(({ status }) => status)
}

test('a key works as soon as it is created, and no longer once revoked', async () => {
  const made = await run(key, ['create', '--name', 'while it runs', '--json'])
  expect(made.code, made.said).toBe(0)
  const { id, key: text } = JSON.parse(made.out) as { id: number; key: string }
  expect(await statusWith(text)).toBe(200)
  expect((await run(key, ['list'])).out).toContain('while it runs')
  expect((await run(key, ['revoke', String(id)])).code).toBe(0)
  expect(await statusWith(text)).toBe(403)
  expect(await run(key, ['revoke', String(id)])).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^vigil: /),
  })
})

test('an account is created and gets a new password', async () => {
  const made = await run(user, ['create', 'bob@running.test', '--role', 'GUEST'], 'correct horse 11\n')
  expect(made).toMatchObject({
    code: 0,
    said: expect.stringContaining('bob@running.test can sign in as GUEST'),
  })
  const again = ['reset-password', 'bob@running.test']
  expect(await run(user, again, 'other horse 22\n')).toMatchObject({ code: 0 })
  expect(await run(user, again, 'short\n')).toMatchObject({ code: 1 })
})

test('a lone administrator who lost the app turns two-step sign-in off', async () => {
  await run(user, ['create', 'eve@running.test'], 'correct horse 11\n')
  const reset = ['reset-second-factor', 'eve@running.test', '--json']
  expect((await run(user, reset)).said).toContain('Two-step sign-in is off')
  const signIn = (body: object) =>
    fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'eve@running.test', password: 'correct horse 11', ...body }),
    })
  const token = (await signIn({})).headers.get('access-token')!
  const ask = (operation: string, body: object) =>
    fetch(`${server.baseUrl}/api/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'access-token': token },
      body: JSON.stringify(body),
    })
  const { secret } = (await (
    await ask('beginSecondFactor', { currentPassword: 'correct horse 11' })
  ).json()) as { secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await ask('enableSecondFactor', { code })).status).toBe(200)
  expect((await signIn({})).status).toBe(401)
  expect(await run(user, reset)).toMatchObject({ code: 0, out: expect.stringContaining('eve@running.test') })
  expect((await signIn({})).status).toBe(200)
})

test('refusing the first account still reports the new store', { tags: ['marathon'] }, async () => {
  const other = mkdtempSync(join(tmpdir(), 'vigil-first-'))
  try {
    const refused = await run(user, ['create', 'ann@running.test'], 'short\n', other)
    expect(refused.code).toBe(1)
    expect(refused.said).toContain(`A new store was created in ${other}`)
  } finally {
    rmSync(other, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
})

test('only the owner of the folder can open the socket', () => {
  expect(statSync(join(folder, 'control.sock')).mode & 0o777).toBe(0o600)
})
