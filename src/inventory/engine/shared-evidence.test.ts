import { afterEach, describe, expect, test, vi } from 'vitest'
import { AT, callsByEndpoint, ingest, testEngines } from '../../../test/engine-fixture.ts'
import { testedEngine } from '../../../test/store-fixture.ts'
import type { InventoryEngine } from './engine.ts'

/** Two engines on one store, as of two processes. Refreshing stands for the interval at which both look at the store. */

const engines = testEngines()
const endpoints = () => callsByEndpoint(engines.store)
const NAMES = ['rose', 'mark', 'anna', 'otto', 'lena', 'hugo', 'ella', 'ivan', 'nora', 'paul', 'ruth', 'sven']

const pathsOf = (names: readonly string[]) => names.map((name) => ({ path: `/people/${name}` }))

const literals = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`GET /people/${name}`, 1]))

async function collectionId(): Promise<number> {
  const { rows } = await engines.store.pool.query<{ id: number }>(
    'SELECT id FROM collections WHERE kind = $1',
    ['HOST'],
  )
  return rows[0]!.id
}

async function decide(engine: InventoryEngine, kind: 'MERGE' | 'SPLIT'): Promise<void> {
  const about = { collectionId: await collectionId(), decidedBy: 'ann@mail.example' }
  if (kind === 'MERGE') await engine.decide({ ...about, kind, template: '/people/STRING' })
  else await engine.decide({ ...about, kind, method: 'GET', url: '/people/STRING' })
}

/** Lets each engine do what it does every half minute: judge its evidence, and save it. */
async function maintain(...ofEngines: readonly InventoryEngine[]): Promise<void> {
  vi.advanceTimersByTime(30_000)
  for (const engine of ofEngines) await engine.refreshSettings()
}

async function revisions(): Promise<number[]> {
  const { rows } = await engines.store.pool.query<{ revision: number }>('SELECT revision FROM path_evidence')
  return rows.map(({ revision }) => revision)
}

afterEach(() => {
  vi.useRealTimers()
})

