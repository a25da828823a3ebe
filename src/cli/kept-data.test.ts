import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

test('kill -9 and start again: users and keys are there, and the first start that listens shows a key, once', async () => {
  const occupied = createServer().listen(0, '127.0.0.1')
  await once(occupied, 'listening')
  const { port } = occupied.address() as AddressInfo
  const refused = await runCli(['start', ...flags, '--port', String(port)])
  expect(refused.stderr).toContain('address already in use')
  occupied.close()

  const first = await startCli(flags)
  const keyFile = join(place.dataDir, 'first-api-key')
  await expect.poll(() => existsSync(keyFile)).toBe(true)
  const firstKey = readFileSync(keyFile, 'utf8').trim()
  expect(firstKey).toMatch(/^[A-Za-z0-9]{40}$/)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(await isKeyGood(first, firstKey)).toBe(true)
  const signUp = await post(first, '/signup-email', { email: 'ada@example.org', password: PASSWORD })
  expect(signUp.status).toBe(200)
  const session = { 'access-token': signUp.headers.get('access-token')! }
  const made = await post(first, '/api/addApiToken', { tokenUtility: 'EXTERNAL_API' }, session)
  const ownKey = ((await made.json()) as { apiTokenList: { key: string }[] }).apiTokenList[0]!.key
  first.process.kill('SIGKILL')
  const killed = await first.ended
  expect(first.greeting + killed.stdout + killed.stderr).not.toContain(firstKey)

  const second = await startCli([...flags, '--api-key', 'k'.repeat(40)])
  expect(second.greeting).not.toMatch(/First API key|Creating a new store/)
  expect(await isKeyGood(second, firstKey)).toBe(true)
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
  expect(end.stdout + end.stderr).not.toContain(firstKey)
  expect(end.stderr).not.toContain('k'.repeat(40))
  expect(end.stderr).not.toContain(PASSWORD)
})

test.runIf(testedEngine === 'embedded')(
  'a start in an empty folder says that it creates a store',
  { tags: ['marathon'], timeout: 180_000 },
  async () => {
    const dataDir = join(scratch, 'new')
    const server = await startCli(['--data-dir', dataDir])
    expect(server.greeting).toContain(`Creating a new store in ${dataDir}; this takes some seconds.\n`)
    server.process.kill('SIGTERM')
    await server.ended
  },
)

test.runIf(testedEngine === 'embedded')(
  'a running server is backed up, and restored elsewhere with users and keys',
  { tags: ['marathon'], timeout: 180_000 },
  async () => {
    const server = await startCli([...flags, '--api-key', 'k'.repeat(40)])
    const file = join(scratch, 'backup.tar.gz')
    const taken = await runCli(['backup', file, ...flags])
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('bytes')])
    expect(statSync(file).size).toBeGreaterThan(1_000_000)
    expect((await runCli(['backup', file, ...flags])).code).toBe(2)
    expect((await runCli(['key', 'list', ...flags])).code).toBe(0)
    expect((await runCli(['start', '--port', '0', ...flags])).code).toBe(3)
    server.process.kill('SIGTERM')
    await server.ended
    expect((await runCli(['backup', join(scratch, 'stopped.tar.gz'), ...flags])).code).toBe(0)

    const other = join(scratch, 'other')
    const done = await runCli(['restore', file, '--data-dir', other])
    expect(done).toMatchObject({
      code: 0,
      stderr: `Restored. It is opened by: vigil start --data-dir '${other}'\n`,
    })
    expect((await runCli(['restore', file, '--data-dir', other])).code).toBe(1)
    const restored = await startCli(['--data-dir', other])
    expect(restored.greeting).not.toContain('First API key')
    expect(await isKeyGood(restored, 'k'.repeat(40))).toBe(true)
    restored.process.kill('SIGTERM')
    await restored.ended
    writeFileSync(join(scratch, 'bad'), 'no backup')
    const refused = await runCli(['restore', join(scratch, 'bad'), '--data-dir', join(scratch, 'third')])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not a Vigil backup')])
    expect(existsSync(join(scratch, 'third', 'database'))).toBe(false)
    expect(
      readdirSync(join(place.dataDir, 'snapshots')).filter((name) => name.endsWith('.tar.gz')),
    ).toHaveLength(2)
  },
)

test('the set-up code goes to a file for its owner, not to the log', {
  tags: ['marathon'],
}, async () => {
  const fresh = await freshStorePlace()
  try {
    const database = fresh.databaseUrl === null ? [] : ['--database-url', fresh.databaseUrl]
    const server = await startCli(['--data-dir', fresh.dataDir, '--host', '0.0.0.0', ...database])
    const path = join(fresh.dataDir, 'setup-code')
    await expect.poll(() => server.text()).toContain(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const setupCode = readFileSync(path, 'utf8').trim()
    const person = { email: 'ada@example.org', password: PASSWORD }
    expect((await post(server, '/signup-email', person)).status).toBe(422)
    expect((await post(server, '/signup-email', { ...person, setupCode })).status).toBe(200)
    server.process.kill('SIGTERM')
    const end = await server.ended
    expect(end.stdout + end.stderr).not.toContain(setupCode)
  } finally {
    await fresh.dispose()
  }
})
