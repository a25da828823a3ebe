import { group, operation, root, wide } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { endpointDetail, endpointOverview, parameterRecord } from '../records/endpoint-overview.ts'
import { trafficObject } from '../records/traffic-object.ts'
import { knownWord, optional, required } from '../request-field.ts'
import { count, document, epochSeconds, flag, integer, list, model, oneOf, text } from '../schema.ts'
import {
  accessTypes,
  apiTypes,
  endpointSortKeys,
  endpointStates,
  parameterPositions,
  testStates,
} from '../vocabulary.ts'
import { filled } from '../wide-record.ts'
import {
  endpointFields,
  exampleApiInfo,
  exampleKey,
  exampleMessage,
  unmaskedFlag,
} from './collection-endpoints.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const read = { ...shared, role: 'GUEST', access: 'read', idempotent: true } as const

/** An endpoint overview as examples show it. */
export const exampleOverview = {
  ...exampleApiInfo,
  collectionName: 'shop',
  sensitiveInRequest: [],
  sensitiveInResponse: ['EMAIL'],
  callCount: 42,
  firstSeen: 1769850000,
  changedTimestamp: 0,
  isTemplate: false,
  isDocumented: false,
  openIssues: { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0 },
  recentAttacks: 3,
  latencyP50: 42,
  latencyP95: 180,
  tags: ['payments'],
  owner: 'team-a',
  state: 'ACTIVE',
}

const words = (description: string) =>
  optional(list(text({ maxLength: 200 }), { maxItems: 100 }), `${description} Empty or null: no filter.`)

/** Page fields of the dashboard's lists. */
export const pageFields = {
  skip: optional(integer({ minimum: 0 }), 'Items to pass over.', { default: 0 }),
  limit: optional(integer({ minimum: 1, maximum: 500 }), 'Items per page.', { default: 50 }),
}

