/**
 * Changes that people and their programs made: who, what, the state before and after, secrets left out.
 * Never edited after release; a change is a new migration.
 */
export const auditLog = `
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at integer NOT NULL,
  -- As they were then: users may be renamed or removed later.
  user_id integer NOT NULL,
  login text NOT NULL,
  -- SESSION, or the kind of the key.
  via text NOT NULL,
  key_id integer,
  ip text NOT NULL,
  -- Operation of the interface, or an event of sign-in.
  action text NOT NULL,
  -- Null while it runs, and for ever when the process died meanwhile; OK, or the code of the refusal.
  outcome text,
  -- Fields of the request that may be stored.
  request jsonb NOT NULL,
  -- Records that changed: kind and id with the fields that differ, before and after.
  changes jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX audit_log_by_time ON audit_log (at);
CREATE INDEX audit_log_by_login ON audit_log (login, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
`
