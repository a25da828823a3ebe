import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, testedEngine } from '../../test/store-fixture.ts'
import { readSettings } from '../kit/index.ts'
import {
  listPartitions,
  makePartitions,
  type PartitionedTable,
  partitionedTables,
  type Queryable,
  type Store,
} from '../store/index.ts'
import { keepPartitions } from './partition-retention.ts'

const DAY = 86_400
const SPAN = 30 * DAY
const now = Math.floor(Date.now() / 1_000)
const { settings } = readSettings(
  {},
  { 'result-days': '60', 'request-log-days': '60', 'call-stats-days': '60' },
)
const { results, evidence, outgoingRequests } = partitionedTables

let opened: Awaited<ReturnType<typeof openTestStore>>
beforeAll(async () => {
  opened = await openTestStore()
  for (const parent of [results, evidence, outgoingRequests]) await makePartitions(opened.store, parent, now)
  await opened.store.pool.query(
    `INSERT INTO run_configurations (id, test_ids, write_level) VALUES (1, '{A}', 'READ_ONLY');
     INSERT INTO test_runs (id, state, user_login, source, scheduled_at, config_id, target_type, collection_ids, created_at)
     VALUES ('run', 'COMPLETED', 'someone', 'DASHBOARD', 1, 1, 'COLLECTION_WISE', '{1}', 1);
     INSERT INTO collections (id, name, kind, created_at) VALUES (1, 'tested', 'MANUAL', 1)`,
  )
})
afterAll(() => opened.close())

const idAt = (seconds: number, n: number): string => seconds.toString(16) + String(n).padStart(16, '0')

/** An execution that began at this second, with results that ended then, their evidence, and a request each. */
async function addExecution(at: number, count: number, state = 'COMPLETED'): Promise<string> {
  const summaryId = idAt(at, 0)
  await opened.store.pool.query(
    `INSERT INTO run_summaries (id, run_id, state, config_id, started_at, created_at) VALUES ($1, 'run', $2, 1, $3, $3)`,
    [summaryId, state, at],
  )
  await opened.store.pool.query(
    `INSERT INTO run_results (id, run_id, summary_id, test_id, collection_id, method, url, category, outcome, selection,
       severity, started_at, ended_at)
     SELECT left($1, 8) || lpad(n::text, 16, '0'), 'run', $1, 'A', 1, 'GET', '/' || n, 'C', 'SECURE', 'SECURED', 'HIGH',
       $2, $2 FROM generate_series(1, $3::integer) n`,
    [summaryId, at, count],
  )
  await opened.store.pool.query(
    `INSERT INTO result_evidence (result_id, evidence) SELECT id, '{}' FROM run_results WHERE summary_id = $1`,
    [summaryId],
  )
  await opened.store.pool.query(
    `INSERT INTO outgoing_requests (sent_at, purpose, summary_id, method, host, url)
     SELECT $2, 'test', $1, 'GET', 'a.test', '/' FROM generate_series(1, $3::integer)`,
    [summaryId, at, count],
  )
  return summaryId
}

const keep = () =>
  keepPartitions({ store: opened.store, days: settings, isArchived: false, mayGoOn: () => true })

async function idsOf({ table, id }: PartitionedTable): Promise<string[]> {
  const { rows } = await opened.store.pool.query<{ id: string }>(
    `SELECT ${id} AS id FROM ${table} ORDER BY 1`,
  )
  return rows.map((row) => row.id)
}

const names = async (parent: PartitionedTable) =>
  (await listPartitions(opened.store.pool, parent)).map(({ name }) => name)

test('partitions are there before their time, and made once', async () => {
  const before = await names(results)
  expect(before).toHaveLength(3)
  expect(await makePartitions(opened.store, results, now)).toEqual([])
  const [made] = await makePartitions(opened.store, results, now + SPAN)
  expect(made).toMatch(/^run_results_\d{8}$/)
  expect((await listPartitions(opened.store.pool, results)).at(-1)?.to).toBeGreaterThan(now + 3 * SPAN)
})

