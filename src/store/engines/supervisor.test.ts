import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace, testedEngine } from '../../../test/store-fixture.ts'
import { openStore } from '../open-store.ts'
import { joinStore, type Store } from '../store.ts'

const STATEMENT_MS = 3_000
/** Runs without end and calls nothing of the file system. */
const ENDLESS = `WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT 1 - n FROM t) SELECT count(*) FROM t WHERE n > 1`

let place: StorePlace
let store: Store
const problems: Error[] = []
beforeEach(async () => {
  if (testedEngine !== 'embedded') return
  place = await freshStorePlace('schema')
  problems.length = 0
  store = await openStore({
    databaseUrl: undefined,
    dataDir: place.dataDir,
    statementMs: STATEMENT_MS,
    onError: (error) => problems.push(error),
  })
})
afterEach(async () => {
  if (testedEngine !== 'embedded') return
  await store.close()
  await place.dispose()
})

test.runIf(testedEngine === 'embedded')(
  'a statement without end is ended at its limit, and the store serves on, in every thread that joined it',
  async () => {
    const joined = joinStore(store.addressFor(2))
    await store.pool.query('CREATE TABLE kept (n integer)')
    await joined.pool.query('INSERT INTO kept VALUES (1)')
    await expect(store.pool.query(ENDLESS)).rejects.toThrow(/Connection terminated/)
    for (const { pool } of [store, joined]) {
      const read = async (): Promise<unknown> =>
        (await pool.query('SELECT n FROM kept').catch((error: Error) => ({ rows: error.message }))).rows
      await expect.poll(read).toEqual([{ n: 1 }])
    }
    expect(problems.map(({ message }) => message)).toContain(
      'a statement ran for more than 3 s (VIGIL_STATEMENT_SECONDS)',
    )
    await joined.close()
  },
)

test.runIf(testedEngine === 'embedded')(
  'the store closes while a statement without end runs, and gives its folder back',
  { tags: ['marathon'] },
  async () => {
    const client = await store.pool.connect()
    const stuck = expect(client.query(ENDLESS)).rejects.toThrow()
    await store.close()
    await stuck
    expect(existsSync(join(place.dataDir, 'vigil.lock'))).toBe(false)
  },
)

const lockFiles = [
  { text: '', tags: [] },
  { text: '\0\0\0\0', tags: ['marathon'] },
  { text: '4294967295\n', tags: ['marathon'] },
]
for (const { text, tags } of lockFiles) {
  test.runIf(testedEngine === 'embedded')(
    `the store opens although a power failure left a lock file of the engine: ${JSON.stringify(text)}`,
    { tags },
    async () => {
      await store.close()
      writeFileSync(join(place.dataDir, 'database', 'postmaster.pid'), text)
      store = await openStore({ databaseUrl: undefined, dataDir: place.dataDir, isDurable: false })
      expect((await store.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    },
  )
}
