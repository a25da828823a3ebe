import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { assessRisk } from '../risk.ts'

/** Endpoints scored with one statement. */
const CHUNK = 500
const NEW_FOR_SECONDS = 30 * 86_400

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
}

/**
 * Scores stored endpoints anew, after something about them changed that no message brought: documents, data types, age.
 * Endpoints that were never observed have no score.
 */
export async function rescoreEndpoints(client: Queryable, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += CHUNK) await rescoreChunk(client, ids.slice(at, at + CHUNK))
}

async function rescoreChunk(client: Queryable, ids: readonly number[]): Promise<void> {
  const now = nowSeconds()
  const { rows } = await client.query<ScoredRow>(
    `SELECT e.id, e.method, e.url, e.discovered_at, e.access_types, e.actual_auth_types, e.sensitive_in_request,
       e.sensitive_in_response, e.is_documented,
       array(SELECT DISTINCT f.value_type FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
             WHERE m.root_id = e.id AND f.kind IN ('PATH', 'QUERY') AND f.is_sensitive ORDER BY 1) AS in_url,
       EXISTS (SELECT FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
               WHERE m.root_id = e.id AND f.kind = 'REQUEST_BODY' AND f.value_type = 'PASSWORD'
                 AND f.name NOT LIKE '%#%' AND f.count > 0) AS is_sign_in,
       EXISTS (SELECT FROM documented_operations d WHERE d.collection_id = e.collection_id) AS has_document
     FROM endpoints e WHERE e.id = ANY ($1::bigint[]) AND e.last_seen > 0`,
    [ids],
  )
  if (rows.length === 0) return
  const scored = rows.map((row) => {
    const { riskScore, factors } = assessRisk({
      now,
      discoveredAt: row.discovered_at,
      accessTypes: row.access_types,
      sensitiveInRequest: row.sensitive_in_request,
      sensitiveInResponse: row.sensitive_in_response,
      sensitiveInUrl: row.in_url,
      isSignIn: row.is_sign_in,
      authTypes: row.actual_auth_types,
      method: row.method,
      url: row.url,
      ...documentation(row.is_documented, row.has_document),
    })
    return { id: row.id, risk: riskScore, factors }
  })
  await client.query(
    `UPDATE endpoints e SET risk_score = d.risk, risk_factors = d.factors, scored_at = $2
     FROM jsonb_to_recordset($1::jsonb) AS d (id bigint, risk real, factors jsonb) WHERE e.id = d.id`,
    [JSON.stringify(scored), now],
  )
}

/** Whether an endpoint is documented; unset while its collection has no document at all, which says nothing. */
export function documentation(isDocumented: boolean, hasDocument: boolean): { isDocumented?: boolean } {
  return isDocumented || hasDocument ? { isDocumented } : {}
}

/** Scores endpoints anew that stopped being new since their last score; returns how many there were. */
export async function rescoreAged(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM endpoints WHERE is_listed AND last_seen > 0 AND discovered_at < $1
       AND scored_at > 0 AND scored_at <= discovered_at + $2 LIMIT $3`,
    [nowSeconds() - NEW_FOR_SECONDS, NEW_FOR_SECONDS, CHUNK],
  )
  await rescoreEndpoints(
    client,
    rows.map(({ id }) => id),
  )
  return rows.length
}
