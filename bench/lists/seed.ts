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

/** Makes `collections` collections of one host each with `endpoints` endpoints in all, facts, samples and statistics. */
export async function seedInventory(store: Store, collections: number, endpoints: number): Promise<void> {
  const perCollection = Math.ceil(endpoints / collections)
  const at = 1_795_000_000
  await store.pool.query(
    `INSERT INTO collections (id, name, host_name, kind, env_type, created_at, last_traffic_at)
     SELECT $1 + i, 'api-' || i || '.shop.example', 'api-' || i || '.shop.example', 'HOST', 'STAGING', $1, $1
     FROM generate_series(1, $2::integer) AS i`,
    [at, collections],
  )
  await store.pool.query(
    `INSERT INTO endpoints (id, root_id, collection_id, method, url, is_template, first_seen, last_seen, discovered_at,
       call_count, response_codes, auth_combinations, actual_auth_types, access_types, sensitive_in_response, sources,
       risk_score)
     SELECT n, n, $1::integer + 1 + (n - 1) / $2::integer, (ARRAY['GET', 'POST', 'PUT', 'DELETE'])[1 + n % 4],
       '/v1/' || ($4::text[])[1 + n % 10] || '/' || n || '/INTEGER', true, $1::integer + n % 86400,
       $1::integer + n % 864000, $1::integer + n % 86400, n % 5000, '{200,404}', '[["JWT"]]', '{JWT}', '{PUBLIC}',
       CASE WHEN n % 7 = 0 THEN '{EMAIL}'::text[] ELSE '{}' END, '{"MIRRORING": 1795000000}', n % 5
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
    `INSERT INTO call_stats (endpoint_id, minute, status_class, count)
     SELECT n, $2::integer / 60 + m, 2, 5 FROM generate_series(1, $1::integer, 100) AS n, generate_series(1, 60) AS m`,
    [endpoints, at],
  )
  await store.pool.query(`SELECT setval(pg_get_serial_sequence('endpoints', 'id'), $1::bigint)`, [endpoints])
  await store.pool.query('VACUUM ANALYZE')
}
