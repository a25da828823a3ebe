import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { TestingSchema } from './testing-schema.ts'

/** jsonb column: read as parsed value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>
/** bigint column: the driver is set to read it as a number; every such value of Vigil stays below 2^53. */
type Big = ColumnType<number, number, number>
type WithDefault<T> = ColumnType<T, T | undefined, T>

export type CollectionKind = 'HOST' | 'MANUAL' | 'GROUP'

/** A label of a collection. */
export interface CollectionTag {
  keyName: string
  value: string
  source: string
  lastUpdatedTs: number
}

/** One condition of a group; all conditions of a group are combined by their `operator`. */
export interface GroupCondition {
  type: string
  operator: 'AND' | 'OR'
  data: unknown
}

export interface CollectionsTable {
  id: number
  name: string
  host_name: string | null
  kind: CollectionKind
  vxlan_id: WithDefault<number>
  description: WithDefault<string | null>
  env_type: WithDefault<string | null>
  user_set_env_type: WithDefault<string | null>
  tags: ColumnType<CollectionTag[], string | undefined, string>
  conditions: ColumnType<GroupCondition[], string | undefined, string>
  is_redacted: WithDefault<boolean>
  is_deactivated: WithDefault<boolean>
  is_out_of_testing_scope: WithDefault<boolean>
  is_automated: WithDefault<boolean>
  are_samples_dropped: WithDefault<boolean>
  last_traffic_at: WithDefault<number>
  created_at: number
}

export interface RiskFactorRow {
  factor: string
  /** Part of the risk score of 0..5. */
  points: number
  evidence: string
  since: number
  remedy: string
}

export interface EndpointsTable {
  id: Generated<number>
  collection_id: number
  method: string
  /** Path, or absolute URL in collections without a host, with type names for parameters when `is_template`. */
  url: string
  /** `url` in lower case, kept by the database. */
  url_folded: GeneratedAlways<string>
  /** Scheme and authority of `url` when it is absolute, else ''. */
  origin: WithDefault<string>
  is_template: WithDefault<boolean>
  merged_into: WithDefault<number | null>
  root_id: number
  is_documented: WithDefault<boolean>
  api_type: WithDefault<string>
  description: WithDefault<string | null>
  first_seen: number
  last_seen: number
  discovered_at: number
  changed_at: WithDefault<number>
  call_count: WithDefault<number>
  response_codes: WithDefault<number[]>
  auth_combinations: ColumnType<string[][], string | undefined, string>
  actual_auth_types: WithDefault<string[]>
  access_types: WithDefault<string[]>
  sensitive_in_request: WithDefault<string[]>
  sensitive_in_response: WithDefault<string[]>
  sources: ColumnType<Record<string, number>, string | undefined, string>
  attributes: ColumnType<Record<string, unknown>, string | undefined, string>
  severity_score: WithDefault<number>
  /** Malicious requests of the last seven days that the risk score counts. */
  recent_attacks: WithDefault<number>
  risk_score: WithDefault<number>
  risk_factors: ColumnType<RiskFactorRow[], string | undefined, string>
  scored_at: WithDefault<number>
  last_tested: WithDefault<number>
}

/**
 * Places of a parameter, and the other things counted per endpoint. PARAMETER kinds: REQUEST_HEADER, COOKIE, QUERY,
 * PATH, REQUEST_BODY, RESPONSE_HEADER, RESPONSE_BODY. Others: AUTH (name = sorted kinds joined by ','),
 * ACCESS (name = PUBLIC …), SOURCE, CODE.
 */
export type FactKind =
  | 'REQUEST_HEADER'
  | 'COOKIE'
  | 'QUERY'
  | 'PATH'
  | 'REQUEST_BODY'
  | 'RESPONSE_HEADER'
  | 'RESPONSE_BODY'
  | 'AUTH'
  | 'ACCESS'

export interface FactDetail {
  /** Up to 5 example values; never for sensitive types or redacted collections. */
  examples?: string[]
  min?: number
  max?: number
  /** Distinct values seen, exact up to 20, then 21. */
  distinct?: number
  /** Route through nested encodings to the finding, for example `data → base64 → json → email`. */
  route?: string
}

export interface EndpointFactsTable {
  id: Generated<number>
  endpoint_id: number
  kind: FactKind
  response_code: number
  name: string
  value_type: string
  count: Big
  first_seen: number
  last_seen: number
  is_sensitive: boolean
  /** First seen after its endpoint: a change. Kept by triggers. */
  is_later: Generated<boolean>
  detail: ColumnType<FactDetail | null, string | null, string | null>
}

export type TallyTier = 'COUNTS' | 'DETAILS'

export interface PendingTalliesTable {
  id: Generated<number>
  writer: string
  tier: TallyTier
  written_at: number
  payload: string
}

export interface RecentMessagesTable {
  id: Generated<number>
  written_at: number
  hashes: Buffer
}

export interface WritersTable {
  id: string
  started_at: number
  seen_at: number
}

export interface CallStatsTable {
  endpoint_id: number
  minute: number
  status_class: number
  count: Big
}

export interface IpWindowsTable {
  endpoint_id: number
  window_start: number
  writer: string
  counts: Json<Record<string, number>>
}

