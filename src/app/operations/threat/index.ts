import type { Handlers } from '../../handler.ts'
import { addThreatSuppression } from './addThreatSuppression.ts'
import { bulkModifyThreatActorStatus } from './bulkModifyThreatActorStatus.ts'
import { deleteAllMaliciousEvents } from './deleteAllMaliciousEvents.ts'
import { deleteFilterYamlTemplate } from './deleteFilterYamlTemplate.ts'
import { deleteMaliciousEvents } from './deleteMaliciousEvents.ts'
import { fetchAggregateMaliciousRequests } from './fetchAggregateMaliciousRequests.ts'
import { fetchCountBySeverity } from './fetchCountBySeverity.ts'
import { fetchFiltersForThreatActors } from './fetchFiltersForThreatActors.ts'
import { fetchFiltersThreatTable } from './fetchFiltersThreatTable.ts'
import { fetchFilterYamlTemplate } from './fetchFilterYamlTemplate.ts'
import { fetchSuspectSampleData } from './fetchSuspectSampleData.ts'
import { fetchThreatActorHistory } from './fetchThreatActorHistory.ts'
import { fetchThreatActorOverview } from './fetchThreatActorOverview.ts'
import { fetchThreatActors } from './fetchThreatActors.ts'
import { fetchThreatApis } from './fetchThreatApis.ts'
import { fetchThreatCategoryCount } from './fetchThreatCategoryCount.ts'
import { fetchThreatConfiguration } from './fetchThreatConfiguration.ts'
import { fetchThreatSuppressions } from './fetchThreatSuppressions.ts'
import { fetchThreatsForActor } from './fetchThreatsForActor.ts'
import { fetchThreatTimeline } from './fetchThreatTimeline.ts'
import { getActorsCountPerCounty } from './getActorsCountPerCounty.ts'
import { getDailyThreatActorsCount } from './getDailyThreatActorsCount.ts'
import { getThreatActivityTimeline } from './getThreatActivityTimeline.ts'
import { modifyThreatActorStatus } from './modifyThreatActorStatus.ts'
import { modifyThreatConfiguration } from './modifyThreatConfiguration.ts'
import { recordMaliciousEvent } from './recordMaliciousEvent.ts'
import { removeThreatSuppression } from './removeThreatSuppression.ts'
import { saveFilterYamlTemplate } from './saveFilterYamlTemplate.ts'
import { setFilterState } from './setFilterState.ts'
import { testFilterYamlTemplate } from './testFilterYamlTemplate.ts'
import { updateMaliciousEventStatus } from './updateMaliciousEventStatus.ts'

/** Threats in observed traffic: events, actors, filters. */
export const threatHandlers = {
  addThreatSuppression,
  bulkModifyThreatActorStatus,
  deleteAllMaliciousEvents,
  deleteFilterYamlTemplate,
  deleteMaliciousEvents,
  fetchAggregateMaliciousRequests,
  fetchCountBySeverity,
  fetchFiltersForThreatActors,
  fetchFiltersThreatTable,
  fetchFilterYamlTemplate,
  fetchSuspectSampleData,
  fetchThreatActorHistory,
  fetchThreatActorOverview,
  fetchThreatActors,
  fetchThreatApis,
  fetchThreatCategoryCount,
  fetchThreatConfiguration,
  fetchThreatsForActor,
  fetchThreatSuppressions,
  fetchThreatTimeline,
  getActorsCountPerCounty,
  getDailyThreatActorsCount,
  getThreatActivityTimeline,
  modifyThreatActorStatus,
  modifyThreatConfiguration,
  recordMaliciousEvent,
  removeThreatSuppression,
  saveFilterYamlTemplate,
  setFilterState,
  testFilterYamlTemplate,
  updateMaliciousEventStatus,
} satisfies Handlers
