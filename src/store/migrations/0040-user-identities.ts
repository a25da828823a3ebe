/**
 * Who users are at sign-in providers (OpenID Connect): issuer and subject, which never change, unlike the address.
 * Never edited after release; a change is a new migration.
 */
export const userIdentities = `
CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at integer NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identities_by_user ON user_identities (user_id);
`
