import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { handOverSecret } from './hand-over-secret.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'vigil-secret-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const key = { dataDir, file: 'first-api-key', title: 'First API key', secret: 's3cret' }

test('a terminal shows the secret itself', () => {
  expect(handOverSecret(key, true)).toEqual({ line: 'First API key: s3cret', file: null })
})

test('anything else gets the name of a file that only the owner may read', () => {
  const path = join(dataDir, 'first-api-key')
  expect(handOverSecret(key, false)).toEqual({ line: `First API key: in the file ${path}`, file: path })
  expect(readFileSync(path, 'utf8')).toBe('s3cret\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