export interface SamplesTable {
  id: Generated<number>
  endpoint_id: number
  slot: string
  observed_at: number
  status: number
  message: string
  is_sensitive: boolean
  /** Epoch seconds of the write, by which samples are forgotten. */
  stored_at: Generated<number>
}

export interface PathEvidenceTable {
  collection_id: number
  origin: string
  writer: string
  saved_at: number
  endpoint_mark: number
  snapshot: Json<unknown>
}

export interface TemplateMovesTable {
  id: Generated<number>
  collection_id: number
  origin: string
  kind: 'MERGE' | 'SPLIT' | 'PIN' | 'DECLARE'
  method: string
  from_url: string
  to_url: string
  decided_by: string
  evidence: ColumnType<unknown, string | null, string | null>
  decided_at: number
  writer: string
}

export interface TrafficLedgerTable {
  day: number
  source: string
  outcome: string
  count: Big
}

export interface ProbesTable {
  collection_id: number
  method: string
  path: string
  status: number
  count: Big
  first_seen: number
  last_seen: number
  last_ip: string
}

export interface ImportsTable {
  id: string
  format: string
  file_name: string | null
  collection_id: number | null
  user_login: string
  status: 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED'
  title: WithDefault<string | null>
  taken: WithDefault<number>
  skipped: WithDefault<number>
  duplicates: WithDefault<number>
  total: WithDefault<number>
  fatal_error: WithDefault<string | null>
  warnings: ColumnType<string[], string | undefined, string>
  document: WithDefault<string | null>
  document_json: WithDefault<string | null>
  created_at: number
  ended_at: WithDefault<number>
}

export interface ImportRowsTable {
  import_id: string
  position: number
  outcome: 'TAKEN' | 'TAKEN_WITH_WARNINGS' | 'SKIPPED' | 'KNOWN_BEFORE'
  place: string
  what: string
  reasons: ColumnType<string[], string | undefined, string>
}

export interface DocumentedOperationsTable {
  collection_id: number
  method: string
  path: string
  import_id: string
  operation: Json<unknown>
}

export interface GroupMembersTable {
  group_id: number
  endpoint_id: number
  is_by_condition: boolean
}

export interface CustomDataTypesTable {
  name: string
  definition: Json<unknown>
  is_active: WithDefault<boolean>
  updated_by: string
  updated_at: number
}

export type Role = 'ADMIN' | 'MEMBER' | 'GUEST'

export interface UsersTable {
  id: number
  login: string
  name: string | null
  password_hash: string
  role: Role
  /** Collections this user may see; null = all. */
  collection_ids: number[] | null
  last_login_at: WithDefault<number>
  created_at: number
}

/** Who a user is at a sign-in provider (OpenID Connect). */
export interface UserIdentitiesTable {
  issuer: string
  subject: string
  user_id: number
  created_at: number
}

/** Codes with which people choose a new password. */
export interface PasswordResetsTable {
  code_hash: string
  user_id: number
  expires_at: number
}

export interface InvitationsTable {
  code_hash: string
  login: string
  role: Role
  invited_by: string
  created_at: number
  expires_at: number
}

export interface SessionsTable {
  id: string
  user_id: number
  refresh_hash: string
  created_at: number
  used_at: number
  expires_at: number
  user_agent: string | null
}

export type KeyUtility = 'EXTERNAL_API' | 'CICD' | 'BURP'

export interface ApiKeysTable {
  id: number
  user_id: number
  utility: KeyUtility
  name: string | null
  key_hash: string
  key_prefix: string
  /** The key itself, encrypted with the instance key; only for kinds that must be shown again (BURP). */
  sealed_key: string | null
  created_at: number
  used_at: WithDefault<number>
  /** Until when it works; 0 = for ever. */
  expires_at: WithDefault<number>
}

export interface BurpExtensionsTable {
  user_id: number
  last_bootup_at: WithDefault<number>
  last_data_sent_at: WithDefault<number>
  last_download_at: WithDefault<number>
  version: WithDefault<number>
}

export interface SettingsTable {
  name: string
  value: Json<unknown>
  updated_at: number
}

/** Rows of `lowered_endpoints`. */
export interface LoweredEndpointsTable {
  endpoint_id: number
  noted_at: Generated<number>
}

/** Every table, as Kysely sees it. */
export interface Schema extends TestingSchema {
  collections: CollectionsTable
  endpoints: EndpointsTable
  endpoint_facts: EndpointFactsTable
  lowered_endpoints: LoweredEndpointsTable
  pending_tallies: PendingTalliesTable
  recent_messages: RecentMessagesTable
  writers: WritersTable
  call_stats: CallStatsTable
  ip_windows: IpWindowsTable
  samples: SamplesTable
  path_evidence: PathEvidenceTable
  template_moves: TemplateMovesTable
  traffic_ledger: TrafficLedgerTable
  probes: ProbesTable
  imports: ImportsTable
  import_rows: ImportRowsTable
  documented_operations: DocumentedOperationsTable
  group_members: GroupMembersTable
  custom_data_types: CustomDataTypesTable
  users: UsersTable
  user_identities: UserIdentitiesTable
  password_resets: PasswordResetsTable
  invitations: InvitationsTable
  sessions: SessionsTable
  api_keys: ApiKeysTable
  burp_extensions: BurpExtensionsTable
  settings: SettingsTable
}
