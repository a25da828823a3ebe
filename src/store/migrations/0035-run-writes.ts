/**
 * What tests wrote and is not undone yet, kept before the request is sent; and what the tests of a run may write.
 * Never edited after release; a change is a new migration.
 */
export const runWrites = `
-- Configurations from before allowed every write.
ALTER TABLE run_configurations ADD COLUMN write_level text NOT NULL DEFAULT 'ALL'
  CHECK (write_level IN ('READ_ONLY', 'REVERSIBLE', 'ALL'));
ALTER TABLE run_configurations ALTER COLUMN write_level DROP DEFAULT;

-- Rows outlive their execution: what is to be undone does not end with it.
CREATE TABLE run_writes (
  id text PRIMARY KEY,
  run_id text NOT NULL,
  summary_id text NOT NULL,
  user_login text NOT NULL,
  -- Requests with credentials, and the old state.
  sealed_write text NOT NULL,
  created_at integer NOT NULL,
  -- From then on any process may undo it, in epoch seconds: the one that wrote it is dead, or has failed.
  due_at integer NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- Why the last try failed; null before the first.
  trouble text
);
CREATE INDEX run_writes_by_execution ON run_writes (summary_id);
CREATE INDEX run_writes_by_due ON run_writes (due_at);
`
