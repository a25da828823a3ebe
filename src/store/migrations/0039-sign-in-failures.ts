/**
 * Failed sign-ins of the last hour, counted over all processes of a store.
 * Never edited after release; a change is a new migration.
 */
export const signInFailures = `
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
`
