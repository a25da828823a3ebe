import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace, testedEngine } from '../../test/store-fixture.ts'
import { systemUserId } from '../access/index.ts'
import { readSettings, type Settings } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import { type AppContext, openAppContext } from './app-context.ts'
import { recordKey } from './reports/record-key.ts'
import { rotateInstanceKey, sealedColumns } from './rotate-instance-key.ts'

let place: StorePlace
let settings: Settings
let context: AppContext | null = null
const open = async (): Promise<AppContext> => {
  context = await openAppContext(settings, createLog('error', { write: () => {} }), () => {})
  return context
}
const reopen = async (): Promise<AppContext> => {
  await context?.store.close()
  return open()
}
beforeEach(async () => {
  place = await freshStorePlace('schema')
  const url = place.databaseUrl === null ? {} : { 'database-url': place.databaseUrl }
  settings = readSettings({}, { 'data-dir': place.dataDir, 'embedded-durability': 'false', ...url }).settings
})
afterEach(async () => {
  await context?.store.close()
  context = null
  await place.dispose()
})

test('every sealed column of the schema is known to the rotation', async () => {
  const { store } = await open()
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname LIKE 'sealed%' ORDER BY 1`,
  )
  const known = sealedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
  expect(known.sort()).toEqual(rows.map(({ name }) => name))
})

test('after a rotation every secret opens with the new key only, and codes and signed records are still checked', async () => {
  const { store, sealer } = await open()
  const factor = `second-factor:${systemUserId}`
  await store.pool.query(
    `INSERT INTO auth_mechanisms (id, uuid, type, sealed_parameters, sealed_token, updated_by, updated_at)
     VALUES ('a1', 'u', 'HARDCODED', $1, $2, 'x', 1), ('a2', 'u', 'HARDCODED', 'v1.broken', NULL, 'x', 1)`,
    [sealer.seal('parameters', 'auth-mechanism:a1'), sealer.seal('token', 'auth-mechanism:a1')],
  )
  await store.pool.query(
    'INSERT INTO second_factors (user_id, sealed_secret, created_at) VALUES ($1, $2, 1)',
    [systemUserId, sealer.seal('JBSWY3DPEHPK3PXP', factor)],
  )
  const key = await recordKey(store, sealer)
  expect(await rotateInstanceKey(settings, store, sealer)).toEqual({ resealed: 4, unreadable: 1 })
  const again = await reopen()
  const { rows } = await again.store.pool.query('SELECT * FROM auth_mechanisms ORDER BY id')
  expect(again.sealer.open(rows[0].sealed_parameters, 'auth-mechanism:a1')).toBe('parameters')
  expect(again.sealer.open(rows[0].sealed_token, 'auth-mechanism:a1')).toBe('token')
  expect(rows[1]).toMatchObject({ sealed_parameters: 'v1.broken', sealed_token: null })
  expect(() => sealer.open(rows[0].sealed_token, 'auth-mechanism:a1')).toThrow()
  const factors = await again.store.pool.query('SELECT sealed_secret FROM second_factors')
  expect(again.sealer.open(factors.rows[0].sealed_secret, factor)).toBe('JBSWY3DPEHPK3PXP')
  expect(await recordKey(again.store, again.sealer)).toEqual(key)
})

test.runIf(testedEngine === 'embedded')(
  'a rotation that was cut short before or after its transaction is brought to its end by the next start',
  { tags: ['marathon'] },
  async () => {
    const path = join(place.dataDir, 'instance.key')
    const { store, sealer } = await open()
    const old = readFileSync(path, 'utf8')
    // Before: the new key lies there, and nothing is sealed with it.
    writeFileSync(`${path}.next`, `${'n'.repeat(43)}\n`)
    await reopen()
    expect([readFileSync(path, 'utf8'), existsSync(`${path}.next`)]).toEqual([old, false])
    // After: everything is sealed with it, and it is not in its place yet.
    void store
    await rotateInstanceKey(settings, context!.store, sealer)
    const renewed = readFileSync(path, 'utf8')
    writeFileSync(`${path}.next`, renewed)
    writeFileSync(path, old)
    await reopen()
    expect([readFileSync(path, 'utf8'), existsSync(`${path}.next`)]).toEqual([renewed, false])
  },
)
