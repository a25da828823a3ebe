import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOfCommand } from '../../test/run-command.ts'
import { commands } from './commands.ts'
import { exitCodes } from './exit-codes.ts'
import { programHelp } from './program-help.ts'

/** Bad input to every command: a clear sentence, the documented code, and nothing half done. */

const NOWHERE = ['--server', 'http://127.0.0.1:1', '--key', 'k'.repeat(40)]
const NO_STORE = ['--data-dir', '@/none']
const TARGET = ['--target', 'http://127.0.0.1:1']
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-exit-codes-'))
  writeFileSync(join(folder, 'empty.txt'), '')
  writeFileSync(join(folder, 'broken.yaml'), 'id: [')
  writeFileSync(join(folder, 'broken.json'), '{"a":')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command in this process, with `@` for the folder of the test. */
function end(name: string, args: readonly string[]): Promise<{ code: number; said: string }> {
  return endOfCommand(
    name,
    args.map((arg) => arg.replace('@', folder)),
  )
}

const { failed, misused } = exitCodes

/** Command with arguments, code, sentence. */
const BAD: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['start', ['--port', 'x'], misused, /--port must be a whole number/],
  ['start', ['now'], misused, /"now" is one word too many/],
  ['demo', ['now'], misused, /one word too many/],
  ['demo', ['--onse'], misused, /did you mean --once/],
  ['doctor', ['--max-body-bytes', 'x'], misused, /--max-body-bytes/],
  ['config', ['x'], misused, /one word too many/],
  ['scan', [], misused, /<file> is missing/],
  ['scan', ['@/none.yaml', ...TARGET], misused, /there is no file/],
  ['scan', ['@/empty.txt'], misused, /--target is missing/],
  ['scan', ['@/empty.txt', '--target', 'ftp://x'], misused, /--target takes an http or https URL/],
  ['scan', ['@/empty.txt', ...TARGET, '--fail-on', 'bad'], misused, /--fail-on takes critical/],
  ['scan', ['@/empty.txt', ...TARGET, '--roles', '@/broken.yaml'], misused, /not YAML in line 1/],
  ['scan', ['@/empty.txt', ...TARGET, '--sarif', '@/none/x.sarif'], misused, /cannot be written/],
  ['scan', ['--config', '@/broken.yaml'], misused, /--config/],
  ['scan', ['@/empty.txt', ...TARGET, ...NOWHERE], failed, /cannot be reached/],
  ['init', ['@/none.yaml', '--out', '@/vigil.yaml'], misused, /cannot be read/],
  ['archive', [], misused, /takes list, read or restore/],
  ['archive', ['read', 'x'], misused, /<id> is the number/],
  ['archive', ['restore', 'x'], misused, /<id> is the number/],
  ['archive', ['restore', '1', '--days', '0'], misused, /--days takes 1 to 3650/],
  ['archive', ['list', ...NO_STORE], misused, /holds no store/],
  ['import', [], misused, /<file> is missing/],
  ['import', ['-', '-'], misused, /standard input can be read once/],
  ['import', ['@/none.har', '--collection', 'c', ...NOWHERE], misused, /cannot be read/],
  ['import', ['@/empty.txt', '--collection', 'c'], misused, /--key is missing/],
  ['import', ['@/empty.txt', '--collection', 'c', ...NOWHERE], failed, /cannot be reached/],
  ['export', [], misused, /<format> is missing/],
  ['export', ['pdf', '--collection', 'c', ...NOWHERE], misused, /<format> is openapi/],
  ['export', ['har', ...NOWHERE], misused, /--collection is missing/],
  ['export', ['har', '--collection', 'c', '--json', ...NOWHERE], misused, /--json needs --out/],
  ['export', ['har', '--collection', 'c', '--secrets', 'all', ...NOWHERE], misused, /--secrets takes/],
  ['export', ['har', '--collection', 'c', '--out', '@/c.har', ...NOWHERE], failed, /cannot be reached/],
  ['report', ['x'], misused, /one word too many/],
  ['report', ['--fail-on', 'bad'], misused, /--fail-on takes/],
  ['report', ['--json', '--sarif', '-', ...NOWHERE], misused, /exclude each other/],
  ['report', ['--pdf', '@/r.pdf', ...NOWHERE], failed, /cannot be reached/],
  ['status', [], misused, /--key is missing/],
  ['status', NOWHERE, failed, /cannot be reached/],
  [
    'status',
    ['--server', 'vigil.test', '--key', 'k'.repeat(40)],
    misused,
    /--server takes an http or https URL/,
  ],
  ['crawler', [], misused, /--key is missing/],
  ['crawler', NOWHERE, failed, /cannot be reached/],
  ['browser', ['remove'], misused, /takes install or path/],
  ['browser', ['install', '--sha256', 'x'], misused, /--sha256 takes 64/],
  ['evidence', [], misused, /<result> is missing/],
  ['evidence', ['x', ...NOWHERE, '--out', '@/e.json'], failed, /cannot be reached/],
  ['replay', ['@/none.json'], misused, /cannot be read|no such file/],
  ['replay', ['@/broken.json'], misused, /./],
  ['templates', [], misused, /takes list, validate, test, new/],
  ['templates', ['validate'], misused, /<file> is missing/],
  ['templates', ['validate', '@/broken.yaml'], failed, /^$/],
  ['templates', ['test', '@/none'], misused, /there is no file or folder/],
  ['templates', ['new', 'lower'], misused, /<ID> takes capitals/],
  ['templates', ['install'], misused, /<source> is missing/],
  ['templates', ['install', '@/none', '--folder', '@/lib'], failed, /git: /],
  ['templates', ['update', '--folder', '@/lib'], misused, /was not made by vigil templates install/],
  ['mcp', [], misused, /--key is missing/],
  ['mcp', ['--groups', 'nothing', ...NOWHERE], misused, /--groups takes all, collections/],
  ['mcp', ['--max-tokens', '1', ...NOWHERE], misused, /--max-tokens takes 200/],
  ['mcp', ['--http', '9', ...NOWHERE], misused, /each request brings its own key/],
  ['mcp', ['--http', '0', '--server', 'vigil.test'], misused, /--server takes an http or https URL/],
  ['proxy', [], misused, /--collection is missing/],
  ['proxy', ['--collection', 'c', '--proxy-port', 'x'], misused, /--proxy-port must be a port/],
  ['proxy', ['--collection', 'c', ...NOWHERE], failed, /cannot be reached/],
  ['docs', [], misused, /--out is missing/],
  ['docs', ['x', '--out', '@/site'], misused, /one word too many/],
  ['key', ['make'], misused, /takes create, list or revoke/],
  ['key', ['create', '--kind', 'SLACK'], misused, /--kind takes EXTERNAL_API, CICD, BURP/],
  ['key', ['create', '--expires-in-days', '0'], misused, /--expires-in-days takes 1 to 3650/],
  ['key', ['revoke', 'x'], misused, /is the number that "key list" shows/],
  ['key', ['list', ...NO_STORE], misused, /holds no store: name the data folder of your server/],
  ['user', ['delete'], misused, /takes create, reset-password or reset-second-factor/],
  ['user', ['create', 'a@b.test', '--role', 'KING'], misused, /--role takes/],
  ['user', ['reset-second-factor', 'a@b.test', ...NO_STORE], misused, /holds no store/],
  ['rotate-key', ['--new-key-file', '@/none'], misused, /--new-key-file/],
  ['rotate-key', NO_STORE, misused, /holds no store/],
  ['backup', [], misused, /<file> is missing/],
  ['backup', ['@/empty.txt'], misused, /exists already/],
  ['restore', ['@/none.tar', '--data-dir', '@/data'], misused, /there is no file/],
  ['completion', ['tcsh'], misused, /<shell> is bash, zsh, fish/],
]

