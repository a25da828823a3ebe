/**
 * Which codes of one time were typed, so that none is typed twice. The column `login_turn` of crawls is used no more.
 * Never edited after release; a change is a new migration.
 */
export const codeSteps = `
CREATE TABLE code_steps (
  -- Digest of the secret that codes are made of.
  digest bytea PRIMARY KEY,
  -- The last time step (RFC 6238 section 4.2) whose code was given to somebody.
  step bigint NOT NULL,
  taken_at integer NOT NULL
);
`
