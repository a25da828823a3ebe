/**
 * What lists count and filter by, without reading whole endpoints: short columns beside the id, endpoints that stand
 * behind a template, and facts by the name of their parameter.
 * Never edited after release; a change is a new migration.
 */
export const listFigures = `
ALTER TABLE endpoints ADD COLUMN has_sensitive_response boolean
  GENERATED ALWAYS AS (sensitive_in_response <> '{}') STORED;
CREATE INDEX endpoints_facets ON endpoints (id)
  INCLUDE (collection_id, method, api_type, is_documented, discovered_at, risk_score, has_sensitive_response,
    actual_auth_types, access_types)
  WHERE root_id = id;
CREATE INDEX endpoints_merged ON endpoints (id) INCLUDE (root_id) WHERE root_id <> id;
CREATE INDEX endpoint_facts_by_name ON endpoint_facts (regexp_replace(name, '^.*#', '')) INCLUDE (endpoint_id, name, kind)
  WHERE kind IN ('QUERY', 'REQUEST_BODY', 'RESPONSE_BODY', 'REQUEST_HEADER', 'RESPONSE_HEADER', 'COOKIE');
`
