import {
  count,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  nullable,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'

const severity = text({ description: 'CRITICAL, HIGH, MEDIUM or LOW.' })

/** Direction by sort key: 1 ascending, -1 descending. */
export const sortOrders = mapOf(integer(), {
  description: 'Sort key to direction: 1 ascending, -1 descending.',
})

/** One malicious event. */
export const maliciousEvent = model('MaliciousEvent', 'A message that a filter found malicious.', {
  id: text({ description: 'UUID.' }),
  refId: text({ description: 'UUID shared by the messages behind one aggregated event.' }),
  actor: text({ description: 'Address or header value that identifies the caller.' }),
  ip: text({ description: 'Source address of the message.' }),
  country: text({ description: 'Two letters; empty when unknown.' }),
  filterId: text({ description: 'Filter template that matched.' }),
  category: text(),
  subCategory: text(),
  type: text({ description: 'Rule-Based or Anomaly.' }),
  eventType: text({ description: 'SINGLE, or AGGREGATED when an aggregation rule fired.' }),
  method: text(),
  url: text({ description: 'The concrete URL.' }),
  apiCollectionId: integer(),
  timestamp: epochSeconds(),
  payload: text({ description: 'Request and response as protobuf text.' }),
  metadata: text({ description: 'What matched, as protobuf text.' }),
  severity,
  status: text({ description: 'ACTIVE, UNDER_REVIEW or IGNORED.' }),
  host: text(),
  successfulExploit: flag(),
  label: text(),
  destCountry: text(),
  jiraTicketUrl: text(),
})

/** An actor behind events. */
export const threatActor = model('ThreatActor', 'An actor behind malicious events.', {
  id: text({ description: 'Address, or header value.' }),
  latestAttack: text({ description: 'Filter id of the newest event.' }),
  country: text(),
  latestApiEndpoint: text(),
  latestApiIp: text(),
  latestApiMethod: text(),
  discoveredAt: epochSeconds('First event ever.'),
  activity: list(
    model('ActorActivity', 'One event of an actor.', {
      severity,
      subCategory: text({ description: 'Filter id.' }),
      method: text(),
      detectedAt: epochSeconds(),
      url: text(),
    }),
    { description: 'Newest first, at most 40.' },
  ),
  latestApiHost: text(),
  status: text({ description: 'As set by modifyThreatActorStatus; active otherwise.' }),
  lastSeen: epochSeconds(),
})

/** An endpoint under attack. */
export const threatApi = model('ThreatApi', 'An endpoint that malicious events hit.', {
  api: text({ description: 'Path.' }),
  method: text(),
  host: text(),
  requestsCount: count('Events.'),
  actorsCount: count('Distinct actors.'),
  discoveredAt: epochSeconds('Oldest event.'),
})

/** A count by category. */
export const categoryCount = model('CategoryCount', 'Events of one category.', {
  category: text(),
  subCategory: text({ description: 'Sub-category; for counts by severity the severity.' }),
  count: count(),
})

/** A filter template. */
export const filterTemplate = model('FilterTemplate', 'A filter on live traffic.', {
  id: text(),
  author: text(),
  createdAt: epochSeconds(),
  updatedAt: epochSeconds(),
  content: text({ description: 'YAML text.' }),
  info: nullable(
    model('FilterTemplateInfo', 'What the filter finds; null when the stored YAML cannot be read.', {
      name: text(),
      description: nullable(text()),
      details: nullable(text()),
      impact: nullable(text()),
      remediation: nullable(text()),
      severity,
      subCategory: text(),
      references: nullable(list(text())),
      tags: nullable(list(text())),
      cwe: nullable(list(text())),
      cve: nullable(list(text())),
      compliance: nullable(openObject()),
      category: model('FilterCategory', 'Group of filters.', {
        name: text(),
        displayName: text(),
        shortName: nullable(text()),
      }),
    }),
  ),
})

/** The threat result object (THR). */
export const threatResult = wideRecord(
  'ThreatResult',
  'Shared answer of the operations about threat actors.',
  {
    country: filled(text(), null),
    ...filledEach(['splunkUrl', 'splunkToken'], text(), null),
    ...filledEach(['startTs', 'endTs', 'skip', 'total'], integer(), 0),
    sort: filled(sortOrders, null),
    ...filledEach(['eventType', 'actor', 'filterId', 'refId', 'actorIp', 'status'], text(), null),
    actorId: filled(text(), null),
    latestAttack: filled(text(), null),
    actors: filled(list(threatActor), null),
    actorsCountPerCounty: filled(text({ description: 'Always the text SUCCESS.' }), 'SUCCESS'),
    actorsCountPerCountry: filled(text(), null),
    maliciousPayloadsResponses: filled(
      list(
        model('MaliciousPayload', 'A message behind an event.', {
          orig: text({ description: 'JSON text of the sample message.' }),
          metadata: text({ description: 'JSON text of what matched.' }),
          ts: epochSeconds(),
        }),
      ),
      null,
    ),
  },
  ['startTs', 'endTs', 'skip', 'sort', 'eventType', 'actor', 'filterId', 'refId', 'actorIp', 'status'],
)

const eventFields = {
  severity: filled(list(text()), null),
  subCategory: filled(list(text()), null),
  types: filled(list(text()), null),
  apiCollectionIds: filled(list(integer()), null),
  ...filledEach(['total', 'skip', 'startTimestamp', 'endTimestamp'], integer(), 0),
  limit: filled(integer(), 50),
  sort: filled(sortOrders, null),
  urls: filled(list(text()), null),
  ips: filled(list(text()), null),
  latestAttack: filled(list(text()), null),
  sampleData: filled(list(text()), null),
  maliciousEvents: filled(list(maliciousEvent), null),
} as const

/** The wide object of event lists and of their filter choices. */
export const suspectSampleResult = wideRecord(
  'SuspectSampleResult',
  'Shared answer of the event list and its filter choices.',
  eventFields,
  [
    'severity',
    'subCategory',
    'types',
    'urls',
    'ips',
    'skip',
    'limit',
    'sort',
    'startTimestamp',
    'endTimestamp',
    'apiCollectionIds',
    'latestAttack',
  ],
)

/** The wide object of the endpoints under attack. */
export const threatApiResult = wideRecord(
  'ThreatApiResult',
  'Answer of the list of endpoints under attack.',
  {
    total: filled(integer(), 0),
    apis: filled(list(threatApi), []),
    threatActivityTimeline: filled(text({ description: 'Always the text SUCCESS.' }), 'SUCCESS'),
    dailyThreatActorsCount: filled(text({ description: 'Always the text SUCCESS.' }), 'SUCCESS'),
    actorsCounts: filled(list(openObject()), null),
    categoryCounts: filled(list(categoryCount), null),
    ...filledEach(['startTs', 'endTs', 'skip'], integer(), 0),
    sort: filled(sortOrders, null),
  },
  ['startTs', 'endTs', 'skip', 'sort'],
)

/** The wide object of filter templates. */
export const filterTemplateResult = wideRecord(
  'FilterTemplateResult',
  'Shared answer of the filter operations.',
  {
    templates: filled(list(filterTemplate), null),
    content: filled(text({ description: 'The YAML that was saved.' }), null),
  },
)

/** Actor counts of one day. */
export const dailyActors = model('DailyActors', 'Distinct actors of one day (UTC).', {
  ts: epochSeconds('Start of the day.'),
  totalActors: count(),
  criticalActors: count('Actors with a HIGH or CRITICAL event.'),
})

/** Status words that the event filters take. */
export const eventStatuses = ['ACTIVE', 'UNDER_REVIEW', 'IGNORED', 'EVENTS'] as const

/** A status filter. */
export const eventStatus = oneOf(eventStatuses)
