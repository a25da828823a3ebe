export { actorOverview } from './actors/actor-overview.ts'
export { type ActorSetup, actorRules, isHostPattern, trustedBy } from './actors/actor-rules.ts'
export { BLOCKED, blockedActors, endStatuses, setActorStatus, statusHistory } from './actors/actor-status.ts'
export { canonicalAddress } from './actors/address.ts'
export {
  BLOCK_LIST_FILES,
  BLOCK_LIST_FORMATS,
  type BlockList,
  type BlockListFormat,
  type EnforcementGap,
  enforcementGap,
  entityTag,
  GAP_SENTENCES,
  makeBlockList,
  writeBlockList,
} from './actors/block-list.ts'
export { blockListReads, noteBlockListRead } from './actors/block-list-reads.ts'
export { countActors, countActorsByCountry } from './actors/count-actors.ts'
export { bundledCountries } from './actors/country-source.ts'
export { findActor } from './actors/find-actor.ts'
export { type ActorView, eventsOfActor, listActors } from './actors/list-actors.ts'
export type { DetectionInput } from './detection/detect-batch.ts'
export { type DetectionFigures, DetectionPool } from './detection/detection-pool.ts'
export type { DetectionSetup } from './detection/worker-messages.ts'
export { evaluateMessage } from './evaluate/evaluate-message.ts'
export { FilterSet } from './evaluate/filter-set.ts'
export type { Hit, ThreatMessage, Verdict } from './evaluate/hit.ts'
export { compileFilter, FILTER_KEYS, problemText } from './filters/compile-filter.ts'
export type { AggregationRule, Filter, FilterInfo } from './filters/filter.ts'
export { filterSchema } from './filters/filter-schema.ts'
export { FILTER_INFO_KEYS } from './filters/read-info.ts'
export { DISTINCT_SOURCES, RULE_KEYS } from './filters/read-rules.ts'
export {
  deleteAllEvents,
  deleteEvents,
  type EventSelection,
  setEventStatus,
} from './records/change-events.ts'
export {
  countByCategory,
  countBySeverity,
  countByStatus,
  countBySubCategoryAndDay,
} from './records/count-events.ts'
export { countOverTime, eventSpan, type TimedCount } from './records/count-over-time.ts'
export type { EventFilter } from './records/event-filter.ts'
export { actorText } from './records/event-text.ts'
export { eventTime } from './records/event-time.ts'
export { type EventWindow, readWindow } from './records/event-window.ts'
export {
  keepShippedFilters,
  listFilters,
  removeFilter,
  type StoredFilter,
  saveFilter,
  setFilterState,
  shippedFilters,
} from './records/filter-templates.ts'
export { listApis } from './records/list-apis.ts'
export { actorChoices, eventChoices } from './records/list-choices.ts'
export {
  type EventList,
  type EventPage,
  type EventView,
  eventsById,
  listEvents,
} from './records/list-events.ts'
export {
  type KeptMessage,
  type MessageFacts,
  messagesOfEvents,
  messagesOfRefs,
  seenRefs,
} from './records/messages.ts'
export { eventId, type RuleFiring } from './records/new-event.ts'
export { noteAttacks } from './records/note-attacks.ts'
export { type PayloadParts, readPayloadText, textLine, writePayloadText } from './records/payload-text.ts'
export { purgeEvents } from './records/purge-events.ts'
export { searchPayloads } from './records/search-payloads.ts'
export { storeEvents } from './records/store-events.ts'
export {
  addSuppression,
  addUpDrops,
  listSuppressions,
  removeSuppression,
  type Suppression,
} from './records/suppressions.ts'
export {
  configurationRevision,
  readThreatConfiguration,
  saveThreatConfiguration,
  type ThreatConfiguration,
} from './records/threat-configuration.ts'
export { tidyWindows } from './windows/tidy-windows.ts'
