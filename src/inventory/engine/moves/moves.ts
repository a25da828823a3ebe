import { nowSeconds } from '../../../kit/index.ts'
import { lockTransaction, type StoreClient } from '../../../store/index.ts'
import { noteRiskChanges, writeLatencies } from '../counts/index.ts'
import type { EndpointMove } from '../port.ts'
import { isTemplateUrl, type Leave, type MovePlan, type Standing } from './plan-moves.ts'

/** Who moved endpoints, and why. */
export interface MoveCause {
  kind: 'MERGE' | 'SPLIT' | 'PIN' | 'DECLARE'
  collectionId: number
  origin: string
  decidedBy: string
  writer: string
  evidence: unknown
  /** What was counted at each endpoint (`METHOD url`), for those that leave a template. */
  seen: ReadonlyMap<string, Standing>
}

/**
 * Writes moves of endpoints in the caller's transaction. A merge makes the old endpoint a member of the new one: its
 * row, parameters, samples and statistics stay as they are, so a split gives back exactly what was there. What the
 * template counted by itself meanwhile stays with its row, which is retired (root_id 0) and revived by a new merge.
 */
export async function writeMoves(
  client: StoreClient,
  { leaves, joins }: MovePlan,
  cause: MoveCause,
): Promise<void> {
  // A count that is added while its endpoint moves would stay with the endpoint, and be missing at its template.
  await lockTransaction(client, 'countFlushes')
  const isSplit = cause.kind === 'SPLIT' || cause.kind === 'PIN'
  if (leaves.length > 0) {
    const moves = leaves.flatMap(({ method, from, to }) => to.map((url) => ({ method, from, to: url })))
    const due = await notYetWritten(client, moves, cause, HAS_LEFT)
    for (const one of leaves) await leave(client, cause, one)
    await noteMoves(client, due, isSplit ? cause : { ...cause, kind: 'SPLIT', evidence: null })
  }
  if (joins.length > 0) {
    const due = await notYetWritten(client, joins, cause, HAS_JOINED)
    await release(client, joins, cause)
    await merge(client, joins, cause)
    await noteMoves(client, due, isSplit ? { ...cause, kind: 'MERGE' } : cause)
  }
  await writeLatencies(client, await templatesOf(client, { leaves, joins }, cause.collectionId))
}

/** The templates that endpoints left or joined; what left one keeps the latency that it, or the template, had. */
async function templatesOf(
  client: StoreClient,
  { leaves, joins }: MovePlan,
  collectionId: number,
): Promise<number[]> {
  const templates = [
    ...leaves.map(({ method, from }) => [method, from]),
    ...joins.map(({ method, to }) => [method, to]),
  ]
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM endpoints WHERE collection_id = $1
       AND (method, url) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    [collectionId, templates.map(([method]) => method), templates.map(([, url]) => url)],
  )
  return rows.map(({ id }) => id)
}

/** An independent endpoint is already at the address that a move `d` out of a template leads to. */
const HAS_LEFT = `SELECT FROM endpoints e
  WHERE e.collection_id = $1 AND e.method = d.method AND e.url = d.to_url AND e.root_id = e.id`
/** That the endpoint of a move `d` to a template is already a member of it. */
const HAS_JOINED = `SELECT FROM endpoints f
  JOIN endpoints t ON t.collection_id = $1 AND t.method = d.method AND t.url = d.to_url AND t.root_id = f.root_id
  WHERE f.collection_id = $1 AND f.method = d.method AND f.url = d.from_url AND f.merged_into IS NOT NULL`

/** Moves that no other process has written. */
async function notYetWritten(
  client: StoreClient,
  moves: readonly EndpointMove[],
  { collectionId }: MoveCause,
  isWritten: string,
): Promise<EndpointMove[]> {
  const { rows } = await client.query<EndpointMove>(
    `SELECT d.method, d.from_url AS "from", d.to_url AS "to"
     FROM unnest($2::text[], $3::text[], $4::text[]) AS d (method, from_url, to_url)
     WHERE NOT EXISTS (${isWritten})`,
    [collectionId, moves.map((m) => m.method), moves.map((m) => m.from), moves.map((m) => m.to)],
  )
  return rows
}

