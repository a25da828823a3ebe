/**
 * Facts that another transaction was writing while the time of their endpoint was lowered: neither of the two triggers
 * of 0005 sees the other's row. Endpoints whose time was lowered are noted, and their facts are marked once more when
 * every transaction of that moment has ended. Never edited after release; a change is a new migration.
 */
export const laterFacts = `
CREATE TABLE lowered_endpoints (
  endpoint_id bigint NOT NULL,
  noted_at integer NOT NULL DEFAULT extract(epoch FROM clock_timestamp())::integer
);
CREATE INDEX lowered_endpoints_by_time ON lowered_endpoints (noted_at);

CREATE OR REPLACE FUNCTION mark_later_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE endpoint_facts f SET is_later = true
    WHERE f.endpoint_id = NEW.id AND NOT f.is_later AND f.first_seen > NEW.first_seen;
  INSERT INTO lowered_endpoints (endpoint_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
`