describe.skipIf(testedEngine !== 'postgres')('two engines on one database', () => {
  test.each([
    ['/api/1234/orders', '/api/INTEGER/orders'],
    ['/api/1234.25/orders', '/api/FLOAT/orders'],
  ])(
    'a template after "api" stays the only endpoint of %s, however often engines read it back',
    async (path, template) => {
      const [one, other] = [await engines.open(), await engines.open()]
      await ingest(other, [{ path: '/health' }])
      await ingest(one, [{ path }])
      for (const engine of [one, other, one, other]) await engine.refreshSettings()
      for (const engine of [one, other]) await engine.flush()
      expect(await endpoints()).toEqual({ 'GET /health': 1, [`GET ${template}`]: 1 })
      const { rows } = await engines.store.pool.query('SELECT from_url, to_url FROM template_moves')
      expect(rows).toEqual([])
    },
  )

  test('saves come to rest when engines have exchanged what they know', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const [one, other] = [await engines.open(), await engines.open()]
    await ingest(one, pathsOf(NAMES.slice(0, 3)))
    await ingest(other, pathsOf(NAMES.slice(3, 5)))
    for (let i = 0; i < 2; i++) await maintain(one, other)
    const afterExchange = await revisions()
    expect(afterExchange[0]).toBeGreaterThan(0)
    for (let i = 0; i < 2; i++) await maintain(one, other)
    expect(await revisions()).toEqual(afterExchange)
  })

  test('endpoints that two engines saw in part stand at one template, as if one had seen them all', async () => {
    const [one, other] = [await engines.open(), await engines.open()]
    await ingest(one, pathsOf(['rose']))
    await ingest(other, pathsOf(['mark']))
    for (let i = 2; i < NAMES.length; i += 2) {
      await ingest(one, pathsOf(NAMES.slice(i, i + 1)))
      await ingest(other, pathsOf(NAMES.slice(i + 1, i + 2)))
    }
    for (const engine of [one, other, one]) await engine.refreshSettings()
    await ingest(
      one,
      pathsOf(['rose']).map((call) => ({ ...call, at: AT + 60 })),
    )
    for (const engine of [one, other]) await engine.flush()
    expect(await endpoints()).toEqual({ 'GET /people/STRING': NAMES.length + 1 })
    const { rows } = await engines.store.pool.query('SELECT from_url FROM template_moves ORDER BY from_url')
    expect(rows, 'each move is in the list of changes once').toEqual(
      NAMES.map((name) => ({ from_url: `/people/${name}` })).sort((a, b) =>
        a.from_url < b.from_url ? -1 : 1,
      ),
    )
  })

  test('a split outlives a save of a process of the version before, which knows no revisions', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { pool } = engines.store
    const engine = await engines.open()
    const names = NAMES.slice(0, 8)
    for (const name of names) await ingest(engine, pathsOf([name]))
    await maintain(engine)
    await pool.query('CREATE TABLE before_split AS SELECT * FROM path_evidence')
    await decide(engine, 'SPLIT')
    await pool.query(`UPDATE path_evidence SET writer = 'version-before', snapshot = b.snapshot,
      endpoint_mark = (SELECT max(id) FROM endpoints) FROM before_split b`)
    await maintain(engine)
    await maintain(engine)
    await engine.kill()
    const later = await engines.open()
    await ingest(later, pathsOf(['nora']))
    await later.refreshSettings()
    await later.close()
    expect(await endpoints()).toEqual(literals([...names, 'nora']))
  })

  test('moves that the store refuses for a while are written later', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    const { pool } = engines.store
    const [serving, ingesting] = [await engines.open(), await engines.open()]
    await ingest(ingesting, pathsOf(['rose', 'mark']))
    await ingesting.flush()
    await decide(serving, 'MERGE')
    await ingest(ingesting, pathsOf(['otto']))
    await pool.query(
      `ALTER TABLE template_moves ADD CONSTRAINT refuses_otto CHECK (from_url <> '/people/otto')`,
    )
    for (let i = 0; i < 3; i++) {
      await expect(ingesting.refreshSettings()).rejects.toThrow('refuses_otto')
      // Longer than endpoints written before are read again.
      vi.advanceTimersByTime(11_000)
      await ingest(ingesting, [{ path: '/people/rose', at: AT + 60 + i }])
    }
    await pool.query('ALTER TABLE template_moves DROP CONSTRAINT refuses_otto')
    await ingesting.refreshSettings()
    await ingesting.flush()
    expect(await endpoints()).toEqual({ 'GET /people/STRING': 6 })
  })

  test('an engine goes by the endpoints that a killed one had committed', async () => {
    const [killed, other] = [await engines.open(), await engines.open()]
    await ingest(other, pathsOf(['rose']))
    for (const name of NAMES.slice(1, 5)) await ingest(killed, pathsOf([name]))
    await killed.kill()
    for (const name of NAMES.slice(5)) await ingest(other, pathsOf([name]))
    await other.refreshSettings()
    await other.flush()
    const { 'GET /people/STRING': calls } = await endpoints()
    expect(calls).toBeGreaterThanOrEqual(NAMES.length - 4)
    expect(Object.keys(await endpoints())).toEqual(['GET /people/STRING'])
  })

  test('paths that a person merged in one process go to the template in the others, until the merge is taken back', async () => {
    const [serving, ingesting] = [await engines.open(), await engines.open()]
    await ingest(ingesting, pathsOf(['rose', 'mark']))
    await ingesting.flush()
    await decide(serving, 'MERGE')
    await ingesting.refreshSettings()
    await ingest(ingesting, pathsOf(['anna']))
    await ingesting.flush()
    expect(await endpoints()).toEqual({ 'GET /people/STRING': 3 })

    await decide(serving, 'SPLIT')
    await ingesting.refreshSettings()
    await ingest(ingesting, pathsOf(['otto']))
    await ingesting.flush()
    expect(await endpoints()).toEqual(literals(['rose', 'mark', 'anna', 'otto']))
  })

  test('a template that a person split in one process stays split in the others, and after a restart', async () => {
    const [serving, ingesting] = [await engines.open(), await engines.open()]
    for (const name of NAMES.slice(0, 8)) await ingest(ingesting, pathsOf([name]))
    await ingesting.flush()
    expect(await endpoints()).toEqual({ 'GET /people/STRING': 8 })
    // The other process begins with what this one saved at its end.
    await ingesting.close()
    const ingestingAgain = await engines.open()
    await ingest(ingestingAgain, pathsOf(['nora']))
    await ingestingAgain.flush()
    await decide(serving, 'SPLIT')
    await ingestingAgain.refreshSettings()
    await ingest(ingestingAgain, pathsOf(['paul']))
    await ingestingAgain.close()
    expect(await endpoints()).toEqual(literals(NAMES.slice(0, 10)))
    const later = await engines.open()
    for (const name of NAMES.slice(10)) await ingest(later, pathsOf([name]))
    await later.close()
    expect(await endpoints()).toEqual(literals(NAMES))
  })

  test('operations of GraphQL are not learned as paths, after a restart neither', async () => {
    const query = (name: string) => ({
      method: 'POST',
      path: '/graphql',
      request: { query: `{ ${name} { id } }` },
      body: { data: { [name]: { id: 1 } } },
    })
    const first = await engines.open()
    await ingest(first, [{ path: '/health' }, ...NAMES.map(query)])
    await first.close()
    const second = await engines.open()
    await ingest(second, [{ path: '/status' }])
    await second.refreshSettings()
    await second.close()
    const { rows } = await engines.store.pool.query<{ text: string }>(
      'SELECT snapshot::text AS text FROM path_evidence',
    )
    expect(rows[0]!.text).toContain('status')
    expect(rows[0]!.text).not.toContain('rose')
  })
})
