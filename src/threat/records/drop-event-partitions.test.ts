import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../../test/store-fixture.ts'
import { until } from '../../../test/until.ts'
import type { Exchange } from '../../http/index.ts'
import {
  listPartitions,
  makePartitions,
  partitionedTables,
  type Store,
  usingTransaction,
} from '../../store/index.ts'
import { deleteAllEvents, deleteEvents } from './change-events.ts'
import { eventId, type NewEvent } from './new-event.ts'
import { noteAttacks } from './note-attacks.ts'
import { purgeEvents } from './purge-events.ts'
import { storeEvents } from './store-events.ts'

const { events } = partitionedTables
const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
/** Older than everything that a purge keeps. */
const LONG_AGO = NOW - 200 * DAY

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at) VALUES (1, 'shop', 'MANUAL', 1);
     INSERT INTO endpoints (id, root_id, collection_id, method, url, first_seen, last_seen, discovered_at)
     VALUES (1, 1, 1, 'GET', '/search', 1, 1, 1)`,
  )
})
afterAll(() => close())
beforeEach(async () => {
  await deleteAllEvents(store)
  await makePartitions(store, events, LONG_AGO)
})

function exchangeAt(at: number): Exchange {
  return {
    request: {
      method: 'GET',
      target: '/search?q=1',
      version: 'HTTP/1.1',
      headers: ['host', 'shop.test'],
      body: '',
    },
    response: { status: 200, reason: 'OK', headers: [], body: '{}' },
    ...{ at, clientIp: '203.0.113.9', serverIp: '', source: 'MIRRORING', direction: 1, vxlanId: 0 },
  }
}

function event(name: string, detectedAt: number, change: Partial<NewEvent> = {}): NewEvent {
  const id = eventId(name, 'SQLInjection', '')
  return {
    ...{ id, refId: id, filterId: 'SQLInjection', category: 'SQL_INJECTION', subCategory: 'SQL_INJECTION' },
    ...{ severity: 'HIGH', type: 'Rule-Based', eventType: 'SINGLE', label: 'threat', status: 'ACTIVE' },
    ...{
      isSuccessfulExploit: false,
      actor: '203.0.113.9',
      ip: '203.0.113.9',
      country: 'NZ',
      destCountry: '',
    },
    ...{ collectionId: 1, host: 'shop.test', method: 'GET', url: 'https://shop.test/search?q=1', detectedAt },
    messages: [{ exchange: exchangeAt(detectedAt), evidence: [] }],
    ...change,
  }
}

const put = (...all: NewEvent[]) =>
  usingTransaction(store.pool, async (client) => {
    const { stored } = await storeEvents(client, all, NOW)
    await noteAttacks(
      client,
      stored.map((one) => ({ ...one, url: '/search' })),
    )
    return stored.length
  })

const old = [
  event('one', LONG_AGO),
  event('two', LONG_AGO + DAY, { severity: 'LOW', actor: '203.0.113.10', country: 'FR' }),
  event('three', LONG_AGO + DAY, { status: 'IGNORED' }),
  event('four', LONG_AGO + 2 * DAY, { filterId: 'XSS', url: 'https://shop.test/gone' }),
]
const kept = [event('five', NOW - DAY), event('six', NOW, { actor: '203.0.113.11', ip: '203.0.113.11' })]

/** Everything that events count in, without the ids of rows. */
async function figures(): Promise<Record<string, unknown[]>> {
  const asked = {
    days: `SELECT day, sum(events)::integer AS events FROM threat_daily_counts GROUP BY 1 HAVING sum(events) > 0`,
    kinds: `SELECT day, filter_id, sum(events)::integer AS events FROM threat_daily_kinds c
      JOIN threat_kinds k ON k.id = c.kind_id GROUP BY 1, 2 HAVING sum(events) > 0`,
    hours: `SELECT hour, sum(events)::integer AS events FROM threat_hourly_kinds GROUP BY 1 HAVING sum(events) > 0`,
    actors: `SELECT actor, first_seen, last_seen, last_severe_at, events, latest_ip, latest_country FROM threat_actors
      WHERE events > 0`,
    traces: `SELECT a.actor, t.collection_id, t.filter_id, t.first_seen, t.last_seen, t.events
      FROM threat_actor_traces t JOIN threat_actors a ON a.id = t.actor_id`,
    countries: `SELECT a.actor, t.country, t.first_seen, t.last_seen, t.events FROM threat_actor_countries t
      JOIN threat_actors a ON a.id = t.actor_id`,
    actorDays: `SELECT d.day, a.actor, d.country, d.events, d.severe_events FROM threat_actor_days d
      JOIN threat_actors a ON a.id = d.actor_id`,
    totals: 'SELECT day, actors, severe_actors FROM threat_day_totals WHERE actors > 0',
    apis: 'SELECT path, first_seen, last_seen, events, actors FROM threat_apis WHERE events > 0',
    pairs: `SELECT p.path, a.actor, t.events FROM threat_api_actors t JOIN threat_apis p ON p.id = t.api_id
      JOIN threat_actors a ON a.id = t.actor_id`,
    apiDays: `SELECT d.day, p.path, d.events, d.last_actors FROM threat_api_days d JOIN threat_apis p ON p.id = d.api_id
      WHERE d.events > 0 OR d.last_actors <> 0`,
    attacks: 'SELECT endpoint_id, day, events FROM endpoint_attacks WHERE events > 0',
    noted: 'SELECT event_id FROM endpoint_attack_events',
    messages: 'SELECT id FROM threat_messages',
  }
  const found: Record<string, unknown[]> = {}
  for (const [name, sql] of Object.entries(asked))
    found[name] = (await store.pool.query(sql)).rows.map((row) => JSON.stringify(row)).sort()
  return found
}

async function placesOf(ids: readonly string[]): Promise<string[]> {
  const { rows } = await store.pool.query<{ place: string }>(
    'SELECT DISTINCT tableoid::regclass::text AS place FROM threat_events WHERE id = ANY ($1::uuid[]) ORDER BY 1',
    [ids],
  )
  return rows.map(({ place }) => place)
}

test('a partition whose every event is too old is dropped, and counts as if its events had been deleted', async () => {
  await put(...old, ...kept)
  await deleteEvents(store, { ids: old.map(({ id }) => id), visible: null })
  const expected = await figures()
  expect(expected['actors']).toHaveLength(2)
  await deleteAllEvents(store)

  expect(await put(...old, ...kept)).toBe(6)
  const places = await placesOf(old.map(({ id }) => id))
  expect(places.join()).toMatch(/^threat_events_\d{8}/)
  expect(await purgeEvents(store, 90, { now: NOW })).toMatchObject({ events: 4 })
  expect(await figures()).toEqual(expected)
  const left = (await listPartitions(store.pool, events)).map(({ name }) => name)
  expect(left.filter((name) => places.includes(name))).toEqual([])
  const { rows } = await store.pool.query('SELECT FROM pg_class WHERE relname = ANY ($1)', [places])
  expect(rows).toEqual([])
})

test('a purge that was cut off is continued by the next, and nothing is taken back twice', async () => {
  await put(...old, ...kept)
  await deleteEvents(store, { ids: old.map(({ id }) => id), visible: null })
  const expected = await figures()
  await deleteAllEvents(store)

  await put(...old, ...kept)
  const partitions = (await listPartitions(store.pool, events)).filter(({ to }) => to <= NOW - 90 * DAY)
  let asked = 0
  // Every partition is taken out, and the process ends after its first step.
  await purgeEvents(store, 90, { mayGoOn: () => asked++ <= partitions.length, now: NOW })
  const waiting = await store.pool.query('SELECT FROM leaving_events')
  expect(waiting.rowCount).toBeGreaterThan(0)
  await purgeEvents(store, 90, { now: NOW })
  expect(await figures()).toEqual(expected)
})

test('events in no partition of their week are deleted to the day', async () => {
  const before = event('seven', LONG_AGO - 300 * DAY)
  await put(before, ...kept)
  expect(await placesOf([before.id])).toEqual(['threat_events_other'])
  expect(await purgeEvents(store, 90, { now: NOW })).toMatchObject({ events: 1 })
  expect(await put(before)).toBe(1)
})

test('an event that arrives again with another time is the same', async () => {
  expect(await put(event('eight', NOW))).toBe(1)
  expect(await put(event('eight', LONG_AGO), event('nine', NOW))).toBe(1)
})

test('deleting every event also removes what was about to go', async () => {
  await put(...old, ...kept)
  let asked = 0
  await purgeEvents(store, 90, { mayGoOn: () => asked++ < 3, now: NOW })
  await deleteAllEvents(store)
  expect((await store.pool.query('SELECT FROM leaving_events')).rowCount).toBe(0)
  await purgeEvents(store, 90, { now: NOW })
  expect((await figures())['actors']).toEqual([])
})

test.runIf(testedEngine === 'postgres')(
  'events are stored while a partition waits to be dropped for tables that are in use',
  async () => {
    await put(...old, ...kept)
    const reader = await store.pool.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT FROM threat_facets')
    await purgeEvents(store, 90, { now: NOW })
    expect(await put(event('ten', NOW))).toBe(1)
    expect((await store.pool.query('SELECT FROM leaving_events')).rowCount).toBeGreaterThan(0)
    await reader.query('COMMIT')
    reader.release()
    await purgeEvents(store, 90, { now: NOW })
    expect((await store.pool.query('SELECT FROM leaving_events')).rowCount).toBe(0)
  },
)

test.runIf(testedEngine === 'postgres')(
  'deleting every event waits for a partition that is being taken out, and drops it',
  async () => {
    await put(...old)
    const [partition] = await listPartitions(store.pool, events)
    const detaching = await store.pool.connect()
    await detaching.query('BEGIN')
    await detaching.query(`ALTER TABLE threat_events DETACH PARTITION ${partition!.name}`)
    await detaching.query('INSERT INTO leaving_events (partition_name) VALUES ($1)', [partition!.name])
    const deleting = deleteAllEvents(store)
    await until('deleting waits for the table', async () => {
      const { rowCount } = await detaching.query(
        `SELECT FROM pg_locks WHERE relation = 'threat_events'::regclass AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      return rowCount
    })
    await detaching.query('COMMIT')
    detaching.release()
    await deleting
    expect((await store.pool.query('SELECT FROM leaving_events')).rowCount).toBe(0)
    expect((await store.pool.query('SELECT to_regclass($1) AS found', [partition!.name])).rows).toEqual([
      { found: null },
    ])
  },
)
