/**
 * Events of threats and calls per minute as tables partitioned by weeks. Rows that were there stay in place, in the first
 * partition.
 */
import { COPIED, takeOver } from './0014-partitions.ts'

const WEEK = 7 * 86_400
/** SQL of the first second after the present week. */
const NEXT_WEEK = `((extract(epoch FROM now())::bigint / ${WEEK} + 1) * ${WEEK})`

const events = `
ALTER TABLE threat_events RENAME TO threat_events_before;
DROP TRIGGER threat_events_added ON threat_events_before;
DROP TRIGGER threat_events_moved ON threat_events_before;
DROP TRIGGER threat_events_removed ON threat_events_before;
DROP TRIGGER threat_events_news_inserted ON threat_events_before;
ALTER TABLE threat_events_before DROP CONSTRAINT threat_events_pkey;
ALTER TABLE threat_events_before ADD CONSTRAINT threat_events_before_pkey PRIMARY KEY (id, detected_at);
ALTER INDEX threat_events_in_order RENAME TO threat_events_before_in_order;
ALTER INDEX threat_events_by_facet RENAME TO threat_events_before_by_facet;
ALTER INDEX threat_events_by_actor RENAME TO threat_events_before_by_actor;
ALTER INDEX threat_events_by_url RENAME TO threat_events_before_by_url;
ALTER INDEX threat_events_by_ip RENAME TO threat_events_before_by_ip;
ALTER INDEX threat_events_by_ref RENAME TO threat_events_before_by_ref;
CREATE TABLE threat_events (LIKE threat_events_before ${COPIED},
  PRIMARY KEY (id, detected_at),
  CONSTRAINT threat_events_facet_id_fkey FOREIGN KEY (facet_id) REFERENCES threat_facets (id),
  CONSTRAINT threat_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES threat_actors (id),
  CONSTRAINT threat_events_api_id_fkey FOREIGN KEY (api_id) REFERENCES threat_apis (id)
) PARTITION BY RANGE (detected_at);
CREATE INDEX threat_events_in_order ON threat_events (detected_at, id) INCLUDE (facet_id, actor_id, api_id);
CREATE INDEX threat_events_by_facet ON threat_events (facet_id, detected_at, id) INCLUDE (actor_id, api_id);
CREATE INDEX threat_events_by_actor ON threat_events (actor_id, detected_at, id) INCLUDE (facet_id);
CREATE INDEX threat_events_by_url ON threat_events (url, detected_at);
CREATE INDEX threat_events_by_ip ON threat_events (ip, detected_at) WHERE ip <> '';
CREATE INDEX threat_events_by_ref ON threat_events (ref_id);
${takeOver('threat_events', 'max(detected_at)', 'until::text', WEEK)}
CREATE TRIGGER threat_events_added AFTER INSERT ON threat_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION threat_events_added();
CREATE TRIGGER threat_events_moved AFTER UPDATE ON threat_events
  REFERENCING NEW TABLE AS after OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION threat_events_moved();
CREATE TRIGGER threat_events_removed AFTER DELETE ON threat_events
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION threat_events_removed();
CREATE TRIGGER threat_events_news_inserted AFTER INSERT ON threat_events
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_news_of_rows('pages');

-- What threat_events_removed does, for the rows of a view \`gone\` of the session: those of a partition that was taken out.
DO $$
BEGIN
  EXECUTE format('CREATE FUNCTION threat_events_left() RETURNS void LANGUAGE plpgsql AS %L',
    replace((SELECT prosrc FROM pg_proc WHERE oid = 'threat_events_removed()'::regprocedure), 'RETURN NULL;', 'RETURN;'));
END $$;

-- Partitions of events that were taken out of their table, until nothing counts their events any more.
CREATE TABLE leaving_events (
  partition_name text PRIMARY KEY,
  -- Epoch seconds; events before are counted nowhere any more.
  uncounted_to integer NOT NULL DEFAULT 0
);
`

const calls = `
ALTER TABLE call_stats RENAME TO call_minutes_before;
ALTER INDEX call_stats_pkey RENAME TO call_minutes_before_pkey;
ALTER INDEX call_stats_by_minute RENAME TO call_minutes_before_by_minute;
CREATE TABLE call_minutes (LIKE call_minutes_before ${COPIED},
  PRIMARY KEY (endpoint_id, minute, status_class),
  CONSTRAINT call_minutes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoints (id) ON DELETE CASCADE
) PARTITION BY RANGE (minute);
-- Messages may have times of years to come, which must not be in the partition that takes the place of all until then.
CREATE TABLE call_minutes_later AS SELECT * FROM call_minutes_before WHERE minute >= ${NEXT_WEEK} / 60;
DELETE FROM call_minutes_before WHERE minute >= ${NEXT_WEEK} / 60;
${takeOver('call_minutes', 'max(minute)::bigint * 60', '(until / 60)::text', WEEK)}
INSERT INTO call_minutes SELECT * FROM call_minutes_later;
DROP TABLE call_minutes_later;
-- The version before writes and reads here. It also deletes old rows by their position, which is unique within a
-- partition only: a view has none, so that this fails instead of deleting others.
CREATE VIEW call_stats AS SELECT endpoint_id, minute, status_class, count FROM call_minutes;
`

export const eventPartitions = events + calls
