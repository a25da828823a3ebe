/** Fills a store with an inventory of the given size, straight by SQL. */
import type { Store } from '../../src/store/index.ts'

const RESOURCES = [
  'orders',
  'users',
  'carts',
  'invoices',
  'payments',
  'products',
  'reviews',
  'shipments',
  'coupons',
  'accounts',
]

/** What the measured calls ask for. */
export const SEED = {
  /** Epoch second at which everything begins. */
  at: 1_795_000_000,
  perCollection: 200,
  /** A group of a tenth of all endpoints. */
  largeGroup: 1_796_000_000,
  importId: '6afd2c800000000000000001',
  postmanImportId: '6afd2c800000000000000002',
  /** Somebody who was granted a fifth of the collections. */
  restrictedUser: 1_797_000_000,
} as const

/** URL of the n-th endpoint, from 1. */
export function endpointUrl(n: number): string {
  return `/v1/${RESOURCES[n % RESOURCES.length]}/${n}/INTEGER`
}

/** Makes `collections` collections of one host each with `endpoints` endpoints in all, facts, samples and statistics. */
export async function seedInventory(store: Store, collections: number, endpoints: number): Promise<void> {
  await seedEndpoints(store, collections, endpoints)
  await seedGroups(store, endpoints)
  await seedHistory(store, collections, endpoints)
  await seedImports(store, collections)
  await store.pool.query('VACUUM ANALYZE')
}

async function seedEndpoints(store: Store, collections: number, endpoints: number): Promise<void> {
  const perCollection = Math.ceil(endpoints / collections)
  const { at } = SEED
  await store.pool.query(
    `INSERT INTO collections (id, name, host_name, kind, env_type, created_at, last_traffic_at)
     SELECT $1 + i, 'api-' || i || '.shop.example', 'api-' || i || '.shop.example', 'HOST', 'STAGING', $1, $1
     FROM generate_series(1, $2::integer) AS i`,
    [at, collections],
  )
  await store.pool.query(
    `INSERT INTO endpoints (id, root_id, collection_id, method, url, is_template, first_seen, last_seen, discovered_at,
       call_count, response_codes, auth_combinations, actual_auth_types, access_types, sensitive_in_response, sources,
       risk_score, severity_score, api_type, is_documented)
     SELECT n, n, $1::integer + 1 + (n - 1) / $2::integer, (ARRAY['GET', 'POST', 'PUT', 'DELETE'])[1 + n % 4],
       '/v1/' || ($4::text[])[1 + n % 10] || '/' || n || '/INTEGER', true, $1::integer + n % 86400,
       $1::integer + n % 864000, $1::integer + n % 86400, n % 5000, '{200,404}', '[["JWT"]]', CASE WHEN n % 3 = 0 THEN '{JWT}'::text[] ELSE '{}' END,
       CASE WHEN n % 9 = 0 THEN '{PRIVATE}'::text[] ELSE '{PUBLIC}' END,
       CASE WHEN n % 7 = 0 THEN '{EMAIL}'::text[] ELSE '{}' END, '{"MIRRORING": 1795000000}', n % 5, n % 7, CASE WHEN n % 20 = 0 THEN 'GRAPHQL' ELSE 'REST' END, n % 3 = 0
     FROM generate_series(1, $3::integer) AS n`,
    [at, perCollection, endpoints, RESOURCES],
  )
  await store.pool.query(
    `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen)
     SELECT n, 'RESPONSE_BODY', 200, 'field' || k, 'GENERIC', 100, $2::integer + n % 86400, $2::integer + 90000
     FROM generate_series(1, $1::integer) AS n, generate_series(1, 4) AS k`,
    [endpoints, at],
  )
  await store.pool.query(
    `INSERT INTO samples (endpoint_id, slot, observed_at, status, message)
     SELECT n, 'first', $2::integer, 200, '{"method":"GET","path":"/v1/x","requestHeaders":"{}","responseHeaders":"{}"}'
     FROM generate_series(1, $1::integer, 10) AS n`,
    [endpoints, at],
  )
  await store.pool.query(
    `INSERT INTO call_minutes (endpoint_id, minute, status_class, count)
     SELECT n, $2::integer / 60 + m, 2, 5 FROM generate_series(1, $1::integer, 100) AS n, generate_series(1, 60) AS m`,
    [endpoints, at],
  )
  await store.pool.query(`SELECT setval(pg_get_serial_sequence('endpoints', 'id'), $1::bigint)`, [endpoints])
}

