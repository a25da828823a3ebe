import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCases } from '../../src/app/template-cases/case-file.ts'
import { type CaseDeps, runCase, storyOf, wordOf } from '../../src/app/template-cases/run-case.ts'
import {
  CallbackListener,
  createSigningKeys,
  jwkSet,
  parseTemplate,
  type Template,
} from '../../src/testing/index.ts'

const LIBRARY = fileURLToPath(new URL('../../templates', import.meta.url))
/** Fewest tests that the library may have. */
const FEWEST_TEMPLATES = 140
/** Standards with a clause for every test. */
const STANDARDS = ['OWASP API SECURITY TOP 10', 'OWASP ASVS 4.0.3', 'OWASP WSTG 4.2', 'PCI DSS 4.0']

const files = (await readdir(join(LIBRARY, 'tests'), { recursive: true }))
  .filter((file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml'))
  .sort()
const templates = new Map<string, Template>()
let deps: CaseDeps

beforeAll(async () => {
  const callback = await CallbackListener.start({
    callbackHost: '127.0.0.1',
    callbackPort: 0,
    callbackUrl: null,
  })
  const keys = createSigningKeys(callback.keysUrl)
  callback.publishKeys(jwkSet(keys))
  deps = { callback, keys, templates }
})
afterAll(() => deps.callback.close())

describe('the library', () => {
  test(`holds ${FEWEST_TEMPLATES} tests or more`, () => {
    expect(files.length).toBeGreaterThanOrEqual(FEWEST_TEMPLATES)
  })

  test('has cases and remediation for nothing but its tests', async () => {
    const ids = new Set(files.map((file) => basename(file, '.yaml')))
    const cases = (await readdir(join(LIBRARY, 'tests'), { recursive: true }))
      .filter((file) => file.endsWith('.cases.yaml'))
      .map((file) => basename(file, '.cases.yaml'))
    const remediation = (await readdir(join(LIBRARY, 'remediation'))).map((file) => basename(file, '.md'))
    expect(remediation.toSorted()).toEqual([...ids].toSorted())
    expect(cases.filter((id) => !ids.has(id))).toEqual([])
  })
})

test('every weakness of the OWASP API Security Top 10 (2023) has tests', () => {
  const numbers = new Set(
    [...templates.values()].map(({ info }) => /^API(\d+):2023/.exec(info.tags[0] ?? '')?.[1]),
  )
  expect([...numbers].map(Number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a wrong password of an old version is tried where runs must be reversible', async () => {
  const template = templates.get('OLD_VERSION_LOGIN')!
  const text = await readFile(join(LIBRARY, 'tests', 'inventory', 'OLD_VERSION_LOGIN.cases.yaml'), 'utf8')
  const one = readCases(text).find(({ expect }) => expect === 'vulnerable')!
  const result = await runCase(template, one, { ...deps, writeLevel: 'REVERSIBLE' })
  expect(wordOf(result), storyOf(result)).toBe('vulnerable')
})

test('existing accounts are distinguished where runs must be reversible', async () => {
  const template = templates.get('USER_ENUMERATION_LOGIN')!
  const text = await readFile(join(LIBRARY, 'tests', 'no-auth', 'USER_ENUMERATION_LOGIN.cases.yaml'), 'utf8')
  for (const one of readCases(text).filter(({ expect }) => expect === 'vulnerable')) {
    const result = await runCase(template, one, { ...deps, writeLevel: 'REVERSIBLE' })
    expect(wordOf(result), storyOf(result)).toBe('vulnerable')
  }
})

test('a path without the number that a test changes is named as the reason', async () => {
  const template = templates.get('SQLI_BOOLEAN_NUMBER_PATH')!
  const text = await readFile(
    join(LIBRARY, 'tests', 'injection', 'SQLI_BOOLEAN_NUMBER_PATH.cases.yaml'),
    'utf8',
  )
  const one = readCases(text).find(({ name }) => name === 'no number was recorded')!
  const result = await runCase(template, one, deps)
  expect(result.explanation).toContain('no parameter was recorded with a value of the form')
})

test('nobody gets another password where runs must be reversible', async () => {
  const template = templates.get('BOLA_PASSWORD_CHANGE')!
  const text = await readFile(join(LIBRARY, 'tests', 'bola', 'BOLA_PASSWORD_CHANGE.cases.yaml'), 'utf8')
  for (const one of readCases(text).filter(({ expect }) => expect === 'vulnerable')) {
    const result = await runCase(template, one, { ...deps, writeLevel: 'REVERSIBLE' })
    expect(wordOf(result), storyOf(result)).toBe('WRITE_NOT_REVERSIBLE')
  }
})

test('no file is uploaded where runs only read', async () => {
  const template = templates.get('UPLOAD_FILENAME_TRAVERSAL')!
  const text = await readFile(join(LIBRARY, 'tests', 'lfi', 'UPLOAD_FILENAME_TRAVERSAL.cases.yaml'), 'utf8')
  const one = readCases(text).find(({ expect }) => expect === 'vulnerable')!
  const result = await runCase(template, one, { ...deps, writeLevel: 'READ_ONLY' })
  expect(wordOf(result), storyOf(result)).toBe('WRITE_NOT_REVERSIBLE')
})

describe.concurrent.each(files)('%s', async (file) => {
  const path = join(LIBRARY, 'tests', file)
  const id = basename(file, '.yaml')
  const { template, problems } = parseTemplate(await readFile(path, 'utf8'), file)
  if (template !== null) templates.set(id, template)
  const casesPath = path.replace(/\.yaml$/, '.cases.yaml')
  const cases = existsSync(casesPath) ? readCases(await readFile(casesPath, 'utf8')) : []

  test('is a test without problems, named like its file', () => {
    expect(problems).toEqual([])
    expect(template?.id).toBe(id)
  })

  test('names its weakness, clauses of standards, and what helps', async () => {
    const { cwe, compliance, tags } = template!.info
    expect(cwe.length).toBeGreaterThanOrEqual(1)
    for (const name of cwe) expect(name).toMatch(/^CWE-\d+$/)
    expect(tags[0]).toMatch(/^API(?:[1-9]|10):2023 /)
    for (const id of compliance.get('OWASP WSTG 4.2') ?? []) expect(id).toMatch(/^WSTG-[A-Z]{4}-\d{2}$/)
    for (const standard of STANDARDS) expect(compliance.get(standard)?.length ?? 0).toBeGreaterThanOrEqual(1)
    const remediation = await readFile(join(LIBRARY, 'remediation', `${id}.md`), 'utf8')
    expect(remediation.length).toBeGreaterThan(200)
  })

  test('has a case that it finds, and two that it must not', () => {
    const found = cases.filter((one) => one.expect === 'vulnerable').length
    expect(found).toBeGreaterThanOrEqual(1)
    expect(cases.length - found).toBeGreaterThanOrEqual(2)
  })

  for (const one of cases) {
    test(`${one.expect}: ${one.name}`, async () => {
      const result = await runCase(template!, one, deps)
      expect(wordOf(result), storyOf(result)).toBe(one.expect)
      if (one.severity !== undefined) expect(result.severity, storyOf(result)).toBe(one.severity)
    })
  }
})
