import { makePartitions, partitionedTables, type Store } from '../../src/store/index.ts'
import { SEED } from './seed.ts'

/** What the measured calls about runs ask for. */
export const RUNS = {
  /** A run with an execution of many results. */
  runId: '6afd2c810000000000000001',
  summaryId: '6afd2c820000000000000001',
} as const

const ISSUES = 20_000
const RUN_COUNT = 500
const RESULTS = 100_000

/** Makes 500 runs with an execution each, one of them with 100,000 results, and 20,000 issues over all collections. */
export async function seedRuns(store: Store, collections: number): Promise<void> {
  const { at } = SEED
  await store.pool.query(
    `INSERT INTO run_configurations (id, test_ids, write_level) VALUES (1, '{ADD_USER_ID}', 'READ_ONLY')`,
  )
  await store.pool.query(
    `INSERT INTO test_runs (id, name, state, user_login, source, scheduled_at, picked_up_at, ended_at, config_id,
       target_type, collection_ids, created_at)
     SELECT '6afd2c81' || lpad(to_hex(i), 16, '0'), 'run ' || i, 'COMPLETED', 'seed', 'DASHBOARD', $1::integer + i,
       $1::integer + i, $1::integer + i + 60, 1, 'COLLECTION_WISE', ARRAY[$1::integer + 1 + i % $2::integer], $1::integer
     FROM generate_series(1, $3::integer) AS i`,
    [at, collections, RUN_COUNT],
  )
  await store.pool.query(
    `INSERT INTO run_summaries (id, run_id, state, config_id, results_count, endpoints_count, tests_count, high_count,
       started_at, ended_at, created_at)
     SELECT '6afd2c82' || lpad(to_hex(i), 16, '0'), '6afd2c81' || lpad(to_hex(i), 16, '0'), 'COMPLETED', 1, 100, 10,
       10, 3, $1::integer + i, $1::integer + i + 60, $1::integer + i
     FROM generate_series(1, $2::integer) AS i`,
    [at, RUN_COUNT],
  )
  await store.pool.query(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, endpoint_id, method, url, severity,
       status, created_at, last_seen, last_tested, last_updated, latest_summary_id)
     SELECT 'seed ' || e.id, 'TEST_' || e.id % 140, 'CATEGORY_' || e.id % 10, 'AUTOMATED_TESTING', e.collection_id,
       e.id, e.method, e.url, (ARRAY['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])[1 + e.id / 5 % 4],
       (ARRAY['OPEN', 'OPEN', 'FIXED', 'IGNORED'])[1 + e.id / 20 % 4], $1::integer + e.id % 864000,
       $1::integer + e.id % 864000 + 100, $1::integer + 900000, $1::integer + 900000, $3
     FROM endpoints e WHERE e.id % 5 = 0 ORDER BY e.id LIMIT $2`,
    [at, ISSUES, RUNS.summaryId],
  )
  await store.pool.query(
    `INSERT INTO run_results (id, run_id, summary_id, test_id, collection_id, method, url, category, outcome, selection,
       severity, started_at, ended_at)
     SELECT '6afd2c83' || lpad(to_hex(n), 16, '0'), $1, $2, 'TEST_' || n % 140, $3::integer + 1 + n % $4::integer, 'GET',
       '/v1/orders/' || n, 'CATEGORY_' || n % 10, CASE WHEN n % 10 = 0 THEN 'VULNERABLE' ELSE 'SECURE' END,
       CASE WHEN n % 10 = 0 THEN 'VULNERABLE' ELSE 'SECURED' END, (ARRAY['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])[1 + n % 4],
       $3::integer + n / 100, $3::integer + n / 100 + 1
     FROM generate_series(1, $5::integer) AS n`,
    [RUNS.runId, RUNS.summaryId, at, collections, RESULTS],
  )
}

const MONTHS = 12
const MONTH_SECONDS = 30 * 86_400
const PER_EXECUTION = 10_000

/** Adds executions of 10,000 results each with evidence, over the twelve months before, each month in its partitions. */
export async function seedOldResults(store: Store, count: number): Promise<void> {
  const { pool } = store
  const executions = Math.ceil(count / MONTHS / PER_EXECUTION)
  for (let month = 1; month <= MONTHS && count > 0; month++) {
    const from = SEED.at - month * MONTH_SECONDS
    for (const parent of [partitionedTables.results, partitionedTables.evidence])
      await makePartitions(store, parent, from)
    await pool.query(
      `INSERT INTO run_summaries (id, run_id, state, config_id, results_count, started_at, ended_at, created_at)
       SELECT to_hex($2::integer + i) || lpad(to_hex(i), 16, '0'), $1, 'COMPLETED', 1, ${PER_EXECUTION}, $2::integer + i,
         $2::integer + i + 60, $2::integer + i FROM generate_series(1, $3::integer) AS i`,
      [RUNS.runId, from, executions],
    )
    for (let i = 1; i <= executions; i++)
      await pool.query(
        `WITH stored AS (
           INSERT INTO run_results (id, run_id, summary_id, test_id, collection_id, method, url, category, outcome,
             selection, severity, started_at, ended_at)
           SELECT to_hex($2::integer + $3::integer) || lpad(to_hex($3::bigint * ${PER_EXECUTION} + n), 16, '0'), $1,
             to_hex($2::integer + $3::integer) || lpad(to_hex($3::integer), 16, '0'), 'TEST_' || n % 140,
             ${SEED.at} + 1 + n % 500, 'GET', '/v1/orders/' || n, 'CATEGORY_' || n % 10,
             CASE WHEN n % 10 = 0 THEN 'VULNERABLE' ELSE 'SECURE' END,
             CASE WHEN n % 10 = 0 THEN 'VULNERABLE' ELSE 'SECURED' END,
             (ARRAY['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])[1 + n % 4], $2::integer + $3::integer, $2::integer + $3::integer
           FROM generate_series(1, ${PER_EXECUTION}) AS n RETURNING id)
         INSERT INTO result_evidence (result_id, evidence) SELECT id, '{}' FROM stored`,
        [RUNS.runId, from, i],
      )
  }
}
