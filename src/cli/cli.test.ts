import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliServer, runCli, startCli } from '../../test/cli-process.ts'
import { killPrograms } from '../../test/start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../../test/store-fixture.ts'

const PASSWORD = 'correct horse 1'
let place: StorePlace
let flags: string[]
let scratch: string

beforeAll(async () => {
  place = await freshStorePlace()
  scratch = mkdtempSync(join(tmpdir(), 'vigil-cli-'))
  flags = [
    '--data-dir',
    place.dataDir,
    ...(place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]),
  ]
})
afterAll(async () => {
  await killPrograms()
  await place.dispose()
  rmSync(scratch, { recursive: true, force: true })
})

async function post(server: CliServer, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(server.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const isKeyGood = async (server: CliServer, key: string) =>
  (await post(server, '/api/fetchOwnUser', {}, { 'x-api-key': key })).status === 200

test('kill -9 and start again: users and keys are there, and the first start that listens shows a key, once', {
  timeout: 120_000,
}, async () => {
  const occupied = createServer().listen(0, '127.0.0.1')
  await once(occupied, 'listening')
  const { port } = occupied.address() as AddressInfo
  const refused = await runCli(['start', ...flags, '--port', String(port)])
  expect(refused.stderr).toContain('address already in use')
  occupied.close()

  const first = await startCli(flags)
  const firstKey = /shown once\): ([A-Za-z0-9]{40})\n/.exec(first.greeting)?.[1]
  expect(firstKey).toBeDefined()
  expect(await isKeyGood(first, firstKey!)).toBe(true)
  const signUp = await post(first, '/signup-email', { email: 'ada@example.org', password: PASSWORD })
  expect(signUp.status).toBe(200)
  const session = { 'access-token': signUp.headers.get('access-token')! }
  const made = await post(first, '/api/addApiToken', { tokenUtility: 'EXTERNAL_API' }, session)
  const ownKey = ((await made.json()) as { apiTokenList: { key: string }[] }).apiTokenList[0]!.key
  first.process.kill('SIGKILL')
  await first.ended

  const second = await startCli([...flags, '--api-key', 'k'.repeat(40)])
  expect(second.greeting).not.toContain('shown once')
  expect(await isKeyGood(second, firstKey!)).toBe(true)
  expect(await isKeyGood(second, ownKey)).toBe(true)
  expect(await isKeyGood(second, 'k'.repeat(40))).toBe(true)
  expect((await post(second, '/api/fetchOwnUser', {}, session)).status).toBe(200)
  expect(
    (await post(second, '/auth/login', { username: 'ada@example.org', password: PASSWORD })).status,
  ).toBe(200)
  second.process.kill('SIGTERM')
  const end = await second.ended
  expect(end.code).toBe(0)
  expect(end.stderr).toContain('"event":"server.stopped"')
  expect(end.stderr).not.toContain('k'.repeat(40))
  expect(end.stderr).not.toContain(PASSWORD)
})

test('keys and accounts are made on the command line', { timeout: 120_000 }, async () => {
  const made = await runCli(['key', 'create', '--kind', 'CICD', '--name', 'pipeline', ...flags])
  expect(made.stdout).toMatch(/^[A-Za-z0-9]{40}\n$/)
  const list = await runCli(['key', 'list', ...flags])
  const line = list.stdout.split('\n').find((text) => text.includes('pipeline'))!
  expect(line.split('\t').slice(2, 3)).toEqual(['CICD'])
  expect(list.stdout).not.toContain(made.stdout.trim())
  expect((await runCli(['key', 'revoke', line.split('\t')[0]!, ...flags])).code).toBe(0)
  expect((await runCli(['key', 'list', ...flags])).stdout).not.toContain('pipeline')
  expect((await runCli(['key', 'revoke', '1', ...flags])).code).toBe(1)
  expect(
    (await runCli(['user', 'create', 'bob@example.org', '--role', 'GUEST', ...flags], PASSWORD)).code,
  ).toBe(0)
  const reset = await runCli(['user', 'reset-password', 'bob@example.org', ...flags], 'other horse 2\n')
  expect([reset.code, reset.stdout]).toEqual([0, ''])
  expect((await runCli(['user', 'reset-password', 'nobody@example.org', ...flags], PASSWORD)).code).toBe(1)
})

test('what is wrong on the command line is said, with code 2', { timeout: 120_000 }, async () => {
  const cases: [string[], RegExp][] = [
    [['nope'], /"nope" is no command/],
    [['start', '--prot', '1'], /--prot is no option; did you mean --port/],
    [['start', '--port', 'x'], /--port must be a whole number/],
    [['key', 'create', '--kind', 'SLACK'], /--kind takes EXTERNAL_API, CICD, BURP/],
    [['backup'], /<file> is missing/],
    [['import', 'x.har'], /--collection is missing/],
  ]
  for (const [args, text] of cases) {
    const end = await runCli(args)
    expect([args, end.code]).toEqual([args, 2])
    expect(end.stderr).toMatch(text)
  }
  for (const name of [
    'start',
    'doctor',
    'config',
    'import',
    'evidence',
    'replay',
    'key',
    'user',
    'backup',
    'restore',
  ]) {
    expect((await runCli([name, '--help'])).stdout).toMatch(new RegExp(`^Usage: vigil ${name}`))
  }
})

test('config shows values and sources, and no secret', async () => {
  const { stdout } = await runCli(['config', '--port', '1234', '--api-key', 'k'.repeat(40)])
  expect(stdout).toContain('VIGIL_PORT=1234  # flag\n')
  expect(stdout).toContain('VIGIL_API_KEY=(set)  # flag\n')
  expect(stdout).not.toContain('kkkk')
})

test('doctor finds a good installation good, and a bad one bad', { timeout: 60_000 }, async () => {
  const end = await runCli(['doctor', '--port', '0', ...flags])
  expect(end.code).toBe(0)
  expect(end.stdout).toMatch(
    testedEngine === 'embedded' ? /not of the machine/ : /ok {4}Store: PostgreSQL 1\d/,
  )
  const bad = await runCli([
    'doctor',
    '--database-url',
    'postgres://nobody@127.0.0.1:1/none',
    '--browser',
    '/no/such',
  ])
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/FAIL {2}Store: the PostgreSQL server cannot be reached/)
  expect(bad.stdout).toMatch(/FAIL {2}Browser/)
})

