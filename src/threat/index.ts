export type { ActorCounts, ActorDay, ActorTotals } from './actors/actor-days.ts'
export type { ActorOverview, ActorPlace, ActorSession } from './actors/actor-overview.ts'
export { actorOverview } from './actors/actor-overview.ts'
export type { ActorSetup, HeaderActorSetup } from './actors/actor-rules.ts'
export { actorRules, isLinearPattern, trustedBy } from './actors/actor-rules.ts'
export type { ActorStatusChange, BlockedActor, StatusRecord } from './actors/actor-status.ts'
export { BLOCKED, blockedActors, endStatuses, setActorStatus, statusHistory } from './actors/actor-status.ts'
export { addressMatcher, canonicalAddress, PRIVATE_RANGES } from './actors/address.ts'
export type { BlockList, BlockListFormat, EnforcementGap } from './actors/block-list.ts'
export {
  BLOCK_LIST_FILES,
  BLOCK_LIST_FORMATS,
  enforcementGap,
  entityTag,
  GAP_SENTENCES,
  makeBlockList,
  writeBlockList,
} from './actors/block-list.ts'
export { blockListReads, noteBlockListRead } from './actors/block-list-reads.ts'
export type { ActorCountFilter } from './actors/count-actors.ts'
export { countActors, countActorsByCountry } from './actors/count-actors.ts'
export { bundledCountries } from './actors/country-source.ts'
export type { ActorRules, FoundActor, HeaderActorRule } from './actors/find-actor.ts'
export { findActor } from './actors/find-actor.ts'
export type { ActorActivity, ActorFilter, ActorPage, ActorView } from './actors/list-actors.ts'
export { eventsOfActor, listActors } from './actors/list-actors.ts'
export type { DetectedBatch, DetectionInput, DetectionTools } from './detection/detect-batch.ts'
export { detectBatch } from './detection/detect-batch.ts'
export type { DetectionEvents, DetectionFigures } from './detection/detection-pool.ts'
export { DetectionPool } from './detection/detection-pool.ts'
export type { FoundFilter, FoundHit } from './detection/finding.ts'
export type { DetectionSetup } from './detection/worker-messages.ts'
export { evaluateMessage, MAX_MESSAGE_MS } from './evaluate/evaluate-message.ts'
export { FilterSet } from './evaluate/filter-set.ts'
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
export { filterSchema } from './filters/filter-schema.ts'
export { FILTER_INFO_KEYS } from './filters/read-info.ts'
export { DISTINCT_SOURCES, RULE_KEYS } from './filters/read-rules.ts'
export type { EventSelection, StatusChange } from './records/change-events.ts'
export { deleteAllEvents, deleteEvents, setEventStatus } from './records/change-events.ts'
export {
  countByCategory,
  countBySeverity,
  countByStatus,
  countBySubCategoryAndDay,
} from './records/count-events.ts'
export type { TimedCount } from './records/count-over-time.ts'
export { countOverTime, eventSpan } from './records/count-over-time.ts'
export type { EventFilter } from './records/event-filter.ts'
export { actorText } from './records/event-text.ts'
export { eventTime } from './records/event-time.ts'
export type { EventWindow } from './records/event-window.ts'
export { readWindow } from './records/event-window.ts'
export type { StoredFilter } from './records/filter-templates.ts'
export {
  keepShippedFilters,
  listFilters,
  removeFilter,
  saveFilter,
  setFilterState,
  shippedFilters,
} from './records/filter-templates.ts'
export type { ApiFilter, ApiPage, ApiView } from './records/list-apis.ts'
export { listApis } from './records/list-apis.ts'
export { actorChoices, eventChoices } from './records/list-choices.ts'
export type { EventList, EventPage, EventView } from './records/list-events.ts'
export { eventsById, listEvents } from './records/list-events.ts'
export type { KeptMessage, MessageFacts, WaitingMessage } from './records/messages.ts'
export { keepMessages, messagesOfEvents, messagesOfRefs, seenRefs } from './records/messages.ts'
export type { EventMessage, RuleFiring, StoredEvents } from './records/new-event.ts'
export { eventId, MAX_EVENT_MESSAGES } from './records/new-event.ts'
export { noteAttacks } from './records/note-attacks.ts'
export type { PayloadParts } from './records/payload-text.ts'
export { readPayloadText, textLine, writePayloadText } from './records/payload-text.ts'
export { purgeEvents } from './records/purge-events.ts'
export { MAX_SEARCHED, searchPayloads } from './records/search-payloads.ts'
export { storeEvents } from './records/store-events.ts'
export type { SuppressibleEvent, Suppression, SuppressionScope } from './records/suppressions.ts'
export {
  addSuppression,
  addUpDrops,
  findSuppressions,
  listSuppressions,
  noteDropped,
  removeSuppression,
} from './records/suppressions.ts'
export type { ThreatConfiguration } from './records/threat-configuration.ts'
export {
  configurationRevision,
  readThreatConfiguration,
  saveThreatConfiguration,
} from './records/threat-configuration.ts'
export { tidyWindows } from './windows/tidy-windows.ts'
