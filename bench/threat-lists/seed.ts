import { makePartitions, partitionedTables, type Store } from '../../src/store/index.ts'

/** What the seed is made of; cases name things of it. */
export const SEED = {
  days: 60,
  actors: 40_000,
  filters: 60,
  hosts: 12,
  pathsPerHost: 1_600,
  /** User of a key that may see two of the twelve collections. */
  restrictedUser: 900_001,
} as const

const FIRST_COLLECTION = 1_700_000_000
const BATCH = 20_000

/** Collections of the restricted user. */
export const GRANTED = [FIRST_COLLECTION + 1, FIRST_COLLECTION + 2] as const

/**
 * Fills an empty store with events as attacks leave them: few actors do most, each with its own four tools, mostly on
 * one host and thirty of its paths; most URLs are seen once. The figures that triggers keep are made at the end, for all
 * events at once, in a fifth of the time.
 *
 * @param now end of the 60 days over which they are spread
 * @param messagesEvery one event in as many has its message
 */
export async function seedEvents(store: Store, count: number, now: number, messagesEvery = 1): Promise<void> {
  const { pool } = store
  await pool.query('SELECT setseed(0.42)')
  await pool.query(
    `INSERT INTO collections (id, name, host_name, kind, created_at)
     SELECT ${FIRST_COLLECTION} + h, 'host' || h || '.test', 'host' || h || '.test', 'HOST', $1
     FROM generate_series(1, ${SEED.hosts}) h`,
    [now],
  )
  await pool.query(
    `INSERT INTO users (id, login, name, password_hash, role, collection_ids, created_at)
     VALUES ($1, 'granted@example.org', 'Granted', '', 'MEMBER', $2, $3)`,
    [SEED.restrictedUser, GRANTED, now],
  )
  await seedKinds(store)
  await pool.query(
    `INSERT INTO threat_actors (actor)
     SELECT (1 + n % 223) || '.' || (n / 223 % 250) || '.' || (n * 7 % 251) || '.' || (n % 199)
     FROM generate_series(0, ${SEED.actors - 1}) n ON CONFLICT DO NOTHING`,
  )
  await pool.query(
    `INSERT INTO threat_apis (path, method, host)
     SELECT CASE WHEN n < 100 THEN '/api/v1/resource' || n ELSE '/api/v1/resource' || n % 100 || '/' || n * 7919 END,
       (ARRAY['GET', 'POST', 'PUT'])[1 + n % 3], 'host' || h || '.test'
     FROM generate_series(1, ${SEED.hosts}) h, generate_series(0, ${SEED.pathsPerHost - 1}) n ORDER BY h, n`,
  )
  // The batches join them; without figures about them each takes several times as long.
  await pool.query('ANALYZE threat_kinds, threat_facets, threat_apis, threat_actors')
  for (let day = 0; day <= SEED.days + 7; day += 7)
    await makePartitions(store, partitionedTables.events, now - day * 86_400)
  await pool.query('ALTER TABLE threat_events DISABLE TRIGGER USER')
  for (let from = 0; from < count; from += BATCH)
    await seedBatch(store, [from, Math.min(BATCH, count - from), count, now, MESSAGE, messagesEvery])
  await pool.query('ALTER TABLE threat_events ENABLE TRIGGER USER')
  for (const statement of FIGURES) await pool.query(statement)
  await pool.query('VACUUM ANALYZE')
}

const KINDS = 'JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id'

/** The figures of all events, as triggers keep them. */
const FIGURES = [
  `INSERT INTO threat_daily_counts SELECT detected_at / 86400, facet_id, count(*) FROM threat_events GROUP BY 1, 2`,
  `INSERT INTO threat_daily_kinds SELECT c.day, f.kind_id, sum(c.events) FROM threat_daily_counts c
     JOIN threat_facets f ON f.id = c.facet_id GROUP BY 1, 2`,
  `INSERT INTO threat_hourly_kinds SELECT e.detected_at / 3600, f.kind_id, count(*) FROM threat_events e
     JOIN threat_facets f ON f.id = e.facet_id GROUP BY 1, 2`,
  `INSERT INTO threat_actor_traces SELECT e.actor_id, f.collection_id, k.filter_id, min(e.detected_at),
     max(e.detected_at), count(*) FROM threat_events e ${KINDS} GROUP BY 1, 2, 3`,
  `INSERT INTO threat_actor_countries SELECT actor_id, country, min(detected_at), max(detected_at), count(*)
     FROM threat_events GROUP BY 1, 2`,
  `INSERT INTO threat_actor_days SELECT e.detected_at / 86400, e.actor_id, e.country, count(*),
     count(*) FILTER (WHERE k.severity_rank >= 3) FROM threat_events e ${KINDS} GROUP BY 1, 2, 3`,
  `INSERT INTO threat_day_totals SELECT day, count(*), count(*) FILTER (WHERE is_severe) FROM (
     SELECT day, actor_id, sum(severe_events) > 0 AS is_severe FROM threat_actor_days GROUP BY 1, 2) d GROUP BY 1`,
  `INSERT INTO threat_api_days SELECT detected_at / 86400, api_id, count(*) FROM threat_events GROUP BY 1, 2`,
  `INSERT INTO threat_api_actors SELECT api_id, actor_id, min(detected_at), max(detected_at), count(*)
     FROM threat_events GROUP BY 1, 2`,
  `UPDATE threat_apis a SET first_seen = n.first_at, last_seen = n.last_at, events = n.events, actors = n.actors
     FROM (SELECT api_id, min(first_seen) AS first_at, max(last_seen) AS last_at, sum(events) AS events,
       count(*) AS actors FROM threat_api_actors GROUP BY 1) n WHERE n.api_id = a.id`,
  `UPDATE threat_actors a SET first_seen = n.first_at, last_seen = n.last_at, last_severe_at = n.severe_at,
       events = n.events, latest_facet_id = l.facet_id, latest_api_id = l.api_id, latest_country = l.country
     FROM (SELECT e.actor_id, min(e.detected_at) AS first_at, max(e.detected_at) AS last_at, count(*) AS events,
         max(CASE WHEN k.severity_rank >= 3 THEN e.detected_at ELSE 0 END) AS severe_at
       FROM threat_events e ${KINDS} GROUP BY 1) n
     JOIN (SELECT DISTINCT ON (actor_id) actor_id, facet_id, api_id, country FROM threat_events
       ORDER BY actor_id, detected_at DESC, id DESC) l ON l.actor_id = n.actor_id
     WHERE a.id = n.actor_id`,
] as const

