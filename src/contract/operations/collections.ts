import { group, operation, root, wide } from '../operation.ts'
import { collectionListResult } from '../records/collection-list-result.ts'
import { optional, required } from '../request-field.ts'
import { integer, list, mapOf, text } from '../schema.ts'
import { filled } from '../wide-record.ts'

/** A collection as examples show it. */
export const exampleCollection = {
  id: 1679459648,
  name: 'shop',
  displayName: 'shop',
  description: null,
  hostName: null,
  urlsCount: 12,
  ignoredUrlsCount: 0,
  startTs: 1679459648,
  vxlanId: 0,
  type: null,
  envType: null,
  userSetEnvType: null,
  tagsList: null,
  conditions: null,
  runDependencyAnalyser: false,
  redact: false,
  mcpCollection: false,
  deactivated: false,
  automated: false,
  matchDependencyWithOtherCollections: false,
  genAICollection: false,
  isOutOfTestingScope: false,
  sampleCollectionsDropped: false,
  sseCallbackUrl: null,
}

const severityCounts = mapOf(integer(), { description: 'Severity name to number of OPEN issues.' })

const shared = { role: 'GUEST', access: 'read', errors: [], idempotent: true, inSpecification: true } as const

/** Lists of collections and what is known of each, by their wire names. */
export const collectionOperations = group('collections', {
  getAllCollectionsBasic: operation({
    ...shared,
    summary: 'Lists the collections, for menus and tables',
    description:
      'Every collection the caller may see, deactivated ones and groups included, by ascending id, without paging. Tags, conditions, redaction and analyser flags, sseCallbackUrl, vxlanId and userSetEnvType are left at their fillers; urlsCount leaves out endpoints of deactivated collections.',
    specified: 'full',
    request: {},
    answer: wide(collectionListResult, ['apiCollections']),
    example: { request: {}, response: { apiCollections: [exampleCollection] } },
  }),

  getAllCollections: operation({
    ...shared,
    summary: 'Lists the collections with all their fields',
    description:
      'Every collection the caller may see, by ascending id. Two optional filters are regular expressions without regard to case, found anywhere in the text; both must match; blank means no filter. urlsCount counts deactivated collections too.',
    specified: 'full',
    keyKinds: ['CICD'],
    request: {
      nameRegex: optional(text({ maxLength: 1000 }), 'Regular expression for the name.'),
      hostNameRegex: optional(text({ maxLength: 1000 }), 'Regular expression for the host name.'),
    },
    answer: wide(collectionListResult, ['apiCollections']),
    errors: ['INVALID_REGEX'],
    example: { request: {}, response: { apiCollections: [exampleCollection] } },
  }),

  getAllUsersCollections: operation({
    ...shared,
    summary: 'Tells which collections each user may see',
    description:
      'User id to JSON text of the list of collection ids, or the text "*" for users without restriction. Every member of the organisation appears.',
    specified: 'partial',
    note: 'The form of the string is open there: JSON text of the ids, or "*".',
    request: {},
    answer: root(mapOf(text())),
    role: 'ADMIN',
    example: { request: {}, response: { '1001': '*', '1002': '[1679459648,1684477780]' } },
  }),

  getCoverageInfoForCollections: operation({
    ...shared,
    summary: 'Counts the endpoints tested within 30 days, per collection',
    description:
      'Collection id to the number of its endpoints whose last test is at most 30 days old. Collections with none are absent; an endpoint counts in its collection and in each group, unless it is ignored. Coverage is min(100, floor(100 × tested ÷ (urlsCount − ignoredUrlsCount))).',
    specified: 'open',
    note: 'The fields of the answer are not shown there: a map of counts.',
    request: {
      apiCollectionIds: optional(list(integer()), 'Restricts the answer to these collections.'),
    },
    answer: root(mapOf(integer())),
    example: { request: {}, response: { '1679459648': 7 } },
  }),

  getSeverityInfoForCollections: operation({
    ...shared,
    summary: 'Counts open issues by severity, per collection',
    description:
      'Collection id to severity name to number of OPEN issues. Severities and collections without issues are absent; groups are included.',
    specified: 'open',
    note: 'The fields of the answer are not shown there: a map of maps of counts.',
    request: {},
    answer: root(mapOf(severityCounts)),
    example: { request: {}, response: { '1679459648': { CRITICAL: 1, HIGH: 3, MEDIUM: 1 } } },
  }),

  getSeveritiesCountPerCollection: operation({
    ...shared,
    summary: 'Counts open issues by severity, per endpoint of one collection',
    description:
      'Text "<apiCollectionId> <url> <METHOD>" with single spaces to severity name to number of OPEN issues. An unknown collection gives an empty map.',
    specified: 'open',
    note: 'The fields of the answer are not shown there: a map by endpoint, whatever the name says.',
    request: { apiCollectionId: required(integer(), 'The collection.') },
    answer: root(mapOf(severityCounts)),
    errors: ['DEACTIVATED_COLLECTION'],
    example: {
      request: { apiCollectionId: 1679459648 },
      response: { '1679459648 https://shop.test/rest/basket/6 GET': { HIGH: 2 } },
    },
  }),

  getLastSeenTrafficInfoForCollections: operation({
    ...shared,
    summary: 'Tells when traffic was last seen, per collection',
    description:
      'Collection id to the latest lastSeen of its endpoints, epoch seconds as decimal text. Collections without traffic are absent.',
    specified: 'full',
    request: {},
    answer: root(mapOf(text())),
    example: { request: {}, response: { '1679459648': '1769854500' } },
  }),

  getSensitiveInfoForCollections: operation({
    ...shared,
    summary: 'Lists the sensitive data types found, per collection',
    description:
      'sensitiveSubtypesInCollection maps collection id to JSON text of the data type names found there. sensitiveUrlsInResponse counts the endpoints whose responses carry a sensitive type, deactivated collections left out.',
    specified: 'partial',
    note: 'The form of the map’s strings is open there: JSON text of a list.',
    request: { type: optional(text(), 'Accepted and ignored.') },
    answer: wide(collectionListResult, ['sensitiveSubtypesInCollection', 'sensitiveUrlsInResponse']),
    example: {
      request: {},
      response: {
        sensitiveSubtypesInCollection: { '1679459648': '["EMAIL","JWT"]' },
        sensitiveUrlsInResponse: 4,
      },
    },
  }),

  getRiskScoreInfo: operation({
    ...shared,
    summary: 'Tells the risk score of each collection',
    description:
      'riskScoreOfCollectionsMap maps collection id to the highest risk score of its endpoints (groups included), 0 to 5, in the shortest decimal text. criticalEndpointsCount counts the endpoints with a score of 4 or more over all collections.',
    specified: 'full',
    request: {},
    answer: wide(collectionListResult, ['riskScoreOfCollectionsMap', 'criticalEndpointsCount'], {
      riskScoreOfCollectionsMap: filled(
        mapOf(text({ pattern: '^\\d+(\\.\\d+)?$' }), {
          description: 'Collection id to score as decimal text.',
        }),
        {},
      ),
    }),
    example: {
      request: {},
      response: { riskScoreOfCollectionsMap: { '1679459648': '3.5' }, criticalEndpointsCount: 1 },
    },
  }),
})
