import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { nowSeconds } from '../../kit/index.ts'
import { createLog } from '../../kit/log.ts'
import type { Store } from '../../store/index.ts'
import { keepTemplates, parseTemplate, StoredCatalogue, switchTemplate } from '../../testing/index.ts'
import { catalogueEntry } from './catalogue-entry.ts'
import { keepLibrary } from './library.ts'
import { TemplateFolders } from './template-folders.ts'

const LIBRARY_TEST = 'BOLA_READ'

let folder: string
let store: Store
let close: () => Promise<void>
let lines: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-tests-'))
  ;({ store, close } = await openTestStore())
  lines = []
})
afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

function yamlOf(id: string, change = (text: string): string => text): string {
  return change(`id: ${id}
info:
  name: Test ${id}
  description: What it finds.
  details: How.
  impact: What follows.
  category: { name: BOLA, shortName: BOLA, displayName: Broken Object Level Authorization }
  subCategory: ${id}
  severity: HIGH
api_selection_filters:
  response_code: { gte: 200, lt: 300 }
execute:
  type: single
  requests:
    - req:
        - add_header: { probe: '1' }
validate:
  response_code: { eq: 500 }
`)
}

function put(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function foldersOf(...paths: string[]): TemplateFolders {
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  return new TemplateFolders(store, paths, log)
}

async function idsOf(source: 'GIT' | 'LIBRARY' | 'CUSTOM'): Promise<string[]> {
  const page = await new StoredCatalogue(store).page({ activeOnly: false, skip: 0, limit: 2000 })
  return page.filter((entry) => entry.source === source).map(({ id }) => id)
}

test('takes tests of nested folders, and passes over what is none', async () => {
  put('a/deep/one.yaml', yamlOf('ONE'))
  put('two.yml', yamlOf('TWO'))
  put('README.md', '# Tests')
  put('.git/config.yaml', yamlOf('HIDDEN'))
  put('compose.yaml', 'services: { web: { image: shop } }')
  put('filter.yaml', 'id: F\nfilter: { method: { eq: GET } }\n')
  put('one.cases.yaml', 'cases: []')
  const folders = foldersOf(folder)
  await folders.read()
  expect(await idsOf('GIT')).toEqual(['ONE', 'TWO'])
  expect(folders.report).toMatchObject({ files: 4, tests: 2, ignored: 2, problems: [] })
})

test('tells file, line, key and the nearest word of a bad file, and takes the others', async () => {
  put(
    'bad.yaml',
    yamlOf('BAD', (text) => text.replace('lt: 300', 'lts: 300')),
  )
  put('broken.yaml', 'id: [')
  put('good.yaml', yamlOf('GOOD'))
  const folders = foldersOf(folder)
  await folders.read()
  expect(await idsOf('GIT')).toEqual(['GOOD'])
  const [bad, broken] = folders.report.problems
  expect(bad?.file.endsWith('/bad.yaml')).toBe(true)
  expect(bad?.problem).toMatchObject({
    severity: 'error',
    nearest: 'lt',
    place: { line: 11, path: 'api_selection_filters.response_code.lts' },
  })
  expect(broken?.file.endsWith('/broken.yaml')).toBe(true)
  expect(lines.filter((line) => line.includes('template.refused')).join('')).toContain('"nearest":"lt"')
})

test('a text with U+0000 is kept without it', async () => {
  put(
    'nul.yaml',
    yamlOf('NUL', (text) => text.replace('details: How.', 'details: "a\\0b"')),
  )
  put('good.yaml', yamlOf('GOOD'))
  const folders = foldersOf(folder)
  await folders.read()
  expect(await idsOf('GIT')).toEqual(['GOOD', 'NUL'])
  const [kept] = await new StoredCatalogue(store).byIds(['NUL'])
  expect(kept?.details).toBe('ab')
})

test('of one id the first file counts, and the other is named', async () => {
  put('a.yaml', yamlOf('SAME'))
  put(
    'b.yaml',
    yamlOf('SAME', (text) => text.replace('HIGH', 'LOW')),
  )
  const folders = foldersOf(folder)
  await folders.read()
  const [kept] = await new StoredCatalogue(store).byIds(['SAME'])
  expect(kept?.severity).toBe('HIGH')
  expect(folders.report.problems.map(({ problem }) => problem.message)).toEqual([
    expect.stringContaining('a.yaml has a test of the same id, SAME, and counts.'),
  ])
})

test('a file replaces a test of the library until the file is removed', async () => {
  await keepLibrary(store)
  put('own.yaml', yamlOf(LIBRARY_TEST))
  const folders = foldersOf(folder)
  await folders.read()
  expect(await idsOf('GIT')).toEqual([LIBRARY_TEST])
  await keepLibrary(store)
  expect(await idsOf('GIT')).toEqual([LIBRARY_TEST])
  rmSync(join(folder, 'own.yaml'))
  await folders.read()
  expect(await idsOf('GIT')).toEqual([])
  expect(await idsOf('LIBRARY')).toContain(LIBRARY_TEST)
})

test('a test of the dashboard wins over a file', async () => {
  const content = yamlOf('MINE')
  const { template } = parseTemplate(content, 'x')
  const origin = { source: 'CUSTOM', file: null, author: 'ada', remediation: null } as const
  await keepTemplates(store, [catalogueEntry(template!, content, origin)], nowSeconds())
  put('mine.yaml', yamlOf('MINE'))
  const folders = foldersOf(folder)
  await folders.read()
  expect(await idsOf('CUSTOM')).toEqual(['MINE'])
  expect(folders.report.problems[0]?.problem.message).toContain('written in the dashboard')
})

test('notices changes, new and deleted files, and leaves what a person switched off', async () => {
  put('one.yaml', yamlOf('ONE'))
  put('two.yaml', yamlOf('TWO'))
  const folders = foldersOf(folder)
  await folders.read()
  await switchTemplate(store, 'ONE', true)
  put(
    'one.yaml',
    yamlOf('ONE', (text) => text.replace('What it finds.', 'Something else.')),
  )
  rmSync(join(folder, 'two.yaml'))
  put('three.yaml', yamlOf('THREE'))
  await folders.read()
  expect(await idsOf('GIT')).toEqual(['ONE', 'THREE'])
  const [one] = await new StoredCatalogue(store).byIds(['ONE'])
  expect(one).toMatchObject({ description: 'Something else.', isInactive: true })
})

test('takes remediation and clauses of standards that lie beside', async () => {
  put('tests/one.yaml', yamlOf('ONE'))
  put('remediation/ONE.md', '## Fix it')
  put('compliance/ONE.conf', 'Soc 2:\n- Access\n')
  const folders = foldersOf(folder)
  await folders.read()
  const catalogue = new StoredCatalogue(store)
  const [one] = await catalogue.byIds(['ONE'])
  expect(one).toMatchObject({ remediation: '## Fix it', compliance: { 'SOC 2': ['Access'] } })
  put('remediation/ONE.md', '## Fix it well')
  await folders.read()
  expect(await catalogue.remediation('ONE')).toBe('## Fix it well')
})

test('keeps what an unreadable folder gave, and forgets folders that are no longer named', async () => {
  put('one.yaml', yamlOf('ONE'))
  await foldersOf(folder).read()
  rmSync(folder, { recursive: true })
  const gone = foldersOf(folder)
  await gone.read()
  expect(await idsOf('GIT')).toEqual(['ONE'])
  expect(gone.report.problems[0]?.problem.message).toBe('The folder cannot be read: ENOENT.')
  await foldersOf().read()
  expect(await idsOf('GIT')).toEqual([])
})

test('follows links to files, not to folders', async () => {
  put('..data/one.yaml', yamlOf('ONE'))
  symlinkSync('..data/one.yaml', join(folder, 'one.yaml'))
  symlinkSync('.', join(folder, 'loop'))
  const folders = foldersOf(folder)
  await folders.read()
  expect(await idsOf('GIT')).toEqual(['ONE'])
})

test('a clone of a library serves as it is', async () => {
  const origin = join(folder, 'origin')
  put('origin/Access/one.yml', yamlOf('ONE'))
  put('origin/README.md', '# Library')
  put('origin/resources/words.txt', 'a')
  const git = (...args: string[]): void => void execFileSync('git', args, { stdio: 'ignore' })
  git('init', '-q', origin)
  git('-C', origin, 'add', '.')
  git('-C', origin, '-c', 'user.name=a', '-c', 'user.email=a@b.test', 'commit', '-qm', 'One')
  git('clone', '-q', origin, join(folder, 'clone'))
  const folders = foldersOf(join(folder, 'clone'))
  await folders.read()
  expect(await idsOf('GIT')).toEqual(['ONE'])
  expect(folders.report).toMatchObject({ files: 1, problems: [] })
})

test('a file over the limit is named, and ten thousand files are read in bounded time', {
  tags: ['marathon'],
}, async () => {
  put('large.yaml', `${yamlOf('LARGE')}# ${'x'.repeat(1_048_576)}`)
  mkdirSync(join(folder, 'many'))
  for (let i = 0; i < 10_000; i++) writeFileSync(join(folder, 'many', `${i}.yaml`), `name: ${i}\n`)
  const folders = foldersOf(folder)
  await folders.read()
  expect(folders.report).toMatchObject({ files: 10_001, tests: 0, ignored: 10_000 })
  expect(folders.report.problems.map(({ problem }) => problem.message)).toEqual([
    'The file is larger than 1048576 bytes.',
  ])
})
