import { group, operation, root, wide } from '../operation.ts'
import {
  categoryCount,
  dailyActors,
  eventStatus,
  filterTemplateResult,
  sortOrders,
  suspectSampleResult,
  threatApiResult,
  threatResult,
} from '../records/threat.ts'
import { optional, required } from '../request-field.ts'
import { count, document, epochSeconds, flag, integer, list, model, text } from '../schema.ts'
import { filled } from '../wide-record.ts'

const read = { inSpecification: true, role: 'GUEST', access: 'read', idempotent: true } as const

const window = {
  startTs: optional(integer(), 'Epoch seconds, included; 0 or less for no lower end.', { default: 0 }),
  endTs: optional(integer(), 'Epoch seconds, included; 0 or less for now.', { default: 0 }),
}
const attacks = { latestAttack: optional(list(text()), 'Filter ids. Empty or null: no filter.') }
const sort = (keys: string) => optional(sortOrders, `Sort by ${keys}; descending when absent.`)
const skip = optional(integer(), 'Items to pass over; below 0 counts as 0.', { default: 0 })

const exampleEvent = {
  id: '5b0c3c52-6a0e-4c0b-9a52-0b8f4f3f8f10',
  refId: 'b302ed4c-2f1d-4a0c-8c73-6a2d3f9f1c11',
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
  payload: 'method: "GET"\npath: "/rest/products/search?q=%27--"\n',
  metadata: 'country_code: "US"\n',
  severity: 'MEDIUM',
  status: 'ACTIVE',
  host: 'shop.test',
  successfulExploit: false,
  label: 'threat',
  destCountry: '',
  jiraTicketUrl: '',
}

const exampleActor = {
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
}

const exampleYaml =
  'id: SQLInjection\nfilter:\n  or:\n    - request_payload:\n        regex:\n          - "union\\\\s+select"\ninfo:\n  name: SQL injection\n  severity: MEDIUM\n  subCategory: SQL_INJECTION\n  category:\n    name: SQL_INJECTION\n    displayName: SQL Injection\n'

const exampleTemplate = {
  id: 'SQLInjection',
  author: 'ada@example.org',
  createdAt: 1751743962,
  updatedAt: 1751743962,
  content: exampleYaml,
  info: {
    name: 'SQL injection',
    description: null,
    details: null,
    impact: null,
    remediation: null,
    severity: 'MEDIUM',
    subCategory: 'SQL_INJECTION',
    references: null,
    tags: null,
    cwe: null,
    cve: null,
    compliance: null,
    category: { name: 'SQL_INJECTION', displayName: 'SQL Injection', shortName: null },
  },
}

const counts = model('CategoryCounts', 'Counts of events.', { categoryCounts: list(categoryCount) })
const statusFilter = { severityStatusFilter: optional(eventStatus, 'Only events with this status.') }

