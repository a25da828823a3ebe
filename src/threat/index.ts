export type { Evidence, Hit, HitLocation, ThreatMessage, Verdict } from './evaluate/hit.ts'
export { MAX_EVIDENCE, MAX_PHRASE, NO_HITS } from './evaluate/hit.ts'
export type { CompiledFilter } from './filters/compile-filter.ts'
export { compileFilter, FILTER_KEYS, MAX_FILTER_LENGTH, problemText } from './filters/compile-filter.ts'
export type {
  AggregationRule,
  DistinctIdentifier,
  Filter,
  FilterInfo,
  FilterPart,
  FilterRole,
  FilterSeverity,
  RuleScope,
} from './filters/filter.ts'
export { SEVERITIES } from './filters/filter.ts'
