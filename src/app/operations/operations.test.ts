import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findOperation } from '../../contract/index.ts'

const FOLDERS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

test.each(FOLDERS)('every handler in %s belongs to that group of the contract', async (folder) => {
  const names = Object.keys(await import(join(import.meta.dirname, folder, 'index.ts')))
  expect(names).not.toEqual([])
  expect(names.map((name) => [name, findOperation(name)?.group])).toEqual(names.map((name) => [name, folder]))
})
