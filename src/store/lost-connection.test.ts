import { expect, test } from 'vitest'
import { freshStorePlace, testedEngine } from '../../test/store-fixture.ts'
import { openStore } from './open-store.ts'

test.runIf(testedEngine === 'postgres')(
  'the first connection of a PostgreSQL store that breaks between two statements does not end the process',
  async () => {
    const place = await freshStorePlace('schema')
    const store = await openStore({ databaseUrl: place.databaseUrl!, dataDir: place.dataDir })
    const thrown: Error[] = []
    const note = (error: Error): void => void thrown.push(error)
    process.on('uncaughtExceptionMonitor', note)
    try {
      expect(store.pool.totalCount).toBe(1)
      const client = await store.pool.connect()
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const gone = new Promise((resolve) => client.once('end', resolve))
      await store.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
      await gone
      await expect(client.query('SELECT 1')).rejects.toThrow()
      client.release(true)
      expect(thrown).toEqual([])
      await store.ping()
    } finally {
      process.off('uncaughtExceptionMonitor', note)
      await store.close()
      await place.dispose()
    }
  },
)