/** Endpoint lists and details, by their wire names. */
export const inventoryOperations = group('inventory', {
  searchEndpoints: operation({
    ...read,
    summary: 'Searches endpoints over one or all collections',
    description:
      'One page of the endpoints that meet every filter, with the number of matches; endpoints of deactivated collections are left out unless one of these is asked for. Counting ends at 10,000 unless exactTotal asks for all. Values within a filter are alternatives. Equal sort keys are ordered by url then method.',
    request: {
      apiCollectionId: optional(integer(), 'One collection or group; null for all the caller may see.'),
      search: optional(text({ maxLength: 500 }), 'Text found in the url, without regard to case.'),
      pathPrefix: optional(
        text({ maxLength: 500 }),
        'Path without host: only endpoints at it or below it, segment by segment; / is the root path only.',
      ),
      method: words('HTTP methods.'),
      authType: words('Kinds of authentication.'),
      apiType: optional(list(oneOf(apiTypes)), 'API types. Empty or null: no filter.'),
      accessType: optional(list(oneOf(accessTypes)), 'Access types. Empty or null: no filter.'),
      sensitiveType: words('Sensitive data types, in requests or responses.'),
      sensitive: optional(
        flag(),
        'Only endpoints with (or without) sensitive data, in requests or responses.',
      ),
      documented: optional(flag(), 'Only endpoints with (or without) a specification.'),
      called: optional(flag(), 'Only endpoints with (or without) calls.'),
      quietSince: optional(
        epochSeconds(),
        'Only endpoints that were called before this epoch second and not since.',
      ),
      newSince: optional(
        epochSeconds(),
        'Only endpoints that Vigil first recorded at or after this epoch second.',
      ),
      testState: optional(
        list(oneOf(testStates)),
        'Whether endpoints were tested in the last 30 days, and why not, as countTestStates tells. Empty or null: no filter.',
      ),
      tag: words('Tags.'),
      owner: words('Owners; an empty text means those without one.'),
      state: optional(list(oneOf(endpointStates)), 'States. Empty or null: no filter.'),
      sortKey: optional(oneOf(endpointSortKeys), 'What to sort by; any other word means url.', {
        default: 'url',
        applied: knownWord(endpointSortKeys, 'url'),
      }),
      sortOrder: optional(integer({ minimum: -1, maximum: 1 }), '-1 descending, else ascending.', {
        default: 1,
      }),
      exactTotal: optional(flag(), 'Count every match, which takes longer where they are many.', {
        default: false,
      }),
      ...pageFields,
    },
    answer: root(
      model('EndpointPage', 'One page of endpoints.', {
        endpoints: list(endpointOverview),
        total: count('Matches over all pages, as far as they were counted.'),
        isTotalExact: flag({ description: 'False when counting ended before the last match.' }),
      }),
    ),
    errors: ['NO_SUCH_COLLECTION'],
    example: {
      request: { apiCollectionId: 1679459648, search: 'user', method: ['GET'], limit: 50 },
      response: { endpoints: [exampleOverview], total: 1, isTotalExact: true },
    },
  }),

  getSingleEndpoint: operation({
    ...read,
    summary: 'Shows one endpoint in full',
    description: 'The API info with risk factors, credentials by outcome and attributes of its protocol.',
    request: endpointFields,
    answer: root(model('SingleEndpoint', 'One endpoint.', { apiInfo: endpointDetail })),
    errors: ['NO_SUCH_ENDPOINT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'],
    example: {
      request: exampleKey,
      response: {
        apiInfo: {
          ...exampleOverview,
          riskFactors: [
            {
              factor: 'exposure',
              points: 1.6,
              evidence: 'PUBLIC',
              since: 1769850000,
              remedy: 'restrict who can reach it',
            },
            {
              factor: 'changes state',
              points: 0.4,
              evidence: 'POST',
              since: 1769850000,
              remedy: 'nothing to do: it is why the other factors weigh more here',
            },
          ],
          authSeen: [{ types: ['JWT'], outcome: '2xx', count: 42, lastSeen: 1769854500 }],
          attributes: {},
        },
      },
    },
  }),

  loadParamsOfEndpoint: operation({
    ...read,
    summary: 'Lists the parameters of an endpoint with their types',
    description:
      'One record per name, place, response code and type, ordered by place then name. At most 5,000 records; truncated tells when there are more.',
    request: endpointFields,
    answer: root(
      model('EndpointParameters', 'The parameters of one endpoint.', {
        data: model('EndpointParametersData', 'The payload.', {
          params: list(parameterRecord),
          truncated: flag(),
        }),
      }),
    ),
    errors: ['NO_SUCH_ENDPOINT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'],
    example: {
      request: exampleKey,
      response: {
        data: {
          params: [
            {
              ...exampleKey,
              responseCode: 200,
              param: 'user#email',
              displayName: 'user.email',
              position: 'RESPONSE_BODY',
              isHeader: false,
              isUrlParam: false,
              isQueryParam: false,
              subTypeString: 'EMAIL',
              sensitive: true,
              count: 42,
              timestamp: 1769850000,
              lastSeen: 1769854500,
              examples: [],
              minValue: null,
              maxValue: null,
              distinctValues: null,
              route: null,
            },
          ],
          truncated: false,
        },
      },
    },
  }),

  fetchSensitiveSampleData: operation({
    ...read,
    summary: 'Shows samples that carry sensitive values',
    description:
      'Per sensitive parameter the sample messages that have it, up to ten, and 4 MiB of text in all: further parameters come without samples. Masked as the collection asks for. Credentials and values of sensitive data types are masked; members and administrators may ask for them, which is logged.',
    request: { ...endpointFields, unmasked: unmaskedFlag },
    answer: wide(trafficObject, ['sensitiveSampleData'], {
      sensitiveSampleData: filled(
        list(
          model('SensitiveSample', 'Samples with one sensitive parameter.', {
            param: text(),
            position: oneOf(parameterPositions),
            responseCode: integer({ description: '-1 for the request.' }),
            subTypeString: text(),
            samples: list(document()),
          }),
        ),
        [],
      ),
    }),
    errors: ['NO_SUCH_ENDPOINT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION', 'UNMASKED_FOR_MEMBERS'],
    example: {
      request: exampleKey,
      response: {
        sensitiveSampleData: [
          {
            param: 'user#email',
            position: 'RESPONSE_BODY',
            responseCode: 200,
            subTypeString: 'EMAIL',
            samples: [exampleMessage],
          },
        ],
      },
    },
  }),

  deleteApis: operation({
    ...shared,
    summary: 'Deletes endpoints',
    description:
      'Their samples, parameter records, statistics and group memberships go with them. Endpoints that do not exist are passed over; traffic that comes later makes them anew.',
    request: { apiList: required(list(endpointKey), 'The endpoints.') },
    answer: root(model('ApisDeleted', 'How many endpoints the call deleted.', { deletedCount: count() })),
    role: 'MEMBER',
    access: 'write',
    errors: ['NO_APIS_GIVEN'],
    idempotent: true,
    example: { request: { apiList: [exampleKey] }, response: { deletedCount: 1 } },
  }),
})