test('a partition that another process made since they were listed is left as it is', async () => {
  const summaryId = await addExecution(now, 3)
  const stale = (async () => ({ rows: [] })) as unknown as Queryable['query']
  const pool = { query: stale, connect: () => opened.store.pool.connect() } as Store['pool']
  expect(await makePartitions({ ...opened.store, pool }, results, now)).toEqual([])
  const { rows } = await opened.store.pool.query('SELECT FROM run_results WHERE summary_id = $1', [summaryId])
  expect(rows).toHaveLength(3)
  await opened.store.pool.query('DELETE FROM run_summaries; DELETE FROM outgoing_requests')
})

test('what was written when no partition was there moves to the one that is made', async () => {
  const later = now + 20 * SPAN
  const summaryId = await addExecution(later, 3)
  const placesOf = async () => {
    const { rows } = await opened.store.pool.query<{ place: string }>(
      'SELECT DISTINCT tableoid::regclass::text AS place FROM run_results WHERE summary_id = $1',
      [summaryId],
    )
    return rows.map(({ place }) => place)
  }
  expect(await placesOf()).toEqual(['run_results_other'])
  const made = await makePartitions(opened.store, results, later)
  expect(await placesOf()).toEqual([made[0]])
  await opened.store.pool.query('DELETE FROM run_summaries WHERE id = $1', [summaryId])
  await opened.store.pool.query('DELETE FROM outgoing_requests')
  expect(await idsOf(evidence)).toEqual([])
})

