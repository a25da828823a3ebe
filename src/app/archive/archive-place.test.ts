import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings, syncFolder } from '../../kit/index.ts'
import { openArchivePlace } from './archive-place.ts'

test('every folder that was made for a file is synced, and so is what lists it', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'vigil-place-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const top = join(parent, 'archive')
  const url = `${pathToFileURL(top).href}/`
  // A power failure cannot be had in a test; which folders are synced before a file counts as written can be.
  const synced: string[] = []
  const place = openArchivePlace(readSettings({}, { 'archive-url': url }).settings, (folder) => {
    synced.push(folder)
    syncFolder(folder)
  })!
  await place.write('table/partition/00001', Buffer.from('a'))
  const below = [join(top, 'table', 'partition'), join(top, 'table'), top]
  expect(synced.splice(0)).toEqual([...below, parent])
  // A killed process may have made them without syncing them.
  await place.write('table/partition/00002', Buffer.from('b'))
  expect(synced).toEqual(below)
  expect(readFileSync(join(top, 'table/partition/00002'), 'utf8')).toBe('b')
})
