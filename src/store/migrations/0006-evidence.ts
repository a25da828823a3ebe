/**
 * What it takes to judge a result again: the templates as they were run, and what the masks in evidence stand for.
 * Never edited after release; a change is a new migration.
 */
export const evidence = `
-- Tests change; a result names the text it was found with by its SHA-256.
CREATE TABLE template_sources (
  digest text PRIMARY KEY,
  source text NOT NULL,
  stored_at integer NOT NULL
);

-- Masks and their secrets, sealed; null when nothing was masked or nobody may ever see it.
ALTER TABLE result_evidence ADD COLUMN sealed_secrets text;
`
