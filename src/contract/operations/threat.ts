import { pageLimits } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { categoryCount } from '../records/malicious-event.ts'
import {
  eventObject,
  sortMap,
  threatApiObject,
  threatObject,
  unenforcedActors,
} from '../records/threat-object.ts'
import { optional, pageSize, required } from '../request-field.ts'
import { epochSeconds, flag, integer, list, model, oneOf, text } from '../schema.ts'
import { actorStatuses, detectorTypes, eventStatuses, eventTypes } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'
import { unmaskedFlag } from './collection-endpoints.ts'

const shared = { inSpecification: true, role: 'GUEST', access: 'read', errors: [], idempotent: true } as const

const { events, threats } = pageLimits

const window = {
  startTs: optional(epochSeconds(), 'Start of the window, included; 0 or less for no bound.', { default: 0 }),
  endTs: optional(epochSeconds(), 'End of the window, included; 0 or less for now.', { default: 0 }),
}
const eventWindow = {
  startTimestamp: optional(epochSeconds(), 'Start of the window, included; 0 or less for no bound.', {
    default: 0,
  }),
  endTimestamp: optional(epochSeconds(), 'End of the window, included; 0 or less for now.', { default: 0 }),
}
const latestAttack = optional(list(text()), 'Ids of filters.')
const skip = optional(integer(), 'Entries to leave out; a negative number is 0.', { default: 0 })
const page = optional(integer({ minimum: 1, maximum: threats.most }), 'Entries per page.', {
  default: threats.byDefault,
})
const statusFilter = optional(
  oneOf([...eventStatuses, 'EVENTS', '']),
  'Status; EVENTS means ACTIVE, null and empty text all.',
)
const counted = {
  ...window,
  latestAttack,
  severityStatusFilter: statusFilter,
}
const categoryCounts = root(
  model('CategoryCounts', 'Numbers of events by kind.', { categoryCounts: list(categoryCount) }),
)

const exampleWindow = { startTs: 1769800000, endTs: 1769860000 }

