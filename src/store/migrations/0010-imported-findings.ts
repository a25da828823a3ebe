/** Findings of other scanners as issues: what their rules say, and the newest evidence of each issue. */
export const importedFindings = `
ALTER TABLE issues DROP CONSTRAINT issues_source_check;
ALTER TABLE issues ADD CONSTRAINT issues_source_check
  CHECK (source IN ('AUTOMATED_TESTING', 'RUNTIME', 'TEST_EDITOR', 'IMPORT'));

CREATE TABLE imported_rules (
  -- Tool and its own id: ZAP:40018. The colon keeps it apart from tests, whose ids have none.
  id text PRIMARY KEY,
  tool text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  remediation text NOT NULL,
  category text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  cwe text[] NOT NULL,
  cve text[] NOT NULL,
  links text[] NOT NULL,
  updated_at integer NOT NULL
);

CREATE TABLE imported_findings (
  issue_id bigint PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  -- The import that brought it last.
  import_id text NOT NULL,
  tool text NOT NULL,
  found_at integer NOT NULL,
  -- List of places in the request with what the tool says and the message, masked.
  evidence jsonb NOT NULL
);
CREATE INDEX imported_findings_by_import ON imported_findings (import_id);

-- What issues of every source are about.
CREATE VIEW described_tests AS
  SELECT id, name, description, details, impact, remediation, category, category_display, category_short, severity,
    tags, links, cwe, cve, compliance FROM test_templates
  UNION ALL
  SELECT id, name, description, NULL, NULL, remediation, category, category, category, severity, '{}'::text[], links,
    cwe, cve, NULL FROM imported_rules;
`