async function seedGroups(store: Store, endpoints: number): Promise<void> {
  await store.pool.query(
    `INSERT INTO collections (id, name, kind, created_at, conditions)
     SELECT $1::integer + i, 'group ' || i, 'GROUP', $2, '[]' FROM generate_series(0, 9) AS i`,
    [SEED.largeGroup, SEED.at],
  )
  await store.pool.query(
    `INSERT INTO group_members (group_id, endpoint_id, is_by_condition)
     SELECT $1::integer + i, n, true FROM generate_series(0, 9) AS i, generate_series(1, $2::integer) AS n
     WHERE n % (10 * (i + 1) * (i + 1)) = i`,
    [SEED.largeGroup, endpoints],
  )
}

/** Later parameters, template decisions, callers, probes and the ledger. */
async function seedHistory(store: Store, collections: number, endpoints: number): Promise<void> {
  const { at } = SEED
  await store.pool.query(
    `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen,
       is_sensitive)
     SELECT n, 'QUERY', -1, 'late', 'EMAIL', 3, $2::integer + n % 864000 + 86401, $2::integer + 960000, n % 4 = 0
     FROM generate_series(1, $1::integer, 5) AS n`,
    [endpoints, at],
  )
  await store.pool.query(
    `INSERT INTO template_moves (collection_id, origin, kind, method, from_url, to_url, decided_by, decided_at, writer)
     SELECT $1::integer + 1 + i % $2::integer, '', 'MERGE', 'GET', '/v1/a/' || i, '/v1/a/INTEGER', 'engine',
       $1::integer + i * 10, 'seed' FROM generate_series(1, 10000) AS i`,
    [at, collections],
  )
  await store.pool.query(
    `INSERT INTO ip_windows (endpoint_id, window_start, writer, counts)
     SELECT n, $2::integer / 60 + m * 5, 'seed', (SELECT jsonb_object_agg('203.0.113.' || a, a) FROM generate_series(1, 50) AS a)
     FROM generate_series(1, $1::integer, 100) AS n, generate_series(1, 12) AS m`,
    [endpoints, at],
  )
  await store.pool.query(
    `INSERT INTO probes (collection_id, method, path, status, count, first_seen, last_seen, last_ip)
     SELECT $1::integer + 1 + i % $2::integer, 'GET', '/admin/' || i, 404, 1, $1, $1::integer + i, '203.0.113.1'
     FROM generate_series(1, 20000) AS i`,
    [at, collections],
  )
  await store.pool.query(
    `INSERT INTO traffic_ledger (day, source, outcome, count)
     SELECT $1::integer / 86400 + d, s, o, 1000 FROM generate_series(0, 364) AS d,
       unnest(ARRAY['MIRRORING', 'HAR', 'SDK']) AS s, unnest(ARRAY['accepted', 'duplicate', 'static', 'rejected']) AS o`,
    [at],
  )
}

async function seedImports(store: Store, collections: number): Promise<void> {
  await store.pool.query(
    `INSERT INTO imports (id, format, file_name, collection_id, user_login, status, taken, total, created_at, ended_at,
       document)
     SELECT '6afd2c80' || lpad(to_hex(i), 16, '0'), CASE WHEN i = 2 THEN 'POSTMAN' ELSE 'OPEN_API' END, 'shop.json',
       $1::integer + 1 + i % $2::integer, 'seed', 'SUCCEEDED', 10, 10, $1::integer + i, $1::integer + i,
       repeat('{"openapi":"3.1.0"}', 2000)
     FROM generate_series(1, 5000) AS i`,
    [SEED.at, collections],
  )
  await store.pool.query(
    `INSERT INTO import_rows (import_id, position, outcome, place, what, reasons)
     SELECT u, i, (ARRAY['TAKEN', 'TAKEN_WITH_WARNINGS', 'SKIPPED'])[1 + i % 3], 'line ' || i, 'GET /v1/orders/' || i,
       CASE WHEN i % 3 = 0 THEN '[]'::jsonb ELSE '["a response without a schema"]' END
     FROM unnest($1::text[]) AS u, generate_series(1, 5000) AS i`,
    [[SEED.importId, SEED.postmanImportId]],
  )
  await store.pool.query(
    `INSERT INTO users (id, login, password_hash, role, collection_ids, created_at)
     SELECT $1, 'granted@shop.example', '', 'MEMBER', array_agg($2::integer + i), $2::integer
     FROM generate_series(1, $3::integer, 5) AS i`,
    [SEED.restrictedUser, SEED.at, collections],
  )
}