test('partitions whose every row is too old are dropped, with what does not stay', async () => {
  const long = now - 5 * SPAN
  for (const parent of [results, evidence, outgoingRequests]) await makePartitions(opened.store, parent, long)
  await addExecution(long, 5)
  const running = await addExecution(long + 1, 2, 'RUNNING')
  const recent = await addExecution(now, 2)
  await opened.store.pool.query(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, method, url, severity, status,
       created_at, last_seen, last_tested, last_updated, result_id)
     VALUES ('f', 'A', 'C', 'AUTOMATED_TESTING', 1, 'GET', '/1', 'HIGH', 'OPEN', 1, 1, 1, 1, $1)`,
    [idAt(long, 1)],
  )
  const stays = [
    idAt(long, 1),
    ...[1, 2].map((n) => idAt(long + 1, n)),
    ...[1, 2].map((n) => idAt(now, n)),
  ].sort()
  expect(await keep()).toEqual({ run_results: 4, result_evidence: 4, outgoing_requests: 7 })
  expect(await idsOf(results)).toEqual(stays)
  expect(await idsOf(evidence)).toEqual(stays)
  for (const parent of [results, evidence, outgoingRequests])
    expect((await listPartitions(opened.store.pool, parent)).every(({ to }) => to > now - 60 * DAY)).toBe(
      true,
    )
  expect(await keep()).toEqual({})

  // Nothing holds them any more.
  await opened.store.pool.query(`UPDATE run_summaries SET state = 'STOPPED' WHERE id = $1`, [running])
  await opened.store.pool.query('DELETE FROM issues')
  expect(await keep()).toEqual({ run_results: 3, result_evidence: 3 })
  expect(await idsOf(results)).toEqual([1, 2].map((n) => recent.slice(0, 8) + String(n).padStart(16, '0')))
})

// The embedded store has one session: nobody can be in its way.
test.runIf(testedEngine === 'postgres')('a table that is in use is left for the next time', async () => {
  const long = now - 5 * SPAN
  await makePartitions(opened.store, outgoingRequests, long)
  const reader = await opened.store.pool.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT FROM outgoing_requests')
  expect(await keep()).toEqual({})
  expect((await names(outgoingRequests)).length).toBeGreaterThan(3)
  await reader.query('COMMIT')
  reader.release()
  await keep()
  expect((await listPartitions(opened.store.pool, outgoingRequests))[0]!.to).toBeGreaterThan(now - 60 * DAY)
})

test.runIf(testedEngine === 'postgres')('evidence waits for results that are in use', async () => {
  const long = now - 5 * SPAN
  for (const parent of [results, evidence]) await makePartitions(opened.store, parent, long)
  const summaryId = await addExecution(long + 10, 3)
  const reader = await opened.store.pool.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT FROM run_results')
  expect(await keep()).toEqual({ outgoing_requests: 3 })
  const { rows } = await opened.store.pool.query('SELECT FROM result_evidence_other')
  expect(rows).toEqual([])
  await reader.query('COMMIT')
  reader.release()
  expect(await keep()).toEqual({ run_results: 3, result_evidence: 3 })
  await opened.store.pool.query('DELETE FROM run_summaries WHERE id = $1', [summaryId])
})

test('nothing counts the rows of a partition while its table is locked', async () => {
  const long = now - 5 * SPAN
  await makePartitions(opened.store, results, long)
  const summaryId = await addExecution(long + 20, 3)
  const asked: string[] = []
  const { pool } = opened.store
  const connect = async () => {
    const client = await pool.connect()
    return {
      query: (statement: string | { text: string }, values?: unknown[]) => {
        asked.push(typeof statement === 'string' ? statement : statement.text)
        return client.query(statement as string, values)
      },
      release: (error?: Error) => client.release(error),
    }
  }
  const spied = { query: pool.query.bind(pool), connect } as unknown as Store['pool']
  const store = { ...opened.store, pool: spied }
  await keepPartitions({ store, days: settings, isArchived: false, mayGoOn: () => true })
  const detached = asked.findIndex((text) => text.includes('run_results DETACH'))
  const locked = asked.slice(detached, asked.indexOf('COMMIT', detached))
  expect(locked.length).toBeGreaterThan(3)
  expect(locked.filter((text) => /count\(|DELETE/.test(text))).toEqual([])
  expect(asked.slice(0, detached).some((text) => /count\(/.test(text))).toBe(true)
  await opened.store.pool.query('DELETE FROM run_summaries WHERE id = $1', [summaryId])
})

test('what is asked of one execution reads its partition only', async () => {
  const summaryId = await addExecution(now + 1, 500)
  await opened.store.pool.query('ANALYZE run_results')
  const { rows } = await opened.store.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT * FROM run_results r WHERE r.summary_id = '${summaryId}' AND r.selection = 'SECURED'
     ORDER BY r.severity_rank DESC, r.id LIMIT 10`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const read = (await names(results)).filter((name) => plan.includes(name))
  expect(read).toHaveLength(1)
  expect(plan).not.toContain('run_results_other')
})

test('a time of the request log reads the partitions of that time only', async () => {
  const { rows } = await opened.store.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT count(*) FROM outgoing_requests WHERE sent_at >= ${now} AND sent_at < ${now + 60}`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect((await names(outgoingRequests)).filter((name) => plan.includes(name)).length).toBeLessThanOrEqual(2)
})

test('calls of before there were partitions are removed to the day', async () => {
  const { pool } = opened.store
  const until = Math.floor((now - (now % (7 * DAY))) / 60)
  const old = Math.floor(now / 60) - 61 * 1_440
  await pool.query(
    `INSERT INTO endpoints (id, root_id, collection_id, method, url, first_seen, last_seen, discovered_at)
       VALUES (1, 1, 1, 'GET', '/', 1, 1, 1);
     CREATE TABLE call_minutes_before PARTITION OF call_minutes FOR VALUES FROM (MINVALUE) TO (${until});
     INSERT INTO call_minutes (endpoint_id, minute, status_class, count)
       VALUES (1, ${old}, 2, 5), (1, ${old + 1}, 2, 5), (1, ${until - 1}, 2, 5)`,
  )
  expect(await keep()).toEqual({ call_minutes: 2 })
  const { rows } = await pool.query('SELECT minute FROM call_minutes')
  expect(rows).toEqual([{ minute: until - 1 }])
})
