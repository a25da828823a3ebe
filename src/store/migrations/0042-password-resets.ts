/**
 * Codes with which people choose a new password.
 * Never edited after release; a change is a new migration.
 */
export const passwordResets = `
CREATE TABLE password_resets (
  code_hash text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at integer NOT NULL
);
CREATE INDEX password_resets_by_user ON password_resets (user_id);
`
