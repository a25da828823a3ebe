import type { ColumnType, Generated } from 'kysely'
import type { AlertSchema } from './alert-schema.ts'

/** jsonb column: read as parsed value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>
/** jsonb column that may be null. */
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
type WithDefault<T> = ColumnType<T, T | undefined, T>
/** Column that the store computes. */
type Computed<T> = ColumnType<T, never, never>

/** Where a test came from. */
export type TestOrigin = 'LIBRARY' | 'CUSTOM' | 'GIT'
/** Severity of a test and of a result; INFO makes no issue. */
export type ResultSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'
/** Severity of an issue. */
export type IssueSeverity = Exclude<ResultSeverity, 'INFO'>
/** State of a test run and of each of its executions. */
export type RunState = 'SCHEDULED' | 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'FAILED'
/** What a run aims at. */
export type RunTarget = 'CUSTOM' | 'COLLECTION_WISE' | 'MULTI_COLLECTION' | 'WORKFLOW'
/** Status of an issue. */
export type IssueStatus = 'OPEN' | 'IGNORED' | 'FIXED'
/** The list that a result stands in. */
export type ResultSelection =
  | 'VULNERABLE'
  | 'SECURED'
  | 'SKIPPED_EXEC'
  | 'SKIPPED_EXEC_API_REQUEST_FAILED'
  | 'SKIPPED_EXEC_NEED_CONFIG'

/** What running a test means. */
export interface TestAttributes {
  plan: string
  nature: string
  duration: string
}

export interface TestTemplatesTable {
  id: string
  source: TestOrigin
  /** Path of the file within its library; null for those written in the dashboard. */
  file: string | null
  /** YAML. */
  content: string
  content_hash: string
  name: string
  description: string | null
  details: string | null
  impact: string | null
  category: string
  category_display: string
  category_short: string
  severity: ResultSeverity
  tags: string[]
  links: string[]
  cwe: string[]
  cve: string[]
  /** Standard to its clauses. */
  compliance: JsonOrNull<Record<string, string[]>>
  remediation: string | null
  attributes: JsonOrNull<TestAttributes>
  author: string | null
  /** What the file says. */
  is_inactive: boolean
  /** What a person chose; wins unless null. */
  is_switched_off: WithDefault<boolean | null>
  created_at: number
  updated_at: number
}

export interface TestSuitesTable {
  id: string
  name: string
  test_ids: string[]
  created_by: string
  created_at: number
  updated_at: number
}

/** How tests authenticate; everything secret is JSON text sealed for the purpose `auth-mechanism:<id>`. */
export interface AuthMechanismsTable {
  id: string
  uuid: string
  type: string
  sealed_parameters: string
  sealed_steps: WithDefault<string | null>
  sealed_flow: WithDefault<string | null>
  sealed_token: WithDefault<string | null>
  token_expires_at: WithDefault<number>
  collection_ids: WithDefault<number[] | null>
  updated_by: string
  updated_at: number
}

/** One condition of a test role on an endpoint. */
export interface RolePredicateRow {
  type: string
  value: string | { method: string; apiCollectionId: number; url: string }[]
}

/** Conditions of a test role, joined. */
export interface RoleConditionsRow {
  operator: 'AND' | 'OR'
  predicates: RolePredicateRow[]
}

export interface TestRolesTable {
  id: string
  name: string
  group_id: string
  is_system: WithDefault<boolean>
  and_conditions: JsonOrNull<RoleConditionsRow>
  or_conditions: JsonOrNull<RoleConditionsRow>
  scope_roles: string[] | null
  shared_with: WithDefault<number[]>
  created_by: string
  created_at: number
  updated_by: string | null
  updated_at: number
}

export interface RoleCredentialsTable {
  role_id: string
  /** 0 first. */
  position: number
  mechanism_id: string
  /** Request headers that must match; {} for the default entry. */
  header_pairs: Json<Record<string, string>>
  url_regex: string | null
}

export interface AccessMatrixTable {
  collection_id: number
  method: string
  url: string
  role_name: string
  updated_at: number
  /** False: the role was refused. */
  is_reached: WithDefault<boolean>
}

/** Ids given out to be called back with. */
export interface CallbackIdsTable {
  id: string
  /** Where who calls is sent on to. */
  redirect_url: string | null
  expires_at: number
  hits_count: WithDefault<number>
}

/** The first requests with an id. */
export interface CallbackHitsTable {
  number: Generated<number>
  callback_id: string
  hit_at: number
  address: string
  /** '' for what is not HTTP. */
  method: string
  target: string
  headers: string[]
}

/** A change to every request of a run. */
export interface RequestChangeRow {
  operatorType: string
  operationsGroupList: {
    key: string
    value?: string | null
    urlsList?: string[] | null
    position?: string | null
  }[]
}

