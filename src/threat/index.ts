export type { ActorSetup } from './actors/actor-rules.ts'
export { actorRules, isLinearPattern, trustedBy } from './actors/actor-rules.ts'
export { BLOCKED, blockedActors, endStatuses, setActorStatus, statusHistory } from './actors/actor-status.ts'
export { canonicalAddress } from './actors/address.ts'
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
export { countActors, countActorsByCountry } from './actors/count-actors.ts'
export { bundledCountries } from './actors/country-source.ts'
export { findActor } from './actors/find-actor.ts'
export type { ActorView } from './actors/list-actors.ts'
export { eventsOfActor, listActors } from './actors/list-actors.ts'
export type { DetectionInput } from './detection/detect-batch.ts'
export type { DetectionFigures } from './detection/detection-pool.ts'
export { DetectionPool } from './detection/detection-pool.ts'
export type { DetectionSetup } from './detection/worker-messages.ts'
export { evaluateMessage } from './evaluate/evaluate-message.ts'
export { FilterSet } from './evaluate/filter-set.ts'
export type { Hit, ThreatMessage, Verdict } from './evaluate/hit.ts'
export { compileFilter, FILTER_KEYS, problemText } from './filters/compile-filter.ts'
export type { AggregationRule, Filter, FilterInfo } from './filters/filter.ts'
export { FILTER_INFO_KEYS } from './filters/read-info.ts'
export { DISTINCT_SOURCES, RULE_KEYS } from './filters/read-rules.ts'
export type { EventSelection } from './records/change-events.ts'
export { deleteAllEvents, deleteEvents, setEventStatus } from './records/change-events.ts'
export {
  countByCategory,
  countBySeverity,
  countByStatus,
  countBySubCategoryAndDay,
} from './records/count-events.ts'
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
  shippedFilters,
} from './records/filter-templates.ts'
export { listApis } from './records/list-apis.ts'
export { actorChoices, eventChoices } from './records/list-choices.ts'
export type { EventList, EventPage, EventView } from './records/list-events.ts'
export { eventsById, listEvents } from './records/list-events.ts'
export type { KeptMessage, MessageFacts } from './records/messages.ts'
export { messagesOfEvents, messagesOfRefs, seenRefs } from './records/messages.ts'
export type { RuleFiring } from './records/new-event.ts'
export { eventId } from './records/new-event.ts'
export { noteAttacks } from './records/note-attacks.ts'
export type { PayloadParts } from './records/payload-text.ts'
export { readPayloadText, textLine, writePayloadText } from './records/payload-text.ts'
export { purgeEvents } from './records/purge-events.ts'
export { searchPayloads } from './records/search-payloads.ts'
export { storeEvents } from './records/store-events.ts'
export type { Suppression } from './records/suppressions.ts'
export { addSuppression, addUpDrops, listSuppressions, removeSuppression } from './records/suppressions.ts'
export type { ThreatConfiguration } from './records/threat-configuration.ts'
export {
  configurationRevision,
  readThreatConfiguration,
  saveThreatConfiguration,
} from './records/threat-configuration.ts'
export { tidyWindows } from './windows/tidy-windows.ts'
