import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshStorePlace, testedEngine } from '../../test/store-fixture.ts'
import { readSettings } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import { type AppContext, openAppContext } from './app-context.ts'
import { prepareDataFolder } from './data-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('a data folder that others could read is closed to them, with everything that Vigil keeps in it', () => {
  mkdirSync(join(folder, 'database/base'), { recursive: true })
  writeFileSync(join(folder, 'database/base/1'), 'rows')
  writeFileSync(join(folder, 'instance.key'), 'secret')
  writeFileSync(join(folder, 'notes.txt'), 'of the owner')
  const outside = mkdtempSync(join(tmpdir(), 'vigil-outside-'))
  symlinkSync(outside, join(folder, 'database/link'))
  for (const path of ['', 'database', 'database/base']) chmodSync(join(folder, path), 0o755)
  for (const path of ['database/base/1', 'instance.key', 'notes.txt']) chmodSync(join(folder, path), 0o666)
  chmodSync(outside, 0o755)
  prepareDataFolder(folder)
  for (const path of ['', 'database', 'database/base']) expect(modeOf(join(folder, path))).toBe('700')
  for (const path of ['database/base/1', 'instance.key']) expect(modeOf(join(folder, path))).toBe('600')
  expect(modeOf(join(folder, 'notes.txt')), 'a file that is not of Vigil').toBe('666')
  expect(modeOf(outside), 'what a link leads to').toBe('755')
  rmSync(outside, { recursive: true })
})

test.each(['', 'database'])('a data folder that others may write is refused: %s', (name) => {
  mkdirSync(join(folder, 'database'))
  chmodSync(join(folder, name), 0o777)
  expect(() => prepareDataFolder(folder)).toThrow(
    expect.objectContaining({
      code: 'DATA_FOLDER_OPEN',
      details: { folder: join(folder, name), mode: '777' },
    }),
  )
})

test.each(['', 'database'])('what a link leads to is judged like a folder in its place: %j', (name) => {
  const elsewhere = join(folder, 'elsewhere')
  const dataDir = join(folder, 'data')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, name === '' ? 'instance.key' : 'PG_VERSION'), '')
  if (name !== '') mkdirSync(dataDir)
  symlinkSync(elsewhere, join(dataDir, name))
  chmodSync(elsewhere, 0o777)
  expect(() => prepareDataFolder(dataDir)).toThrow(
    expect.objectContaining({ code: 'DATA_FOLDER_OPEN', details: { folder: elsewhere, mode: '777' } }),
  )
  chmodSync(elsewhere, 0o755)
  prepareDataFolder(dataDir)
  expect(modeOf(elsewhere)).toBe('700')
})

test('a folder with files of others and no store is not taken for a data folder, nor a file', () => {
  writeFileSync(join(folder, 'thesis.odt'), 'text')
  expect(() => prepareDataFolder(folder)).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN' }))
  expect(() => prepareDataFolder(join(folder, 'thesis.odt'))).toThrow(
    expect.objectContaining({ code: 'DATA_FOLDER_UNUSABLE' }),
  )
})

test.runIf(process.platform === 'linux')('a folder that cannot be made is reported, at any depth', () => {
  const module = JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)
  // In a process that can be ended: nothing else could end a call that never returns.
  const program = `import { prepareDataFolder } from ${module}
for (const path of ['/proc/nowhere', '/proc/nowhere/deep'])
  try { prepareDataFolder(path) } catch (error) { console.log(error.code, error.details.folder) }`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 25_000,
  })
  expect(stdout).toBe('DATA_FOLDER_UNUSABLE /proc/nowhere\nDATA_FOLDER_UNUSABLE /proc/nowhere/deep\n')
})

test('an empty folder with the marks of a file system in it is taken', () => {
  mkdirSync(join(folder, 'lost+found'))
  writeFileSync(join(folder, '.DS_Store'), '')
  prepareDataFolder(folder)
  expect(modeOf(folder)).toBe('700')
})

test.runIf(testedEngine === 'embedded')(
  'a store does not open without its instance key, nor with another one, and all its files are closed to others',
  async () => {
    const open = async (flags: Record<string, string> = {}): Promise<void> => {
      const { settings } = readSettings({}, { 'data-dir': folder, 'embedded-durability': 'false', ...flags })
      const context = await openAppContext(settings, createLog('error', { write: () => {} }), () => {})
      await context.store.close()
    }
    await open()
    await open()
    rmSync(join(folder, 'instance.key'))
    await expect(open()).rejects.toMatchObject({
      code: 'INSTANCE_KEY_LOST',
      details: { place: join(folder, 'instance.key') },
    })
    await expect(open({ 'secret-key': 'x'.repeat(32) })).rejects.toMatchObject({ code: 'INSTANCE_KEY_WRONG' })
    for (const path of ['', 'database', 'database/base', 'database/PG_VERSION', 'database/postgresql.conf'])
      expect(statSync(join(folder, path)).mode & 0o077, path).toBe(0)
  },
)

test.runIf(testedEngine === 'postgres')(
  'a PostgreSQL store does not open without its instance key, and gets no other one',
  async () => {
    const place = await freshStorePlace()
    const open = async (work: (context: AppContext) => Promise<unknown> = async () => {}): Promise<void> => {
      const flags = { 'data-dir': folder, 'database-url': place.databaseUrl! }
      const { settings } = readSettings({}, flags)
      const context = await openAppContext(settings, createLog('error', { write: () => {} }), () => {})
      try {
        await work(context)
      } finally {
        await context.store.close()
      }
    }
    await open()
    await open(({ store }) => store.pool.query(`DELETE FROM settings WHERE name = 'instance-key'`))
    for (const _ of ['first', 'again'])
      await expect(open()).rejects.toMatchObject({
        code: 'INSTANCE_KEY_LOST',
        details: { place: 'in the table settings' },
      })
    await place.dispose()
  },
)
