import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../../../test/store-fixture.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import { markMissedFacts } from './maintenance.ts'

const LATER = 3_600
let opened: Awaited<ReturnType<typeof openTestStore>>
let store: Store

beforeEach(async () => {
  opened = await openTestStore()
  store = opened.store
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES (1700000001, 'shop', 'MANUAL', 1)`,
  )
  await store.pool.query(
    `INSERT INTO endpoints (id, collection_id, method, url, root_id, first_seen, last_seen, discovered_at)
     VALUES (7, 1700000001, 'GET', '/orders', 7, 100, 100, 100)`,
  )
})
afterEach(() => opened.close())

const NEW_FACT = `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen,
  last_seen) VALUES (7, 'QUERY', -1, 'page', 'INTEGER', 1, 100, 100)`
const LOWER = 'UPDATE endpoints SET first_seen = 50 WHERE id = 7'

async function marks(): Promise<boolean[]> {
  const { rows } = await store.pool.query<{ is_later: boolean }>('SELECT is_later FROM endpoint_facts')
  return rows.map((row) => row.is_later)
}

test('a fact is a change however its time and that of its endpoint arrive one after the other', async () => {
  await store.pool.query(NEW_FACT)
  expect(await marks()).toEqual([false])
  await store.pool.query(LOWER)
  expect(await marks()).toEqual([true])
})

test.runIf(testedEngine === 'postgres')(
  'a fact whose writer and the one that lowers the time do not see each other is marked afterwards',
  async () => {
    const [one, other] = [await store.pool.connect(), await store.pool.connect()]
    try {
      await one.query('BEGIN')
      await other.query('BEGIN')
      await one.query(NEW_FACT)
      await other.query(LOWER)
      await one.query('COMMIT')
      await other.query('COMMIT')
    } finally {
      one.release()
      other.release()
    }
    expect(await marks(), 'neither trigger saw the other row').toEqual([false])
    await markMissedFacts(store, nowSeconds())
    expect(await marks(), 'other writers may still be at it').toEqual([false])
    await markMissedFacts(store, nowSeconds() + LATER)
    expect(await marks()).toEqual([true])
  },
)

test('what was looked at again is forgotten', async () => {
  await store.pool.query(NEW_FACT)
  await store.pool.query(LOWER)
  await store.pool.query('UPDATE endpoint_facts SET is_later = false')
  await markMissedFacts(store, nowSeconds() + LATER)
  expect(await marks()).toEqual([true])
  const { rows } = await store.pool.query('SELECT FROM lowered_endpoints')
  expect(rows).toEqual([])
})
