/** How the requests at once that an execution may send are divided among the processes that work on it. */
export const runWorkers = `
CREATE TABLE run_workers (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  worker text NOT NULL,
  -- Requests that the process may have under way; of all processes together at most the limit of the execution.
  requests integer NOT NULL,
  -- Whether it works; false: it is still loading what the checks need.
  is_open boolean NOT NULL,
  seen_at integer NOT NULL,
  PRIMARY KEY (summary_id, worker)
);
`
