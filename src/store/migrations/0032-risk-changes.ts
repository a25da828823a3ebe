/**
 * Which endpoints must be scored anew, because issues or attacks changed. Triggers note the endpoints of issues in the
 * transaction that changes them, whoever does; any process scores what is noted and removes the note.
 * Never edited after release; a change is a new migration.
 */
export const riskChanges = `
-- Written without waiting for anybody: an endpoint may be noted several times.
CREATE TABLE risk_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id bigint NOT NULL
);

-- Malicious requests by endpoint and day, of the last seven days.
CREATE TABLE endpoint_attacks (
  endpoint_id bigint NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
  -- Days since 1970 in UTC.
  day integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (endpoint_id, day)
);
CREATE INDEX endpoint_attacks_by_day ON endpoint_attacks (day);

-- What the risk score counts; ingestion leaves the score of such endpoints to whoever scores what is noted.
ALTER TABLE endpoints ADD COLUMN recent_attacks integer NOT NULL DEFAULT 0;

CREATE FUNCTION issues_added() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM added WHERE endpoint_id IS NOT NULL;
  RETURN NULL;
END $function$;

CREATE FUNCTION issues_moved() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO risk_changes (endpoint_id)
    SELECT DISTINCT e.endpoint_id FROM before b JOIN after a ON a.id = b.id
      CROSS JOIN LATERAL (VALUES (b.endpoint_id), (a.endpoint_id)) AS e (endpoint_id)
    WHERE (a.status, a.severity, a.endpoint_id) IS DISTINCT FROM (b.status, b.severity, b.endpoint_id)
      AND e.endpoint_id IS NOT NULL;
  RETURN NULL;
END $function$;

CREATE FUNCTION issues_removed() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO risk_changes (endpoint_id) SELECT DISTINCT endpoint_id FROM gone WHERE endpoint_id IS NOT NULL;
  RETURN NULL;
END $function$;

CREATE TRIGGER issues_added AFTER INSERT ON issues
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION issues_added();
CREATE TRIGGER issues_moved AFTER UPDATE ON issues
  REFERENCING NEW TABLE AS after OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION issues_moved();
CREATE TRIGGER issues_removed AFTER DELETE ON issues
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION issues_removed();

-- The scale has changed: every endpoint is scored once more.
INSERT INTO risk_changes (endpoint_id) SELECT id FROM endpoints WHERE root_id = id;
`
