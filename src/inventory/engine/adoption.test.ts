import { expect, test } from 'vitest'
import { AT, callsByEndpoint, factsOf, ingest, testEngines } from '../../../test/engine-fixture.ts'
import { testedEngine } from '../../../test/store-fixture.ts'
import { InventoryEngine } from './engine.ts'

const engines = testEngines()

const endpoints = () => callsByEndpoint(engines.store)

/** Of the server's locks, those of this test's database. */
const HERE = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())'

/** How many wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await engines.store.pool.query(`SELECT FROM pg_locks WHERE NOT granted AND ${HERE}`)
  return rows.length
}

/** Makes every transaction fail that brings a new endpoint. */
async function refuseEndpoints(): Promise<void> {
  await engines.store.pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION 'refused'; END$$`)
  await engines.store.pool.query(
    'CREATE TRIGGER refuse BEFORE INSERT ON endpoints FOR EACH ROW EXECUTE FUNCTION refuse()',
  )
}

test('counts that a killed engine had committed are there after the next start', async () => {
  const killed = await InventoryEngine.open(engines.store)
  await ingest(killed, [{ path: '/a' }, { path: '/b' }])
  await ingest(killed, [{ path: '/a', at: AT + 1 }])
  await killed.kill()
  await engines.open()
  expect(await endpoints()).toEqual({ 'GET /a': 2, 'GET /b': 1 })
  expect(await factsOf(engines.store, '/a')).toMatchObject({ 'RESPONSE_BODY id INTEGER_32': 2 })
})

test('what was counted before a transaction failed is shown when asked for', async () => {
  const engine = await engines.open()
  await ingest(engine, [{ path: '/a' }, { path: '/a', at: AT + 1 }])
  await refuseEndpoints()
  await expect(ingest(engine, [{ path: '/b' }])).rejects.toThrow('refused')
  await engine.flush()
  expect(await endpoints()).toEqual({ 'GET /a': 2 })
  await engines.store.pool.query('DROP TRIGGER refuse ON endpoints')
  await ingest(engine, [{ path: '/b' }])
  await engine.flush()
  expect(await endpoints()).toEqual({ 'GET /a': 2, 'GET /b': 1 })
})

test.skipIf(testedEngine !== 'postgres')(
  'what was counted before a transaction failed is shown while its writer still counts as alive',
  async () => {
    const engine = await engines.open()
    await ingest(engine, [{ path: '/a' }])
    // Takes over the lock of the writer in the moment the engine gives it up.
    const other = await engines.store.pool.connect()
    const { rows } = await other.query<{ classid: number; objid: number }>(
      `SELECT classid::integer, objid::bigint::bit(32)::integer AS objid FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 2 AND ${HERE}`,
    )
    const lock = [rows[0]!.classid, rows[0]!.objid]
    const taken = other.query('SELECT pg_advisory_lock($1, $2)', lock)
    await expect.poll(waiting).toBe(1)
    await refuseEndpoints()
    await expect(ingest(engine, [{ path: '/b' }])).rejects.toThrow('refused')
    await taken
    await engine.flush()
    expect(await endpoints()).toEqual({ 'GET /a': 1 })
    await other.query('SELECT pg_advisory_unlock($1, $2)', lock)
    other.release()
  },
)

test.skipIf(testedEngine !== 'postgres')(
  'a last transaction of a dead engine that ends while its counts are adopted loses none',
  async () => {
    const killed = await InventoryEngine.open(engines.store)
    await ingest(killed, [{ path: '/a' }])
    await killed.kill()
    const last = await engines.store.pool.connect()
    await last.query('BEGIN')
    // Whoever adopts can read the counts, and has to wait before it removes them.
    await last.query('LOCK TABLE pending_tallies IN SHARE MODE')
    const opening = engines.open()
    await expect.poll(waiting).toBe(1)
    await last.query(`INSERT INTO pending_tallies (writer, tier, written_at, payload)
      SELECT writer, tier, written_at, payload FROM pending_tallies`)
    await last.query('COMMIT')
    last.release()
    const engine = await opening
    // The server may see the end of the killed engine's connection late; its counts are adopted by the next look then.
    const adopted = async () => {
      await engine.flush()
      return endpoints()
    }
    await expect.poll(adopted).toEqual({ 'GET /a': 2 })
  },
  60_000,
)

test.skipIf(testedEngine !== 'postgres')(
  'two processes that write at once lose and double nothing',
  async () => {
    const [one, two] = [await engines.open(), await engines.open()]
    const batches = Array.from({ length: 20 }, (_, b) =>
      Array.from({ length: 20 }, (_, i) => ({
        path: `/shared/${(b * 7 + i) % 11}/${['reviews', 'stock', 'prices'][i % 3]}`,
        at: AT + b * 20 + i,
      })),
    )
    await Promise.all(batches.map((batch, i) => ingest(i % 2 === 0 ? one : two, batch)))
    await one.flush()
    await two.flush()
    const total = Object.values(await endpoints()).reduce((sum, calls) => sum + calls, 0)
    expect(total).toBe(400)
    expect(Object.keys(await endpoints()).sort()).toEqual(
      ['prices', 'reviews', 'stock'].map((name) => `GET /shared/INTEGER/${name}`),
    )
  },
)
