import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace, testedEngine } from '../../../test/store-fixture.ts'
import { type NewsTopic, newsTopics } from '../../kit/index.ts'
import { openStore } from '../owner.ts'
import { joinStore, type Store } from '../store.ts'
import { NewsConnection } from './news-connection.ts'
import { ProcessNews } from './process-news.ts'

const QUIET_MS = 600_000
let place: StorePlace
let stores: Store[] = []
let heard: NewsTopic[] = []
let lost = 0

beforeEach(async () => {
  place = await freshStorePlace('schema')
  stores = []
  heard = []
  lost = 0
})
afterEach(async () => {
  for (const store of stores.toReversed()) await store.close()
  await place.dispose()
})

async function open(): Promise<Store> {
  const { databaseUrl, dataDir } = place
  const store = await openStore({ databaseUrl: databaseUrl ?? undefined, dataDir, isDurable: false })
  stores.push(store)
  return store
}

/** Notes what is heard there, once the database notifies it. */
async function hearing(store: Store): Promise<Store> {
  for (const topic of newsTopics) store.news.on([topic], () => heard.push(topic))
  store.listen({ quietMs: QUIET_MS, onHeard: () => {}, onWrite: () => {}, onLost: () => lost++ })
  if (store.kind === 'postgres')
    await expect.poll(() => store.news.quietMs, { timeout: 30_000 }).toBe(QUIET_MS)
  heard.length = 0
  return store
}

const SETTING = `INSERT INTO settings (name, value, updated_at) VALUES ('x', '1', 0)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`
const COLLECTION = `INSERT INTO collections (id, name, kind, created_at) VALUES (1, 'shop', 'MANUAL', 1)`
const CHANGES: readonly (readonly [NewsTopic, string])[] = [
  ['settings', SETTING],
  ['settings', COLLECTION],
  ['settings', 'UPDATE collections SET is_deactivated = true'],
  ['pages', 'UPDATE collections SET last_traffic_at = 7'],
  [
    'filters',
    `INSERT INTO filter_templates (id, content, source, author, created_at, updated_at) VALUES ('f', '', 'CUSTOM', 'a', 0, 0)`,
  ],
  ['filters', `UPDATE filter_templates SET state = 'OFF'`],
  ['blocks', `INSERT INTO threat_actors (actor, status) VALUES ('203.0.113.9', 'blocked')`],
  ['blocks', `UPDATE threat_actors SET status = 'active'`],
  [
    'paths',
    `INSERT INTO path_evidence (collection_id, origin, writer, saved_at, endpoint_mark, snapshot) VALUES (1, '', 'w', 0, 0, '{}')`,
  ],
  ['risks', 'INSERT INTO risk_changes (endpoint_id) VALUES (7)'],
]

test('a committed change is heard by its topic, and what changes nothing is not', async () => {
  const writer = await open()
  await hearing(testedEngine === 'postgres' ? await open() : writer)
  for (const [topic, statement] of CHANGES) {
    heard.length = 0
    await writer.pool.query(statement)
    await expect.poll(() => heard, { message: statement, timeout: 10_000 }).toContain(topic)
  }
  // Other topics would come before the one that ends the wait.
  heard.length = 0
  await writer.pool.query(`UPDATE threat_actors SET events = events + 1`)
  await writer.pool.query(`INSERT INTO threat_actors (actor) VALUES ('203.0.113.10')`)
  await writer.pool.query(`INSERT INTO risk_changes (endpoint_id) SELECT 1 WHERE false`)
  await writer.pool.query(`UPDATE settings SET value = value`)
  await writer.pool.query(`UPDATE filter_templates SET updated_at = 1`)
  await writer.pool.query(`UPDATE path_evidence SET revision = revision + 1`)
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('paths')
  expect(new Set(heard)).toEqual(new Set(['paths']))
})

test('a change that is rolled back is not heard', async () => {
  const store = await hearing(await open())
  const client = await store.pool.connect()
  await client.query('BEGIN')
  await client.query(COLLECTION)
  await client.query('ROLLBACK')
  await client.query('INSERT INTO risk_changes (endpoint_id) VALUES (7)')
  client.release()
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('risks')
  expect(heard).not.toContain('settings')
})

test('another thread of the process hears what its owner hears, and knows whether to poll', async () => {
  const owner = await hearing(await open())
  const joined = joinStore(owner.addressFor(1))
  stores.push(joined)
  const there: string[] = []
  joined.news.on(['settings'], () => there.push('settings'))
  if (owner.kind === 'postgres')
    await expect.poll(() => joined.news.quietMs, { timeout: 10_000 }).toBe(QUIET_MS)
  there.length = 0
  await owner.pool.query(SETTING)
  await expect.poll(() => there, { timeout: 10_000 }).toContain('settings')
  heard.length = 0
  await joined.pool.query(COLLECTION)
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('settings')
})

test.runIf(testedEngine === 'postgres')(
  'a connection that is cut is made again, and everything is read once more',
  async () => {
    const store = await hearing(await open())
    const cut = await store.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'vigil news'`,
    )
    expect(cut.rowCount).toBe(1)
    await expect.poll(() => lost, { timeout: 10_000 }).toBe(1)
    await expect.poll(() => store.news.quietMs, { timeout: 30_000 }).toBe(QUIET_MS)
    expect(new Set(heard), 'whatever changed meanwhile is read').toEqual(new Set(newsTopics))
    heard.length = 0
    await store.pool.query(SETTING)
    await expect.poll(() => heard, { timeout: 10_000 }).toContain('settings')
  },
)

test.runIf(testedEngine === 'postgres')(
  'a connection that hears only what it notifies itself, as behind a pooler, counts as lost',
  async () => {
    // What connections to another database notify is not heard, either.
    const store = await open()
    const other = await freshStorePlace('schema')
    const news = new ProcessNews(true)
    const errors: unknown[] = []
    const onLost = (error: unknown): void => void errors.push(error)
    const options = { quietMs: QUIET_MS, onHeard: () => heard.push('settings'), onWrite: () => {}, onLost }
    const connection = new NewsConnection(other.databaseUrl!, store.pool, news, options)
    try {
      connection.begin()
      await expect.poll(() => errors, { timeout: 30_000 }).toHaveLength(1)
      expect(errors).toMatchObject([{ message: expect.stringContaining('pooler') }])
      expect([news.quietMs, heard]).toEqual([0, []])
    } finally {
      await connection.close()
      news.close()
      await other.dispose()
    }
  },
  60_000,
)
