import { group, operation, root } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { latency } from '../records/endpoint-overview.ts'
import { optional, required } from '../request-field.ts'
import { count, epochSeconds, integer, list, model, oneOf, text } from '../schema.ts'
import { endpointStates } from '../vocabulary.ts'
import { exampleKey } from './collection-endpoints.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const tag = text({ minLength: 1, maxLength: 40 })

const named = (name: string, description: string) =>
  list(model(name, description, { name: text(), endpoints: count() }))

const apiList = required(list(endpointKey, { maxItems: 500 }), 'The endpoints, under their own collections.')

/** What people say of endpoints, and who calls them, by their wire names. */
export const endpointCareOperations = group('inventory', {
  updateEndpoints: operation({
    ...shared,
    summary: 'Sets tags, owner and state of endpoints',
    description:
      'For all of them in one step; what is absent stays as it is, and endpoints that do not exist are passed over. A DEACTIVATED endpoint is left out of test runs, an IGNORED one of the dashboard’s lists as well; both still learn from traffic. A path template has the strictest state of the paths behind it. An endpoint has at most 20 tags; a call that would exceed that changes nothing.',
    request: {
      apiList: required(
        list(endpointKey, { maxItems: 10_000 }),
        'The endpoints, under their own collections.',
      ),
      addTags: optional(list(tag, { maxItems: 20 }), 'Tags to add.', { default: [] }),
      removeTags: optional(list(tag, { maxItems: 20 }), 'Tags to remove.', { default: [] }),
      owner: optional(text({ maxLength: 100 }), 'A person or a team; empty takes the owner away.'),
      state: optional(oneOf(endpointStates), 'Whether they are tested and listed.'),
    },
    answer: root(
      model('EndpointsUpdated', 'How many endpoints the call changed.', { updatedCount: count() }),
    ),
    role: 'MEMBER',
    access: 'write',
    errors: ['NO_APIS_GIVEN', 'NO_SUCH_ENDPOINT', 'TOO_MANY_TAGS'],
    idempotent: true,
    example: {
      request: { apiList: [exampleKey], addTags: ['payments'], owner: 'team-a', state: 'ACTIVE' },
      response: { updatedCount: 1 },
    },
  }),

  fetchEndpointTags: operation({
    ...shared,
    summary: 'Lists tags and owners of endpoints',
    description: 'By name, with the number of endpoints; at most 1000 of each.',
    request: {},
    answer: root(
      model('EndpointTags', 'Tags and owners of endpoints.', {
        tags: named('EndpointTag', 'A tag.'),
        owners: named('EndpointOwner', 'An owner.'),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: {},
      response: { tags: [{ name: 'payments', endpoints: 3 }], owners: [{ name: 'team-a', endpoints: 2 }] },
    },
  }),

  fetchEndpointTraffic: operation({
    ...shared,
    summary: 'Counts calls of endpoints by status class, and their callers',
    description:
      'The window is divided into as many lengths as asked for, each a whole number of five minutes; lengths without calls are left out. Callers are distinct addresses; they are known only for as long as calls per address are kept. Latencies are kept by the hour, so their lengths are whole hours; hours in which no source told a duration are left out.',
    request: {
      apiList,
      startTimestamp: required(epochSeconds(), 'Epoch seconds, included.'),
      endTimestamp: required(epochSeconds(), 'Epoch seconds, included.'),
      buckets: optional(
        integer({ minimum: 1, maximum: 120 }),
        'How many lengths the window has; of several endpoints always one.',
        { default: 1 },
      ),
    },
    answer: root(
      model('EndpointTraffic', 'Calls of endpoints.', {
        bucketMinutes: integer({ description: 'Minutes of each length; of one, all of the window.' }),
        latencyMinutes: integer({ description: 'Minutes of each length of latencies.' }),
        traffic: list(
          model('TrafficOfEndpoint', 'Calls of one endpoint, in the order of time.', {
            apiInfoKey: endpointKey,
            buckets: list(
              model('TrafficBucket', 'Calls of one length of time.', {
                start: epochSeconds(),
                success: count('Answered with 2xx.'),
                redirects: count('Answered with 3xx.'),
                clientErrors: count('Answered with 4xx.'),
                serverErrors: count('Answered with 5xx.'),
                other: count('Answered otherwise, or not at all.'),
                callers: count('Distinct addresses.'),
              }),
            ),
            latencies: list(
              model('LatencyBucket', 'How long the calls of one length of time took.', {
                start: epochSeconds(),
                p50: latency('half'),
                p95: latency('95 %'),
              }),
            ),
          }),
        ),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: ['NO_APIS_GIVEN'],
    idempotent: true,
    example: {
      request: { apiList: [exampleKey], startTimestamp: 1769850000, endTimestamp: 1769854500 },
      response: {
        bucketMinutes: 80,
        latencyMinutes: 120,
        traffic: [
          {
            apiInfoKey: exampleKey,
            buckets: [
              {
                start: 1769850000,
                success: 40,
                redirects: 0,
                clientErrors: 2,
                serverErrors: 0,
                other: 0,
                callers: 3,
              },
            ],
            latencies: [{ start: 1769846400, p50: 42, p95: 180 }],
          },
        ],
      },
    },
  }),
})
