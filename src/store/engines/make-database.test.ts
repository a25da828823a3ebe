import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../owner.ts'

test.skipIf(process.platform === 'win32')(
  'no file of a new embedded database is open to other users',
  async () => {
    // As the program sets it; the engine's tools ignore it.
    const umask = process.umask(0o077)
    const dataDir = mkdtempSync(join(tmpdir(), 'vigil-new-database-'))
    const store = await openStore({ databaseUrl: undefined, dataDir })
    try {
      const paths = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      // The engine may remove a file between the list and the look.
      const modeOf = (path: string) => lstatSync(join(dataDir, path), { throwIfNoEntry: false })?.mode ?? 0
      const open = paths.filter((path) => (modeOf(path) & 0o077) !== 0)
      expect(paths.length).toBeGreaterThan(500)
      expect(open).toEqual([])
    } finally {
      await store.close()
      process.umask(umask)
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
