import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type TestFile, testFiles } from '../scripts/test-files.ts'

let root = ''
afterEach(() => rmSync(root, { recursive: true }))

const importing = (path: string): string => `import { x } from '${path}'\n`

/** A repository with these files; @returns its only file of tests. */
function only(files: Record<string, string>): TestFile {
  root = `${mkdtempSync(join(tmpdir(), 'vigil-files-'))}/`
  for (const [path, text] of Object.entries({ 'src/a.ts': '', 'test/store-fixture.ts': '', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return testFiles(root)[0]!
}

test('a file that imports no fixture of the product tests plain code, and runs once', () => {
  expect(only({ 'src/kit/a.test.ts': importing('../a.ts') })).toEqual({
    path: 'src/kit/a.test.ts',
    kind: 'plain',
    isMarathon: false,
    usesStore: false,
    differsByStore: false,
    marathonsDiffer: false,
  })
})

test('a file that uses a store through another fixture is found', () => {
  const harness = importing('./store-fixture.ts')
  const text = importing('../harness.ts')
  expect(only({ 'test/harness.ts': harness, 'test/scenarios/a.test.ts': text })).toMatchObject({
    kind: 'product',
    usesStore: true,
    differsByStore: false,
  })
})

test('what tests the store, and what runs on the embedded store only, runs on both', () => {
  const text = importing('../../test/store-fixture.ts')
  expect(only({ 'src/store/a.test.ts': text }).differsByStore).toBe(true)
  rmSync(root, { recursive: true })
  const embedded = `${text}test.runIf(testedEngine === 'embedded')('a', () => {})`
  expect(only({ 'src/app/a.test.ts': embedded }).differsByStore).toBe(true)
  rmSync(root, { recursive: true })
  const marathon = `${text}test.runIf(testedEngine === 'embedded')('a', { tags: ['marathon'] }, () => {})`
  expect(only({ 'src/app/a.test.ts': marathon })).toMatchObject({
    differsByStore: false,
    marathonsDiffer: true,
  })
})

test('a marathon is recognised by its name', () => {
  expect(only({ 'test/faults/a.marathon.test.ts': '' })).toMatchObject({ kind: 'waiting', isMarathon: true })
})
