import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { Queryable, Store } from '../../store/index.ts'
import { collectionForHost, createManualCollection } from './find-or-create.ts'

let store: Store
let closeStore: () => Promise<void>

beforeEach(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
})
afterEach(() => closeStore())

async function namesByHost(): Promise<Record<string, string>> {
  const { rows } = await store.pool.query<{ host: string; name: string }>(
    `SELECT host_name AS host, name FROM collections WHERE kind = 'HOST' ORDER BY id`,
  )
  return Object.fromEntries(rows.map(({ host, name }) => [host, name]))
}

test('hosts met in one second are named as they are, however many', async () => {
  for (let i = 0; i < 30; i++) await collectionForHost(store.pool, `t${i}.shop.test`, nowSeconds())
  const names = await namesByHost()
  expect(Object.keys(names)).toHaveLength(30)
  for (const [host, name] of Object.entries(names)) expect(name).toBe(host)
})

test('a host finds its id at once after more than a thousand others of the same second', async () => {
  const at = nowSeconds()
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at)
     SELECT $1 + n, 'collection ' || n, 'MANUAL', $1 FROM generate_series(0, 1500) AS n`,
    [at],
  )
  let asked = 0
  const counting = {
    query: (...given: Parameters<Queryable['query']>) => {
      asked++
      return store.pool.query(...given)
    },
  } as unknown as Queryable
  const id = await collectionForHost(counting, 'late.shop.test', at)
  expect(id).toBeGreaterThan(at + 1500)
  expect(asked).toBeLessThan(6)
  const manual = await createManualCollection(counting, 'by hand', at)
  expect(manual.id).toBeGreaterThan(id)
  expect(asked).toBeLessThan(12)
})

test('a host whose name a person gave to a collection gets a number', async () => {
  await createManualCollection(store.pool, 'shop.test', nowSeconds())
  await createManualCollection(store.pool, 'shop.test 2', nowSeconds())
  const id = await collectionForHost(store.pool, 'shop.test', nowSeconds())
  expect(await collectionForHost(store.pool, 'shop.test', nowSeconds())).toBe(id)
  expect(await namesByHost()).toEqual({ 'shop.test': 'shop.test 3' })
})

test('the id of a collection that was deleted is not given again', async () => {
  const first = await collectionForHost(store.pool, 'a.test', nowSeconds())
  await store.pool.query('DELETE FROM collections WHERE id = $1', [first])
  expect(await collectionForHost(store.pool, 'b.test', nowSeconds())).not.toBe(first)
})
