/**
 * Whether an endpoint is listed, as a column: it is, unless it stands behind a template or was deleted. The planner
 * keeps statistics of a column, while it takes a comparison of two columns for rare and then reads whole endpoints
 * in the belief that they are few.
 * Never edited after release; a change is a new migration.
 */
export const listedEndpoints = `
ALTER TABLE endpoints ADD COLUMN is_listed boolean NOT NULL GENERATED ALWAYS AS (root_id = id) STORED;
DROP INDEX endpoints_by_text, endpoints_listed, endpoints_by_discovery, endpoints_by_url, endpoints_by_risk,
  endpoints_risk_by_collection, endpoints_sensitive, endpoints_tested, endpoints_facets;
CREATE INDEX endpoints_by_text ON endpoints (id) INCLUDE (url_folded) WHERE is_listed;
CREATE INDEX endpoints_listed ON endpoints (collection_id, url, method) WHERE is_listed;
CREATE INDEX endpoints_by_discovery ON endpoints (discovered_at, id) INCLUDE (collection_id) WHERE is_listed;
DROP INDEX endpoint_facts_later;
CREATE INDEX endpoint_facts_later ON endpoint_facts (first_seen, id) INCLUDE (endpoint_id) WHERE is_later;
CREATE INDEX endpoints_by_url ON endpoints (url, method, id) INCLUDE (collection_id) WHERE is_listed;
CREATE INDEX endpoints_by_risk ON endpoints (risk_score, url, method, id) WHERE is_listed;
CREATE INDEX endpoints_risk_by_collection ON endpoints (collection_id, risk_score) WHERE is_listed;
CREATE INDEX endpoints_sensitive ON endpoints (collection_id)
  INCLUDE (sensitive_in_request, sensitive_in_response)
  WHERE is_listed AND (sensitive_in_request <> '{}' OR sensitive_in_response <> '{}');
CREATE INDEX endpoints_tested ON endpoints (collection_id, last_tested) WHERE is_listed AND last_tested > 0;
CREATE INDEX endpoints_facets ON endpoints (id)
  INCLUDE (collection_id, method, api_type, is_documented, discovered_at, risk_score, has_sensitive_response,
    actual_auth_types, access_types)
  WHERE is_listed;
`