async function noteMoves(
  client: StoreClient,
  moves: readonly EndpointMove[],
  cause: MoveCause,
): Promise<void> {
  await client.query(
    `INSERT INTO template_moves (collection_id, origin, kind, method, from_url, to_url, decided_by, evidence,
       decided_at, writer)
     SELECT $1, $2, $3, d.method, d.from_url, d.to_url, $4, $5::jsonb, $6, $7
     FROM unnest($8::text[], $9::text[], $10::text[]) AS d (method, from_url, to_url)`,
    [
      cause.collectionId,
      cause.origin,
      cause.kind,
      cause.decidedBy,
      cause.evidence === null ? null : JSON.stringify(cause.evidence),
      nowSeconds(),
      cause.writer,
      moves.map((move) => move.method),
      moves.map((move) => move.from),
      moves.map((move) => move.to),
    ],
  )
}

/** Gives back targets that are members of what joins them: a template whose parameter got its narrower type back. */
async function release(
  client: StoreClient,
  moves: readonly EndpointMove[],
  { collectionId }: MoveCause,
): Promise<void> {
  const { rows } = await client.query<{ method: string }>(
    `WITH freed AS (
       UPDATE endpoints t SET merged_into = NULL, root_id = t.id
       FROM unnest($2::text[], $3::text[], $4::text[]) AS d (method, from_url, to_url)
       JOIN endpoints f ON f.collection_id = $1 AND f.method = d.method AND f.url = d.from_url
       WHERE t.collection_id = $1 AND t.method = d.method AND t.url = d.to_url AND t.root_id = f.id
         AND t.id <> f.id
       RETURNING f.id AS holder, t.call_count)
     UPDATE endpoints h SET call_count = greatest(0, h.call_count - s.calls)
     FROM (SELECT holder, sum(call_count) AS calls FROM freed GROUP BY holder) s WHERE h.id = s.holder
     RETURNING h.method`,
    [collectionId, moves.map((m) => m.method), moves.map((m) => m.from), moves.map((m) => m.to)],
  )
  for (const method of new Set(rows.map((row) => row.method))) await followRoots(client, collectionId, method)
}

async function merge(client: StoreClient, moves: readonly EndpointMove[], cause: MoveCause): Promise<void> {
  const sorted = [...moves].sort((a, b) => (a.to + a.method + a.from < b.to + b.method + b.from ? -1 : 1))
  const columns = [
    cause.collectionId,
    sorted.map((move) => move.method),
    sorted.map((move) => move.from),
    sorted.map((move) => move.to),
  ]
  // The template's row: made from its members when new, revived when it was retired by an earlier split.
  await client.query(
    `INSERT INTO endpoints (id, root_id, collection_id, method, url, origin, is_template, api_type, first_seen,
       last_seen, discovered_at)
     SELECT n.id, n.id, $1, n.method, n.to_url, $5, true, n.api_type, n.first_seen, n.last_seen, n.discovered_at
     FROM (SELECT nextval(pg_get_serial_sequence('endpoints', 'id')) AS id, g.*
           FROM (SELECT d.method, d.to_url, min(e.api_type) AS api_type, min(e.first_seen) AS first_seen,
                   max(e.last_seen) AS last_seen, min(e.discovered_at) AS discovered_at
                 FROM unnest($2::text[], $3::text[], $4::text[]) AS d (method, from_url, to_url)
                 JOIN endpoints e ON e.collection_id = $1 AND e.method = d.method AND e.url = d.from_url
                 GROUP BY d.method, d.to_url ORDER BY d.to_url, d.method) g) n
     ON CONFLICT (collection_id, method, url) DO UPDATE SET is_template = true,
       root_id = CASE WHEN endpoints.root_id = 0 THEN endpoints.id ELSE endpoints.root_id END`,
    [...columns, cause.origin],
  )
  // Members that are not merged yet join; the template takes over what they show in lists.
  const { rows } = await client.query<{ id: number; target: number }>(
    `UPDATE endpoints e SET merged_into = t.id, root_id = t.root_id
     FROM unnest($2::text[], $3::text[], $4::text[]) AS d (method, from_url, to_url)
     JOIN endpoints t ON t.collection_id = $1 AND t.method = d.method AND t.url = d.to_url
     WHERE e.collection_id = $1 AND e.method = d.method AND e.url = d.from_url AND e.id <> t.id
       AND e.root_id = e.id
     RETURNING e.id, t.id AS target`,
    columns,
  )
  if (rows.length === 0) return
  await client.query(
    `UPDATE endpoints e SET root_id = t.root_id
     FROM unnest($1::bigint[], $2::bigint[]) AS d (id, target) JOIN endpoints t ON t.id = d.target
     WHERE e.root_id = d.id AND e.id <> d.id`,
    [rows.map((row) => row.id), rows.map((row) => row.target)],
  )
  for (const row of rows) await takeOver(client, row.target, row.id)
}

