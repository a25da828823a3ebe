import type { Condition } from '../../rules/index.ts'

/** How bad a hit is, in the words of the wire. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
export type FilterSeverity = (typeof SEVERITIES)[number]

/** What a filter tells people: the `info` of its template, with defaults filled in. */
export interface FilterInfo {
  /** The id of the filter unless given. */
  readonly name: string
  readonly description: string
  readonly details: string
  readonly impact: string
  readonly category: {
    readonly name: string
    readonly displayName: string
    readonly shortName: string | null
  }
  /** The name of the category unless given. */
  readonly subCategory: string
  readonly severity: FilterSeverity
  readonly remediation: string | null
  readonly references: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly cwe: readonly string[] | null
  readonly cve: readonly string[] | null
  /** Clauses of each standard. */
  readonly compliance: Readonly<Record<string, readonly string[]>> | null
}

/**
 * What a match means. `event`: an event, or a count of it. `successful-exploit` and `ignored-event` (the categories
 * SuccessfulExploit and IgnoredEvent) make no events: they label those of other filters on the same message.
 */
export type FilterRole = 'event' | 'successful-exploit' | 'ignored-event'

/** The condition of a filter that matched. `filter` is the main one; the other two replace it where it is absent. */
export type FilterPart = 'filter' | 'success' | 'failure'

/** What counters of a rule are kept for: a caller, a caller at each endpoint, or an endpoint for all callers. */
export type RuleScope = 'actor' | 'actor-endpoint' | 'endpoint'

/** Counts different values of a field instead of messages. */
export interface DistinctIdentifier {
  /** Different values that make the rule fire. */
  readonly count: number
  /** Where the value stands; `url` is the path as sent, without the query. */
  readonly source:
    | 'request_payload'
    | 'response_payload'
    | 'request_headers'
    | 'response_headers'
    | 'query_param'
    | 'url'
  /** Name of the field, header or parameter, compared without case; '' for `url`. */
  readonly key: string
}

/** One item of `aggregation_rules`: fires when `matchCount` counted hits are inside the window. */
export interface AggregationRule {
  /** Unique in its filter; `rule 1`, `rule 2` … where none is given. */
  readonly name: string
  readonly matchCount: number
  /** Minutes of message time, the current one included. */
  readonly windowMinutes: number
  /** Hits of which condition are counted; null: every hit. */
  readonly countedPart: FilterPart | null
  /** The condition that the message on which it fires must match; null: the counted one. */
  readonly firingPart: FilterPart | null
  readonly distinct: DistinctIdentifier | null
  readonly scope: RuleScope
}

/** A filter of live traffic, checked and ready to be put into a set. */
export interface Filter {
  readonly id: string
  readonly info: FilterInfo
  readonly role: FilterRole
  /** Null where `success_filter` or `failure_filter` replace it. */
  readonly condition: Condition | null
  readonly successCondition: Condition | null
  readonly failureCondition: Condition | null
  /** Where it holds, there is no hit. */
  readonly ignoreCondition: Condition | null
  /** With rules single hits write no events: they are counted. */
  readonly rules: readonly AggregationRule[]
}
