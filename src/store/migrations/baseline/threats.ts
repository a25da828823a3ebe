/** Filters, suppressions, counters of aggregation rules, events, actors and endpoints under attack. */
export const threats = `
CREATE TABLE filter_templates (
  id text PRIMARY KEY,
  content text NOT NULL,
  -- LIBRARY: shipped, unchanged. CUSTOM: saved by somebody.
  source text NOT NULL CHECK (source IN ('LIBRARY', 'CUSTOM')),
  author text NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  updated_by text NOT NULL DEFAULT '',
  -- The newest shipped text beside an edited one; null when it was never shipped.
  shipped text,
  is_removed boolean NOT NULL DEFAULT false
);

-- Rules by which events are not stored. A null means any.
CREATE TABLE threat_suppressions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  filter_id text,
  url text,
  host text,
  actor text,
  collection_id integer,
  -- EVENT: made when an event was ignored, removed when none of its kind is any more. PERSON: made by hand.
  origin text NOT NULL CHECK (origin IN ('EVENT', 'PERSON')),
  reason text NOT NULL DEFAULT '',
  created_by text NOT NULL,
  created_at integer NOT NULL,
  -- 0: never.
  expires_at integer NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  last_dropped_at integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX threat_suppressions_of_events ON threat_suppressions (filter_id, url, coalesce(collection_id, 0))
  WHERE origin = 'EVENT';

CREATE TABLE threat_windows (
  -- Hash of filter, rule, span, actor and endpoint.
  key uuid PRIMARY KEY,
  filter_id text NOT NULL,
  rule text NOT NULL,
  actor text NOT NULL,
  endpoint text NOT NULL,
  -- Matches by minute, distinct values, the last firing: written and read by threat/windows/pack-window.ts.
  state bytea NOT NULL DEFAULT '',
  -- Of the next event; messages are kept under it.
  ref_id uuid NOT NULL,
  -- At least half of what the rule asks for is there: not removed for want of room.
  is_near boolean NOT NULL DEFAULT false,
  touched_at integer NOT NULL,
  expires_at integer NOT NULL
) WITH (fillfactor = 40);
ALTER TABLE threat_windows ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE INDEX threat_windows_by_expiry ON threat_windows (expires_at);
CREATE INDEX threat_windows_far ON threat_windows (touched_at) WHERE NOT is_near;

-- Values of counters that are less than half full, which processes hold in memory; one row for a transaction.
CREATE TABLE threat_window_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_at integer NOT NULL,
  entries bytea NOT NULL
);
CREATE INDEX threat_window_log_by_time ON threat_window_log (written_at);

-- Events that suppressions dropped since they were last added up: rows that are only added keep transactions of several
-- processes from waiting for each other.
CREATE TABLE threat_drops (
  suppression_id integer NOT NULL,
  events integer NOT NULL,
  dropped_at integer NOT NULL
);

-- What kind of event it is. Charts count by kind.
CREATE TABLE threat_kinds (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  filter_id text NOT NULL,
  category text NOT NULL,
  sub_category text NOT NULL,
  severity text NOT NULL,
  -- 4 CRITICAL, 3 HIGH, 2 MEDIUM, 1 LOW, 0 none.
  severity_rank smallint NOT NULL,
  type text NOT NULL,
  event_type text NOT NULL,
  label text NOT NULL,
  status text NOT NULL,
  is_exploit boolean NOT NULL,
  digest text NOT NULL UNIQUE GENERATED ALWAYS AS (md5(
    filter_id || chr(31) || category || chr(31) || sub_category || chr(31) || severity || chr(31) || type || chr(31)
    || event_type || chr(31) || label || chr(31) || status || chr(31) || is_exploit::text)) STORED
);

-- A kind at a place. Lists select facets, and totals are counted by facet.
CREATE TABLE threat_facets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind_id integer NOT NULL REFERENCES threat_kinds (id),
  collection_id integer NOT NULL,
  host text NOT NULL,
  method text NOT NULL,
  UNIQUE (kind_id, collection_id, host, method)
);

CREATE TABLE threat_actors (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor text NOT NULL UNIQUE,
  -- Of the first event ever, also when it is kept no longer; 0 for an actor that only has a status.
  first_seen integer NOT NULL DEFAULT 0,
  last_seen integer NOT NULL DEFAULT 0,
  -- Of its events of severity HIGH or CRITICAL; 0 without one.
  last_severe_at integer NOT NULL DEFAULT 0,
  events integer NOT NULL DEFAULT 0,
  -- Of the newest event.
  latest_facet_id integer,
  latest_api_id integer,
  latest_ip text NOT NULL DEFAULT '',
  latest_country text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'active',
  -- 0: for ever.
  status_until integer NOT NULL DEFAULT 0,
  status_at integer NOT NULL DEFAULT 0,
  status_by text NOT NULL DEFAULT '',
  status_reason text NOT NULL DEFAULT ''
) WITH (fillfactor = 80);
CREATE INDEX threat_actors_by_first ON threat_actors (first_seen, id) INCLUDE (last_seen) WHERE events > 0;
CREATE INDEX threat_actors_by_last ON threat_actors (last_seen, id) INCLUDE (status) WHERE events > 0;
CREATE INDEX threat_actors_severe ON threat_actors (last_severe_at) WHERE last_severe_at > 0;
CREATE INDEX threat_actors_set ON threat_actors (status) WHERE status <> 'active';

-- Every status that was set, by whom and why.
CREATE TABLE threat_actor_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor text NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  status_until integer NOT NULL,
  changed_by text NOT NULL,
  reason text NOT NULL,
  changed_at integer NOT NULL
);
CREATE INDEX threat_actor_changes_of ON threat_actor_changes (actor, id);

CREATE TABLE threat_apis (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  path text NOT NULL,
  method text NOT NULL,
  host text NOT NULL,
  digest text NOT NULL UNIQUE GENERATED ALWAYS AS (md5(method || chr(31) || host || chr(31) || path)) STORED,
  first_seen integer NOT NULL DEFAULT 0,
  last_seen integer NOT NULL DEFAULT 0,
  events integer NOT NULL DEFAULT 0,
  actors integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX threat_apis_by_first ON threat_apis (first_seen, path, method);
CREATE INDEX threat_apis_by_last ON threat_apis (last_seen) INCLUDE (first_seen);

CREATE TABLE threat_events (
  id uuid PRIMARY KEY,
  ref_id uuid NOT NULL,
  detected_at integer NOT NULL,
  facet_id integer NOT NULL REFERENCES threat_facets (id),
  actor_id integer NOT NULL REFERENCES threat_actors (id),
  api_id integer NOT NULL REFERENCES threat_apis (id),
  -- '' when it is the actor itself.
  ip text NOT NULL,
  country text NOT NULL,
  dest_country text NOT NULL,
  url text NOT NULL,
  ticket_url text NOT NULL DEFAULT '',
  stored_at integer NOT NULL
);
CREATE INDEX threat_events_in_order ON threat_events (detected_at, id) INCLUDE (facet_id, actor_id, api_id);
CREATE INDEX threat_events_by_facet ON threat_events (facet_id, detected_at, id) INCLUDE (actor_id, api_id);
CREATE INDEX threat_events_by_actor ON threat_events (actor_id, detected_at, id) INCLUDE (facet_id);
CREATE INDEX threat_events_by_url ON threat_events (url, detected_at);
CREATE INDEX threat_events_by_ip ON threat_events (ip, detected_at) WHERE ip <> '';
CREATE INDEX threat_events_by_ref ON threat_events (ref_id);

-- Whole messages. Those under a ref_id without an event wait for the rule of counts that may fire.
CREATE TABLE threat_messages (
  id uuid PRIMARY KEY,
  ref_id uuid NOT NULL,
  at integer NOT NULL,
  -- Sample message as JSON.
  message text NOT NULL,
  -- What matched, and where.
  evidence jsonb NOT NULL,
  -- An aggregated event may have messages of several collections.
  collection_id integer
);
CREATE INDEX threat_messages_by_ref ON threat_messages (ref_id, at);
CREATE INDEX threat_messages_by_age ON threat_messages (at);

CREATE TABLE threat_daily_counts (
  day integer NOT NULL,
  facet_id integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (day, facet_id) INCLUDE (events)
) WITH (fillfactor = 80);

CREATE TABLE threat_daily_kinds (
  day integer NOT NULL,
  kind_id integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (day, kind_id) INCLUDE (events)
) WITH (fillfactor = 80);

CREATE TABLE threat_hourly_kinds (
  hour integer NOT NULL,
  kind_id integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (hour, kind_id) INCLUDE (events)
) WITH (fillfactor = 80);

-- What an actor did, where: for filters of lists and for people who see some collections only.
CREATE TABLE threat_actor_traces (
  actor_id integer NOT NULL,
  collection_id integer NOT NULL,
  filter_id text NOT NULL,
  first_seen integer NOT NULL,
  last_seen integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (actor_id, collection_id, filter_id)
) WITH (fillfactor = 80);
CREATE INDEX threat_actor_traces_by_filter ON threat_actor_traces (filter_id, last_seen) INCLUDE (actor_id, first_seen);

CREATE TABLE threat_actor_countries (
  actor_id integer NOT NULL,
  country text NOT NULL,
  first_seen integer NOT NULL,
  last_seen integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (actor_id, country)
) WITH (fillfactor = 80);

CREATE TABLE threat_actor_days (
  day integer NOT NULL,
  actor_id integer NOT NULL,
  country text NOT NULL,
  events integer NOT NULL,
  severe_events integer NOT NULL,
  PRIMARY KEY (day, actor_id, country)
) WITH (fillfactor = 80);

-- Distinct actors of whole days.
CREATE TABLE threat_day_totals (
  day integer PRIMARY KEY,
  actors integer NOT NULL,
  severe_actors integer NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE threat_api_actors (
  api_id integer NOT NULL,
  actor_id integer NOT NULL,
  first_seen integer NOT NULL,
  last_seen integer NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (api_id, actor_id)
) WITH (fillfactor = 80);

CREATE TABLE threat_api_days (
  day integer NOT NULL,
  api_id integer NOT NULL,
  events integer NOT NULL,
  -- Actors whose latest event at it was on that day: their sum from a day on is the number of distinct actors since.
  last_actors integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, api_id) INCLUDE (events, last_actors)
) WITH (fillfactor = 80);
`