/** Adds a member's shown counts and sets to its template's. */
async function takeOver(client: StoreClient, template: number, member: number): Promise<void> {
  await client.query(
    `UPDATE endpoints t SET
       call_count = t.call_count + m.call_count,
       first_seen = least(t.first_seen, m.first_seen),
       last_seen = greatest(t.last_seen, m.last_seen),
       discovered_at = least(t.discovered_at, m.discovered_at),
       response_codes = union_integers(t.response_codes, m.response_codes),
       auth_combinations = union_sets(t.auth_combinations, m.auth_combinations),
       actual_auth_types = CASE WHEN 'UNAUTHENTICATED' = ANY (m.actual_auth_types || t.actual_auth_types)
         THEN ARRAY['UNAUTHENTICATED'] ELSE union_texts(t.actual_auth_types, m.actual_auth_types) END,
       access_types = union_texts(t.access_types, m.access_types),
       sensitive_in_request = union_texts(t.sensitive_in_request, m.sensitive_in_request),
       sensitive_in_response = union_texts(t.sensitive_in_response, m.sensitive_in_response),
       sources = earliest_times(t.sources, m.sources),
       attributes = m.attributes || t.attributes,
       is_documented = t.is_documented OR m.is_documented,
       risk_score = greatest(t.risk_score, m.risk_score),
       risk_factors = CASE WHEN m.risk_score > t.risk_score THEN m.risk_factors ELSE t.risk_factors END,
       description = coalesce(t.description, m.description)
     FROM endpoints r, endpoints m
     WHERE r.id = $1 AND t.id = r.root_id AND m.id = $2`,
    [template, member],
  )
  await noteRiskChanges(client, [template])
}

/**
 * Gives members of a template back: all of them when a person splits it, else those that leave it. Endpoints that never had
 * a row of their own get one, with what the path engine counted of them and what the template shows. Calls to paths that
 * the path engine no longer remembers stay with the template, which then stays visible: what is shown adds up to what was
 * accepted.
 */