/** Tickets to make from the findings of a run. */
export interface TicketingRow {
  shouldCreateTickets?: boolean | null
  projectId?: string | null
  severities?: string[] | null
  issueType?: string | null
}

export interface RunConfigurationsTable {
  id: number
  test_ids: string[]
  suite_ids: WithDefault<string[]>
  /** Identifier or name of the role under test. */
  role_id: string | null
  override_url: string | null
  cleans_up: WithDefault<boolean>
  write_level: 'READ_ONLY' | 'REVERSIBLE' | 'ALL'
  request_changes: JsonOrNull<RequestChangeRow[]>
  ticketing: JsonOrNull<TicketingRow>
}

/** An endpoint as the interface names it. */
export interface EndpointKeyRow {
  method: string
  apiCollectionId: number
  url: string
}

export interface TestRunsTable {
  id: string
  name: WithDefault<string>
  state: RunState
  user_login: string
  triggered_by: string | null
  source: string
  scheduled_at: number
  /** -1 before the first execution. */
  picked_up_at: WithDefault<number>
  /** -1 before the first end. */
  ended_at: WithDefault<number>
  /** 0 once, above 0 recurring, -1 continuous. */
  period_seconds: WithDefault<number>
  /** Time budget; 0 or less for the default. */
  run_seconds: WithDefault<number>
  /** Parallel requests; 0 or less for the default. */
  max_concurrent: WithDefault<number>
  config_id: number
  target_type: RunTarget
  target_endpoints: JsonOrNull<EndpointKeyRow[]>
  collection_ids: number[]
  is_ci: WithDefault<boolean>
  slack_channel_id: WithDefault<number>
  sends_slack: WithDefault<boolean>
  sends_teams: WithDefault<boolean>
  keeps_issues_open: WithDefault<boolean>
  allowed_executors: string[] | null
  executor: WithDefault<string | null>
  covered_until: WithDefault<number>
  created_at: number
}

/** What an execution lays over the configuration of its run. */
export interface ConfigOverride {
  overrideUrl?: string
  testIds?: string[]
  /** Only these pairs of test and endpoint. */
  pairs?: { testId: string; collectionId: number; method: string; url: string }[]
}

export interface RunSummariesTable {
  id: string
  run_id: string
  original_id: WithDefault<string | null>
  state: RunState
  config_id: number
  config_override: JsonOrNull<ConfigOverride>
  results_count: WithDefault<number>
  endpoints_count: WithDefault<number>
  tests_count: WithDefault<number>
  critical_count: WithDefault<number>
  high_count: WithDefault<number>
  medium_count: WithDefault<number>
  low_count: WithDefault<number>
  /** When it began or is to begin. */
  started_at: number
  /** 0 before its end. */
  ended_at: WithDefault<number>
  /** Facts of a CI job, or why it failed under `error`. */
  metadata: JsonOrNull<Record<string, string>>
  worker: WithDefault<string | null>
  seen_at: WithDefault<number>
  created_at: number
  /** When its pairs were cut into shards; 0 before. */
  shards_at: WithDefault<number>
  /** When the pairs that are not run had their results; 0 before. */
  left_out_at: WithDefault<number>
  wave: WithDefault<number>
}

export interface RunResultsTable {
  id: string
  run_id: string
  summary_id: string
  test_id: string
  collection_id: number
  method: string
  url: string
  category: string
  outcome: string
  selection: ResultSelection
  severity: ResultSeverity
  severity_rank: Computed<number>
  explanation: WithDefault<string>
  /** Sentences about what kept the test from a verdict. */
  errors: WithDefault<string[]>
  /** The last attempt as JSON text, cut down for lists. */
  message: string | null
  /** Status of its answer; null without one. */
  status_code: number | null
  percentage_match: WithDefault<number>
  is_block_page: WithDefault<boolean>
  attempts_count: WithDefault<number>
  is_rerun: WithDefault<boolean>
  /** Status that the original request was recorded with; null without a sample. */
  baseline_status: number | null
  issue_id: WithDefault<number | null>
  started_at: number
  ended_at: number
  cause_key: string | null
  /** The request was made from a document. */
  is_generated: WithDefault<boolean>
}

/** Parts of executions that any process takes. */
export interface RunShardsTable {
  summary_id: string
  number: number
  wave: number
  /** JSON: endpoints with the ids of the tests to run there. */
  pairs: string
  worker: WithDefault<string | null>
  seen_at: WithDefault<number>
  done_at: WithDefault<number>
}

/** Templates as results were found with them; tests may have changed since. */
export interface TemplateSourcesTable {
  /** SHA-256 of the text in hex. */
  digest: string
  source: string
  stored_at: number
}

export interface ResultEvidenceTable {
  result_id: string
  /** JSON text. */
  evidence: string
  is_truncated: WithDefault<boolean>
  /** JSON list of masks and their secrets, sealed for the purpose `evidence:<result_id>`. */
  sealed_secrets: WithDefault<string | null>
}

