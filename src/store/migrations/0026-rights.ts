/**
 * Whose things are: with whom test roles are shared, whose key a module has, who uploaded the login behind pictures.
 * Never edited after release; a change is a new migration.
 */
export const rights = `
ALTER TABLE test_roles
  -- Whoever was granted one of these collections may use the role.
  ADD COLUMN shared_with integer[] NOT NULL DEFAULT '{}';

ALTER TABLE modules
  -- The key whose heartbeat this is; null for those of a session, and once the key was taken back.
  ADD COLUMN key_id integer REFERENCES api_keys (id) ON DELETE SET NULL,
  ADD COLUMN owner_id integer REFERENCES users (id) ON DELETE CASCADE;

-- One set of pictures for each person and role.
ALTER TABLE login_pictures DROP CONSTRAINT login_pictures_pkey;
ALTER TABLE login_pictures ADD COLUMN owner_id integer NOT NULL DEFAULT 0;
ALTER TABLE login_pictures ADD PRIMARY KEY (role_name, owner_id, position);

-- Ignoring an event of one collection suppresses none of another.
DROP INDEX threat_suppressions_of_events;
CREATE UNIQUE INDEX threat_suppressions_of_events ON threat_suppressions (filter_id, url, coalesce(collection_id, 0))
  WHERE origin = 'EVENT';
`
