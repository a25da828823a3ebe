/**
 * What places of one issue have in common: scope, family and place of the cause, and the key made of them. The key
 * follows an endpoint that moves into a path template. Never edited after release; a change is a new migration.
 */
export const issueCauses = `
CREATE FUNCTION issue_cause_key(scope text, family text, place text, collection_id integer, method text, url text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT md5(scope || chr(31) || family || chr(31) || place || CASE WHEN scope = 'host' AND place <> '' THEN ''
    WHEN scope IN ('host', 'collection') THEN chr(31) || collection_id
    ELSE chr(31) || collection_id || chr(31) || method || chr(31) || url END)
$$;

-- Until a run says more, every place is an issue of its own.
ALTER TABLE issues ADD COLUMN cause_scope text NOT NULL DEFAULT 'endpoint'
    CHECK (cause_scope IN ('host', 'collection', 'endpoint', 'parameter')),
  ADD COLUMN cause_family text NOT NULL DEFAULT '',
  -- The host, or the changed part of the request.
  ADD COLUMN cause_place text NOT NULL DEFAULT '';
ALTER TABLE issues ADD COLUMN cause_key text NOT NULL GENERATED ALWAYS AS (issue_cause_key(cause_scope,
  coalesce(nullif(cause_family, ''), test_id), cause_place, collection_id, method, url)) STORED;
CREATE INDEX issues_by_cause ON issues (cause_key);

-- Of findings: executions count their causes, whatever becomes of the issues.
ALTER TABLE run_results ADD COLUMN cause_key text;
`
