/**
 * What kept roles of an execution from acting, so that the log of a run tells it beside the requests. Never edited
 * after release; a change is a new migration.
 */
export const runTroubles = `
CREATE TABLE run_troubles (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  sentence text NOT NULL,
  at integer NOT NULL,
  PRIMARY KEY (summary_id, sentence)
);
`
