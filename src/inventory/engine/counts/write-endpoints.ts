import type { StoreClient } from '../../../store/index.ts'
import type { EndpointState } from '../state/index.ts'

/** Inserts the endpoints that have no row yet and gives each its id; one that another writer made first is joined. */
export async function insertEndpoints(client: StoreClient, states: readonly EndpointState[]): Promise<void> {
  if (states.length === 0) return
  // Sorted, so that two writers that make the same endpoints wait for each other instead of deadlocking.
  const sorted = [...states].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const { rows } = await client.query<{ id: number; collection_id: number; method: string; url: string }>(
    `INSERT INTO endpoints (id, root_id, collection_id, method, url, origin, is_template, api_type, first_seen,
       last_seen, discovered_at, is_documented)
     SELECT n.id, n.id, n.collection_id, n.method, n.url, n.origin, n.is_template, n.api_type, n.first_seen,
       n.last_seen, n.discovered_at, n.is_documented
     FROM (SELECT nextval(pg_get_serial_sequence('endpoints', 'id')) AS id, d.*
           FROM jsonb_to_recordset($1::jsonb) AS d (collection_id integer, method text, url text, origin text,
             is_template boolean, api_type text, first_seen integer, last_seen integer, discovered_at integer,
             is_documented boolean)) n
     ON CONFLICT (collection_id, method, url) DO UPDATE SET
       root_id = CASE WHEN endpoints.root_id = 0 THEN endpoints.id ELSE endpoints.root_id END,
       is_documented = endpoints.is_documented OR excluded.is_documented
     RETURNING id, collection_id, method, url`,
    [
      JSON.stringify(
        sorted.map((state) => ({
          collection_id: state.collectionId,
          method: state.method,
          url: state.url,
          origin: state.origin,
          is_template: state.isTemplate,
          api_type: state.apiType,
          first_seen: state.firstSeen,
          last_seen: state.lastSeen,
          discovered_at: state.discoveredAt,
          is_documented: state.isDocumented,
        })),
      ),
    ],
  )
  const byKey = new Map(rows.map((row) => [`${row.collection_id} ${row.method} ${row.url}`, row.id]))
  for (const state of states) {
    const id = byKey.get(keyOf(state))
    if (id === undefined) throw new Error(`endpoint was not written: ${state.method} ${state.url}`)
    state.id = id
    state.isStored = true
  }
}

function keyOf(state: EndpointState): string {
  return `${state.collectionId} ${state.method} ${state.url}`
}

/** What a changed endpoint shows in lists; sets are joined with what other writers wrote. */
export interface EndpointChange {
  id: number
  apiType: string
  codes: number[]
  credentials: string[][]
  actualAuthTypes: readonly string[]
  access: string[]
  sensitiveInRequest: string[]
  sensitiveInResponse: string[]
  sources: Record<string, number>
  attributes: Record<string, unknown>
  riskScore: number
  riskFactors: readonly unknown[]
  firstSeen: number
  at: number
}

/**
 * Writes changed sets and attributes. A merged endpoint's change reaches its template. The score of an endpoint with open
 * issues or attacks is left to the scoring of what is noted: a message knows neither.
 */
export async function updateEndpoints(
  client: StoreClient,
  changes: readonly EndpointChange[],
): Promise<void> {
  if (changes.length === 0) return
  const sorted = [...changes].sort((a, b) => a.id - b.id)
  await client.query(
    `WITH changed AS (
     UPDATE endpoints e SET
       api_type = d.api_type,
       response_codes = union_integers(e.response_codes, d.codes),
       auth_combinations = union_sets(e.auth_combinations, d.credentials),
       actual_auth_types = d.actual,
       access_types = union_texts(e.access_types, d.access),
       sensitive_in_request = union_texts(e.sensitive_in_request, d.in_request),
       sensitive_in_response = union_texts(e.sensitive_in_response, d.in_response),
       sources = earliest_times(e.sources, d.sources),
       attributes = e.attributes || d.attributes,
       risk_score = CASE WHEN e.severity_score > 0 OR e.recent_attacks > 0 THEN e.risk_score ELSE d.risk END,
       risk_factors = CASE WHEN e.severity_score > 0 OR e.recent_attacks > 0 THEN e.risk_factors ELSE d.factors END,
       scored_at = d.at,
       changed_at = d.at,
       first_seen = least(e.first_seen, d.first_seen)
     FROM (SELECT DISTINCT ON (o.root_id) o.root_id, t.*
           FROM jsonb_to_recordset($1::jsonb) AS t (id bigint, api_type text, codes integer[], credentials jsonb,
             actual text[], access text[], in_request text[], in_response text[], sources jsonb, attributes jsonb,
             risk real, factors jsonb, first_seen integer, at integer)
           JOIN endpoints o ON o.id = t.id ORDER BY o.root_id, t.id) d
     WHERE e.id = d.root_id RETURNING e.id, e.severity_score, e.recent_attacks)
     INSERT INTO risk_changes (endpoint_id)
       SELECT id FROM changed WHERE severity_score > 0 OR recent_attacks > 0`,
    [
      JSON.stringify(
        sorted.map((change) => ({
          id: change.id,
          api_type: change.apiType,
          codes: change.codes,
          credentials: change.credentials,
          actual: change.actualAuthTypes,
          access: change.access,
          in_request: change.sensitiveInRequest,
          in_response: change.sensitiveInResponse,
          sources: change.sources,
          attributes: change.attributes,
          risk: change.riskScore,
          factors: change.riskFactors,
          first_seen: change.firstSeen,
          at: change.at,
        })),
      ),
    ],
  )
}
