/**
 * What a report shows depends on who asked for it, and who makes it says that it lives.
 * Never edited after release; a change is a new migration.
 */
export const reports = `
ALTER TABLE report_definitions
  -- Collections that the person could see; null = all.
  ADD COLUMN visible integer[],
  -- Last sign of life of the process that makes it, and how many have begun.
  ADD COLUMN seen_at integer NOT NULL DEFAULT 0,
  ADD COLUMN attempts integer NOT NULL DEFAULT 0;
CREATE INDEX report_definitions_waiting ON report_definitions (created_at, id) WHERE status = 'IN_PROGRESS';
CREATE INDEX report_definitions_by_user ON report_definitions (user_login, created_at);
`
