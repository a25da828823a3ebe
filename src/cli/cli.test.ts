import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli, startCommand } from '../../test/cli-process.ts'
import { environmentWithoutSettings } from '../../test/start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../../test/store-fixture.ts'
import { commands } from './commands.ts'
import { tooOldNode } from './too-old-node.ts'

const PASSWORD = 'correct horse 1'
let place: StorePlace
let flags: string[]

beforeAll(async () => {
  place = await freshStorePlace()
  flags = [
    '--data-dir',
    place.dataDir,
    ...(place.databaseUrl === null ? [] : ['--database-url', place.databaseUrl]),
  ]
})
afterAll(async () => {
  await place.dispose()
})

test('a key is made, listed and revoked on the command line', async () => {
  const create = ['key', 'create', '--kind', 'CICD', '--name', 'pipeline', '--expires-in-days', '30']
  const made = await runCli([...create, ...flags])
  expect(made.stdout).toMatch(/^[A-Za-z0-9]{40}\n$/)
  const list = await runCli(['key', 'list', ...flags])
  const line = list.stdout.split('\n').find((text) => text.includes('pipeline'))!
  const inThirtyDays = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  expect(line.split('\t').slice(2, 6)).toEqual(['CICD', expect.any(String), 'never', inThirtyDays])
  expect(list.stdout).not.toContain(made.stdout.trim())
  expect((await runCli(['key', 'revoke', line.split('\t')[0]!, ...flags])).code).toBe(0)
  expect((await runCli(['key', 'list', ...flags])).stdout).not.toContain('pipeline')
})

test('accounts are made on the command line', { tags: ['marathon'] }, async () => {
  expect((await runCli(['key', 'revoke', '1', ...flags])).code).toBe(1)
  expect(
    (await runCli(['user', 'create', 'bob@example.org', '--role', 'GUEST', ...flags], PASSWORD)).code,
  ).toBe(0)
  const reset = await runCli(['user', 'reset-password', 'bob@example.org', ...flags], 'other horse 2\n')
  expect([reset.code, reset.stdout]).toEqual([0, ''])
  expect((await runCli(['user', 'reset-password', 'nobody@example.org', ...flags], PASSWORD)).code).toBe(1)
})

test('what is wrong on the command line is said, with code 2', async () => {
  expect(await runCli(['nope'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no command "nope"'),
  })
  expect(await runCli(['start', '--prot', '1'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--prot is not an option; did you mean --port'),
  })
})

test('every command has a help', async () => {
  expect((await runCli(['key', '--help'])).stdout).toMatch(/^Usage: vigil key/)
  for (const { name, load } of commands)
    expect((await load()).help).toMatch(new RegExp(`^Usage: vigil ${name}`))
})

test('a mistyped command gets a suggestion, and --version prints the version', async () => {
  expect((await runCli(['imprt', 'x.har'])).stderr).toContain('did you mean import?')
  expect((await runCli(['--version'])).stdout).toMatch(/^vigil \d+\.\d+\.\d+\n$/)
})

test('an old Node.js is refused in a sentence', () => {
  expect(tooOldNode('20.20.2')).toMatch(/Node.js 20.20.2 is too old: 22.18 or newer .*"npm run vigil/)
  expect(tooOldNode('22.17.1')).not.toBeNull()
  expect([tooOldNode('22.18.0'), tooOldNode('24.1.0')]).toEqual([null, null])
})

test('a reader that stops early ends the command without a complaint', async () => {
  const { process, ended } = startCommand(['config'])
  process.stdout?.destroy()
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

test('a port in use is reported before the store is opened', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const dataDir = join(place.dataDir, 'never-made')
  const end = await runCli(['start', '--port', String(port), '--data-dir', dataDir])
  other.close()
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('EADDRINUSE') })
  expect(existsSync(dataDir)).toBe(false)
})

test('a server that npm started ends in order when npm is gone', {
  tags: ['marathon'],
}, async () => {
  const program = fileURLToPath(new URL('main.ts', import.meta.url))
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-npm-'))
  const args = ['start', '--port', '0', '--data-dir', dataDir].map((arg) => `'${arg}'`).join(' ')
  const npm = spawn('sh', ['-c', `'${process.execPath}' '${program}' ${args} & echo "pid $!"; wait`], {
    env: { ...environmentWithoutSettings(), npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (data: Buffer) => (text += data.toString()))
  await expect.poll(() => text, { timeout: 90_000 }).toContain('ready at')
  npm.kill('SIGKILL')
  await expect.poll(() => text).toContain('"event":"server.stopped"')
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

test('config shows values and sources, and no secret', async () => {
  const { stdout } = await runCli(['config', '--port', '1234', '--api-key', 'k'.repeat(40)])
  expect(stdout).toContain('VIGIL_PORT=1234  # flag\n')
  expect(stdout).toContain('VIGIL_API_KEY=(set)  # flag\n')
  expect(stdout).not.toContain('kkkk')
})

test('doctor finds a good installation good, and a bad one bad', async () => {
  const end = await runCli(['doctor', '--port', '0', ...flags])
  expect(end.code).toBe(0)
  expect(end.stdout).toMatch(
    testedEngine === 'embedded' ? /every commit is synced to the disk/ : /ok {4}Store: PostgreSQL 1\d/,
  )
  const open = mkdtempSync(join(tmpdir(), 'vigil-open-'))
  chmodSync(open, 0o777)
  const bad = await runCli([
    'doctor',
    '--data-dir',
    open,
    '--database-url',
    'postgres://nobody@127.0.0.1:1/none',
    '--browser',
    '/no/such',
  ])
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/FAIL {2}Store: the PostgreSQL server cannot be reached/)
  expect(bad.stdout).toMatch(/FAIL {2}Browser/)
  expect(bad.stdout).toMatch(/FAIL {2}Data folder: other users of this machine can write/)
  rmSync(open, { recursive: true })
})
