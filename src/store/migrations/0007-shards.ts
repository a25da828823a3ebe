/**
 * Executions in shards, which any process of the store takes from the queue. The queue has a separate schema, which
 * its library makes.
 * Never edited after release; a change is a new migration.
 */
export const shards = `
ALTER TABLE run_summaries
  -- When its pairs were cut into shards; 0 before.
  ADD COLUMN shards_at integer NOT NULL DEFAULT 0,
  -- When the pairs that are not run had their results; 0 before.
  ADD COLUMN left_out_at integer NOT NULL DEFAULT 0,
  -- Shards of this wave and those before are in the queue.
  ADD COLUMN wave smallint NOT NULL DEFAULT 0;
-- An execution from before is planned again by whoever takes it over.

CREATE TABLE run_shards (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  number integer NOT NULL,
  wave smallint NOT NULL,
  -- JSON: endpoints with the ids of the tests to run there.
  pairs text NOT NULL,
  -- Job of the queue and process that have it, and the last sign of life.
  job_id text,
  worker text,
  seen_at integer NOT NULL DEFAULT 0,
  done_at integer NOT NULL DEFAULT 0,
  PRIMARY KEY (summary_id, number)
);
`
