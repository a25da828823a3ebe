import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { partitionedTables } from '../partitions/partitioned-tables.ts'
import { listPartitions } from '../partitions/partitions.ts'
import { migrations } from './index.ts'

const NUMBER = migrations.findIndex(({ name }) => name === '0020-event-partitions')
const MIGRATION = migrations[NUMBER]!.sql
const now = Math.floor(Date.now() / 1_000)
const minute = Math.floor(now / 60)

let opened: Awaited<ReturnType<typeof openTestStore>>
let client: pg.PoolClient

beforeAll(async () => {
  opened = await openTestStore()
  client = await opened.store.pool.connect()
  await client.query('BEGIN')
  await client.query('CREATE SCHEMA upgraded; SET LOCAL search_path TO upgraded')
  for (const { sql } of migrations.slice(0, NUMBER)) await client.query(sql)
  await client.query(
    `INSERT INTO threat_kinds (filter_id, category, sub_category, severity, severity_rank, type, event_type, label, status,
       is_exploit) VALUES ('SQLInjection', 'C', 'C', 'HIGH', 3, 'Rule-Based', 'SINGLE', 'threat', 'ACTIVE', false);
     INSERT INTO threat_facets (kind_id, collection_id, host, method) VALUES (1, 1, 'shop.test', 'GET');
     INSERT INTO threat_actors (actor) VALUES ('203.0.113.9');
     INSERT INTO threat_apis (path, method, host) VALUES ('/search', 'GET', 'shop.test');
     INSERT INTO collections (id, name, kind, created_at) VALUES (1, 'shop', 'MANUAL', 1);
     INSERT INTO endpoints (id, root_id, collection_id, method, url, first_seen, last_seen, discovered_at)
     VALUES (1, 1, 1, 'GET', '/search', 1, 1, 1)`,
  )
  await client.query('SAVEPOINT before')
}, 120_000)
beforeEach(() => client.query('ROLLBACK TO SAVEPOINT before'))
afterAll(async () => {
  await client.query('ROLLBACK')
  client.release()
  await opened.close()
})

/** An event, as the version before writes it; @returns how many were new */
async function addEvent(n: number, at: number): Promise<number> {
  const { rows } = await client.query(
    `INSERT INTO threat_events (id, ref_id, detected_at, facet_id, actor_id, api_id, ip, country, dest_country, url, stored_at)
     VALUES (md5($1::text)::uuid, md5($1::text)::uuid, $2, 1, 1, 1, '', 'NZ', '', 'https://shop.test/search', $2)
     ON CONFLICT DO NOTHING RETURNING id`,
    [n, at],
  )
  return rows.length
}

/** Calls of a minute, as the version before writes them. */
const addCalls = (at: number, count: number) =>
  client.query(
    `INSERT INTO call_stats (endpoint_id, minute, status_class, count) SELECT t.id, t.minute, t.class, t.count
     FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bigint[]) AS t (id, minute, class, count)
     ON CONFLICT (endpoint_id, minute, status_class) DO UPDATE SET count = call_stats.count + excluded.count`,
    [[1], [at], [2], [count]],
  )

async function counted(): Promise<number> {
  const { rows } = await client.query<{ events: number }>('SELECT events FROM threat_actors')
  return rows[0]!.events
}

test('events that were there stay, and the version before still writes and deletes them', async () => {
  await addEvent(1, now - 400 * 86_400)
  await addEvent(2, now)
  await client.query(MIGRATION)
  expect(await addEvent(2, now)).toBe(0)
  expect(await addEvent(3, now)).toBe(1)
  expect(await counted()).toBe(3)
  const { rows } = await client.query<{ place: string }>(
    'SELECT c.relname AS place FROM threat_events e JOIN pg_class c ON c.oid = e.tableoid',
  )
  expect(rows.map(({ place }) => place)).toEqual(Array(3).fill('threat_events_before'))
  const { rowCount } = await client.query(
    'DELETE FROM threat_events WHERE id = md5($1)::uuid RETURNING ref_id',
    ['1'],
  )
  expect([rowCount, await counted()]).toEqual([1, 2])
})

test('calls per minute that were there stay, and the version before adds to them through the view', async () => {
  await addCalls(minute - 60, 5)
  await addCalls(minute, 1)
  await client.query(MIGRATION)
  await addCalls(minute, 2)
  await addCalls(minute + 400 * 1_440, 7)
  const { rows } = await client.query(
    'SELECT minute, sum(count)::integer AS count FROM call_stats GROUP BY 1 ORDER BY 1',
  )
  expect(rows).toEqual([
    { minute: minute - 60, count: 5 },
    { minute, count: 3 },
    { minute: minute + 400 * 1_440, count: 7 },
  ])
  await client.query('DELETE FROM endpoints')
  expect((await client.query('SELECT FROM call_minutes')).rowCount).toBe(0)
})

test('calls with a time of years to come do not put the end of the first partition off', async () => {
  const later = minute + 7 * 365 * 1_440
  await addCalls(minute, 1)
  await addCalls(later, 2)
  await client.query(MIGRATION)
  const { rows } = await client.query<{ place: string; minute: number; count: number }>(
    `SELECT c.relname AS place, m.minute, m.count::integer AS count FROM call_minutes m
     JOIN pg_class c ON c.oid = m.tableoid ORDER BY m.minute`,
  )
  expect(rows).toEqual([
    { place: 'call_minutes_before', minute, count: 1 },
    { place: 'call_minutes_other', minute: later, count: 2 },
  ])
  const [first] = await listPartitions(client, partitionedTables.callMinutes)
  expect(first!.to).toBeGreaterThan(now)
  expect(first!.to).toBeLessThanOrEqual(now + 7 * 86_400 + 60)
})

test('the version before cannot delete calls by a position that is unique within a partition only', async () => {
  await client.query(MIGRATION)
  await addCalls(minute, 1)
  await client.query('SAVEPOINT purge')
  const purge = client.query(
    `DELETE FROM call_stats WHERE ctid = ANY (ARRAY(SELECT ctid FROM call_stats WHERE minute < $1 LIMIT 5000))`,
    [minute - 60],
  )
  await expect(purge).rejects.toThrow('ctid')
  await client.query('ROLLBACK TO SAVEPOINT purge')
  expect((await client.query('SELECT FROM call_minutes')).rowCount).toBe(1)
})

test('a store without events or calls has no partition but the default one', async () => {
  await client.query(MIGRATION)
  await addEvent(1, now)
  await addCalls(minute, 1)
  const { rows } = await client.query<{ place: string }>(
    `SELECT c.relname AS place FROM threat_events e JOIN pg_class c ON c.oid = e.tableoid
     UNION ALL SELECT c.relname FROM call_minutes m JOIN pg_class c ON c.oid = m.tableoid ORDER BY 1`,
  )
  expect(rows.map(({ place }) => place)).toEqual(['call_minutes_other', 'threat_events_other'])
})
