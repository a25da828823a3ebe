import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { type Migration, migrations } from './migrations/index.ts'

const AFTER_RELEASE: Migration = {
  name: '9001-notes',
  sql: `ALTER TABLE collections ADD COLUMN note text NOT NULL DEFAULT 'none';
    UPDATE collections SET note = 'was here before'`,
  isBreaking: false,
}

let opened: Awaited<ReturnType<typeof openTestStore>>
beforeAll(async () => {
  opened = await openTestStore()
  await opened.store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES (7, 'shop', 'MANUAL', 1)`,
  )
})
afterEach(async () => {
  await opened.store.pool.query('ALTER TABLE collections DROP COLUMN IF EXISTS note')
  await opened.store.pool.query(`DELETE FROM migrations WHERE name LIKE '9%'`)
})
afterAll(() => opened.close())

test('a store of an earlier version keeps its rows and gets what it lacks, once', async () => {
  const { pool } = opened.store
  const wanted = [...migrations, AFTER_RELEASE]
  expect(await pendingMigrations(pool, wanted)).toEqual(['9001-notes'])
  expect(await migrate(pool, wanted)).toEqual(['9001-notes'])
  expect(await migrate(pool, wanted)).toEqual([])
  const { rows } = await pool.query('SELECT name, note FROM collections')
  expect(rows).toEqual([{ name: 'shop', note: 'was here before' }])
})

test('of processes that start at the same time, one migrates', async () => {
  const { pool } = opened.store
  const wanted = [...migrations, AFTER_RELEASE]
  const applied = await Promise.all([migrate(pool, wanted), migrate(pool, wanted), migrate(pool, wanted)])
  expect(applied.flat()).toEqual(['9001-notes'])
})

test('a migration that fails changes nothing, and is tried again at the next start', async () => {
  const { pool } = opened.store
  const broken = { ...AFTER_RELEASE, sql: `${AFTER_RELEASE.sql}; SELECT 1 / 0` }
  await expect(migrate(pool, [...migrations, broken])).rejects.toThrow(/division by zero/)
  const { rows } = await pool.query(
    `SELECT FROM information_schema.columns WHERE table_name = 'collections' AND column_name = 'note'`,
  )
  expect(rows).toHaveLength(0)
  expect(await migrate(pool, [...migrations, AFTER_RELEASE])).toEqual(['9001-notes'])
})

test('a migration is kept when a later one fails', async () => {
  const { pool } = opened.store
  const broken = { name: '9002-broken', sql: 'SELECT 1 / 0', isBreaking: false }
  await expect(migrate(pool, [...migrations, AFTER_RELEASE, broken])).rejects.toThrow(/division by zero/)
  expect(await pendingMigrations(pool, [...migrations, AFTER_RELEASE, broken])).toEqual(['9002-broken'])
})

test('a store of a newer version is refused only when that version made a breaking change', async () => {
  const { pool } = opened.store
  await migrate(pool, [...migrations, AFTER_RELEASE])
  expect(await migrate(pool)).toEqual([])
  await pool.query(`UPDATE migrations SET is_breaking = true WHERE name = '9001-notes'`)
  await expect(migrate(pool)).rejects.toMatchObject({ code: 'STORE_IS_NEWER' })
})
