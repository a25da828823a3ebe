/** Triggers that keep the counts of events by kind, day, actor and endpoint, which lists and charts read. */
export const threatCounts = `
CREATE FUNCTION threat_events_added() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO threat_daily_counts AS c (day, facet_id, events)
    SELECT detected_at / 86400, facet_id, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (day, facet_id) DO UPDATE SET events = c.events + excluded.events;
  INSERT INTO threat_daily_kinds AS c (day, kind_id, events)
    SELECT e.detected_at / 86400, f.kind_id, count(*) FROM added e JOIN threat_facets f ON f.id = e.facet_id
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (day, kind_id) DO UPDATE SET events = c.events + excluded.events;
  INSERT INTO threat_hourly_kinds AS c (hour, kind_id, events)
    SELECT e.detected_at / 3600, f.kind_id, count(*) FROM added e JOIN threat_facets f ON f.id = e.facet_id
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (hour, kind_id) DO UPDATE SET events = c.events + excluded.events;

  UPDATE threat_actors a SET
      first_seen = CASE WHEN a.events = 0 THEN n.first_at ELSE least(a.first_seen, n.first_at) END,
      last_seen = greatest(a.last_seen, n.detected_at),
      last_severe_at = greatest(a.last_severe_at, n.severe_at),
      events = a.events + n.events,
      latest_facet_id = CASE WHEN n.detected_at >= a.last_seen THEN n.facet_id ELSE a.latest_facet_id END,
      latest_api_id = CASE WHEN n.detected_at >= a.last_seen THEN n.api_id ELSE a.latest_api_id END,
      latest_ip = CASE WHEN n.detected_at >= a.last_seen THEN n.ip ELSE a.latest_ip END,
      latest_country = CASE WHEN n.detected_at >= a.last_seen THEN n.country ELSE a.latest_country END
    FROM (
      SELECT DISTINCT ON (e.actor_id) e.actor_id, e.detected_at, e.facet_id, e.api_id, e.ip, e.country,
        min(e.detected_at) OVER w AS first_at, count(*) OVER w AS events,
        max(CASE WHEN k.severity_rank >= 3 THEN e.detected_at ELSE 0 END) OVER w AS severe_at
      FROM added e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
      WINDOW w AS (PARTITION BY e.actor_id)
      ORDER BY e.actor_id, e.detected_at DESC, e.id DESC
    ) n WHERE n.actor_id = a.id;

  INSERT INTO threat_actor_traces AS t (actor_id, collection_id, filter_id, first_seen, last_seen, events)
    SELECT e.actor_id, f.collection_id, k.filter_id, min(e.detected_at), max(e.detected_at), count(*)
    FROM added e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (actor_id, collection_id, filter_id) DO UPDATE SET
      first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen),
      events = t.events + excluded.events;
  INSERT INTO threat_actor_countries AS t (actor_id, country, first_seen, last_seen, events)
    SELECT actor_id, country, min(detected_at), max(detected_at), count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (actor_id, country) DO UPDATE SET
      first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen),
      events = t.events + excluded.events;

  WITH fresh AS (
    SELECT e.detected_at / 86400 AS day, e.actor_id, e.country, count(*) AS events,
      count(*) FILTER (WHERE k.severity_rank >= 3) AS severe_events
    FROM added e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1, 2, 3
  ), kinds AS (
    SELECT n.day, n.actor_id, sum(n.severe_events) > 0 AS is_severe FROM fresh n GROUP BY 1, 2
  ), known AS (
    SELECT d.day, d.actor_id, sum(d.severe_events) > 0 AS is_severe
    FROM threat_actor_days d JOIN kinds k ON k.day = d.day AND k.actor_id = d.actor_id GROUP BY 1, 2
  ), totals AS (
    INSERT INTO threat_day_totals AS t (day, actors, severe_actors)
      SELECT k.day, count(*) FILTER (WHERE o.day IS NULL),
        count(*) FILTER (WHERE k.is_severe AND o.is_severe IS NOT TRUE)
      FROM kinds k LEFT JOIN known o ON o.day = k.day AND o.actor_id = k.actor_id GROUP BY 1 ORDER BY 1
      ON CONFLICT (day) DO UPDATE SET actors = t.actors + excluded.actors,
        severe_actors = t.severe_actors + excluded.severe_actors
  )
  INSERT INTO threat_actor_days AS d (day, actor_id, country, events, severe_events)
    SELECT * FROM fresh ORDER BY 1, 2, 3
    ON CONFLICT (day, actor_id, country) DO UPDATE SET events = d.events + excluded.events,
      severe_events = d.severe_events + excluded.severe_events;

  WITH fresh AS (
    SELECT api_id, actor_id, min(detected_at) AS first_seen, max(detected_at) AS last_seen, count(*) AS events
    FROM added GROUP BY 1, 2
  ), merged AS (
    INSERT INTO threat_api_actors AS p (api_id, actor_id, first_seen, last_seen, events)
      SELECT * FROM fresh ORDER BY 1, 2
      ON CONFLICT (api_id, actor_id) DO UPDATE SET
        first_seen = least(p.first_seen, excluded.first_seen), last_seen = greatest(p.last_seen, excluded.last_seen),
        events = p.events + excluded.events
      RETURNING p.api_id, p.actor_id, p.events
  )
  UPDATE threat_apis a SET
      first_seen = CASE WHEN a.events = 0 THEN n.first_at ELSE least(a.first_seen, n.first_at) END,
      last_seen = greatest(a.last_seen, n.last_at), events = a.events + n.events, actors = a.actors + n.new_actors
    FROM (
      SELECT f.api_id, min(f.first_seen) AS first_at, max(f.last_seen) AS last_at, sum(f.events) AS events,
        count(*) FILTER (WHERE m.events = f.events) AS new_actors
      FROM fresh f JOIN merged m ON m.api_id = f.api_id AND m.actor_id = f.actor_id GROUP BY 1
    ) n WHERE n.api_id = a.id;
  INSERT INTO threat_api_days AS d (day, api_id, events)
    SELECT detected_at / 86400, api_id, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (day, api_id) DO UPDATE SET events = d.events + excluded.events;
  RETURN NULL;
END $function$;

CREATE FUNCTION threat_events_moved() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO threat_daily_counts AS c (day, facet_id, events)
    SELECT day, facet_id, sum(n) FROM (
      SELECT e.detected_at / 86400 AS day, e.facet_id, 1 AS n FROM after e
      UNION ALL SELECT e.detected_at / 86400, e.facet_id, -1 FROM before e) m
    GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
    ON CONFLICT (day, facet_id) DO UPDATE SET events = c.events + excluded.events;
  INSERT INTO threat_daily_kinds AS c (day, kind_id, events)
    SELECT day, kind_id, sum(n) FROM (
      SELECT e.detected_at / 86400 AS day, f.kind_id, 1 AS n FROM after e JOIN threat_facets f ON f.id = e.facet_id
      UNION ALL SELECT e.detected_at / 86400, f.kind_id, -1 FROM before e JOIN threat_facets f ON f.id = e.facet_id) m
    GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
    ON CONFLICT (day, kind_id) DO UPDATE SET events = c.events + excluded.events;
  INSERT INTO threat_hourly_kinds AS c (hour, kind_id, events)
    SELECT hour, kind_id, sum(n) FROM (
      SELECT e.detected_at / 3600 AS hour, f.kind_id, 1 AS n FROM after e JOIN threat_facets f ON f.id = e.facet_id
      UNION ALL SELECT e.detected_at / 3600, f.kind_id, -1 FROM before e JOIN threat_facets f ON f.id = e.facet_id) m
    GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2
    ON CONFLICT (hour, kind_id) DO UPDATE SET events = c.events + excluded.events;
  RETURN NULL;
END $function$;

CREATE FUNCTION threat_events_removed() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  UPDATE threat_daily_counts c SET events = c.events - g.n
    FROM (SELECT detected_at / 86400 AS day, facet_id, count(*) AS n FROM gone GROUP BY 1, 2) g
    WHERE c.day = g.day AND c.facet_id = g.facet_id;
  UPDATE threat_daily_kinds c SET events = c.events - g.n
    FROM (SELECT e.detected_at / 86400 AS day, f.kind_id, count(*) AS n
      FROM gone e JOIN threat_facets f ON f.id = e.facet_id GROUP BY 1, 2) g
    WHERE c.day = g.day AND c.kind_id = g.kind_id;
  UPDATE threat_hourly_kinds c SET events = c.events - g.n
    FROM (SELECT e.detected_at / 3600 AS hour, f.kind_id, count(*) AS n
      FROM gone e JOIN threat_facets f ON f.id = e.facet_id GROUP BY 1, 2) g
    WHERE c.hour = g.hour AND c.kind_id = g.kind_id;

  UPDATE threat_actor_traces t SET events = t.events - g.n,
      last_seen = CASE WHEN t.last_seen > g.last_at THEN t.last_seen ELSE coalesce((
        SELECT max(e.detected_at) FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id
        WHERE e.actor_id = t.actor_id AND f.collection_id = t.collection_id AND k.filter_id = t.filter_id), 0) END
    FROM (SELECT e.actor_id, f.collection_id, k.filter_id, max(e.detected_at) AS last_at, count(*) AS n
      FROM gone e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1, 2, 3) g
    WHERE t.actor_id = g.actor_id AND t.collection_id = g.collection_id AND t.filter_id = g.filter_id;
  DELETE FROM threat_actor_traces WHERE events <= 0 AND actor_id IN (SELECT actor_id FROM gone);
  UPDATE threat_actor_countries t SET events = t.events - g.n,
      last_seen = CASE WHEN t.last_seen > g.last_at THEN t.last_seen ELSE coalesce((
        SELECT max(e.detected_at) FROM threat_events e WHERE e.actor_id = t.actor_id AND e.country = t.country), 0) END
    FROM (SELECT actor_id, country, max(detected_at) AS last_at, count(*) AS n FROM gone GROUP BY 1, 2) g
    WHERE t.actor_id = g.actor_id AND t.country = g.country;
  DELETE FROM threat_actor_countries WHERE events <= 0 AND actor_id IN (SELECT actor_id FROM gone);

  WITH lost AS (
    SELECT e.detected_at / 86400 AS day, e.actor_id, e.country, count(*) AS events,
      count(*) FILTER (WHERE k.severity_rank >= 3) AS severe_events
    FROM gone e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1, 2, 3
  ), left_over AS (
    SELECT d.day, d.actor_id, sum(d.events) - sum(coalesce(l.events, 0)) AS events,
      sum(d.severe_events) - sum(coalesce(l.severe_events, 0)) AS severe_events,
      sum(d.severe_events) > 0 AS was_severe
    FROM threat_actor_days d LEFT JOIN lost l ON l.day = d.day AND l.actor_id = d.actor_id AND l.country = d.country
    WHERE (d.day, d.actor_id) IN (SELECT day, actor_id FROM lost) GROUP BY 1, 2
  ), totals AS (
    UPDATE threat_day_totals t SET actors = t.actors - g.actors, severe_actors = t.severe_actors - g.severe_actors
      FROM (SELECT day, count(*) FILTER (WHERE events <= 0) AS actors,
        count(*) FILTER (WHERE was_severe AND severe_events <= 0) AS severe_actors FROM left_over GROUP BY 1) g
      WHERE t.day = g.day
  )
  UPDATE threat_actor_days d SET events = d.events - l.events, severe_events = d.severe_events - l.severe_events
    FROM lost l WHERE d.day = l.day AND d.actor_id = l.actor_id AND d.country = l.country;
  DELETE FROM threat_actor_days d WHERE d.events <= 0
    AND (d.day, d.actor_id) IN (SELECT detected_at / 86400, actor_id FROM gone);

  WITH lost AS (
    SELECT api_id, actor_id, max(detected_at) AS last_at, count(*) AS events FROM gone GROUP BY 1, 2
  ), pairs AS (
    UPDATE threat_api_actors p SET events = p.events - l.events,
        last_seen = CASE WHEN p.last_seen > l.last_at THEN p.last_seen ELSE coalesce((
          SELECT max(e.detected_at) FROM threat_events e WHERE e.actor_id = p.actor_id AND e.api_id = p.api_id), 0) END
      FROM lost l WHERE p.api_id = l.api_id AND p.actor_id = l.actor_id
      RETURNING p.api_id, p.events
  ), sums AS (
    SELECT api_id, count(*) FILTER (WHERE events <= 0) AS actors FROM pairs GROUP BY 1
  )
  UPDATE threat_apis a SET events = a.events - l.events, actors = a.actors - s.actors
    FROM (SELECT api_id, sum(events) AS events FROM lost GROUP BY 1) l JOIN sums s ON s.api_id = l.api_id
    WHERE a.id = l.api_id;
  DELETE FROM threat_api_actors WHERE events <= 0 AND api_id IN (SELECT api_id FROM gone);
  UPDATE threat_apis a SET
      last_seen = coalesce((SELECT max(p.last_seen) FROM threat_api_actors p WHERE p.api_id = a.id), 0),
      first_seen = CASE WHEN a.events > 0 THEN a.first_seen ELSE 0 END
    WHERE a.id IN (SELECT api_id FROM gone);
  UPDATE threat_api_days d SET events = d.events - g.n
    FROM (SELECT detected_at / 86400 AS day, api_id, count(*) AS n FROM gone GROUP BY 1, 2) g
    WHERE d.day = g.day AND d.api_id = g.api_id;
  DELETE FROM threat_api_days d WHERE d.events <= 0
    AND (d.day, d.api_id) IN (SELECT detected_at / 86400, api_id FROM gone);

  UPDATE threat_actors a SET events = a.events - g.n
    FROM (SELECT actor_id, count(*) AS n FROM gone GROUP BY 1) g WHERE a.id = g.actor_id;
  UPDATE threat_actors a SET last_seen = n.detected_at, latest_facet_id = n.facet_id, latest_api_id = n.api_id,
      latest_ip = n.ip, latest_country = n.country,
      last_severe_at = coalesce((SELECT max(e.detected_at) FROM threat_events e
        JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id WHERE e.actor_id = a.id AND k.severity_rank >= 3), 0)
    FROM (SELECT g.actor_id, e.* FROM (SELECT actor_id, max(detected_at) AS last_at FROM gone GROUP BY 1) g
        JOIN threat_actors t ON t.id = g.actor_id AND t.last_seen <= g.last_at
        CROSS JOIN LATERAL (SELECT detected_at, facet_id, api_id, ip, country FROM threat_events
          WHERE actor_id = g.actor_id ORDER BY detected_at DESC, id DESC LIMIT 1) e) n
    WHERE a.id = n.actor_id;
  UPDATE threat_actors SET first_seen = 0, last_seen = 0, last_severe_at = 0, latest_facet_id = NULL,
      latest_api_id = NULL
    WHERE events <= 0 AND id IN (SELECT actor_id FROM gone);
  RETURN NULL;
END $function$;

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

CREATE TRIGGER threat_events_added AFTER INSERT ON threat_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION threat_events_added();
CREATE TRIGGER threat_events_moved AFTER UPDATE ON threat_events
  REFERENCING NEW TABLE AS after OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION threat_events_moved();
CREATE TRIGGER threat_events_removed AFTER DELETE ON threat_events
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION threat_events_removed();
CREATE TRIGGER threat_pairs_added AFTER INSERT ON threat_api_actors
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION threat_pairs_added();
CREATE TRIGGER threat_pairs_moved AFTER UPDATE ON threat_api_actors
  REFERENCING NEW TABLE AS after OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION threat_pairs_moved();
CREATE TRIGGER threat_pairs_removed AFTER DELETE ON threat_api_actors
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION threat_pairs_removed();
`
