import { nowSeconds } from '../../../kit/index.ts'
import { type Queryable, type Store, type StoreClient, usingTransaction } from '../../../store/index.ts'
import { assessRisk } from '../../risk.ts'

/** Endpoints scored in one transaction. */
const CHUNK = 500
const SECONDS_PER_DAY = 86_400
/** Days whose attacks count, today included. */
const ATTACK_DAYS = 7

interface ScoredRow {
  id: number
  method: string
  url: string
  discovered_at: number
  access_types: string[]
  actual_auth_types: string[]
  sensitive_in_request: string[]
  sensitive_in_response: string[]
  in_url: string[]
  is_sign_in: boolean
  is_documented: boolean
  has_document: boolean
  attacks: number
  attacked_on: number | null
  oldest_issue: number | null
  critical: number
  high: number
  medium: number
  low: number
}

/**
 * Notes in the caller's transaction that endpoints must be scored anew, after something about them changed that no
 * message brought: documents, data types, issues, attacks. Any process scores them within seconds.
 */
export async function noteRiskChanges(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await client.query('INSERT INTO risk_changes (endpoint_id) SELECT unnest($1::bigint[])', [ids])
}

/** Scores endpoints anew, and returns when they are scored; those that somebody is writing follow within seconds. */
export async function rescoreEndpoints(store: Store, ids: readonly number[]): Promise<void> {
  await noteRiskChanges(store.pool, ids)
  await scoreChanges(store)
}

/**
 * Scores the endpoints that are noted until none is left that nobody else is at. A note goes in the same transaction as
 * its score is written: a process that dies leaves it to the next. Several processes share the notes.
 *
 * @returns how many endpoints were scored
 */
export async function scoreChanges(store: Store): Promise<number> {
  for (let scored = 0; ; ) {
    const { taken, written } = await usingTransaction(store.pool, scoreSome)
    scored += written
    if (taken === 0 || written === 0) return scored
  }
}

async function scoreSome(client: StoreClient): Promise<{ taken: number; written: number }> {
  const { rows: noted } = await client.query<{ endpoint_id: number }>(
    `DELETE FROM risk_changes WHERE id IN (SELECT id FROM risk_changes ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING endpoint_id`,
    [CHUNK],
  )
  if (noted.length === 0) return { taken: 0, written: 0 }
  const { rows: roots } = await client.query<{ root_id: number }>(
    'SELECT DISTINCT root_id FROM endpoints WHERE id = ANY ($1::bigint[])',
    [noted.map(({ endpoint_id: id }) => id)],
  )
  // Who holds an endpoint is not waited for: both could hold what the other wants. It stays noted, and is
  // tried again by the next pass, which the new note causes.
  const { rows: held } = await client.query<{ id: number }>(
    'SELECT id FROM endpoints WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED',
    [roots.map(({ root_id: id }) => id)],
  )
  const free = new Set(held.map(({ id }) => id))
  await noteRiskChanges(
    client,
    roots.flatMap(({ root_id: id }) => (free.has(id) ? [] : [id])),
  )
  await scoreHeld(client, [...free])
  return { taken: noted.length, written: free.size }
}

