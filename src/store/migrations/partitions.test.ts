import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { migrations } from './index.ts'

const NUMBER = migrations.findIndex(({ name }) => name === '0014-partitions')
const [PARTITIONS] = migrations.slice(NUMBER)
const DAY = 86_400
const now = Math.floor(Date.now() / 1_000)

let opened: Awaited<ReturnType<typeof openTestStore>>
let client: pg.PoolClient

beforeAll(async () => {
  opened = await openTestStore()
  client = await opened.store.pool.connect()
  await client.query('BEGIN')
  await client.query('CREATE SCHEMA upgraded; SET LOCAL search_path TO upgraded')
  for (const { sql } of migrations.slice(0, NUMBER)) await client.query(sql)
  await client.query(
    `INSERT INTO run_configurations (id, test_ids, write_level) VALUES (1, '{A}', 'READ_ONLY');
     INSERT INTO test_runs (id, state, user_login, source, scheduled_at, config_id, target_type, collection_ids, created_at)
     VALUES ('run', 'COMPLETED', 'someone', 'DASHBOARD', 1, 1, 'COLLECTION_WISE', '{1}', 1)`,
  )
  await client.query('SAVEPOINT before')
}, 120_000)
beforeEach(() => client.query('ROLLBACK TO SAVEPOINT before'))
afterAll(async () => {
  await client.query('ROLLBACK')
  client.release()
  await opened.close()
})

const hexAt = (seconds: number): string => seconds.toString(16).padStart(8, '0')
const idAt = (seconds: number, n: number): string => hexAt(seconds) + String(n).padStart(16, '0')

/** A result with evidence and a request, as the version before and this one write them. */
async function addResult(summaryId: string, id: string, at: number): Promise<unknown[]> {
  await client.query(
    `INSERT INTO run_summaries (id, run_id, state, config_id, started_at, created_at)
     VALUES ($1, 'run', 'COMPLETED', 1, $2, $2) ON CONFLICT DO NOTHING`,
    [summaryId, at],
  )
  const { rows } = await client.query(
    `INSERT INTO run_results (id, run_id, summary_id, test_id, collection_id, method, url, category, outcome, selection,
       severity, started_at, ended_at) VALUES ($1, 'run', $2, 'A', 1, 'GET', '/a', 'C', 'SECURE', 'SECURED', 'HIGH', $3, $3)
     ON CONFLICT (summary_id, test_id, collection_id, method, url) DO NOTHING RETURNING id`,
    [id, summaryId, at],
  )
  if (rows.length === 0) return rows
  await client.query(`INSERT INTO result_evidence (result_id, evidence) VALUES ($1, '{}')`, [id])
  await client.query(
    `INSERT INTO outgoing_requests (sent_at, purpose, method, host, url) VALUES ($1, 'test', 'GET', 'a.test', '/')`,
    [at],
  )
  return rows
}

async function places(table: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ place: string; count: number }>(
    `SELECT c.relname AS place, count(*)::integer AS count FROM ${table} t JOIN pg_class c ON c.oid = t.tableoid
     GROUP BY 1`,
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}

test('rows that were there stay, in the first partition', async () => {
  await addResult(idAt(now - 400 * DAY, 1), idAt(now - 400 * DAY, 2), now - 400 * DAY)
  await addResult(idAt(now, 1), idAt(now, 2), now)
  await client.query(PARTITIONS!.sql)
  expect(await places('run_results')).toEqual({ run_results_before: 2 })
  expect(await places('result_evidence')).toEqual({ result_evidence_before: 2 })
  expect(await places('outgoing_requests')).toEqual({ outgoing_requests_before: 2 })
  // What the version before goes on writing in the same month is beside them, and repeated reports change nothing.
  expect(await addResult(idAt(now, 1), idAt(now, 3), now)).toEqual([])
  await addResult(idAt(now, 4), idAt(now, 5), now)
  expect(await places('run_results')).toEqual({ run_results_before: 3 })
  const { rows } = await client.query('SELECT count(DISTINCT id)::integer AS ids FROM outgoing_requests')
  expect(rows).toEqual([{ ids: 3 }])
})

test('ids of a clock that was ahead are within the first partition', async () => {
  await addResult(idAt(now + 200 * DAY, 1), idAt(now + 200 * DAY, 2), now + 200 * DAY)
  await client.query(PARTITIONS!.sql)
  expect(await places('run_results')).toEqual({ run_results_before: 1 })
})

test('a store whose ids are not by time keeps its rows in one partition', async () => {
  await addResult('summary', 'result', now)
  await client.query(PARTITIONS!.sql)
  await addResult(idAt(now, 1), idAt(now, 2), now)
  expect(await places('run_results')).toEqual({ run_results_before: 2 })
  expect(await places('result_evidence')).toEqual({ result_evidence_before: 2 })
})

test('a store without rows has no partition but the default one', async () => {
  await client.query(PARTITIONS!.sql)
  await addResult(idAt(now, 1), idAt(now, 2), now)
  expect(await places('run_results')).toEqual({ run_results_other: 1 })
  expect(await places('outgoing_requests')).toEqual({ outgoing_requests_other: 1 })
})

test('what is deleted takes its evidence along in every way', async () => {
  for (const n of [1, 2, 3]) await addResult(idAt(now, n * 10), idAt(now, n * 10 + 1), now)
  await client.query(PARTITIONS!.sql)
  await client.query('DELETE FROM run_results WHERE id = $1', [idAt(now, 11)])
  await client.query('DELETE FROM run_summaries WHERE id = $1', [idAt(now, 20)])
  const { rows } = await client.query('SELECT result_id FROM result_evidence')
  expect(rows).toEqual([{ result_id: idAt(now, 31) }])
  await client.query(`DELETE FROM test_runs WHERE id = 'run'`)
  expect(await places('result_evidence')).toEqual({})
})
