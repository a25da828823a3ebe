import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { explainFailure } from './explain-failure.ts'
import { templates } from './templates.ts'

let folder: string
let repository: string
const inFolder = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-templates-test-'))
  repository = inFolder('library')
  mkdirSync(repository)
  git('init', '--quiet', '--initial-branch', 'main')
  await run('new', 'FIRST_TEST', '--folder', repository)
  mkdirSync(join(repository, 'remediation'))
  writeFileSync(join(repository, 'remediation', 'FIRST_TEST.md'), 'Switch it off.\n')
  writeFileSync(join(repository, 'ci.yaml'), 'jobs: {}\n')
  commit('first')
  git('checkout', '--quiet', '-b', 'more/tests')
  await run('new', 'SECOND_TEST', '--folder', repository)
  commit('second')
  git('checkout', '--quiet', 'main')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

function git(...args: string[]): string {
  const who = ['-c', 'user.name=tester', '-c', 'user.email=tester@shop.test']
  return execFileSync('git', ['-C', repository, ...who, ...args], { encoding: 'utf8' }).trim()
}

function commit(text: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', text)
}

async function run(...args: string[]): Promise<{ code: number; out: string; said: string }> {
  const [out, said]: [string[], string[]] = [[], []]
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const code = await templates.run(args).catch(explainFailure)
  vi.restoreAllMocks()
  return { code, out: out.join(''), said: said.join('') }
}

test('a new test can be used at once, and its cases pass', async () => {
  const made = await run('new', 'MY_TEST', '--folder', inFolder('own'))
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('MY_TEST.cases.yaml') })
  expect(await run('validate', inFolder('own'))).toMatchObject({
    code: 0,
    out: '1 test can be used, 0 cannot\n',
  })
  const end = await run('test', inFolder('own'))
  expect(end.code, end.out).toBe(exitCodes.done)
  expect(end.out).toMatch(/^ok {4}MY_TEST: debug output is there anyway$/m)
  expect(end.out).toContain('3 cases passed, 0 failed')
  expect(await run('new', 'MY_TEST', '--folder', inFolder('own'))).toMatchObject({ code: 1 })
})

test('a case that does not hold fails with what was sent and answered', async () => {
  await run('new', 'OTHER_TEST', '--folder', inFolder('other'))
  const cases = inFolder('other/OTHER_TEST.cases.yaml')
  writeFileSync(cases, readFileSync(cases, 'utf8').replace('expect: secure', 'expect: vulnerable'))
  const end = await run('test', inFolder('other/OTHER_TEST.yaml'), '--json')
  expect(end.code).toBe(exitCodes.failed)
  expect(JSON.parse(end.out)).toMatchObject({
    ...{ passed: 2, failed: 1 },
    results: expect.arrayContaining([
      expect.objectContaining({
        expected: 'vulnerable',
        got: 'secure',
        story: expect.stringContaining('/orders/1'),
      }),
    ]),
  })
})

test('problems are reported with their place, and a file without a test is not one', async () => {
  await run('new', 'BAD', '--folder', inFolder('bad'))
  const path = inFolder('bad/BAD.yaml')
  writeFileSync(path, readFileSync(path, 'utf8').replace('contains_either', 'contains_ether'))
  writeFileSync(inFolder('bad/compose.yaml'), 'services: {}\n')
  const end = await run('validate', inFolder('bad'))
  expect(end.code).toBe(exitCodes.failed)
  expect(end.out).toMatch(
    /^bad\/BAD\.yaml:2\d:\d+: error: .*contains_ether.* Did you mean contains_either\?$/m,
  )
  expect(end.out).toContain('0 tests can be used, 1 cannot')
  expect(await run('validate', inFolder('nothing'))).toMatchObject({ code: 2 })
})

test('the list shows the built-in tests', async () => {
  const { code, out } = await run('list', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 'BOLA_READ', severity: 'HIGH', category: 'BOLA' }),
    ]),
  )
})

test('a library is installed from a git repository with all branches, pinned, and updated', async () => {
  const place = inFolder('installed')
  const made = await run('install', repository, '--folder', place, '--json')
  expect(made.code, made.said).toBe(0)
  expect(JSON.parse(made.out)).toMatchObject({
    ...{ tests: 2, refused: [] },
    installed: [
      { name: 'main', commit: git('rev-parse', 'main') },
      { name: 'more/tests', commit: git('rev-parse', 'more/tests') },
    ],
  })
  const files = readdirSync(place, { recursive: true })
  expect(files).toContain('0-main/remediation/FIRST_TEST.md')
  expect(files).not.toContain('0-main/ci.yaml')
  expect((await run('test', place)).out).toContain('6 cases passed, 0 failed')

  const first = git('rev-parse', 'main')
  await run('new', 'THIRD_TEST', '--folder', repository)
  commit('third')
  expect((await run('update', '--folder', place)).out).toMatch(/^3 tests are in .*--template-dirs/m)
  const pinned = await run('install', repository, '--folder', place, '--ref', first, '--json')
  expect(JSON.parse(pinned.out)).toMatchObject({ tests: 1, ref: first, installed: [{ commit: first }] })
})

test('a library is installed from an archive', async () => {
  const archive = inFolder('library.tar.gz')
  git('archive', '--format=tar.gz', '--prefix=library/', '--output', archive, 'more/tests')
  const made = await run('install', archive, '--folder', inFolder('from-archive'), '--json')
  expect(JSON.parse(made.out)).toMatchObject({
    ...{ tests: 2 },
    installed: [{ name: 'archive', commit: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
  })
})

test('what cannot be installed leaves nothing behind', async () => {
  const before = readdirSync(folder)
  const place = inFolder('never')
  const none = await run('install', inFolder('no-repository'), '--folder', place)
  expect(none).toMatchObject({ code: 1, said: expect.stringMatching(/^vigil: git: /) })
  writeFileSync(inFolder('broken.tgz'), 'no archive')
  expect(await run('install', inFolder('broken.tgz'), '--folder', place)).toMatchObject({ code: 1 })
  symlinkSync('/etc', inFolder('outside'))
  execFileSync('tar', ['-C', folder, '-cf', inFolder('hostile.tar'), 'outside'])
  expect(await run('install', inFolder('hostile.tar'), '--folder', place)).toMatchObject({
    ...{ code: 1, said: expect.stringContaining('outside the extraction directory') },
  })
  expect(await run('install', '--upload-pack=touch', '--folder', place)).toMatchObject({ code: 2 })
  expect(await run('install', repository, '--folder', inFolder('own'))).toMatchObject({
    ...{ code: 2, said: expect.stringContaining('was not made by vigil templates install') },
  })
  expect(existsSync(place)).toBe(false)
  const made = ['broken.tgz', 'hostile.tar', 'outside']
  expect(readdirSync(folder).filter((name) => !made.includes(name))).toEqual(before)
})
