import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import { readTextFile } from './read-text-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-text-file-'))
const bad = (reason: string): Failure => new Failure('BAD_COMMAND', { reason })

function reasonOf(file: string): unknown {
  try {
    return readTextFile(file, bad)
  } catch (error) {
    return (error as Failure).details['reason']
  }
}

afterAll(() => rmSync(folder, { recursive: true }))

test('a file is read to its last character', () => {
  const file = join(folder, 'long.txt')
  const text = 'é'.repeat(100_000)
  writeFileSync(file, text)
  expect(readTextFile(file, bad)).toBe(text)
})

test('a file that is too large, endless or missing is refused, with the reason', () => {
  const file = join(folder, 'huge')
  writeFileSync(file, '')
  truncateSync(file, 17 * 1024 * 1024)
  expect(reasonOf(file)).toContain('larger than 16 MiB')
  expect(reasonOf('/dev/zero')).toContain('larger than 16 MiB')
  expect(reasonOf(folder)).toContain('it is a folder')
  expect(reasonOf(join(folder, 'none'))).toContain('there is no such file')
})
