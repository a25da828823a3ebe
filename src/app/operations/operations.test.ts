import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findOperation } from '../../contract/index.ts'

const FOLDERS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

test.each(FOLDERS)('every handler in %s belongs to that group of the contract', async (folder) => {
  const index = (await import(join(import.meta.dirname, folder, 'index.ts'))) as Record<string, object>
  const names = Object.values(index).flatMap((handlers) => Object.keys(handlers))
  expect(names).not.toEqual([])
  expect(names.map((name) => [name, findOperation(name)?.group])).toEqual(names.map((name) => [name, folder]))
})
