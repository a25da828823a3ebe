import { group, operation, root, wide } from '../operation.ts'
import { apiInfo, stiItem } from '../records/api-info.ts'
import { inventoryObject } from '../records/inventory-object.ts'
import { bucketStats, sampleData, trafficObject } from '../records/traffic-object.ts'
import { optional, required } from '../request-field.ts'
import {
  either,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { endpointStates } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'

/** An endpoint key as examples show it. */
export const exampleKey = { method: 'GET', apiCollectionId: 1679459648, url: 'https://shop.test/rest/user' }

/** An API info as examples show it. */
export const exampleApiInfo = {
  id: exampleKey,
  responseCodes: [200, 401],
  discoveredTimestamp: 1769850000,
  lastCalculatedTime: 0,
  lastTested: 0,
  lastSeen: 1769854500,
  sources: { HAR: { timestamp: 1769850000 } },
  violations: null,
  description: null,
  apiType: 'REST',
  severityScore: 0,
  riskScore: 2,
  actualAuthType: ['JWT'],
  allAuthTypesFound: [['JWT']],
  isSensitive: true,
  collectionIds: [1679459648],
  apiAccessTypes: ['PUBLIC'],
}

/** A sample message as examples show it. */
export const exampleMessage =
  '{"method":"GET","path":"https://shop.test/rest/user","type":"HTTP/1.1","requestHeaders":"{\\"host\\":\\"shop.test\\"}","requestPayload":"","statusCode":"200","status":"OK","responseHeaders":"{\\"content-type\\":\\"application/json\\"}","responsePayload":"{}","ip":"203.0.113.9","destIp":null,"time":"1769854500","contentType":"application/json","source":"HAR"}'

/** The three fields that name an endpoint in requests. */
export const endpointFields = {
  method: required(text(), 'HTTP method.'),
  url: required(text(), 'URL of the endpoint as the lists show it, templates included.'),
  apiCollectionId: required(integer(), 'The collection or group.'),
}

/** Asks for recorded messages with everything that is masked otherwise. */
export const unmaskedFlag = optional(
  flag(),
  'With credentials and sensitive values; not for guests, and logged.',
  {
    default: false,
  },
)

const oneCollection = {
  apiCollectionId: required(integer(), 'The collection or group.', {
    exempt: { whenPresent: 'apiCollectionIds' },
  }),
  apiCollectionIds: optional(
    list(integer()),
    'Several collections at once, the first 300 of the list; the answer is then a map by collection id.',
  ),
}

const shared = { role: 'GUEST', access: 'read', idempotent: true, inSpecification: true } as const
const guarded = ['NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'] as const

/** Endpoints of collections, their samples and statistics, by their wire names. */
export const collectionEndpointOperations = group('collections', {
  fetchCollectionWiseApiEndpoints: operation({
    ...shared,
    summary: 'Lists the endpoint keys of one collection',
    description:
      'listOfEndpointsInCollection holds all keys, ordered by url then method, without paging; endpoints is their number. Groups return the members’ own keys.',
    specified: 'partial',
    note: 'listOfEndpointsInCollection, the payload clients read, is named there only for fetchEndpointsCount.',
    request: {
      apiCollectionId: required(integer(), 'The collection or group.', { alsoString: true }),
      skip: optional(integer(), 'Accepted and ignored.'),
      state: optional(
        list(oneOf(endpointStates)),
        'Only endpoints in one of these states; not in the specification. Empty or null: no filter.',
      ),
    },
    answer: wide(inventoryObject, ['endpoints', 'listOfEndpointsInCollection']),
    errors: guarded,
    example: {
      request: { apiCollectionId: '1679459648' },
      response: { endpoints: 1, listOfEndpointsInCollection: [exampleKey] },
    },
  }),

  fetchApiInfosForCollection: operation({
    ...shared,
    summary: 'Lists what is known of the endpoints of a collection',
    description:
      'One API info per endpoint, ordered by url then method; deactivated members of groups are left out. An unknown collection gives an empty list. With apiCollectionIds the answer is {apiInfoListByCollection}.',
    specified: 'full',
    request: oneCollection,
    answer: root(
      either(
        model('ApiInfoList', 'API infos of one collection.', {
          apiInfoList: list(apiInfo),
          redacted: flag({ description: 'The collection keeps no payload values.' }),
        }),
        model('ApiInfoListByCollection', 'API infos by collection id.', {
          apiInfoListByCollection: mapOf(list(apiInfo)),
        }),
      ),
    ),
    errors: ['DEACTIVATED_COLLECTION'],
    example: {
      request: { apiCollectionId: 1679459648 },
      response: { redacted: false, apiInfoList: [exampleApiInfo] },
    },
  }),

  fetchApiInfosFromSTIs: operation({
    ...shared,
    summary: 'Lists the endpoints of the inventory with their first time',
    description:
      'Every endpoint seen in traffic or imports, by startTs descending, then url and method. fetchApiInfosForCollection adds what was computed of it. With apiCollectionIds the answer is {listByCollection}.',
    specified: 'full',
    request: oneCollection,
    answer: root(
      either(
        model('StiList', 'Endpoints of one collection.', { list: list(stiItem) }),
        model('StiListByCollection', 'Endpoints by collection id.', {
          listByCollection: mapOf(list(stiItem)),
        }),
      ),
    ),
    errors: guarded,
    example: {
      request: { apiCollectionId: 1679459648 },
      response: { list: [{ _id: exampleKey, startTs: 1769850000, changesCount: 9 }] },
    },
  }),

  fetchEndpointsCount: operation({
    ...shared,
    summary: 'Counts the endpoints known at two moments',
    description:
      'newCount is the number of endpoints first seen at or before endTimestamp, oldCount at or before startTimestamp; their difference is what the window brought. Deactivated collections are left out and groups do not count twice.',
    specified: 'full',
    request: {
      startTimestamp: required(epochSeconds(), 'Epoch seconds.', { default: 0 }),
      endTimestamp: required(epochSeconds(), 'Epoch seconds; 0 means now.', { default: 0 }),
    },
    answer: wide(inventoryObject, ['newCount', 'oldCount']),
    errors: [],
    example: {
      request: { startTimestamp: 1767225600, endTimestamp: 0 },
      response: { newCount: 120, oldCount: 80 },
    },
  }),

  fetchApiCallStats: operation({
    ...shared,
    summary: 'Counts the calls of an endpoint per minute',
    description:
      'result.apiCallStats has one entry per minute with traffic, ascending; ts is in epoch minutes. The window is given in epoch seconds and includes both ends. An unknown endpoint, and a start after the end, give an empty list.',
    specified: 'partial',
    note: 'The payload result.apiCallStats is not listed there.',
    request: {
      ...endpointFields,
      startEpoch: required(epochSeconds(), 'Epoch seconds.'),
      endEpoch: required(epochSeconds(), 'Epoch seconds.'),
    },
    answer: wide(trafficObject, ['result'], {
      result: filled(
        model('ApiCallStatsResult', 'Calls per minute.', {
          apiCallStats: list(
            model('ApiCallStat', 'Calls within one minute.', {
              ts: integer({ description: 'Epoch minutes.' }),
              count: integer({ minimum: 0 }),
            }),
          ),
        }),
        { apiCallStats: [] },
      ),
    }),
    errors: guarded,
    example: {
      request: { ...exampleKey, startEpoch: 1769850000, endEpoch: 1769854500 },
      response: { result: { apiCallStats: [{ ts: 29497575, count: 42 }] } },
    },
  }),

  fetchIpLevelApiCallStats: operation({
    ...shared,
    summary: 'Shows how many addresses call an endpoint how often',
    description:
      'For every window of five minutes that starts inside the range, addresses are put into buckets by their number of calls; the statistics of a bucket are over the number of addresses per window. A percentile is the element at ceil(p × n ÷ 100), counted from 1. Empty buckets are absent.',
    specified: 'partial',
    note: 'The payload bucketStats is not listed there.',
    request: {
      ...endpointFields,
      startWindow: required(integer(), 'Epoch minutes.'),
      endWindow: required(integer(), 'Epoch minutes.'),
    },
    answer: wide(trafficObject, ['bucketStats'], { bucketStats: filled(list(bucketStats), []) }),
    errors: guarded,
    example: {
      request: { ...exampleKey, startWindow: 29497000, endWindow: 29498000 },
      response: { bucketStats: [{ bucketLabel: 'b1', min: 1, max: 4, p25: 1, p50: 2, p75: 3 }] },
    },
  }),

  fetchSampleData: operation({
    ...shared,
    summary: 'Shows the kept samples of an endpoint',
    description:
      'At most one item, with up to 10 sample messages, oldest first. Groups work: membership counts, not ownership. No samples, an unknown endpoint or a redacted collection give an empty list. Credentials and values of sensitive data types are masked; members and administrators may ask for them, which is logged.',
    specified: 'partial',
    note: 'The payload sampleDataList is named there only for the statistics.',
    request: { ...endpointFields, unmasked: unmaskedFlag },
    answer: wide(trafficObject, ['sampleDataList'], {
      sampleDataList: filled(list(sampleData), []),
      sensitiveSampleData: filled(openObject(), {}),
      traffic: filled(openObject(), {}),
    }),
    errors: [...guarded, 'UNMASKED_FOR_MEMBERS'],
    example: {
      request: exampleKey,
      response: {
        sampleDataList: [
          {
            id: { ...exampleKey, responseCode: -1, bucketStartEpoch: 0, bucketEndEpoch: 0 },
            samples: [exampleMessage],
            collectionIds: [1679459648],
            traces: null,
          },
        ],
      },
    },
  }),
})
