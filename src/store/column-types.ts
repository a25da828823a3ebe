/*
 * Types of values in columns, for those who write the SQL of a table and those who read its rows.
 */

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

export interface RiskFactorRow {
  factor: string
  /** Part of the risk score of 0..5. */
  points: number
  evidence: string
  since: number
  remedy: string
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

export type TallyTier = 'COUNTS' | 'DETAILS'

/** Where a test came from. */
export type TestOrigin = 'LIBRARY' | 'CUSTOM' | 'GIT'

/** Severity of a test and of a result; INFO makes no issue. */
export type ResultSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'

export type IssueSeverity = Exclude<ResultSeverity, 'INFO'>

/** State of a test run and of each of its executions. */
export type RunState = 'SCHEDULED' | 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'FAILED'

/** What a run aims at. */
export type RunTarget = 'CUSTOM' | 'COLLECTION_WISE' | 'MULTI_COLLECTION' | 'WORKFLOW'

export type IssueStatus = 'OPEN' | 'IGNORED' | 'FIXED'

/** The list of results that a result is in. */
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

/** An endpoint as the interface names it. */
export interface EndpointKeyRow {
  method: string
  apiCollectionId: number
  url: string
}

/** What an execution lays over the configuration of its run. */
export interface ConfigOverride {
  overrideUrl?: string
  testIds?: string[]
  /** Only these pairs of test and endpoint. */
  pairs?: { testId: string; collectionId: number; method: string; url: string }[]
}

/** What a row of `issue_history` records. */
export type IssueEventKind =
  | 'CREATED'
  | 'STATUS'
  | 'SEVERITY'
  | 'ASSIGNEE'
  | 'DESCRIPTION'
  | 'TICKET'
  | 'NOT_VERIFIED'
  | 'COMMENT'
  | 'TAGS'
