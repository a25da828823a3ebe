/**
 * Requests that an execution made from documents, with their answers: samples of endpoints that nobody has observed.
 * Never edited after release; a change is a new migration.
 */
export const generatedRequests = `
CREATE TABLE generated_samples (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  collection_id integer NOT NULL,
  method text NOT NULL,
  url text NOT NULL,
  -- The exchange as a sample message; null when no request could be made or nothing answered.
  message text,
  PRIMARY KEY (summary_id, collection_id, method, url)
);
ALTER TABLE run_results ADD COLUMN is_generated boolean NOT NULL DEFAULT false;
`
