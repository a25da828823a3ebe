import { group, operation, root } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { endpointChange, endpointOverview } from '../records/endpoint-overview.ts'
import { optional, required } from '../request-field.ts'
import { count, epochSeconds, integer, list, model, oneOf, text } from '../schema.ts'
import { changeKinds, testStates } from '../vocabulary.ts'
import { exampleKey } from './collection-endpoints.ts'
import { exampleOverview, pageFields } from './inventory.ts'

const read = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const

const window = {
  startTimestamp: required(epochSeconds(), 'Epoch seconds, included; 0 or less for no lower end.', {
    default: 0,
  }),
  endTimestamp: required(epochSeconds(), 'Epoch seconds, included; 0 or less for now.', { default: 0 }),
}

const trend = root(
  model('EndpointTrend', 'New endpoints per day.', {
    data: model('EndpointTrendData', 'The payload.', {
      endpoints: list(
        model('EndpointTrendDay', 'New endpoints of one day (UTC).', {
          _id: integer({ description: 'Days since 1970-01-01.' }),
          count: count(),
        }),
      ),
    }),
  }),
)

const trendExample = {
  request: { startTimestamp: 1769212800, endTimestamp: 1769854500 },
  response: { data: { endpoints: [{ _id: 20484, count: 12 }] } },
}

/** What is new and what changed, by their wire names. */
export const inventoryChangeOperations = group('inventory', {
  countTestStates: operation({
    ...read,
    summary: 'Counts endpoints by whether they were tested, and why not',
    description:
      'Endpoints of active collections that nobody ignores, each in the first state that applies: TESTED in the last 30 days, OUTDATED (tested before that), OUT_OF_SCOPE (its collection is out of testing scope, or it is deactivated), NOT_VERIFIED (requests of its checks failed), NEEDS_CONFIGURATION (its checks lacked a role, a credential or a setting), SKIPPED (no test applied to it), NEVER_RUN. States without endpoints are absent. searchEndpoints lists them with testState, and state ACTIVE or DEACTIVATED.',
    request: {},
    answer: root(
      model('TestStateCounts', 'Endpoints by whether they were tested.', {
        testStates: list(
          model('TestStateCount', 'Endpoints in one state.', {
            state: oneOf(testStates),
            endpoints: count(),
          }),
        ),
      }),
    ),
    errors: [],
    example: {
      request: {},
      response: {
        testStates: [
          { state: 'TESTED', endpoints: 17 },
          { state: 'NEVER_RUN', endpoints: 25 },
        ],
      },
    },
  }),

  loadRecentEndpoints: operation({
    ...read,
    summary: 'Lists the endpoints discovered in a window',
    description: 'Newest first, then by url and method.',
    request: {
      ...window,
      apiCollectionId: optional(integer(), 'One collection or group; null for all the caller may see.'),
      ...pageFields,
    },
    answer: root(
      model('RecentEndpoints', 'One page of new endpoints.', {
        endpoints: list(endpointOverview),
        total: count('Matches over all pages; counting ends at 10,000.'),
      }),
    ),
    errors: ['NO_SUCH_COLLECTION'],
    example: {
      request: { startTimestamp: 1769850000, endTimestamp: 0 },
      response: { endpoints: [exampleOverview], total: 1 },
    },
  }),

  fetchChanges: operation({
    ...read,
    summary: 'Lists what changed in a window',
    description:
      'New endpoints, new parameters, newly found sensitive data, kinds of authentication and access, and decisions about path templates, newest first.',
    request: {
      ...window,
      apiCollectionId: optional(integer(), 'One collection or group; null for all the caller may see.'),
      kinds: optional(list(oneOf(changeKinds)), 'Kinds of change. Empty or null: no filter.'),
      search: optional(text({ maxLength: 500 }), 'Text found in the url, without regard to case.'),
      endpoint: optional(endpointKey, 'Only changes of this endpoint.'),
      ...pageFields,
    },
    answer: root(
      model('EndpointChanges', 'One page of changes.', {
        changes: list(endpointChange),
        total: count('Matches over all pages; counting ends at 1,000.'),
      }),
    ),
    errors: ['NO_SUCH_COLLECTION', 'NO_SUCH_ENDPOINT', 'DEACTIVATED_COLLECTION'],
    example: {
      request: { startTimestamp: 1769850000, endTimestamp: 0, kinds: ['NEW_PARAMETER'] },
      response: {
        changes: [
          { apiInfoKey: exampleKey, kind: 'NEW_PARAMETER', what: 'user#email', timestamp: 1769851000 },
        ],
        total: 1,
      },
    },
  }),

  fetchNewEndpointsTrendForHostCollections: operation({
    ...read,
    summary: 'Counts new endpoints per day in collections with a host',
    description: 'One entry per day with new endpoints, ascending. Deactivated collections are left out.',
    request: window,
    answer: trend,
    errors: [],
    example: trendExample,
  }),

  fetchNewEndpointsTrendForNonHostCollections: operation({
    ...read,
    summary: 'Counts new endpoints per day in collections without a host',
    description:
      'One entry per day with new endpoints, ascending. Groups and deactivated collections are left out.',
    request: window,
    answer: trend,
    errors: [],
    example: trendExample,
  }),
})
