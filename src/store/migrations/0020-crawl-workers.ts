/**
 * Several processes on one crawl: companions of its holder, and what each of them learned, for the others.
 * Never edited after release; a change is a new migration.
 */
export const crawlWorkers = `
CREATE TABLE crawl_workers (
  crawl_id text NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
  -- Holder of its pieces of work.
  worker text NOT NULL,
  joined_at integer NOT NULL,
  lease_until integer NOT NULL,
  -- Nothing is left that it could do: the holder may end the crawl.
  is_idle boolean NOT NULL DEFAULT false,
  PRIMARY KEY (crawl_id, worker)
);

ALTER TABLE crawls
  -- Companions are of no use: the application lets nobody in twice, or not at all.
  ADD COLUMN is_alone boolean NOT NULL DEFAULT false,
  -- The holder is at its end and waits for its companions.
  ADD COLUMN is_ending boolean NOT NULL DEFAULT false,
  -- Moment of the last login that had its turn.
  ADD COLUMN login_turn integer NOT NULL DEFAULT 0;

CREATE TABLE crawl_learned (
  crawl_id text NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- Digest of the key.
  digest bytea NOT NULL,
  key text NOT NULL,
  value integer NOT NULL,
  note text NOT NULL,
  -- Grows with every save of the crawl: what is above the last one seen is news.
  revision bigint NOT NULL,
  PRIMARY KEY (crawl_id, kind, digest)
) WITH (fillfactor = 80);
CREATE INDEX crawl_learned_news ON crawl_learned (crawl_id, revision);
`