/** Threats in observed traffic, by their wire names. */
export const threatOperations = group('threat', {
  fetchSuspectSampleData: operation({
    ...shared,
    summary: 'Pages through the malicious events',
    description: `Lists filter by any of their values and null or [] filters nothing; all filters must fit. Sorted by detectedAt (newest first by default) or severity, then by id; total counts all that fit. Limits of 0 or less mean ${events.byDefault}, the most is ${events.most}. Events whose collection is not known are shown to everyone. Credentials and values of sensitive data types are masked in payloads and metadata; members and administrators may ask for them, which is logged.`,
    specified: 'partial',
    note: 'The event has more fields here, and more filters are taken.',
    request: {
      urls: optional(list(text()), 'URLs as observed.'),
      paths: optional(list(text()), 'Paths of endpoints under attack, as fetchThreatApis lists them.'),
      types: optional(list(text()), `${detectorTypes.join(' or ')}.`),
      limit: optional(integer(), 'Events per page.', {
        default: events.byDefault,
        applied: pageSize(events),
      }),
      skip,
      sort: optional(sortMap, 'detectedAt or severity; other keys are ignored.'),
      ...eventWindow,
      ips: optional(list(text()), 'Actors or source addresses.'),
      apiCollectionIds: optional(list(integer()), 'Collections.'),
      severity: optional(list(text()), 'Severities.'),
      subCategory: optional(list(text()), 'Subcategories.'),
      latestAttack,
      method: optional(list(text()), 'HTTP methods.'),
      hosts: optional(list(text()), 'Hosts.'),
      statusFilter,
      successfulExploit: optional(flag(), 'Only those that worked, or only those that did not.'),
      label: optional(text(), 'threat or guardrail.'),
      latestApiOrigRegex: optional(
        text(),
        'Pattern found in the message as it is shown, in RE2 syntax: without unmasked, masked values are not found. Looked for in the first 2000 events that fit, and total counts those found.',
      ),
      sortBySeverity: optional(flag(), 'Sort by severity, the worst first.', { default: false }),
      searchText: optional(text(), 'Found in filter, host or actor.'),
      endpoint: optional(
        endpointKey,
        'Only events at this endpoint of the inventory, whatever values its parameters had.',
      ),
      unmasked: unmaskedFlag,
    },
    answer: wide(eventObject, ['maliciousEvents', 'total']),
    errors: ['INVALID_REGEX', 'NO_SUCH_ENDPOINT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'],
    example: {
      request: {
        urls: [],
        types: ['Rule-Based'],
        limit: 50,
        skip: 0,
        sort: { detectedAt: -1 },
        startTimestamp: 1769800000,
        endTimestamp: 1769860000,
      },
      response: {
        maliciousEvents: [
          {
            id: '5b0c2a3e-7d6f-4a53-9c52-6b1f9f0c2d11',
            refId: 'b302ed4c-94d1-4c1e-8c6b-0c9a6f1d2e33',
            actor: '203.0.113.9',
            ip: '203.0.113.9',
            country: 'US',
            filterId: 'SQLInjection',
            category: 'SQL_INJECTION',
            subCategory: 'SQL_INJECTION',
            type: 'Rule-Based',
            eventType: 'SINGLE',
            method: 'GET',
            url: '/rest/products/search?q=%27--',
            apiCollectionId: 1679459648,
            timestamp: 1769854500,
            payload: 'method: "GET"\npath: "/rest/products/search?q=%27--"\ntype: "HTTP/1.1"\n',
            metadata: 'country_code: "US"\n',
            severity: 'MEDIUM',
            status: 'ACTIVE',
            host: 'shop.test',
            successfulExploit: false,
            label: 'threat',
            destCountry: '',
            jiraTicketUrl: '',
          },
        ],
        total: 1,
      },
    },
  }),

  fetchThreatActors: operation({
    ...shared,
    summary: 'Pages through the threat actors',
    description:
      'Actors with an event in the window that fits every filter. Sorted by discoveredAt (latest first by default) or lastSeen, then by id; total counts all that fit. latestAttack and the subCategory of an activity are ids of filters.',
    specified: 'partial',
    note: 'The actor has more fields here, and more filters are taken.',
    request: {
      ...window,
      skip,
      sort: optional(sortMap, 'discoveredAt or lastSeen.'),
      latestAttack,
      country: optional(list(text()), 'Countries in two letters.'),
      actorId: optional(list(text()), 'Actors.'),
      host: optional(list(text()), 'Hosts of the newest event.'),
      status: optional(list(text()), 'Statuses; one whose time is over counts as active.'),
      limit: page,
      cursor: optional(text(), 'Accepted and ignored.'),
    },
    answer: wide(threatObject, ['actors', 'total', 'endTs']),
    example: {
      request: { ...exampleWindow, skip: 0, sort: { discoveredAt: -1 } },
      response: {
        actors: [
          {
            id: '203.0.113.9',
            latestAttack: 'SQLInjection',
            country: 'US',
            latestApiEndpoint: '/rest/products/search',
            latestApiIp: '203.0.113.9',
            latestApiMethod: 'GET',
            discoveredAt: 1769800000,
            activity: [
              {
                severity: 'MEDIUM',
                subCategory: 'SQLInjection',
                method: 'GET',
                detectedAt: 1769854500,
                url: '/rest/products/search?q=%27--',
              },
            ],
            latestApiHost: 'shop.test',
            status: 'active',
            lastSeen: 1769854500,
          },
        ],
        total: 1,
        endTs: 1769860000,
      },
    },
  }),

  fetchFiltersThreatTable: operation({
    ...shared,
    summary: 'Lists what malicious events can be filtered by',
    description:
      'Distinct values, ascending, at most 1000 of each. ips holds actors and subCategory ids of filters that still exist, whatever the names say.',
    specified: 'partial',
    note: 'hosts is added.',
    request: eventWindow,
    answer: wide(eventObject, ['subCategory', 'ips', 'urls', 'hosts'], {
      apiCollectionIds: filled(list(integer()), null),
      ips: filled(list(text(), { description: 'Actors.' }), null),
      latestAttack: filled(list(text()), null),
      hosts: filled(list(text()), null),
    }),
    example: {
      request: {},
      response: {
        subCategory: ['SQLInjection'],
        ips: ['203.0.113.9'],
        urls: ['/rest/products/search?q=%27--'],
        hosts: ['shop.test'],
      },
    },
  }),

  fetchAggregateMaliciousRequests: operation({
    ...shared,
    summary: 'Shows the whole messages behind an event',
    description:
      'Messages with the refId; for AGGREGATED also those of the actor and the filter. Newest first, at most 10; an unknown refId has none. Without refId both actor and filterId are needed. An actor may have been counted in several collections: callers restricted to some see the messages of these. Credentials and values of sensitive data types are masked; members and administrators may ask for them, which is logged.',
    specified: 'full',
    request: {
      actor: optional(text(), 'Actor of the event.'),
      filterId: optional(text(), 'Filter of the event.'),
      refId: optional(text(), 'refId of the event.'),
      eventType: optional(text(), `${eventTypes.join(' or ')}; any other word means the first.`),
      unmasked: unmaskedFlag,
    },
    answer: wide(threatObject, ['maliciousPayloadsResponses', 'endTs']),
    errors: ['REF_ID_REQUIRED', 'UNMASKED_FOR_MEMBERS'],
    example: {
      request: {
        actor: '203.0.113.9',
        filterId: 'SQLInjection',
        refId: 'b302ed4c-94d1-4c1e-8c6b-0c9a6f1d2e33',
        eventType: 'SINGLE',
      },
      response: {
        maliciousPayloadsResponses: [
          {
            orig: '{"method":"GET","path":"/rest/products/search?q=%27--","type":"HTTP/1.1","requestHeaders":"{}","requestPayload":"","statusCode":200,"status":"OK","responseHeaders":"{}","responsePayload":"{}","time":1769854500}',
            metadata: '{\n  "countryCode": "US"\n}',
            ts: 1769854500,
          },
        ],
        endTs: 1769860000,
      },
    },
  }),

  fetchThreatApis: operation({
    ...shared,
    summary: 'Pages through the endpoints under attack',
    description:
      'One entry per path, method and host with events in the window; numbers are those of the window. discoveredAt is the first event of all times, with latestAttack the first that fits. Sorted by discoveredAt (latest first by default), requestsCount or actorsCount, then by path and method; total counts all that fit.',
    specified: 'partial',
    note: 'host is added to the endpoint, and more filters are taken.',
    request: {
      skip,
      sort: optional(sortMap, 'discoveredAt, requestsCount or actorsCount.'),
      latestAttack,
      ...window,
      limit: page,
    },
    answer: wide(threatApiObject, ['apis', 'total']),
    example: {
      request: { skip: 0, sort: { discoveredAt: -1 } },
      response: {
        apis: [
          {
            api: '/rest/products/search',
            method: 'GET',
            requestsCount: 12,
            actorsCount: 3,
            discoveredAt: 1769800000,
            host: 'shop.test',
          },
        ],
        total: 1,
      },
    },
  }),

  fetchCountBySeverity: operation({
    ...shared,
    summary: 'Counts malicious events by severity',
    description:
      'subCategory holds the severity and category is empty. CRITICAL, HIGH, MEDIUM, LOW in this order; severities without events are absent.',
    specified: 'full',
    request: counted,
    answer: categoryCounts,
    example: {
      request: exampleWindow,
      response: { categoryCounts: [{ category: '', subCategory: 'HIGH', count: 13089 }] },
    },
  }),

  fetchThreatCategoryCount: operation({
    ...shared,
    summary: 'Counts malicious events by category and subcategory',
    description: 'The largest first, then by name. category is the name to show.',
    specified: 'full',
    request: counted,
    answer: categoryCounts,
    example: {
      request: exampleWindow,
      response: {
        categoryCounts: [{ category: 'SQL Injection', subCategory: 'SQL_INJECTION', count: 17 }],
      },
    },
  }),

  getThreatActivityTimeline: operation({
    ...shared,
    summary: 'Counts malicious events by day and subcategory',
    description: 'One entry per UTC day with events, ascending; within a day the largest count first.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: { ...window, latestAttack },
    answer: root(
      model('ThreatActivity', 'Numbers of events by day.', {
        threatActivityTimelines: list(
          model('ThreatActivityDay', 'Numbers of events of one day.', {
            ts: epochSeconds('Start of the day in UTC.'),
            subCategoryWiseData: list(
              model('SubcategoryActivity', 'Number of events of one subcategory.', {
                subcategory: text(),
                activityCount: integer(),
              }),
            ),
          }),
        ),
      }),
    ),
    example: {
      request: exampleWindow,
      response: {
        threatActivityTimelines: [
          {
            ts: 1769817600,
            subCategoryWiseData: [{ subcategory: 'SQL_INJECTION', activityCount: 3 }],
          },
        ],
      },
    },
  }),

  getDailyThreatActorsCount: operation({
    ...shared,
    summary: 'Counts threat actors by day, and events by status',
    description:
      'actorsCounts has one entry per UTC day with events, ascending. An actor is critical when its worst event is HIGH or CRITICAL; totalCriticalActors counts each once. The status totals count events.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: { ...window, latestAttack },
    answer: root(
      model('DailyThreatActors', 'Actors by day and events by status.', {
        actorsCounts: list(
          model('ThreatActorsDay', 'Actors of one day.', {
            ts: epochSeconds('Start of the day in UTC.'),
            totalActors: integer(),
            criticalActors: integer(),
          }),
        ),
        total: integer({ description: 'Always 0.' }),
        totalAnalysed: integer({ description: 'Events of the window.' }),
        totalAttacks: integer({ description: 'Events that worked.' }),
        totalCriticalActors: integer(),
        totalActiveStatus: integer(),
        totalIgnoredStatus: integer(),
        totalUnderReviewStatus: integer(),
        activeActorsCount: integer({ description: 'Actors whose status is active.' }),
      }),
    ),
    example: {
      request: exampleWindow,
      response: {
        actorsCounts: [{ ts: 1769817600, totalActors: 5, criticalActors: 1 }],
        total: 0,
        totalAnalysed: 120,
        totalAttacks: 3,
        totalCriticalActors: 1,
        totalActiveStatus: 100,
        totalIgnoredStatus: 10,
        totalUnderReviewStatus: 10,
        activeActorsCount: 4,
      },
    },
  }),

  getActorsCountPerCounty: operation({
    ...shared,
    summary: 'Counts threat actors by country',
    description:
      'Distinct actors per country of their events, the largest first; an actor seen from two countries counts in both, unknown countries come last as "". The name is spelled so on the wire.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: window,
    answer: root(
      model('ActorsPerCountry', 'Numbers of actors by country.', {
        actorsCountPerCountry: list(
          model('CountryCount', 'Number of actors of one country.', {
            country: text({ description: 'Two letters; empty when unknown.' }),
            count: integer(),
          }),
        ),
      }),
    ),
    example: {
      request: exampleWindow,
      response: { actorsCountPerCountry: [{ country: 'US', count: 12 }] },
    },
  }),

  fetchFiltersForThreatActors: operation({
    ...shared,
    summary: 'Lists what threat actors can be filtered by',
    description:
      'Distinct values of all times, ascending, at most 1000 of each. country may hold "", latestAttack ids of filters that still exist.',
    specified: 'full',
    request: {},
    answer: wide(threatObject, ['country', 'latestAttack', 'actorId', 'host', 'endTs'], {
      country: filled(list(text()), null),
      latestAttack: filled(list(text()), null),
      actorId: filled(list(text()), null),
      host: filled(list(text()), null),
    }),
    example: {
      request: {},
      response: {
        country: ['', 'US'],
        latestAttack: ['SQLInjection'],
        actorId: ['203.0.113.9'],
        host: ['shop.test'],
        endTs: 1769860000,
      },
    },
  }),

  modifyThreatActorStatus: operation({
    summary: 'Sets the status of a threat actor',
    description: `Stores the status from any other; case does not count. Usual words: ${actorStatuses.join(', ')}. blocked puts the actor on the block list, any other word takes it off. The list is what gateways enforce: GET /api/blocklist, and files in the data folder; Vigil itself is not in the way of observed traffic. Gateways get single addresses, so notEnforced names a blocked actor that they let through, with the reason. Events of blocked actors are still recorded. Unknown actors get a record.`,
    inSpecification: true,
    specified: 'full',
    request: {
      actorIp: required(
        text(),
        'The actor, an address or another id; not empty, at most 200 bytes of UTF-8.',
      ),
      status: required(text(), '1 to 32 letters, digits, underscores, hyphens or spaces.'),
      expiresAt: optional(
        epochSeconds(),
        'Epoch seconds at which the actor is active again; 0 or less for never.',
        {
          default: 0,
        },
      ),
      reason: optional(text({ maxLength: 1000 }), 'Why; kept with the change.', { default: '' }),
    },
    answer: wide(threatObject, ['actorIp', 'status', 'endTs', 'notEnforced'], {
      notEnforced: unenforcedActors,
    }),
    role: 'MEMBER',
    access: 'write',
    errors: ['INVALID_ACTOR_STATUS'],
    idempotent: true,
    example: {
      request: { actorIp: '203.0.113.9', status: 'blocked' },
      response: { actorIp: '203.0.113.9', status: 'blocked', endTs: 1769860000, notEnforced: [] },
    },
  }),
})