test.each(BAD)('vigil %s %j ends with code %i', async (name, args, code, sentence) => {
  const before = readdirSync(folder, { recursive: true })
  const { code: got, said } = await end(name, args)
  expect({ got, said }).toEqual({ got: code, said: expect.stringMatching(sentence) })
  expect(said).not.toMatch(/\b(?:ENOENT|EISDIR|EEXIST|TypeError|undefined)\b/)
  if (code === misused && name !== 'replay' && !said.includes('Correct the named settings'))
    expect(said).toContain(`"vigil ${name} --help"`)
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
})

test('every command has its bad inputs here, and every code is documented', () => {
  const tried = new Set(BAD.map(([name]) => name))
  expect(commands.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
  const page = readFileSync('docs/cli.md', 'utf8')
  const documented = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(documented.sort((a, b) => a - b)).toEqual(Object.values(exitCodes).sort((a, b) => a - b))
})

test('every help fits a terminal of 122 columns', async () => {
  const helps = await Promise.all(commands.map(async ({ load }) => (await load()).help))
  const lines = [programHelp(commands), ...helps].join('').split('\n')
  expect(lines.filter((line) => line.length > 122)).toEqual([])
})

test('every command takes --json, and says so', async () => {
  for (const { name, load } of commands) expect((await load()).help, name).toContain('--json')
})
