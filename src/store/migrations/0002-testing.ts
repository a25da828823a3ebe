/**
 * Tables of the test engine: tests, runs, executions, results with their evidence, issues with their history, roles
 * and credentials, suites, reports, coverage, the audit of outgoing requests, alert channels.
 * Never edited after release; a change is a new migration.
 */
export const testing = `
CREATE TABLE test_templates (
  id text PRIMARY KEY,
  source text NOT NULL CHECK (source IN ('LIBRARY', 'CUSTOM', 'GIT')),
  -- Path of the file within its library; null for those written in the dashboard.
  file text,
  content text NOT NULL,
  content_hash text NOT NULL,
  name text NOT NULL,
  description text,
  details text,
  impact text,
  category text NOT NULL,
  category_display text NOT NULL,
  category_short text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  tags text[] NOT NULL DEFAULT '{}',
  links text[] NOT NULL DEFAULT '{}',
  cwe text[] NOT NULL DEFAULT '{}',
  cve text[] NOT NULL DEFAULT '{}',
  -- Standard to its clauses.
  compliance jsonb,
  remediation text,
  attributes jsonb,
  author text,
  -- What the file says; a person's choice stands in is_switched_off and wins.
  is_inactive boolean NOT NULL DEFAULT false,
  is_switched_off boolean,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX test_templates_by_category ON test_templates (category, id);

CREATE TABLE test_suites (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  test_ids text[] NOT NULL,
  created_by text NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);

CREATE TABLE auth_mechanisms (
  id text PRIMARY KEY,
  uuid text NOT NULL,
  type text NOT NULL,
  -- JSON texts encrypted with the instance key: parameters, steps of a login, a recorded flow, a fetched token.
  sealed_parameters text NOT NULL,
  sealed_steps text,
  sealed_flow text,
  sealed_token text,
  token_expires_at integer NOT NULL DEFAULT 0,
  collection_ids integer[],
  updated_by text NOT NULL,
  updated_at integer NOT NULL
);

CREATE TABLE test_roles (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  group_id text NOT NULL,
  is_system boolean NOT NULL DEFAULT false,
  and_conditions jsonb,
  or_conditions jsonb,
  scope_roles text[],
  created_by text NOT NULL,
  created_at integer NOT NULL,
  updated_by text,
  updated_at integer NOT NULL
);

CREATE TABLE role_credentials (
  role_id text NOT NULL REFERENCES test_roles (id) ON DELETE CASCADE,
  position integer NOT NULL,
  mechanism_id text NOT NULL REFERENCES auth_mechanisms (id) ON DELETE CASCADE,
  header_pairs jsonb NOT NULL DEFAULT '{}',
  url_regex text,
  PRIMARY KEY (role_id, position)
);

-- Which test role could call which endpoint, as tests of access found it.
CREATE TABLE access_matrix (
  collection_id integer NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  method text NOT NULL,
  url text NOT NULL,
  role_name text NOT NULL,
  updated_at integer NOT NULL,
  PRIMARY KEY (collection_id, method, url, role_name)
);

CREATE TABLE run_configurations (
  id integer PRIMARY KEY,
  test_ids text[] NOT NULL,
  suite_ids text[] NOT NULL DEFAULT '{}',
  role_id text,
  override_url text,
  cleans_up boolean NOT NULL DEFAULT false,
  request_changes jsonb,
  ticketing jsonb
);

CREATE TABLE test_runs (
  id text PRIMARY KEY,
  name text NOT NULL DEFAULT '',
  state text NOT NULL CHECK (state IN ('SCHEDULED', 'RUNNING', 'COMPLETED', 'STOPPED', 'FAILED')),
  user_login text NOT NULL,
  triggered_by text,
  source text NOT NULL,
  scheduled_at integer NOT NULL,
  picked_up_at integer NOT NULL DEFAULT -1,
  ended_at integer NOT NULL DEFAULT -1,
  -- 0 once, above 0 recurring, -1 continuous.
  period_seconds integer NOT NULL DEFAULT 0,
  run_seconds integer NOT NULL DEFAULT -1,
  max_concurrent integer NOT NULL DEFAULT -1,
  config_id integer NOT NULL REFERENCES run_configurations (id),
  target_type text NOT NULL CHECK (target_type IN ('CUSTOM', 'COLLECTION_WISE', 'MULTI_COLLECTION', 'WORKFLOW')),
  target_endpoints jsonb,
  -- Collections and groups aimed at; of CUSTOM, those that own the endpoints.
  collection_ids integer[] NOT NULL,
  -- A CI job gave facts with one of its executions.
  is_ci boolean NOT NULL DEFAULT false,
  slack_channel_id integer NOT NULL DEFAULT 0,
  sends_slack boolean NOT NULL DEFAULT false,
  sends_teams boolean NOT NULL DEFAULT false,
  keeps_issues_open boolean NOT NULL DEFAULT false,
  allowed_executors text[],
  executor text,
  -- Endpoints seen until then were covered by an earlier pass of a continuous run.
  covered_until integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX test_runs_by_schedule ON test_runs (scheduled_at, id);
CREATE INDEX test_runs_by_end ON test_runs (ended_at, id);
CREATE INDEX test_runs_by_pick_up ON test_runs (picked_up_at, id);
CREATE INDEX test_runs_by_name ON test_runs (name, id);
CREATE INDEX test_runs_by_state ON test_runs (state, scheduled_at, id);
CREATE INDEX test_runs_ci ON test_runs (id) WHERE is_ci;
CREATE INDEX test_runs_by_config ON test_runs (config_id);

CREATE TABLE run_summaries (
  id text PRIMARY KEY,
  run_id text NOT NULL REFERENCES test_runs (id) ON DELETE CASCADE,
  -- The execution whose marked results this one repeats.
  original_id text,
  state text NOT NULL CHECK (state IN ('SCHEDULED', 'RUNNING', 'COMPLETED', 'STOPPED', 'FAILED')),
  config_id integer NOT NULL,
  -- Laid over the configuration for this execution only.
  config_override jsonb,
  results_count integer NOT NULL DEFAULT 0,
  endpoints_count integer NOT NULL DEFAULT 0,
  tests_count integer NOT NULL DEFAULT 0,
  critical_count integer NOT NULL DEFAULT 0,
  high_count integer NOT NULL DEFAULT 0,
  medium_count integer NOT NULL DEFAULT 0,
  low_count integer NOT NULL DEFAULT 0,
  started_at integer NOT NULL,
  ended_at integer NOT NULL DEFAULT 0,
  metadata jsonb,
  -- The process that executes it and its last sign of life.
  worker text,
  seen_at integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX run_summaries_by_run ON run_summaries (run_id, started_at DESC, id DESC);
CREATE INDEX run_summaries_active ON run_summaries (state, started_at) WHERE state IN ('SCHEDULED', 'RUNNING');

CREATE TABLE issues (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  -- SHA-256 of test, source and endpoint: the same weakness of the same endpoint over all runs.
  fingerprint text NOT NULL UNIQUE,
  test_id text NOT NULL,
  category text NOT NULL,
  source text NOT NULL CHECK (source IN ('AUTOMATED_TESTING', 'RUNTIME', 'TEST_EDITOR')),
  collection_id integer NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  endpoint_id bigint REFERENCES endpoints (id) ON DELETE CASCADE,
  method text NOT NULL,
  url text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  severity_rank smallint NOT NULL GENERATED ALWAYS AS (
    CASE severity WHEN 'CRITICAL' THEN 4 WHEN 'HIGH' THEN 3 WHEN 'MEDIUM' THEN 2 ELSE 1 END) STORED,
  -- A person chose the severity: runs leave it alone.
  is_severity_chosen boolean NOT NULL DEFAULT false,
  status text NOT NULL CHECK (status IN ('OPEN', 'IGNORED', 'FIXED')),
  ignore_reason text,
  description text,
  assignee text,
  is_unread boolean NOT NULL DEFAULT true,
  created_at integer NOT NULL,
  last_seen integer NOT NULL,
  last_tested integer NOT NULL,
  last_updated integer NOT NULL,
  last_updated_by text,
  reopened_at integer NOT NULL DEFAULT 0,
  latest_summary_id text,
  -- Newest vulnerable result.
  result_id text,
  ticket_source text,
  ticket_project_key text,
  ticket_id text,
  ticket_url text,
  ticket_updated_at integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX issues_by_severity ON issues (severity_rank, created_at, id);
CREATE INDEX issues_by_creation ON issues (created_at, id);
CREATE INDEX issues_by_last_seen ON issues (last_seen, id);
CREATE INDEX issues_by_collection ON issues (collection_id, status, severity_rank);
CREATE INDEX issues_by_test ON issues (test_id, status, created_at DESC);
CREATE INDEX issues_by_endpoint ON issues (endpoint_id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX issues_by_summary ON issues (latest_summary_id);

-- What changed about an issue and who did it; findings themselves stand in run_results.
CREATE TABLE issue_history (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('CREATED', 'STATUS', 'SEVERITY', 'ASSIGNEE', 'DESCRIPTION', 'TICKET')),
  from_value text,
  to_value text,
  -- Login of a person; null: a run did it.
  actor text,
  note text,
  summary_id text,
  result_id text,
  at integer NOT NULL
);
CREATE INDEX issue_history_by_issue ON issue_history (issue_id, id);

-- One row per test and endpoint of an execution; the unique key makes a repeated report of a pair harmless.
CREATE TABLE run_results (
  id text PRIMARY KEY,
  run_id text NOT NULL,
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  test_id text NOT NULL,
  collection_id integer NOT NULL,
  method text NOT NULL,
  url text NOT NULL,
  category text NOT NULL,
  -- VULNERABLE, UNCONFIRMED, SECURE or what kept the test from a verdict.
  outcome text NOT NULL,
  -- The list it stands in.
  selection text NOT NULL CHECK (selection IN ('VULNERABLE', 'SECURED', 'SKIPPED_EXEC',
    'SKIPPED_EXEC_API_REQUEST_FAILED', 'SKIPPED_EXEC_NEED_CONFIG')),
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  severity_rank smallint NOT NULL GENERATED ALWAYS AS (
    CASE severity WHEN 'CRITICAL' THEN 4 WHEN 'HIGH' THEN 3 WHEN 'MEDIUM' THEN 2 WHEN 'LOW' THEN 1 ELSE 0 END) STORED,
  explanation text NOT NULL DEFAULT '',
  errors text[] NOT NULL DEFAULT '{}',
  -- The last attempt, cut down for lists, and figures of its answer.
  message text,
  status_code integer,
  percentage_match real NOT NULL DEFAULT 0,
  is_block_page boolean NOT NULL DEFAULT false,
  attempts_count integer NOT NULL DEFAULT 0,
  -- Chosen to be run again.
  is_rerun boolean NOT NULL DEFAULT false,
  is_ignored boolean NOT NULL DEFAULT false,
  issue_id bigint REFERENCES issues (id) ON DELETE SET NULL,
  started_at integer NOT NULL,
  ended_at integer NOT NULL,
  UNIQUE (summary_id, test_id, collection_id, method, url)
) WITH (fillfactor = 90);
CREATE INDEX run_results_by_severity ON run_results (summary_id, selection, severity_rank, id);
CREATE INDEX run_results_by_time ON run_results (summary_id, selection, ended_at, id);
CREATE INDEX run_results_by_issue ON run_results (issue_id, id) WHERE issue_id IS NOT NULL;
CREATE INDEX run_results_to_repeat ON run_results (summary_id) WHERE is_rerun;

-- Everything that proves a result, as JSON text with secrets masked.
CREATE TABLE result_evidence (
  result_id text PRIMARY KEY REFERENCES run_results (id) ON DELETE CASCADE,
  evidence text NOT NULL,
  -- Attempts were left out so that it stays within its limit.
  is_truncated boolean NOT NULL DEFAULT false
);

CREATE TABLE coverage_history (
  collection_id integer NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  -- Start of the day in UTC, epoch seconds.
  day integer NOT NULL,
  endpoints_count integer NOT NULL,
  tested_count integer NOT NULL,
  risk_score double precision NOT NULL,
  PRIMARY KEY (collection_id, day)
);
CREATE INDEX coverage_history_by_day ON coverage_history (day);

CREATE TABLE report_definitions (
  id text PRIMARY KEY,
  user_login text NOT NULL,
  filters jsonb NOT NULL,
  issue_ids jsonb,
  status text NOT NULL CHECK (status IN ('IN_PROGRESS', 'COMPLETED', 'ERROR')),
  pdf bytea,
  error text,
  created_at integer NOT NULL,
  expires_at integer NOT NULL
);
CREATE INDEX report_definitions_by_expiry ON report_definitions (expires_at);

-- Every request that the product sent to somebody else's server on its own account.
CREATE TABLE outgoing_requests (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  sent_at integer NOT NULL,
  purpose text NOT NULL,
  run_id text,
  summary_id text,
  test_id text,
  user_login text,
  method text NOT NULL,
  host text NOT NULL,
  url text NOT NULL,
  -- Null when no answer came; then failure says why.
  status_code integer,
  failure text,
  duration_ms integer NOT NULL DEFAULT 0
);
CREATE INDEX outgoing_requests_by_time ON outgoing_requests (sent_at);
CREATE INDEX outgoing_requests_by_summary ON outgoing_requests (summary_id, id) WHERE summary_id IS NOT NULL;

ALTER TABLE chat_webhooks RENAME TO alert_channels;
ALTER TABLE alert_channels
  ADD COLUMN kind text NOT NULL DEFAULT 'SLACK' CHECK (kind IN ('SLACK', 'TEAMS', 'WEBHOOK')),
  -- JSON text of extra headers, encrypted with the instance key.
  ADD COLUMN sealed_headers text,
  -- To tell the same URL twice without opening every one.
  ADD COLUMN url_hash text NOT NULL DEFAULT '';
CREATE INDEX alert_channels_by_kind ON alert_channels (kind, id);

-- Programs that work for this installation from elsewhere and say that they live.
CREATE TABLE modules (
  id text PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  version text,
  started_at integer NOT NULL,
  seen_at integer NOT NULL,
  details jsonb
);
CREATE INDEX modules_by_kind ON modules (kind, seen_at);
`