test.runIf(testedEngine === 'embedded')(
  'a running server is backed up, and restored elsewhere with users and keys',
  { timeout: 180_000 },
  async () => {
    const server = await startCli([...flags, '--api-key', 'k'.repeat(40)])
    const file = join(scratch, 'backup.tar.gz')
    const taken = await runCli(['backup', file, ...flags])
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('bytes')])
    expect(statSync(file).size).toBeGreaterThan(1_000_000)
    expect((await runCli(['backup', file, ...flags])).code).toBe(2)
    expect((await runCli(['key', 'list', ...flags])).code).toBe(3)
    expect((await runCli(['start', '--port', '0', ...flags])).code).toBe(3)
    server.process.kill('SIGTERM')
    await server.ended
    expect((await runCli(['backup', join(scratch, 'stopped.tar.gz'), ...flags])).code).toBe(0)

    const other = join(scratch, 'other')
    expect((await runCli(['restore', file, '--data-dir', other])).code).toBe(0)
    expect((await runCli(['restore', file, '--data-dir', other])).code).toBe(1)
    const restored = await startCli(['--data-dir', other])
    expect(restored.greeting).not.toContain('shown once')
    expect(await isKeyGood(restored, 'k'.repeat(40))).toBe(true)
    restored.process.kill('SIGTERM')
    await restored.ended
    writeFileSync(join(scratch, 'bad'), 'no backup')
    const refused = await runCli(['restore', join(scratch, 'bad'), '--data-dir', join(scratch, 'third')])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no backup of Vigil')])
    expect(existsSync(join(scratch, 'third', 'database'))).toBe(false)
    expect(
      readdirSync(join(place.dataDir, 'snapshots')).filter((name) => name.endsWith('.tar.gz')),
    ).toHaveLength(2)
  },
)
