import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../kit/index.ts'
import { openArchivePlace } from './archive-place.ts'

const synced = vi.hoisted((): string[] => [])
// A power failure cannot be had in a test; which folders are synced before a file counts as written can be.
vi.mock('../../kit/index.ts', async (original) => {
  const kit = await original<typeof import('../../kit/index.ts')>()
  return {
    ...kit,
    syncFolder: (folder: string) => {
      synced.push(folder)
      kit.syncFolder(folder)
    },
  }
})

test('every folder that was made for a file is synced, and so is what lists it', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'vigil-place-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const top = join(parent, 'archive')
  const url = `${pathToFileURL(top).href}/`
  const place = openArchivePlace(readSettings({}, { 'archive-url': url }).settings)!
  await place.write('table/partition/00001', Buffer.from('a'))
  const below = [join(top, 'table', 'partition'), join(top, 'table'), top]
  expect(synced.splice(0)).toEqual([...below, parent])
  // A killed process may have made them without syncing them.
  await place.write('table/partition/00002', Buffer.from('b'))
  expect(synced).toEqual(below)
  expect(readFileSync(join(top, 'table/partition/00002'), 'utf8')).toBe('b')
})