async function seedKinds({ pool }: Store): Promise<void> {
  await pool.query(
    `INSERT INTO filter_templates (id, content, source, author, created_at, updated_at)
     SELECT 'Filter' || f, 'id: Filter' || f, 'CUSTOM', 'bench', 0, 0 FROM generate_series(0, ${SEED.filters - 1}) f`,
  )
  await pool.query(
    `INSERT INTO threat_kinds (filter_id, category, sub_category, severity, severity_rank, type, event_type, label,
       status, is_exploit)
     SELECT 'Filter' || f, 'CATEGORY_' || f % 15, 'SUB_CATEGORY_' || f % 25,
       (ARRAY['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + f % 4], 1 + f % 4, 'Rule-Based',
       CASE WHEN f % 5 = 0 THEN 'AGGREGATED' ELSE 'SINGLE' END, 'threat', s, x
     FROM generate_series(0, ${SEED.filters - 1}) f, unnest(ARRAY['ACTIVE', 'UNDER_REVIEW', 'IGNORED']) s,
       unnest(ARRAY[false, true]) x`,
  )
  await pool.query(
    `INSERT INTO threat_facets (kind_id, collection_id, host, method)
     SELECT k.id, ${FIRST_COLLECTION} + h, 'host' || h || '.test', m
     FROM threat_kinds k, generate_series(1, ${SEED.hosts}) h, unnest(ARRAY['GET', 'POST', 'PUT']) m`,
  )
}

async function seedBatch({ pool }: Store, parameters: readonly unknown[]): Promise<void> {
  const { actors, filters, hosts, pathsPerHost, days } = SEED
  await pool.query(
    `WITH raw AS MATERIALIZED (
       SELECT n, floor(pow(random(), 2.5) * ${actors})::integer AS actor, floor(random() * 4)::integer AS tool,
         random() AS elsewhere, floor(random() * ${hosts})::integer AS other,
         floor(pow(random(), 2) * 30)::integer AS step, random() AS state, random() AS luck
       FROM generate_series($1::integer, $1 + $2 - 1) n
     ), made AS MATERIALIZED (
       SELECT n, actor, (actor * 7 + tool * 13) % ${filters} AS filter,
         CASE WHEN elsewhere < 0.8 THEN actor % ${hosts} ELSE other END AS host,
         (actor * 31 + step) % ${pathsPerHost} AS path,
         CASE WHEN state < 0.85 THEN 'ACTIVE' WHEN state < 0.93 THEN 'UNDER_REVIEW' ELSE 'IGNORED' END AS status,
         luck < 0.02 AS is_exploit
       FROM raw
     ), events AS (
       INSERT INTO threat_events (id, ref_id, detected_at, facet_id, actor_id, api_id, ip, country, dest_country, url,
         stored_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $4::integer - ${days * 86_400} + (n::bigint * ${days * 86_400} / $3)::integer,
         f.id, a.id, p.id, '',
         (ARRAY['US', 'DE', 'FR', 'CN', 'BR', 'IN', 'GB', 'NL', 'RU', 'SG', 'VN', ''])[1 + m.actor % 12], '',
         p.path || CASE WHEN n % 5 < 3 THEN '?q=' || md5(n::text) ELSE '' END, $4
       FROM made m
       JOIN threat_apis p ON p.id = m.host * ${pathsPerHost} + m.path + 1
       JOIN threat_kinds k ON k.filter_id = 'Filter' || m.filter AND k.status = m.status
         AND k.is_exploit = m.is_exploit
       JOIN threat_facets f ON f.kind_id = k.id AND f.host = p.host AND f.method = p.method
       JOIN threat_actors a ON a.id = m.actor + 1
       RETURNING id, ref_id, detected_at
     )
     INSERT INTO threat_messages (id, ref_id, at, message, evidence)
     SELECT id, ref_id, detected_at, $5, '{"country": "US", "destCountry": "", "evidence": []}' FROM events
     WHERE $6::integer = 1 OR get_byte(uuid_send(id), 0) % $6::integer = 0`,
    [...parameters],
  )
}

const MESSAGE = JSON.stringify({
  method: 'GET',
  path: '/api/v1/resource/7?q=%27%20union%20select%20password',
  type: 'HTTP/1.1',
  requestHeaders: '{"host":"host1.test","user-agent":"scanner/1.0","accept":"*/*"}',
  requestPayload: '',
  statusCode: '200',
  status: 'OK',
  responseHeaders: '{"content-type":"application/json"}',
  responsePayload: '{"items":[]}',
  ip: '203.0.113.9',
  time: '1769854500',
})
