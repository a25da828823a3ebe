import { flag, integer, list, mapOf, model, text } from '../schema.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { apiCollection } from './api-collection.ts'

/** The collection list result (CLR). */
export const collectionListResult = wideRecord(
  'CollectionListResult',
  'Shared answer of the operations about collections.',
  {
    apiCollections: filled(list(apiCollection), []),
    ...filledEach(
      [
        'sensitiveUrlsInResponse',
        'shadowApisCount',
        'apiCount',
        'sensitiveUnauthenticatedEndpointsCount',
        'criticalEndpointsCount',
        'apiCollectionId',
        'mcpDataCount',
        'highRiskThirdPartyEndpointsCount',
      ],
      integer(),
      0,
    ),
    ...filledEach(['redacted', 'hasUsageEndpoints'], flag(), false),
    riskScoreOfCollectionsMap: filled(
      mapOf(text(), { description: 'Collection id to score as decimal text.' }),
      {},
    ),
    sensitiveSubtypesInCollection: filled(
      mapOf(text(), { description: 'Collection id to JSON text of a list of data type names.' }),
      {},
    ),
    usersCollectionList: filled(mapOf(text()), null),
    response: filled(model('ApiCount', 'A count of endpoints.', { apiCount: integer() }), { apiCount: 0 }),
    ...filledEach(
      [
        'lastTrafficSeenMap',
        'uningestedApiCountMap',
        'endpointsFromConditions',
        'endpointsListFromConditions',
        'apiStatsStart',
        'apiStatsEnd',
        'deactivatedHostnameCountMap',
        'countForHostnameDeactivatedCollections',
        'testedEndpointsMaps',
        'severityInfo',
        'apiList',
        'countForUningestedApis',
        'timerInfo',
        'allUsersCollections',
        'conditions',
        'uningestedApiList',
      ],
      text(),
      null,
    ),
  },
  ['apiCollectionId'],
)