async function leave(
  client: StoreClient,
  cause: MoveCause,
  { method, from, to, isWhole }: Leave,
): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM endpoints WHERE collection_id = $1 AND method = $2 AND url = $3 FOR UPDATE',
    [cause.collectionId, method, from],
  )
  const template = rows[0]?.id
  if (template === undefined) return
  const seen = to.map((url) => cause.seen.get(`${method} ${url}`))
  const columns = [
    cause.collectionId,
    method,
    template,
    to,
    seen.map((standing) => standing?.count ?? 0),
    seen.map((standing) => standing?.firstSeen ?? null),
    seen.map((standing) => standing?.lastSeen ?? null),
  ]
  await makeEndpoints(client, [...columns, cause.origin, to.map(isTemplateUrl)])
  for (const [i, url] of to.entries()) {
    if (isTemplateUrl(url) && seen[i]) await takeAlong(client, columns, url, seen[i].urls)
  }
  await client.query(
    `WITH freed AS (
       UPDATE endpoints SET merged_into = NULL, root_id = id
       WHERE (merged_into = $1 AND $5) OR (collection_id = $2 AND method = $3 AND url = ANY ($4::text[])
         AND root_id <> id)
       RETURNING id, call_count),
     -- They keep what was said of the template.
     kept AS (
       INSERT INTO endpoint_care AS c (endpoint_id, state)
       SELECT f.id, a.state FROM freed f JOIN endpoint_care a ON a.endpoint_id = $1 AND a.state <> 'ACTIVE'
       ON CONFLICT (endpoint_id) DO UPDATE SET state = greatest(c.state, excluded.state))
     UPDATE endpoints SET call_count = greatest(0, call_count - (SELECT coalesce(sum(call_count), 0) FROM freed))
     WHERE id = $1`,
    [template, cause.collectionId, method, to, isWhole && cause.kind === 'SPLIT'],
  )
  await handOver(client, columns)
  await followRoots(client, cause.collectionId, method)
  if (isWhole && cause.kind !== 'PIN') {
    await client.query(
      `WITH retired AS (
         UPDATE endpoints SET root_id = 0, merged_into = NULL WHERE id = $1 AND call_count = 0
           AND NOT EXISTS (SELECT FROM endpoints m WHERE m.merged_into = $1)
         RETURNING id)
       UPDATE endpoint_care a SET state = 'ACTIVE' FROM retired r WHERE a.endpoint_id = r.id`,
      [template],
    )
  }
  await moveSamples(client, cause, method, template)
}

/** Members whose paths stand at a template that leaves go with it, and their calls are among those it is given. */
async function takeAlong(
  client: StoreClient,
  columns: readonly unknown[],
  url: string,
  members: readonly string[],
): Promise<void> {
  await client.query(
    `UPDATE endpoints m SET merged_into = t.id FROM endpoints t
     WHERE m.merged_into = $3 AND m.collection_id = $1 AND m.method = $2 AND m.url = ANY ($5::text[])
       AND t.collection_id = $1 AND t.method = $2 AND t.url = $4 AND t.id <> m.id`,
    [...columns.slice(0, 3), url, members],
  )
}

/** Members of members follow the row they were merged into. */
async function followRoots(client: StoreClient, collectionId: number, method: string): Promise<void> {
  await client.query(
    `WITH RECURSIVE chain AS (
       SELECT id, id AS root FROM endpoints WHERE collection_id = $1 AND method = $2 AND root_id = id
       UNION ALL
       SELECT e.id, c.root FROM endpoints e JOIN chain c ON e.merged_into = c.id)
     UPDATE endpoints e SET root_id = chain.root FROM chain WHERE e.id = chain.id AND e.root_id <> chain.root`,
    [collectionId, method],
  )
}

/**
 * Makes the endpoints that have no row. Their state and parameters are those of the template: where each was seen is not known,
 * so they carry no counts, and a later merge finds every count once.
 */
