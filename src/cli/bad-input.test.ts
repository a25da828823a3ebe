import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testKey } from '../../test/harness.ts'
import { endOfCommand } from '../../test/run-command.ts'
import { sharing } from '../../test/shared-server.ts'
import { commands } from './commands.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * Kinds of bad input to every command that takes them, which its help tells: a sentence for people, a documented code,
 * and no file that was not there before. exit-codes.test.ts has the words and codes of each command.
 */

const folder = mkdtempSync(join(tmpdir(), 'vigil-bad-input-'))
const at = (name: string): string => join(folder, name)
const TARGET = ['--target', 'http://127.0.0.1:1']
let server: readonly string[] = []
let strangers: readonly string[] = []
let taken: Server
let port = ''

sharing.beforeAll(async ({ shared }) => {
  server = ['--server', shared.baseUrl, '--key', testKey]
  strangers = ['--server', shared.baseUrl, '--key', 'x'.repeat(40)]
  writeFileSync(
    at('good.yaml'),
    'openapi: 3.0.3\ninfo: { title: t, version: "1" }\npaths: { /a: { get: {} } }\n',
  )
  writeFileSync(at('empty'), '')
  writeFileSync(at('binary'), Buffer.concat([Buffer.alloc(64), randomBytes(4096)]))
  writeFileSync(at('huge'), '')
  truncateSync(at('huge'), 120 * 1024 * 1024)
  mkdirSync(at('folder'))
  mkdirSync(at('store/database'), { recursive: true })
  taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  port = String(typeof address === 'object' ? address?.port : '')
})
afterAll(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

type Arguments = readonly string[]
type Cases<Given extends unknown[]> = Readonly<Record<string, readonly ((...given: Given) => Arguments)[]>>

/** Arguments with a file that is bad. */
const READS: Cases<[file: string]> = {
  scan: [
    (file) => [file, ...TARGET, ...server],
    (file) => [at('good.yaml'), ...TARGET, '--roles', file, ...server],
    (file) => [at('good.yaml'), ...TARGET, '--baseline', file, ...server],
    (file) => ['--config', file],
  ],
  init: [(file) => [file, '--out', at('vigil.yaml')]],
  import: [(file) => [file, '--collection', 'bad input', ...server]],
  replay: [(file) => [file]],
  report: [(file) => ['verify', file]],
  templates: [(file) => ['validate', file], (file) => ['test', file]],
  restore: [(file) => [file, '--data-dir', at('data')]],
}

/** Arguments with a place that nothing can be written to. */
const WRITES: Cases<[place: string]> = {
  scan: [(place) => [at('good.yaml'), ...TARGET, '--sarif', place, ...server]],
  init: [(place) => [at('good.yaml'), '--out', place]],
  export: [(place) => ['har', '--collection', 'Default', '--out', place, ...server]],
  report: [(place) => ['--sarif', place, ...server], (place) => ['--pdf', place, ...server]],
  evidence: [(place) => ['0'.repeat(24), '--out', place, ...server]],
  templates: [(place) => ['new', 'DEBUG_HEADER', '--folder', place]],
  docs: [(place) => ['--out', place]],
  backup: [(place) => [place, '--data-dir', at('store')]],
  restore: [(place) => [at('binary'), '--data-dir', place]],
  start: [(place) => ['--data-dir', place, '--port', '0']],
  'rotate-key': [(place) => ['--data-dir', place]],
  proxy: [(place) => ['--collection', 'c', '--ca-folder', place, ...server]],
}

/** Arguments with a server, which is away or does not know the key. */
const ASKS: Cases<[server: Arguments]> = {
  scan: [(one) => [at('good.yaml'), ...TARGET, ...one]],
  import: [(one) => [at('good.yaml'), '--collection', 'c', ...one]],
  export: [(one) => ['har', '--collection', 'c', ...one]],
  report: [(one) => [...one], (one) => ['--pdf', at('r.pdf'), ...one]],
  status: [(one) => [...one]],
  evidence: [(one) => ['0'.repeat(24), '--out', at('e.json'), ...one]],
  proxy: [(one) => ['--collection', 'c', ...one]],
}

/** Arguments with a port that is taken. */
const LISTENS: Cases<[port: string]> = {
  start: [(one) => ['--port', one, '--data-dir', at('data')]],
  proxy: [(one) => ['--collection', 'c', '--proxy-port', one, ...server]],
  mcp: [(one) => ['--http', one]],
}

/** Why a command whose help speaks of such input is not tried with it. */
const EXEMPT: Readonly<Record<string, string>> = {
  'demo writes': 'a kept store is that of vigil start',
  'demo listens': 'takes another free port',
  'crawler asks': 'keeps trying until the server is back',
  'crawler writes': 'asks the server first, and keeps trying',
  'mcp asks': 'tells the agent, not a person; src/cli/mcp has its tests',
  'browser writes': 'the folder is fixed; src/cli/browser.test.ts fills it',
  'rotate-key reads': 'exit-codes.test.ts: the file must fit the setting',
  'export reads': 'reads no file',
  'evidence reads': 'reads no file',
  'backup reads': 'writes its file',
  'proxy reads': 'reads no file',
}

const NAMES = commands.map(({ name }) => name)
const flat = <Given extends unknown[]>(cases: Cases<Given>) =>
  Object.entries(cases).flatMap(([name, all]) => all.map((args, number) => ({ name, args, number })))

/** Runs a command that must not succeed, and checks what it leaves. */
async function expectRefused(name: string, args: Arguments): Promise<string> {
  const before = readdirSync(folder, { recursive: true })
  const { code, said, printed } = await endOfCommand(name, args)
  expect([exitCodes.failed, exitCodes.misused], said).toContain(code)
  // A sentence for people: no stack, no name of an error of the language, not the whole of a long word.
  expect(said + printed).toMatch(/\S+ \S+ \S+/)
  expect(said).not.toMatch(/^\s+at .*:\d+:\d+|vigil: \w*Error:|\[object |undefined/m)
  expect(said.length).toBeLessThan(5_000)
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
  return said
}

test.each(NAMES)('vigil %s refuses a flag that it does not have', async (name) => {
  const said = await expectRefused(name, ['--nonsense-flag'])
  expect(said).toMatch(/nonsense-flag|takes|missing/)
})

test.each(
  NAMES.flatMap((name) =>
    [
      '../../../../no/such/file',
      '$(touch pwned)',
      'two\nlines',
      '\u001b[2Jx',
      'x'.repeat(70_000),
      '😀',
      '',
    ].map((word) => [name, word] as const),
  ),
)('vigil %s refuses a hostile word %#', async (name, word) => {
  // Any word is the name of a file that a backup may go to.
  const said = await expectRefused(name, name === 'backup' ? [word, '--data-dir', at('none')] : [word])
  expect(said).not.toContain('\u001b')
})

test.each(flat(READS))('vigil $name refuses files it cannot use, way $number', async ({ name, args }) => {
  for (const file of ['missing', 'empty', 'binary', 'huge', 'folder'])
    await expectRefused(name, args(at(file)))
})

test.each(flat(WRITES))(
  'vigil $name refuses a place it cannot write to, way $number',
  async ({ name, args }) => {
    for (const place of [at('empty/below'), at('n'.repeat(300))]) await expectRefused(name, args(place))
  },
)

test.each(flat(ASKS))(
  'vigil $name says that the server is away, or the key wrong, way $number',
  async ({ name, args }) => {
    const away = ['--server', 'http://127.0.0.1:1', '--key', 'k'.repeat(40)]
    expect(await expectRefused(name, args(away))).toContain('cannot be reached')
    expect(await expectRefused(name, args(strangers))).toMatch(/key/i)
  },
)

test.each(flat(LISTENS))('vigil $name says that its port is taken, way $number', async ({ name, args }) => {
  expect(await expectRefused(name, args(port))).toMatch(/in use|taken|EADDRINUSE/)
})

test('every command is tried with the kinds of input that its help speaks of', async () => {
  const kinds = {
    reads: [READS, /<file|FILE\b/],
    writes: [WRITES, /--out\b|FOLDER|--pdf/],
    asks: [ASKS, /--server/],
    listens: [LISTENS, /--port\b|--http PORT|--proxy-port/],
  } as const
  const missing: string[] = []
  for (const { name, load } of commands) {
    const { help } = await load()
    for (const [kind, [cases, told]] of Object.entries(kinds))
      if (told.test(help) && !(name in cases) && !(`${name} ${kind}` in EXEMPT))
        missing.push(`${name} ${kind}`)
  }
  expect(missing).toEqual([])
})
