/** People, their sign-ins, invitations and keys, the audit log, settings of the installation. */
export const access = `
CREATE TABLE users (
  id integer PRIMARY KEY,
  login text NOT NULL UNIQUE,
  name text,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('ADMIN', 'MEMBER', 'GUEST')),
  -- Collections this user may see; null = all.
  collection_ids integer[],
  last_login_at integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
);

-- Who a user is at a sign-in provider (OpenID Connect).
CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at integer NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identities_by_user ON user_identities (user_id);

CREATE TABLE invitations (
  code_hash text PRIMARY KEY,
  login text NOT NULL,
  role text NOT NULL,
  invited_by text NOT NULL,
  created_at integer NOT NULL,
  expires_at integer NOT NULL
);

-- Codes with which people choose a new password.
CREATE TABLE password_resets (
  code_hash text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at integer NOT NULL
);
CREATE INDEX password_resets_by_user ON password_resets (user_id);

CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  refresh_hash text NOT NULL UNIQUE,
  created_at integer NOT NULL,
  used_at integer NOT NULL,
  expires_at integer NOT NULL,
  user_agent text
);
CREATE INDEX sessions_by_user ON sessions (user_id, used_at);

CREATE TABLE sign_in_failures (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at_ms bigint NOT NULL,
  -- Keyed hash of what was typed.
  account text NOT NULL,
  network text NOT NULL,
  -- Keyed hash of the browser whose failure it is; null for strangers.
  device text
);
CREATE INDEX sign_in_failures_by_account ON sign_in_failures (account);
CREATE INDEX sign_in_failures_by_network ON sign_in_failures (network);
CREATE INDEX sign_in_failures_by_device ON sign_in_failures (device) WHERE device IS NOT NULL;
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (at_ms);

CREATE TABLE api_keys (
  id integer PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  utility text NOT NULL CHECK (utility IN ('EXTERNAL_API', 'CICD', 'BURP')),
  name text,
  key_hash text NOT NULL UNIQUE,
  key_prefix text NOT NULL,
  -- The key itself, encrypted with the instance key; only for kinds that must be shown again (BURP).
  sealed_key text,
  created_at integer NOT NULL,
  used_at integer NOT NULL DEFAULT 0,
  -- Until when it works, epoch seconds; 0 for keys that do not expire.
  expires_at integer NOT NULL DEFAULT 0
);

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

CREATE TABLE burp_extensions (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  last_bootup_at integer NOT NULL DEFAULT 0,
  last_data_sent_at integer NOT NULL DEFAULT 0,
  last_download_at integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 0
);

-- Programs that work for this installation from elsewhere and say that they live.
CREATE TABLE modules (
  id text PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  version text,
  started_at integer NOT NULL,
  seen_at integer NOT NULL,
  details jsonb,
  -- The key that sends its heartbeat; null for those of a session, and once the key was removed.
  key_id integer REFERENCES api_keys (id) ON DELETE SET NULL,
  owner_id integer REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX modules_by_kind ON modules (kind, seen_at);

CREATE TABLE settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at integer NOT NULL
);
`
