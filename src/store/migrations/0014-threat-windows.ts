/**
 * Counters of aggregation rules: one row for what a rule counts of one actor (and endpoint). A transaction that counts
 * holds the row to its end, so processes count one after the other. Never edited after release; a change is a new migration.
 */
export const threatWindows = `
CREATE TABLE threat_windows (
  -- Hash of filter, rule, span, actor and endpoint.
  key uuid PRIMARY KEY,
  filter_id text NOT NULL,
  rule text NOT NULL,
  actor text NOT NULL,
  endpoint text NOT NULL,
  -- Matches by minute, distinct values, the last firing: written and read by threat/windows/pack-window.ts.
  state bytea NOT NULL DEFAULT '',
  -- Of the next event; messages are kept under it.
  ref_id uuid NOT NULL,
  -- At least half of what the rule asks for is there: not removed for want of room.
  is_near boolean NOT NULL DEFAULT false,
  touched_at integer NOT NULL,
  expires_at integer NOT NULL
) WITH (fillfactor = 40);
ALTER TABLE threat_windows ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE INDEX threat_windows_by_expiry ON threat_windows (expires_at);
CREATE INDEX threat_windows_far ON threat_windows (touched_at) WHERE NOT is_near;

-- Values of counters that are less than half full, which processes hold in memory; one row for a transaction.
CREATE TABLE threat_window_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_at integer NOT NULL,
  entries bytea NOT NULL
);
CREATE INDEX threat_window_log_by_time ON threat_window_log (written_at);
`
