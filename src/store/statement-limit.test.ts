import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace, testedEngine } from '../../test/store-fixture.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

let place: StorePlace
let store: Store
beforeEach(async () => {
  if (testedEngine !== 'postgres') return
  place = await freshStorePlace('schema')
  store = await openStore({ databaseUrl: place.databaseUrl!, dataDir: place.dataDir, statementMs: 500 })
})
afterEach(async () => {
  if (testedEngine !== 'postgres') return
  await store.close()
  await place.dispose()
})

// For the embedded engine see `engines/supervisor.test.ts`.
test.runIf(testedEngine === 'postgres')(
  'a statement without end is cancelled at its limit on a PostgreSQL server, and its connection serves on',
  async () => {
    const client = await store.pool.connect()
    try {
      await expect(client.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' })
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    } finally {
      client.release()
    }
  },
)
