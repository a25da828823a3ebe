/**
 * What the list of changes reads. Most facts of an endpoint are first seen with it and are no change; those seen later
 * are marked, and indexed by time. The mark follows both times, in whatever order writers bring them.
 * Never edited after release; a change is a new migration.
 */
export const changes = `
ALTER TABLE endpoint_facts ADD COLUMN is_later boolean NOT NULL DEFAULT false;
UPDATE endpoint_facts f SET is_later = true FROM endpoints e
  WHERE e.id = f.endpoint_id AND f.first_seen > e.first_seen;
CREATE INDEX endpoint_facts_later ON endpoint_facts (first_seen) WHERE is_later;

CREATE FUNCTION mark_later_fact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_later := coalesce(NEW.first_seen > (SELECT e.first_seen FROM endpoints e WHERE e.id = NEW.endpoint_id), false);
  RETURN NEW;
END $$;
CREATE TRIGGER endpoint_facts_mark BEFORE INSERT OR UPDATE OF first_seen ON endpoint_facts
  FOR EACH ROW EXECUTE FUNCTION mark_later_fact();

CREATE FUNCTION mark_later_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE endpoint_facts f SET is_later = true
    WHERE f.endpoint_id = NEW.id AND NOT f.is_later AND f.first_seen > NEW.first_seen;
  RETURN NULL;
END $$;
CREATE TRIGGER endpoints_mark_facts AFTER UPDATE OF first_seen ON endpoints
  FOR EACH ROW WHEN (NEW.first_seen < OLD.first_seen) EXECUTE FUNCTION mark_later_facts();
`
