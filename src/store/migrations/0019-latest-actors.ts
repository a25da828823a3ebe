/**
 * Beside the events of an endpoint on a day, the actors whose latest event at it was on that day: their sum from a day
 * on is the number of distinct actors since then. Triggers on the pairs of endpoint and actor keep it.
 * Never edited after release; a change is a new migration.
 */
export const latestActors = `
ALTER TABLE threat_api_days ADD COLUMN last_actors integer NOT NULL DEFAULT 0;
UPDATE threat_api_days d SET last_actors = n.actors FROM (
    SELECT last_seen / 86400 AS day, api_id, count(*) AS actors FROM threat_api_actors GROUP BY 1, 2) n
  WHERE n.day = d.day AND n.api_id = d.api_id;
ALTER TABLE threat_api_days DROP CONSTRAINT threat_api_days_pkey;
ALTER TABLE threat_api_days ADD PRIMARY KEY (day, api_id) INCLUDE (events, last_actors);

-- A pair that lost its last event has last_seen 0 until it is removed in the same statement.
CREATE FUNCTION threat_pairs_added() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO threat_api_days AS d (day, api_id, events, last_actors)
    SELECT last_seen / 86400, api_id, 0, count(*) FROM added WHERE last_seen > 0 GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (day, api_id) DO UPDATE SET last_actors = d.last_actors + excluded.last_actors;
  RETURN NULL;
END $function$;

CREATE FUNCTION threat_pairs_moved() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO threat_api_days AS d (day, api_id, events, last_actors)
    SELECT day, api_id, 0, sum(n) FROM (
      SELECT last_seen / 86400 AS day, api_id, 1 AS n FROM after WHERE last_seen > 0
      UNION ALL SELECT last_seen / 86400, api_id, -1 FROM before WHERE last_seen > 0) m
    GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
    ON CONFLICT (day, api_id) DO UPDATE SET last_actors = d.last_actors + excluded.last_actors;
  RETURN NULL;
END $function$;

CREATE FUNCTION threat_pairs_removed() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  UPDATE threat_api_days d SET last_actors = d.last_actors - g.n
    FROM (SELECT last_seen / 86400 AS day, api_id, count(*) AS n FROM gone WHERE last_seen > 0 GROUP BY 1, 2) g
    WHERE d.day = g.day AND d.api_id = g.api_id;
  RETURN NULL;
END $function$;

CREATE TRIGGER threat_pairs_added AFTER INSERT ON threat_api_actors
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION threat_pairs_added();
CREATE TRIGGER threat_pairs_moved AFTER UPDATE ON threat_api_actors
  REFERENCING NEW TABLE AS after OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION threat_pairs_moved();
CREATE TRIGGER threat_pairs_removed AFTER DELETE ON threat_api_actors
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION threat_pairs_removed();
`