async function makeEndpoints(client: StoreClient, columns: unknown[]): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `WITH made AS (
     INSERT INTO endpoints (id, root_id, collection_id, method, url, origin, is_template, api_type, first_seen,
       last_seen, discovered_at, call_count, response_codes, auth_combinations, actual_auth_types, access_types,
       sensitive_in_request, sensitive_in_response, sources, risk_score, risk_factors, latency_p50, latency_p95)
     SELECT n.id, n.id, $1, $2, n.url, $8, n.is_template, t.api_type, coalesce(n.first_seen, t.first_seen),
       coalesce(n.last_seen, t.last_seen), greatest(n.first_seen, t.discovered_at), n.calls, t.response_codes,
       t.auth_combinations, t.actual_auth_types, t.access_types, t.sensitive_in_request, t.sensitive_in_response,
       t.sources, t.risk_score, t.risk_factors, t.latency_p50, t.latency_p95
     FROM (SELECT nextval(pg_get_serial_sequence('endpoints', 'id')) AS id, u.*
           FROM unnest($4::text[], $5::bigint[], $6::integer[], $7::integer[], $9::boolean[])
             AS u (url, calls, first_seen, last_seen, is_template)) n, endpoints t
     WHERE t.id = $3
     ON CONFLICT (collection_id, method, url) DO NOTHING
     RETURNING id, call_count),
     paid AS (
     UPDATE endpoints SET call_count = greatest(0, call_count - (SELECT coalesce(sum(call_count), 0) FROM made))
     WHERE id = $3)
     SELECT id FROM made`,
    columns,
  )
  await client.query(
    `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen,
       is_sensitive)
     SELECT m.id, f.kind, f.response_code, f.name, f.value_type, 0, f.first_seen, f.last_seen, f.is_sensitive
     FROM unnest($1::bigint[]) AS m (id), endpoint_facts f
     WHERE f.endpoint_id = $2 AND f.kind NOT IN ('AUTH', 'ACCESS') AND (f.kind <> 'PATH' OR f.name LIKE '%#%')
     ON CONFLICT DO NOTHING`,
    [rows.map((row) => row.id), columns[2]],
  )
  await client.query(
    `INSERT INTO endpoint_care (endpoint_id, state)
     SELECT n.id, s.state FROM unnest($1::bigint[]) AS n (id), (SELECT max(a.state) AS state
       FROM endpoints t JOIN endpoints m ON m.root_id = t.root_id JOIN endpoint_care a ON a.endpoint_id = m.id
       WHERE t.id = $2) s
     WHERE s.state <> 'ACTIVE'`,
    [rows.map((row) => row.id), columns[2]],
  )
  await noteRiskChanges(
    client,
    rows.map((row) => row.id),
  )
}

/** Gives literals that had a row before the merge the calls that the template counted of them since. */
async function handOver(client: StoreClient, columns: unknown[]): Promise<void> {
  await client.query(
    `WITH due AS (
       SELECT e.id, u.last_seen, u.calls - e.call_count AS calls, sum(u.calls - e.call_count) OVER (ORDER BY e.id) AS upto
       FROM unnest($4::text[], $5::bigint[], $6::integer[], $7::integer[]) AS u (url, calls, first_seen, last_seen)
       JOIN endpoints e ON e.collection_id = $1 AND e.method = $2 AND e.url = u.url
       WHERE u.calls > e.call_count AND e.root_id = e.id AND e.id <> $3),
     given AS (
       UPDATE endpoints e SET call_count = e.call_count + due.calls, last_seen = greatest(e.last_seen, due.last_seen)
       FROM due, endpoints t
       WHERE e.id = due.id AND t.id = $3 AND due.upto <= t.call_count
       RETURNING due.calls)
     UPDATE endpoints SET call_count = call_count - (SELECT coalesce(sum(calls), 0) FROM given) WHERE id = $3`,
    columns,
  )
}

/** Samples the template took by itself go to the literal whose path they show. */
async function moveSamples(
  client: StoreClient,
  cause: MoveCause,
  method: string,
  template: number,
): Promise<void> {
  await client.query(
    `UPDATE samples s SET endpoint_id = e.id
     FROM endpoints e
     WHERE s.endpoint_id = $1 AND e.collection_id = $2 AND e.method = $3 AND e.root_id = e.id
       AND NOT e.is_template
       AND e.url = $4 || split_part(regexp_replace(s.message::jsonb ->> 'path', '^[a-z]+://[^/]*', ''), '?', 1)
       AND NOT EXISTS (SELECT FROM samples k WHERE k.endpoint_id = e.id AND k.slot = s.slot)`,
    [template, cause.collectionId, method, cause.origin],
  )
}
