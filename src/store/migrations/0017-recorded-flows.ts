/**
 * Recorded logins that were uploaded, one of each person, and pictures of the last one of each role. What was typed is
 * forgotten at the end of a login, its result ten minutes later.
 * Never edited after release; a change is a new migration.
 */
export const recordedFlows = `
CREATE TABLE recorded_flows (
  id text PRIMARY KEY,
  owner_id integer NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  role_name text NOT NULL,
  executor text,
  state text NOT NULL CHECK (state IN ('SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED')),
  -- JSON of recording and command, and the result, both sealed for the purpose 'recorded-flow:<id>'.
  sealed_input text NOT NULL,
  sealed_result text,
  trouble text,
  created_at integer NOT NULL,
  seen_at integer NOT NULL DEFAULT 0,
  ended_at integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80);

CREATE TABLE login_pictures (
  role_name text NOT NULL,
  position integer NOT NULL,
  flow_id text NOT NULL,
  picture bytea NOT NULL,
  taken_at integer NOT NULL,
  PRIMARY KEY (role_name, position)
);
`