export interface GeneratedSamplesTable {
  summary_id: string
  collection_id: number
  method: string
  url: string
  message: string | null
}

export interface IssuesTable {
  id: Generated<number>
  fingerprint: string
  test_id: string
  category: string
  source: 'AUTOMATED_TESTING' | 'RUNTIME' | 'TEST_EDITOR'
  collection_id: number
  endpoint_id: number | null
  method: string
  url: string
  severity: IssueSeverity
  severity_rank: Computed<number>
  is_severity_chosen: WithDefault<boolean>
  status: IssueStatus
  ignore_reason: WithDefault<string | null>
  description: WithDefault<string | null>
  assignee: WithDefault<string | null>
  is_unread: WithDefault<boolean>
  created_at: number
  last_seen: number
  last_tested: number
  last_updated: number
  last_updated_by: WithDefault<string | null>
  reopened_at: WithDefault<number>
  latest_summary_id: string | null
  result_id: string | null
  ticket_source: WithDefault<string | null>
  ticket_project_key: WithDefault<string | null>
  ticket_id: WithDefault<string | null>
  ticket_url: WithDefault<string | null>
  ticket_updated_at: WithDefault<number>
  /** Where the mistake sits. */
  cause_scope: WithDefault<'host' | 'collection' | 'endpoint' | 'parameter'>
  cause_family: WithDefault<string>
  cause_place: WithDefault<string>
  /** The same for all places of one issue. */
  cause_key: Computed<string>
  /** Why the last test of an open issue proved nothing; null when it had a verdict. */
  unverified_reason: WithDefault<string | null>
}

/** What a row of {@link IssueHistoryTable} tells. */
export type IssueEventKind =
  | 'CREATED'
  | 'STATUS'
  | 'SEVERITY'
  | 'ASSIGNEE'
  | 'DESCRIPTION'
  | 'TICKET'
  | 'NOT_VERIFIED'

export interface IssueHistoryTable {
  id: Generated<number>
  issue_id: number
  kind: IssueEventKind
  from_value: string | null
  to_value: string | null
  /** Login of a person; null: a run did it. */
  actor: string | null
  note: string | null
  summary_id: string | null
  result_id: string | null
  at: number
}

export interface CoverageHistoryTable {
  collection_id: number
  /** Start of the day in UTC, epoch seconds. */
  day: number
  endpoints_count: number
  tested_count: number
  risk_score: number
}

export interface ReportDefinitionsTable {
  id: string
  user_login: string
  filters: Json<Record<string, (string | number)[]>>
  issue_ids: JsonOrNull<unknown[]>
  status: 'IN_PROGRESS' | 'COMPLETED' | 'ERROR'
  pdf: WithDefault<Buffer | null>
  error: WithDefault<string | null>
  /** Null = all. */
  visible: WithDefault<number[] | null>
  seen_at: WithDefault<number>
  attempts: WithDefault<number>
  created_at: number
  expires_at: number
}

export interface OutgoingRequestsTable {
  id: Generated<number>
  sent_at: number
  purpose: string
  run_id: string | null
  summary_id: string | null
  test_id: string | null
  user_login: string | null
  method: string
  host: string
  url: string
  /** Null when no answer came; then failure says why. */
  status_code: number | null
  failure: string | null
  duration_ms: WithDefault<number>
}

export interface ModulesTable {
  id: string
  kind: string
  name: string
  version: string | null
  started_at: number
  seen_at: number
  details: JsonOrNull<Record<string, unknown>>
  key_id: WithDefault<number | null>
  owner_id: WithDefault<number | null>
}

/** Rows of `run_troubles`. */
export interface RunTroublesTable {
  summary_id: string
  sentence: string
  at: number
}

/** The tables of the test engine, as Kysely sees them. */
export interface TestingSchema extends AlertSchema {
  test_templates: TestTemplatesTable
  test_suites: TestSuitesTable
  auth_mechanisms: AuthMechanismsTable
  test_roles: TestRolesTable
  role_credentials: RoleCredentialsTable
  access_matrix: AccessMatrixTable
  callback_ids: CallbackIdsTable
  callback_hits: CallbackHitsTable
  run_configurations: RunConfigurationsTable
  test_runs: TestRunsTable
  run_summaries: RunSummariesTable
  run_results: RunResultsTable
  result_evidence: ResultEvidenceTable
  run_shards: RunShardsTable
  run_troubles: RunTroublesTable
  template_sources: TemplateSourcesTable
  issues: IssuesTable
  generated_samples: GeneratedSamplesTable
  issue_history: IssueHistoryTable
  coverage_history: CoverageHistoryTable
  report_definitions: ReportDefinitionsTable
  outgoing_requests: OutgoingRequestsTable
  modules: ModulesTable
}
