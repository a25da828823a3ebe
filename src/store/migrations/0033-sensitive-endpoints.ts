/**
 * Whether an endpoint carries sensitive data, in requests or in responses, as a column that lists count and filter by.
 * Never edited after release; a change is a new migration.
 */
export const sensitiveEndpoints = `
DROP INDEX endpoints_facets;
ALTER TABLE endpoints DROP COLUMN has_sensitive_response,
  ADD COLUMN is_sensitive boolean NOT NULL
    GENERATED ALWAYS AS (sensitive_in_request <> '{}' OR sensitive_in_response <> '{}') STORED;
CREATE INDEX endpoints_facets ON endpoints (id)
  INCLUDE (collection_id, method, api_type, is_documented, discovered_at, risk_score, is_sensitive,
    actual_auth_types, access_types)
  WHERE is_listed;
`