/** Scores endpoints whose rows the transaction holds, so that a later scoring sees more, and never less. */
async function scoreHeld(client: StoreClient, ids: readonly number[]): Promise<void> {
  const now = nowSeconds()
  const { rows } = await client.query<ScoredRow>(
    `SELECT e.id, e.method, e.url, e.discovered_at, e.access_types, e.actual_auth_types, e.sensitive_in_request,
       e.sensitive_in_response, e.is_documented,
       array(SELECT DISTINCT f.value_type FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
             WHERE m.root_id = e.id AND f.kind IN ('PATH', 'QUERY') AND f.is_sensitive ORDER BY 1) AS in_url,
       EXISTS (SELECT FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
               WHERE m.root_id = e.id AND f.kind = 'REQUEST_BODY' AND f.value_type = 'PASSWORD'
                 AND f.name NOT LIKE '%#%' AND f.count > 0) AS is_sign_in,
       EXISTS (SELECT FROM documented_operations d WHERE d.collection_id = e.collection_id) AS has_document,
       a.attacks, a.attacked_on, i.oldest_issue, i.critical, i.high, i.medium, i.low
     FROM endpoints e CROSS JOIN LATERAL (
       SELECT coalesce(sum(t.events), 0) AS attacks, min(t.day) FILTER (WHERE t.events > 0) AS attacked_on
       FROM endpoint_attacks t JOIN endpoints m ON m.id = t.endpoint_id WHERE m.root_id = e.id AND t.day > $2) a
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE severity = 'CRITICAL') AS critical, count(*) FILTER (WHERE severity = 'HIGH') AS high,
         count(*) FILTER (WHERE severity = 'MEDIUM') AS medium, count(*) FILTER (WHERE severity = 'LOW') AS low,
         min(created_at) AS oldest_issue
       FROM issues WHERE status = 'OPEN' AND source <> 'TEST_EDITOR'
         AND endpoint_id IN (SELECT m.id FROM endpoints m WHERE m.root_id = e.id)) i
     WHERE e.id = ANY ($1::bigint[]) AND (e.last_seen > 0 OR e.severity_score > 0
       OR i.critical + i.high + i.medium + i.low > 0)`,
    [ids, Math.floor(now / SECONDS_PER_DAY) - ATTACK_DAYS],
  )
  if (rows.length === 0) return
  const scored = rows.map((row) => {
    const { riskScore, severityScore, factors } = assessRisk({
      discoveredAt: row.discovered_at,
      accessTypes: row.access_types,
      sensitiveInRequest: row.sensitive_in_request,
      sensitiveInResponse: row.sensitive_in_response,
      sensitiveInUrl: row.in_url,
      isSignIn: row.is_sign_in,
      authTypes: row.actual_auth_types,
      method: row.method,
      url: row.url,
      issues: { critical: row.critical, high: row.high, medium: row.medium, low: row.low },
      recentThreats: row.attacks,
      since: beginnings(row),
      ...documentation(row.is_documented, row.has_document),
    })
    return { id: row.id, risk: riskScore, severity: severityScore, attacks: row.attacks, factors }
  })
  await client.query(
    `UPDATE endpoints e SET risk_score = d.risk, risk_factors = d.factors, severity_score = d.severity,
       recent_attacks = d.attacks, scored_at = $2
     FROM jsonb_to_recordset($1::jsonb) AS d (id bigint, risk real, severity real, attacks integer, factors jsonb)
     WHERE e.id = d.id`,
    [JSON.stringify(scored), now],
  )
}

/** When the factors began that are not there from the start. Of attacks only the day is kept. */
function beginnings({ oldest_issue, attacked_on, discovered_at }: ScoredRow): Record<string, number> {
  return {
    ...(oldest_issue === null ? {} : { 'open issues': oldest_issue }),
    ...(attacked_on === null
      ? {}
      : { 'under attack': Math.max(discovered_at, attacked_on * SECONDS_PER_DAY) }),
  }
}

/** Whether an endpoint is documented; unset while its collection has no document at all, which says nothing. */
export function documentation(isDocumented: boolean, hasDocument: boolean): { isDocumented?: boolean } {
  return isDocumented || hasDocument ? { isDocumented } : {}
}

/** Forgets counts of attacks that are too old to count, and notes their endpoints. Which event was where stays known. */
export async function forgetOldAttacks(client: Queryable, now = nowSeconds()): Promise<void> {
  await client.query(
    `WITH gone AS (DELETE FROM endpoint_attacks WHERE day <= $1 RETURNING endpoint_id)
     INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM gone`,
    [Math.floor(now / SECONDS_PER_DAY) - ATTACK_DAYS],
  )
}
