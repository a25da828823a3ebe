/** One-time codes (TOTP) as a second factor of sign-in. */
export const secondFactors = `
CREATE TABLE second_factors (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret text NOT NULL,
  -- 0: shown to its owner, who has not entered a code yet.
  confirmed_at integer NOT NULL DEFAULT 0,
  -- Time step of the last code that was used: no code signs in twice.
  last_step bigint NOT NULL DEFAULT 0,
  -- Hashes of the recovery codes that are left.
  recovery_hashes text[] NOT NULL DEFAULT '{}',
  created_at integer NOT NULL
);
`
