import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyEmbeddedStore } from '../../../test/store-fixture.ts'
import { Failure } from '../../kit/index.ts'
import { pendingMigrations } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { restoreBackup, writeBackup } from './backup-file.ts'

let root: string
let home: string
let store: Store
const file = () => join(root, 'backup.tar.gz')

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'vigil-backup-'))
  home = join(root, 'home')
  await copyEmbeddedStore(home)
  store = await openStore({ databaseUrl: undefined, dataDir: home })
  writeFileSync(join(home, 'instance.key'), 'k'.repeat(43))
})
afterAll(async () => {
  await store.close()
  rmSync(root, { recursive: true, force: true })
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

const insert = (from: number, to: number) =>
  store.pool.query(
    `INSERT INTO settings (name, value, updated_at) SELECT 'n' || i, to_jsonb(i), 0 FROM generate_series($1::int, $2::int) i`,
    [from, to],
  )

test('a backup taken under load holds whole transactions, and restores elsewhere', async () => {
  let isWriting = true
  let committed = 0
  const writer = (async () => {
    for (let batch = 0; isWriting; batch++) {
      await insert(batch * 100, batch * 100 + 99)
      committed = (batch + 1) * 100
    }
  })()
  await expect.poll(() => committed).toBeGreaterThan(500)
  const before = committed
  const copy = join(root, 'copy')
  await store.copyTo(copy)
  isWriting = false
  await writer
  expect(await writeBackup(file(), copy, join(home, 'instance.key'))).toBe(statSync(file()).size)
  expect(statSync(file()).mode & 0o777).toBe(0o600)

  const other = join(root, 'other')
  mkdirSync(other)
  await restoreBackup(file(), other)
  expect(readFileSync(join(other, 'instance.key'), 'utf8')).toBe('k'.repeat(43))
  const restored = await openStore({ databaseUrl: undefined, dataDir: other })
  try {
    const { rows } = await restored.pool.query<{ count: number }>(`SELECT count(*) AS count FROM settings`)
    expect(rows[0]!.count % 100).toBe(0)
    expect(rows[0]!.count).toBeGreaterThanOrEqual(before)
    await restored.pool.query(`INSERT INTO settings (name, value, updated_at) VALUES ('after', '1', 0)`)
  } finally {
    await restored.close()
  }
})

/** A folder that is taken for a copied database. */
function smallDatabase(name: string): string {
  const folder = join(root, name)
  mkdirSync(join(folder, 'base'), { recursive: true })
  for (const path of ['PG_VERSION', 'base/1', 'base/2']) writeFileSync(join(folder, path), '17')
  return folder
}

test('the instance key is in the backup where the data folder has only a link to it', async () => {
  const secret = join(root, 'secret')
  writeFileSync(secret, 's'.repeat(43))
  const link = join(root, 'linked.key')
  symlinkSync(secret, link)
  const backup = join(root, 'linked.tar.gz')
  await writeBackup(backup, smallDatabase('linked'), link)
  const target = join(root, 'from-link')
  mkdirSync(target)
  await restoreBackup(backup, target)
  expect(readFileSync(join(target, 'instance.key'), 'utf8')).toBe('s'.repeat(43))
})

test('a backup whose key cannot be read, or from which a file vanishes, is not written', async () => {
  const backup = join(root, 'lacking.tar.gz')
  const broken = join(root, 'broken.key')
  symlinkSync(join(root, 'nowhere'), broken)
  expect(await codeOf(writeBackup(backup, smallDatabase('keyless'), broken))).toBe('SNAPSHOT_FAILED')
  const database = smallDatabase('vanishing')
  const work = writeBackup(backup, database, join(root, 'no.key'))
  rmSync(join(database, 'base/2'))
  await expect(work).rejects.toMatchObject({
    code: 'SNAPSHOT_FAILED',
    details: { reason: 'database/base/2 is not a file, or was removed during the backup' },
  })
  expect(readdirSync(root).filter((name) => name.startsWith('lacking'))).toEqual([])
})

test('a folder that holds a store is never overwritten', async () => {
  expect(await codeOf(restoreBackup(file(), home))).toBe('DATA_FOLDER_NOT_EMPTY')
})

test('files that are not a backup leave nothing behind', async () => {
  const bytes = readFileSync(file())
  const damaged = Buffer.from(bytes)
  damaged.fill(0xff, 5_000, 6_000)
  const archive = async (name: string, type: 'file' | 'symlink' = 'file') =>
    gzipSync(
      type === 'file'
        ? await packTar([{ header: { name, size: 1 }, body: 'x' }])
        : await packTar([{ header: { name, size: 0, type, linkname: 'PG_VERSION' } }]),
    )
  const cases: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    text: Buffer.from('hello'),
    cut: bytes.subarray(0, bytes.length >> 1),
    damaged,
    'zip of nothing': gzipSync(Buffer.alloc(0)),
    'other archive': await archive('database/a'),
    'leads outside': await archive('../escaped'),
    link: await archive('database/link', 'symlink'),
  }
  for (const [name, content] of Object.entries(cases)) {
    const target = join(root, 'target')
    mkdirSync(target)
    writeFileSync(join(root, 'bad'), content)
    expect([name, await codeOf(restoreBackup(join(root, 'bad'), target))]).toEqual([
      name,
      'BACKUP_UNREADABLE',
    ])
    expect(readdirSync(target)).toEqual([])
    expect(existsSync(join(root, 'escaped'))).toBe(false)
    rmSync(target, { recursive: true })
  }
})

test('a copy that cannot be written is reported, and the store continues', async () => {
  writeFileSync(join(root, 'in-the-way'), '')
  expect(await codeOf(store.copyTo(join(root, 'in-the-way', 'copy')))).toBe('SNAPSHOT_FAILED')
  await store.ping()
})

test('a store says what migrations it lacks, a new one none', { tags: ['marathon'] }, async () => {
  const next = { name: '9999-next', sql: 'SELECT 1', isBreaking: false }
  expect(await pendingMigrations(store.pool)).toEqual([])
  expect(await pendingMigrations(store.pool, [...migrations, next])).toEqual(['9999-next'])
  const memory = await openStore({ databaseUrl: undefined, dataDir: undefined })
  await memory.pool.query('DROP TABLE migrations')
  expect(await pendingMigrations(memory.pool)).toEqual([])
  await memory.close()
})
