/** Tests, roles and credentials, runs, executions and their shards, results with evidence, writes to undo, callbacks, the audit of outgoing requests. */
export const testing = `
CREATE TABLE test_templates (
  id text PRIMARY KEY,
  source text NOT NULL CHECK (source IN ('LIBRARY', 'CUSTOM', 'GIT')),
  -- Path of the file within its library; null for those written in the dashboard.
  file text,
  -- YAML.
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
  -- What the file says; a person's choice is in is_switched_off and wins.
  is_inactive boolean NOT NULL DEFAULT false,
  -- What a person chose; wins unless null.
  is_switched_off boolean,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX test_templates_by_category ON test_templates (category, id);

-- Tests change; a result names the text it was found with by its SHA-256.
CREATE TABLE template_sources (
  -- SHA-256 of the text in hex.
  digest text PRIMARY KEY,
  source text NOT NULL,
  stored_at integer NOT NULL
);

CREATE TABLE test_suites (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  test_ids text[] NOT NULL,
  created_by text NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);

-- How tests authenticate; everything secret is JSON text sealed for the purpose auth-mechanism:<id>.
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
  updated_at integer NOT NULL,
  -- People who were granted one of these collections may use the role.
  shared_with integer[] NOT NULL DEFAULT '{}'
);

CREATE TABLE role_credentials (
  role_id text NOT NULL REFERENCES test_roles (id) ON DELETE CASCADE,
  -- 0 first.
  position integer NOT NULL,
  mechanism_id text NOT NULL REFERENCES auth_mechanisms (id) ON DELETE CASCADE,
  -- Request headers that must match; {} for the default entry.
  header_pairs jsonb NOT NULL DEFAULT '{}',
  url_regex text,
  PRIMARY KEY (role_id, position)
);

CREATE TABLE recorded_flows (
  id text PRIMARY KEY,
  owner_id integer NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  role_name text NOT NULL,
  executor text,
  state text NOT NULL CHECK (state IN ('SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED')),
  -- JSON of recording and command, and the result, both sealed for the purpose 'recorded-flow:<id>'.
  sealed_input text NOT NULL,
  sealed_result text,
  problem text,
  created_at integer NOT NULL,
  seen_at integer NOT NULL DEFAULT 0,
  ended_at integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80);

-- Pictures of the last login of each person and role.
CREATE TABLE login_pictures (
  role_name text NOT NULL,
  position integer NOT NULL,
  flow_id text NOT NULL,
  picture bytea NOT NULL,
  taken_at integer NOT NULL,
  owner_id integer NOT NULL DEFAULT 0,
  PRIMARY KEY (role_name, owner_id, position)
);

CREATE TABLE code_steps (
  -- Digest of the secret that codes are made of.
  digest bytea PRIMARY KEY,
  -- The last time step (RFC 6238 section 4.2) whose code was given to somebody.
  step bigint NOT NULL,
  taken_at integer NOT NULL
);

-- Which test role could call which endpoint, as tests of access found it.
CREATE TABLE access_matrix (
  collection_id integer NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  method text NOT NULL,
  url text NOT NULL,
  role_name text NOT NULL,
  updated_at integer NOT NULL,
  -- False: the role was refused.
  is_reached boolean NOT NULL DEFAULT true,
  PRIMARY KEY (collection_id, method, url, role_name)
);

CREATE TABLE run_configurations (
  id integer PRIMARY KEY,
  test_ids text[] NOT NULL,
  suite_ids text[] NOT NULL DEFAULT '{}',
  -- Identifier or name of the role under test.
  role_id text,
  override_url text,
  -- What its tests may write.
  write_level text NOT NULL CHECK (write_level IN ('READ_ONLY', 'REVERSIBLE', 'ALL')),
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
  -- -1 before the first execution.
  picked_up_at integer NOT NULL DEFAULT -1,
  -- -1 before the first end.
  ended_at integer NOT NULL DEFAULT -1,
  -- 0 once, above 0 recurring, -1 continuous.
  period_seconds integer NOT NULL DEFAULT 0,
  -- Time budget; 0 or less for the default.
  run_seconds integer NOT NULL DEFAULT -1,
  -- Parallel requests; 0 or less for the default.
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
  -- When it began or is to begin.
  started_at integer NOT NULL,
  -- 0 before its end.
  ended_at integer NOT NULL DEFAULT 0,
  -- Facts of a CI job, or why it failed under error.
  metadata jsonb,
  -- The process that executes it and its last heartbeat.
  worker text,
  seen_at integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL,
  -- When its checks were cut into shards; 0 before.
  shards_at integer NOT NULL DEFAULT 0,
  -- When the checks that are not run had their results; 0 before.
  left_out_at integer NOT NULL DEFAULT 0,
  -- Shards of this stage and those before are planned.
  stage smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX run_summaries_by_run ON run_summaries (run_id, started_at DESC, id DESC);
CREATE INDEX run_summaries_active ON run_summaries (state, started_at) WHERE state IN ('SCHEDULED', 'RUNNING');

-- The process that takes over an earlier execution plans it again.
CREATE TABLE run_shards (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  number integer NOT NULL,
  stage smallint NOT NULL,
  -- JSON: endpoints with the ids of the tests to run there.
  pairs text NOT NULL,
  -- The process that has it, and its last heartbeat.
  worker text,
  seen_at integer NOT NULL DEFAULT 0,
  done_at integer NOT NULL DEFAULT 0,
  PRIMARY KEY (summary_id, number)
);

CREATE TABLE run_problems (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  sentence text NOT NULL,
  at integer NOT NULL,
  PRIMARY KEY (summary_id, sentence)
);

CREATE TABLE generated_samples (
  summary_id text NOT NULL REFERENCES run_summaries (id) ON DELETE CASCADE,
  collection_id integer NOT NULL,
  method text NOT NULL,
  url text NOT NULL,
  -- The exchange as a sample message; null when no request could be made or nothing answered.
  message text,
  -- Why no request could be made: the reason that its tests are not run; null where there is a message.
  lack jsonb,
  PRIMARY KEY (summary_id, collection_id, method, url)
);

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
  -- The list it is in.
  selection text NOT NULL CHECK (selection IN ('VULNERABLE', 'SECURED', 'SKIPPED_EXEC',
    'SKIPPED_EXEC_API_REQUEST_FAILED', 'SKIPPED_EXEC_NEED_CONFIG')),
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  severity_rank smallint NOT NULL GENERATED ALWAYS AS (
    CASE severity WHEN 'CRITICAL' THEN 4 WHEN 'HIGH' THEN 3 WHEN 'MEDIUM' THEN 2 WHEN 'LOW' THEN 1 ELSE 0 END) STORED,
  explanation text NOT NULL DEFAULT '',
  -- Sentences about what kept the test from a verdict.
  errors text[] NOT NULL DEFAULT '{}',
  -- The last attempt, cut down for lists, and figures of its answer.
  message text,
  -- Status of its answer; null without one.
  status_code integer,
  percentage_match real NOT NULL DEFAULT 0,
  is_block_page boolean NOT NULL DEFAULT false,
  attempts_count integer NOT NULL DEFAULT 0,
  -- Chosen to be run again.
  is_rerun boolean NOT NULL DEFAULT false,
  issue_id bigint REFERENCES issues (id) ON DELETE SET NULL,
  started_at integer NOT NULL,
  ended_at integer NOT NULL,
  -- Cause of a finding: executions count their causes, whatever becomes of the issues.
  cause_key text,
  -- The original request was made from a document.
  is_generated boolean NOT NULL DEFAULT false,
  -- Status that the original request was recorded with: what a finding rests on.
  baseline_status integer,
  UNIQUE (summary_id, test_id, collection_id, method, url)
) WITH (fillfactor = 90);
CREATE INDEX run_results_by_severity ON run_results (summary_id, selection, severity_rank, id);
CREATE INDEX run_results_by_time ON run_results (summary_id, selection, ended_at, id);
CREATE INDEX run_results_by_issue ON run_results (issue_id, id) WHERE issue_id IS NOT NULL;
CREATE INDEX run_results_to_repeat ON run_results (summary_id) WHERE is_rerun;

-- Everything that proves a result, as JSON text with secrets masked.
CREATE TABLE result_evidence (
  result_id text PRIMARY KEY REFERENCES run_results (id) ON DELETE CASCADE,
  -- JSON text.
  evidence text NOT NULL,
  -- Attempts were left out so that it stays within its limit.
  is_truncated boolean NOT NULL DEFAULT false,
  -- Masks and their secrets, sealed; null when nothing was masked or nobody may ever see it.
  sealed_secrets text
);

-- Rows outlive their execution: what is to be undone does not end with it.
CREATE TABLE run_writes (
  id text PRIMARY KEY,
  run_id text NOT NULL,
  summary_id text NOT NULL,
  user_login text NOT NULL,
  -- Requests with credentials, and the old state.
  sealed_write text NOT NULL,
  created_at integer NOT NULL,
  -- From then on any process may undo it, in epoch seconds: the one that wrote it is dead, or has failed.
  due_at integer NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- Why the last try failed; null before the first.
  problem text
);
CREATE INDEX run_writes_by_execution ON run_writes (summary_id);
CREATE INDEX run_writes_by_due ON run_writes (due_at);

-- Ids given out to be called back with.
CREATE TABLE callback_ids (
  id text PRIMARY KEY,
  -- Where who calls is sent on to.
  redirect_url text,
  expires_at integer NOT NULL,
  hits_count integer NOT NULL DEFAULT 0
);
CREATE INDEX callback_ids_by_expiry ON callback_ids (expires_at);

-- The first requests with an id.
CREATE TABLE callback_hits (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  callback_id text NOT NULL REFERENCES callback_ids (id) ON DELETE CASCADE,
  hit_at integer NOT NULL,
  address text NOT NULL,
  -- '' for what is not HTTP.
  method text NOT NULL,
  target text NOT NULL,
  headers text[] NOT NULL
);
CREATE INDEX callback_hits_by_id ON callback_hits (callback_id);

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
`
