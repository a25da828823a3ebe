/**
 * Ids that tests gave out to be called back with, and who called: any process of the store may get the call, and a
 * restart forgets none. What is known of roles at endpoints is kept for refusals too.
 * Never edited after release; a change is a new migration.
 */
export const callbacks = `
CREATE TABLE callback_ids (
  id text PRIMARY KEY,
  redirect_url text,
  expires_at integer NOT NULL,
  hits_count integer NOT NULL DEFAULT 0
);
CREATE INDEX callback_ids_by_expiry ON callback_ids (expires_at);
CREATE TABLE callback_hits (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  callback_id text NOT NULL REFERENCES callback_ids (id) ON DELETE CASCADE,
  hit_at integer NOT NULL,
  address text NOT NULL,
  method text NOT NULL,
  target text NOT NULL,
  headers text[] NOT NULL
);
CREATE INDEX callback_hits_by_id ON callback_hits (callback_id);
ALTER TABLE access_matrix ADD COLUMN is_reached boolean NOT NULL DEFAULT true;
`