/** Threat detection, by their wire names. */
export const threatOperations = group('threat', {
  fetchSuspectSampleData: operation({
    ...read,
    summary: 'Lists malicious events',
    description:
      'One page of the events that meet every filter; values within a list are alternatives. Sorted by detectedAt (or severity), newest first unless asked otherwise. limit 0 or less means 50, at most 1,000. total counts all matches.',
    specified: 'partial',
    note: 'Further filters and the event fields after apiCollectionId are not listed there.',
    request: {
      urls: optional(list(text()), 'Concrete URLs.'),
      types: optional(list(text()), 'Kinds of detection, for example Rule-Based.'),
      limit: optional(integer(), 'Events per page.', { default: 50 }),
      skip,
      sort: sort('detectedAt or severity'),
      startTimestamp: optional(integer(), 'Epoch seconds, included.', { default: 0 }),
      endTimestamp: optional(integer(), 'Epoch seconds, included; 0 for now.', { default: 0 }),
      ips: optional(list(text()), 'Actors or source addresses.'),
      apiCollectionIds: optional(list(integer()), 'Collections.'),
      severity: optional(list(text()), 'Severities.'),
      subCategory: optional(list(text()), 'Sub-categories.'),
      ...attacks,
      method: optional(list(text()), 'HTTP methods.'),
      hosts: optional(list(text()), 'Hosts.'),
      statusFilter: optional(eventStatus, 'Event status; EVENTS means ACTIVE.'),
      successfulExploit: optional(flag(), 'Only events whose exploit succeeded, or did not.'),
      label: optional(text(), 'Label.'),
      latestApiOrigRegex: optional(text(), 'Pattern on the payload, in RE2 syntax.'),
      searchText: optional(text(), 'Text found in filter id, host or actor.'),
      sortBySeverity: optional(flag(), 'Sorts by severity first.', { default: false }),
    },
    answer: wide(suspectSampleResult, ['total', 'maliciousEvents']),
    errors: ['INVALID_REGEX'],
    example: {
      request: { types: ['Rule-Based'], limit: 50, skip: 0, sort: { detectedAt: -1 } },
      response: { total: 1, maliciousEvents: [exampleEvent] },
    },
  }),

  fetchThreatActors: operation({
    ...read,
    summary: 'Lists the actors behind malicious events',
    description:
      'Actors with at least one event in the window that meets the filters, 50 a page (limit up to 200).',
    specified: 'full',
    request: {
      ...window,
      skip,
      sort: sort('discoveredAt or lastSeen'),
      ...attacks,
      country: optional(list(text()), 'Two-letter codes.'),
      actorId: optional(list(text()), 'Actors.'),
      host: optional(list(text()), 'Hosts of the newest event.'),
      limit: optional(integer({ minimum: 1, maximum: 200 }), 'Actors per page.', { default: 50 }),
    },
    answer: wide(threatResult, ['actors', 'total', 'endTs']),
    errors: [],
    example: {
      request: { startTs: 0, endTs: 1769854500, skip: 0, sort: { discoveredAt: -1 } },
      response: { actors: [exampleActor], total: 1, endTs: 1769854500 },
    },
  }),

  fetchFiltersThreatTable: operation({
    ...read,
    summary: 'Lists the choices for the filters of the event list',
    description:
      'ips holds distinct actors and subCategory distinct filter ids, whatever the names say; lists are ascending and end at 1,000.',
    specified: 'full',
    request: {
      startTimestamp: optional(integer(), 'Epoch seconds, included.', { default: 0 }),
      endTimestamp: optional(integer(), 'Epoch seconds, included; 0 for now.', { default: 0 }),
    },
    answer: wide(suspectSampleResult, ['subCategory', 'ips', 'urls', 'hosts'], {
      hosts: filled(list(text()), []),
    }),
    errors: [],
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

  getThreatActivityTimeline: operation({
    ...read,
    summary: 'Counts events per day and sub-category',
    description:
      'One entry per UTC day with events, ascending; within it the most frequent sub-category first.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: { ...window, ...attacks },
    answer: root(
      model('ThreatTimeline', 'Events per day.', {
        threatActivityTimelines: list(
          model('ThreatDay', 'Events of one day.', {
            ts: epochSeconds('Start of the day.'),
            subCategoryWiseData: list(
              model('SubCategoryActivity', 'Events of one sub-category.', {
                subcategory: text(),
                activityCount: count(),
              }),
            ),
          }),
        ),
      }),
    ),
    errors: [],
    example: {
      request: { startTs: 1769212800, endTs: 1769854500 },
      response: {
        threatActivityTimelines: [
          { ts: 1769817600, subCategoryWiseData: [{ subcategory: 'SQL_INJECTION', activityCount: 3 }] },
        ],
      },
    },
  }),

  fetchAggregateMaliciousRequests: operation({
    ...read,
    summary: 'Shows the messages behind an event',
    description:
      'SINGLE: events with that refId. AGGREGATED: also events of this actor and filter, newest first, at most 10. An unknown refId gives an empty list.',
    specified: 'full',
    request: {
      actor: optional(text(), 'Actor of the event.'),
      filterId: optional(text(), 'Filter of the event.'),
      refId: optional(text(), 'refId of the event.'),
      eventType: optional(text(), 'SINGLE or AGGREGATED.', { default: 'SINGLE' }),
    },
    answer: wide(threatResult, ['maliciousPayloadsResponses']),
    errors: ['REF_ID_REQUIRED'],
    example: {
      request: {
        actor: '203.0.113.9',
        filterId: 'SQLInjection',
        refId: exampleEvent.refId,
        eventType: 'SINGLE',
      },
      response: {
        maliciousPayloadsResponses: [
          {
            orig: '{"method":"GET","path":"/rest/products/search"}',
            metadata: '{"countryCode":"US"}',
            ts: 1769854500,
          },
        ],
      },
    },
  }),

  fetchCountBySeverity: operation({
    ...read,
    summary: 'Counts events by severity',
    description:
      'subCategory holds the severity and category is empty. CRITICAL, HIGH, MEDIUM, LOW; zero counts are left out.',
    specified: 'full',
    request: { ...window, ...attacks, ...statusFilter },
    answer: root(counts),
    errors: [],
    example: {
      request: { startTs: 0, endTs: 0 },
      response: { categoryCounts: [{ category: '', subCategory: 'HIGH', count: 13 }] },
    },
  }),

  fetchThreatApis: operation({
    ...read,
    summary: 'Lists the endpoints under attack',
    description: 'By url, method and host, 50 a page (limit up to 200). total counts all.',
    specified: 'full',
    request: {
      skip,
      sort: sort('discoveredAt, requestsCount or actorsCount'),
      ...window,
      ...attacks,
      limit: optional(integer({ minimum: 1, maximum: 200 }), 'Endpoints per page.', { default: 50 }),
    },
    answer: wide(threatApiResult, ['total', 'apis']),
    errors: [],
    example: {
      request: { skip: 0, sort: { discoveredAt: -1 } },
      response: {
        total: 1,
        apis: [
          {
            api: '/rest/products/search',
            method: 'GET',
            host: 'shop.test',
            requestsCount: 12,
            actorsCount: 3,
            discoveredAt: 1769800000,
          },
        ],
      },
    },
  }),

  fetchThreatCategoryCount: operation({
    ...read,
    summary: 'Counts events by category',
    description: 'One entry per category and sub-category in the window, the largest first.',
    specified: 'full',
    request: { ...window, ...attacks, ...statusFilter },
    answer: root(counts),
    errors: [],
    example: {
      request: { startTs: 0, endTs: 0 },
      response: { categoryCounts: [{ category: 'SQL Injection', subCategory: 'SQL_INJECTION', count: 17 }] },
    },
  }),

  fetchFilterYamlTemplate: operation({
    ...read,
    summary: 'Lists the filter templates',
    description:
      'All templates by id. A stored one that cannot be read has info null, so that it can be repaired.',
    specified: 'full',
    request: {},
    answer: wide(filterTemplateResult, ['templates']),
    errors: [],
    example: { request: {}, response: { templates: [exampleTemplate] } },
  }),

  fetchFiltersForThreatActors: operation({
    ...read,
    summary: 'Lists the choices for the filters of the actor list',
    description: 'Countries, filter ids, actors and hosts of all time, ascending, at most 1,000 each.',
    specified: 'full',
    request: {},
    answer: wide(threatResult, ['country', 'latestAttack', 'actorId', 'host'], {
      country: filled(list(text()), []),
      latestAttack: filled(list(text()), []),
      actorId: filled(list(text()), []),
      host: filled(list(text()), []),
    }),
    errors: [],
    example: {
      request: {},
      response: {
        country: ['US'],
        latestAttack: ['SQLInjection'],
        actorId: ['203.0.113.9'],
        host: ['shop.test'],
      },
    },
  }),

  getDailyThreatActorsCount: operation({
    ...read,
    summary: 'Counts actors per day',
    description:
      'actorsCounts has one entry per UTC day with events, ascending. totalAnalysed counts events, totalAttacks those whose exploit succeeded, totalCriticalActors distinct actors with a HIGH or CRITICAL event, activeActorsCount actors with status active.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: { ...window, ...attacks },
    answer: root(
      model('DailyThreatActors', 'Actors per day and totals of the window.', {
        actorsCounts: list(dailyActors),
        total: count('Always 0.'),
        totalAnalysed: count(),
        totalAttacks: count(),
        totalCriticalActors: count(),
        totalActiveStatus: count(),
        totalIgnoredStatus: count(),
        totalUnderReviewStatus: count(),
        activeActorsCount: count(),
      }),
    ),
    errors: [],
    example: {
      request: { startTs: 1769212800, endTs: 1769854500 },
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
    ...read,
    summary: 'Counts actors per country',
    description:
      'Distinct actors per country of their events, the most first; the empty country (unknown) comes last. The name is spelled so on the wire.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: window,
    answer: root(
      model('ActorsPerCountry', 'Actors per country.', {
        actorsCountPerCountry: list(
          model('CountryActors', 'Actors of one country.', { country: text(), count: count() }),
        ),
      }),
    ),
    errors: [],
    example: {
      request: { startTs: 0, endTs: 0 },
      response: { actorsCountPerCountry: [{ country: 'US', count: 12 }] },
    },
  }),

  modifyThreatActorStatus: operation({
    inSpecification: true,
    role: 'MEMBER',
    access: 'write',
    idempotent: true,
    summary: 'Sets the status of an actor',
    description:
      'Any status word; blocked puts the actor on the block list, anything else takes it off. The answer echoes both fields.',
    specified: 'partial',
    note: 'The set of allowed values is open there.',
    request: {
      actorIp: required(text(), 'The actor; need not be an address.'),
      status: required(text(), 'active, blocked, mitigated, ignored, or a word of your own.'),
    },
    answer: wide(threatResult, ['actorIp', 'status']),
    errors: ['INVALID_ACTOR_STATUS', 'ACTOR_IP_REQUIRED'],
    example: {
      request: { actorIp: '203.0.113.9', status: 'blocked' },
      response: { actorIp: '203.0.113.9', status: 'blocked' },
    },
  }),

  saveFilterYamlTemplate: operation({
    inSpecification: true,
    role: 'ADMIN',
    access: 'write',
    idempotent: true,
    summary: 'Creates or replaces a filter template',
    description: 'Checked before it is saved, and stored under the id in the YAML. Active at once.',
    specified: 'full',
    request: { content: required(document(), 'YAML text of the template.') },
    answer: wide(filterTemplateResult, ['content']),
    errors: ['INVALID_FILTER_YAML', 'FILTER_ID_EMPTY', 'FILTER_FIELD_EMPTY', 'INVALID_FILTER'],
    example: { request: { content: exampleYaml }, response: { content: exampleYaml } },
  }),
})
