/** What people say of endpoints: tags, who owns them, and whether they are tested and listed. */
export const endpointCare = `
-- Of the endpoints that people said something of; what is behind a template counts for the template, too.
CREATE TABLE endpoint_care (
  endpoint_id bigint PRIMARY KEY REFERENCES endpoints (id) ON DELETE CASCADE,
  tags text[] NOT NULL DEFAULT '{}',
  -- A person or a team; '' for none.
  owner text NOT NULL DEFAULT '',
  -- DEACTIVATED: left out of test runs. IGNORED: left out of lists as well.
  state text NOT NULL DEFAULT 'ACTIVE' CHECK (state IN ('ACTIVE', 'DEACTIVATED', 'IGNORED'))
);
`
