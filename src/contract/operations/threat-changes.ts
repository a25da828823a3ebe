import { actorHeaders, eventDays } from '../limits.ts'
import { group, none, operation, root, wide } from '../operation.ts'
import { filterTemplateObject } from '../records/filter-template.ts'
import { threatObject, unenforcedActors } from '../records/threat-object.ts'
import { optional, required } from '../request-field.ts'
import {
  absentable,
  anything,
  document,
  epochSeconds,
  flag,
  integer,
  list,
  model,
  nullable,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { eventStatuses } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'
import { exampleFilter, filterWarnings } from './filter-templates.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  errors: [],
} as const
const read = { ...shared, role: 'GUEST', access: 'read', idempotent: true } as const
const change = { ...shared, role: 'MEMBER', access: 'write', idempotent: true } as const
const administer = { ...change, role: 'ADMIN' } as const

/** Which events a change is for. */
const selection = {
  eventId: optional(text(), 'One event.'),
  eventIds: optional(list(text()), 'Events.'),
  actors: optional(list(text()), 'Actors or source addresses.'),
  urls: optional(list(text()), 'URLs as observed.'),
  types: optional(list(text()), 'Rule-Based or Anomaly.'),
  latestAttack: optional(list(text()), 'Ids of filters.'),
  hosts: optional(list(text()), 'Hosts.'),
  statusFilter: optional(
    oneOf([...eventStatuses, 'EVENTS', '']),
    'Status; EVENTS means ACTIVE, null and empty text all.',
  ),
  startTimestamp: optional(epochSeconds(), 'Start of the window, included; 0 or less for no bound.', {
    default: 0,
  }),
  endTimestamp: optional(epochSeconds(), 'End of the window, included; 0 or less for now.', { default: 0 }),
}
const selectionText =
  'Events by their ids, or all that fit every filter given; at least one of eventId, eventIds and the filters is needed. Events that the caller may not see are passed over.'

const actorActivity = model('ActorEvent', 'One event of an actor, with its place.', {
  severity: text(),
  subCategory: text({ description: 'The filter, whatever the name says.' }),
  method: text(),
  host: text(),
  url: text(),
  detectedAt: epochSeconds(),
  metadata: document({
    description: 'Countries of caller and server, in the text format of protocol buffers.',
  }),
})

const headerActor = model('HeaderActor', 'A header that names the actor.', {
  type: oneOf(['header']),
  key: text({ minLength: 1, maxLength: 64, description: 'Name of the header.' }),
  kind: oneOf(['hostname']),
  pattern: text({
    minLength: 1,
    maxLength: 200,
    description: 'Found in the host in lower case, in RE2 syntax.',
  }),
})
const configuration = model('ThreatConfiguration', 'What is set about threats.', {
  actor: model('ActorConfiguration', 'Who is the actor of a message, beside its address.', {
    actorId: list(headerActor, {
      description: 'The first that fits the host decides; without its header the address does.',
    }),
  }),
  archivalEnabled: flag({ description: 'Whether old events are removed.' }),
  archivalDays: integer({ description: 'Days for which events are kept.' }),
})
const configured = root(
  model('ThreatConfigurationAnswer', 'What is set about threats.', { threatConfiguration: configuration }),
)
const exampleConfiguration = {
  actor: {
    actorId: [{ type: 'header', key: 'x-client-id', kind: 'hostname', pattern: '^api\\.' }],
  },
  archivalEnabled: true,
  archivalDays: 60,
} as const

const suppression = model(
  'ThreatSuppression',
  'A rule by which events are not stored. What is null means any.',
  {
    id: integer(),
    filterId: nullable(text()),
    url: nullable(text()),
    host: nullable(text()),
    actor: nullable(text()),
    apiCollectionId: nullable(integer()),
    origin: oneOf(['EVENT', 'PERSON'], { description: 'EVENT: made when an event was ignored.' }),
    reason: text(),
    createdBy: text(),
    createdAt: epochSeconds(),
    expiresAt: epochSeconds('When it ends; 0 for never.'),
    dropped: integer({ description: 'Events that were not stored because of it.' }),
    lastDroppedAt: epochSeconds('When the last of them came; 0 before.'),
  },
)
const exampleSuppression = {
  id: 3,
  filterId: 'SQLInjection',
  url: null,
  host: 'shop.test',
  actor: '203.0.113.9',
  apiCollectionId: null,
  origin: 'PERSON',
  reason: 'Our own scanner',
  createdBy: 'ada@example.org',
  createdAt: 1769854500,
  expiresAt: 0,
  dropped: 12,
  lastDroppedAt: 1769854600,
} as const

const statusChange = model('ActorStatusChange', 'A status that an actor was given.', {
  actor: text(),
  fromStatus: text(),
  toStatus: text(),
  expiresAt: epochSeconds('When the actor is active again; 0 for never.'),
  changedBy: text({ description: 'Login; empty when the time of the last status was over.' }),
  reason: text(),
  changedAt: epochSeconds(),
})

const triedMessage = model('TriedMessage', 'A stored message that a filter matches.', {
  apiCollectionId: integer(),
  method: text(),
  url: text(),
  timestamp: epochSeconds(),
  location: text({ description: 'Part of the message; empty where an absence decided.' }),
  phrase: text({ description: 'What matched, as it was read.' }),
})

/** Changing what is known of threats, by wire names. */
export const threatChangeOperations = group('threat', {
  deleteFilterYamlTemplate: operation({
    ...administer,
    summary: 'Removes a filter template',
    description:
      'It stops working immediately. A deleted built-in filter is not restored automatically; save its YAML to restore it. Its events stay.',
    request: { templateId: required(text(), 'Id of the template; not empty.') },
    answer: wide(filterTemplateObject, []),
    errors: ['FILTER_ID_ABSENT', 'FILTER_NOT_FOUND'],
    example: { request: { templateId: 'SQLInjection' }, response: {} },
  }),

  testFilterYamlTemplate: operation({
    ...read,
    role: 'MEMBER',
    summary: 'Tries a filter on stored messages',
    description:
      'Looks with the filter at stored samples of traffic of the window, the newest first, at most 5000 and for at most ten seconds, as it would at live messages; nothing is saved. Only samples that the caller may see; masked values match nothing. Rules of counts are not applied.',
    request: {
      content: required(document(), 'YAML of the filter.'),
      startTs: optional(epochSeconds(), 'Start of the window, included; 0 or less for no bound.', {
        default: 0,
      }),
      endTs: optional(epochSeconds(), 'End of the window, included; 0 or less for now.', { default: 0 }),
    },
    answer: root(
      model('TriedFilter', 'What a filter does on stored messages.', {
        checked: integer({ description: 'Messages it looked at.' }),
        matched: integer({ description: 'Hits.' }),
        missed: integer({ description: 'Messages without a hit.' }),
        truncated: integer({
          description: 'Messages beyond a limit of size, depth or time, which were not looked at whole.',
        }),
        microsecondsPerMessage: integer({
          description: 'Mean time for one message with only this filter, after a warm-up.',
        }),
        examples: list(triedMessage, { description: 'The newest hits, at most 20.' }),
        warnings: filterWarnings,
      }),
    ),
    errors: [
      'FILTER_NOT_YAML',
      'FILTER_ID_EMPTY',
      'FILTER_ID_INVALID',
      'FILTER_EMPTY',
      'FILTER_KEY_REQUIRED',
      'FILTER_INVALID',
      'FILTER_UNKNOWN_KEY',
      'FILTER_INVALID_REGEX',
    ],
    example: {
      request: { content: exampleFilter, startTs: 0, endTs: 0 },
      response: {
        checked: 120,
        matched: 1,
        missed: 119,
        truncated: 0,
        microsecondsPerMessage: 21,
        examples: [
          {
            apiCollectionId: 1679459648,
            method: 'POST',
            url: '/rest/login',
            timestamp: 1769854500,
            location: 'request_payload',
            phrase: 'union select',
          },
        ],
        warnings: [],
      },
    },
  }),

  updateMaliciousEventStatus: operation({
    ...change,
    summary: 'Sets the status of malicious events',
    description: `${selectionText} Unless suppress is false, IGNORED also drops later events of the same URL and filter, until one of them gets another status or their suppression is removed.`,
    request: {
      ...selection,
      status: required(oneOf(eventStatuses), 'The status to set.'),
      suppress: optional(
        flag(),
        'With IGNORED: whether later events of the same URL and filter are dropped. False where another suppression drops them.',
        { default: true },
      ),
    },
    answer: root(
      model('UpdatedEvents', 'What was changed.', {
        updateSuccess: flag(),
        updateMessage: text(),
        updatedCount: integer({ description: 'Events that had another status before.' }),
      }),
    ),
    errors: ['NO_EVENTS_SELECTED'],
    example: {
      request: { eventIds: ['5b0c2a3e-7d6f-4a53-9c52-6b1f9f0c2d11'], status: 'UNDER_REVIEW' },
      response: { updateSuccess: true, updateMessage: '1 event updated', updatedCount: 1 },
    },
  }),

  recordMaliciousEvent: operation({
    ...change,
    summary: 'Takes an event that another detector found',
    description:
      'Also at /api/threat_detection/record_malicious_event, which answers 202. The event is in the JSON form of protocol buffers, names as below or with underscores, unknown fields ignored: actor, filterId, detectedAt (epoch seconds) and latestApiEndpoint are needed; latestApiIp, latestApiMethod, latestApiCollectionId, latestApiPayload (text format of protocol buffers), eventType, category, subCategory, severity, type, metadata.countryCode, successfulExploit, label, host and status are read. filterId need not be a filter here. The same event sent again changes nothing; fields that are not read make no difference.',
    request: {
      maliciousEvent: required(openObject(), 'The event.'),
      sampleRequests: optional(list(anything()), 'Accepted and ignored.'),
    },
    answer: none,
    errors: ['PAYLOAD_TEXT_INVALID', 'SAMPLE_MESSAGE_INVALID', 'EVENT_TOO_OLD'],
    example: {
      request: {
        maliciousEvent: {
          actor: '203.0.113.9',
          filterId: 'OutsideDetector',
          detectedAt: '1769854500',
          latestApiIp: '203.0.113.9',
          latestApiEndpoint: '/rest/products/search?q=%27--',
          latestApiMethod: 'GET',
          eventType: 'EVENT_TYPE_SINGLE',
          category: 'SQL_INJECTION',
          severity: 'HIGH',
          host: 'shop.test',
        },
      },
    },
  }),

  deleteMaliciousEvents: operation({
    ...change,
    summary: 'Deletes malicious events',
    description: `${selectionText} Their messages go with them.`,
    request: selection,
    answer: root(
      model('DeletedEvents', 'What was deleted.', {
        deleteSuccess: flag(),
        deleteMessage: text(),
        deletedCount: integer(),
      }),
    ),
    errors: ['NO_EVENTS_SELECTED'],
    example: {
      request: { eventIds: ['5b0c2a3e-7d6f-4a53-9c52-6b1f9f0c2d11'] },
      response: { deleteSuccess: true, deleteMessage: '1 event deleted', deletedCount: 1 },
    },
  }),

  deleteAllMaliciousEvents: operation({
    ...administer,
    summary: 'Deletes all malicious events',
    description: 'With all figures about them. Actors keep the status they were given.',
    request: {},
    answer: root(model('NoEvents', 'Nothing to tell.', {})),
    example: { request: {}, response: {} },
  }),

  fetchThreatsForActor: operation({
    ...read,
    summary: 'Lists the newest events of an actor',
    description: 'Newest first; an unknown actor has none.',
    request: {
      actor: required(text(), 'The actor; not empty.'),
      limit: optional(integer({ minimum: 1, maximum: 1000 }), 'Events.', { default: 20 }),
    },
    answer: wide(threatObject, ['actorActivities', 'actor', 'endTs'], {
      actorActivities: filled(list(actorActivity), null),
    }),
    example: {
      request: { actor: '203.0.113.9', limit: 20 },
      response: {
        actor: '203.0.113.9',
        endTs: 1769860000,
        actorActivities: [
          {
            severity: 'MEDIUM',
            subCategory: 'SQLInjection',
            method: 'GET',
            host: 'shop.test',
            url: '/rest/products/search?q=%27--',
            detectedAt: 1769854500,
            metadata: 'country_code: "US"\n',
          },
        ],
      },
    },
  }),

  bulkModifyThreatActorStatus: operation({
    ...change,
    summary: 'Sets the status of several threat actors',
    description: 'As modifyThreatActorStatus does for one. All or none are changed.',
    request: {
      actorIps: required(
        list(text({ minLength: 1 }), { minItems: 1, maxItems: 1000 }),
        'The actors, each at most 200 bytes of UTF-8.',
      ),
      status: required(text(), '1 to 32 letters, digits, underscores, hyphens or spaces.'),
      expiresAt: optional(
        epochSeconds(),
        'Epoch seconds at which they are active again; 0 or less for never.',
        {
          default: 0,
        },
      ),
      reason: optional(text({ maxLength: 1000 }), 'Why; kept with the change.', { default: '' }),
    },
    answer: wide(threatObject, ['status', 'endTs', 'notEnforced'], { notEnforced: unenforcedActors }),
    errors: ['INVALID_ACTOR_STATUS'],
    example: {
      request: {
        actorIps: ['203.0.113.9', '203.0.113.10'],
        status: 'blocked',
        expiresAt: 0,
        reason: 'Scanner',
      },
      response: { status: 'blocked', endTs: 1769860000, notEnforced: [] },
    },
  }),

  fetchThreatActorHistory: operation({
    ...read,
    summary: 'Lists changes of the status of actors',
    description:
      'Newest first: who set which status, until when and why. Callers restricted to some collections are not told why.',
    request: {
      actor: optional(text(), 'One actor; null or empty for all.'),
      limit: optional(integer({ minimum: 1, maximum: 1000 }), 'Changes.', { default: 50 }),
    },
    answer: root(
      model('ThreatActorHistory', 'Changes of the status of actors.', { statusChanges: list(statusChange) }),
    ),
    example: {
      request: { actor: '203.0.113.9' },
      response: {
        statusChanges: [
          {
            actor: '203.0.113.9',
            fromStatus: 'active',
            toStatus: 'blocked',
            expiresAt: 0,
            changedBy: 'ada@example.org',
            reason: 'Scanner',
            changedAt: 1769854500,
          },
        ],
      },
    },
  }),

  fetchThreatConfiguration: operation({
    ...read,
    summary: 'Shows what is set about threats',
    description: 'Rate and enumeration limits are not settings: filters with aggregation rules detect both.',
    request: {},
    answer: configured,
    example: { request: {}, response: { threatConfiguration: exampleConfiguration } },
  }),

  modifyThreatConfiguration: operation({
    ...administer,
    summary: 'Sets who the actor of a message is, and how long events are kept',
    description:
      'What is left out stays as it is. Headers are looked at in the order given; their values are stored as keyed hashes with a hint of four characters. It holds at once, on other processes within seconds.',
    request: {
      threatConfiguration: required(
        model('SentThreatConfiguration', 'What to set.', {
          actor: absentable(
            nullable(
              model('SentActorConfiguration', 'Who is the actor.', {
                actorId: list(headerActor, { maxItems: actorHeaders }),
              }),
            ),
          ),
          archivalEnabled: absentable(nullable(flag())),
          archivalDays: absentable(nullable(integer({ minimum: eventDays.least, maximum: eventDays.most }))),
        }),
        'What to set; what is left out, or null, stays as it is.',
      ),
    },
    answer: configured,
    errors: ['INVALID_REGEX'],
    example: {
      request: { threatConfiguration: exampleConfiguration },
      response: { threatConfiguration: exampleConfiguration },
    },
  }),

  fetchThreatSuppressions: operation({
    ...read,
    role: 'MEMBER',
    summary: 'Lists the rules by which events are not stored',
    description: 'Those that dropped something lately first, at most 1000.',
    request: {},
    answer: root(
      model('ThreatSuppressions', 'Rules by which events are not stored.', {
        suppressions: list(suppression),
      }),
    ),
    example: { request: {}, response: { suppressions: [exampleSuppression] } },
  }),

  addThreatSuppression: operation({
    ...change,
    role: 'ADMIN',
    idempotent: false,
    summary: 'Adds a rule by which events are not stored',
    description:
      'Events that fit everything given are dropped before they are counted or stored, and the rule counts them. At most 500 of these rules.',
    request: {
      filterId: optional(text(), 'Filter.'),
      url: optional(text(), 'URL as observed.'),
      host: optional(text(), 'Host.'),
      actor: optional(text(), 'Actor.'),
      apiCollectionId: optional(integer(), 'Collection.'),
      reason: optional(text({ maxLength: 1000 }), 'Why.', { default: '' }),
      expiresAt: optional(epochSeconds(), 'Epoch seconds at which it ends; 0 or less for never.', {
        default: 0,
      }),
    },
    answer: root(model('AddedThreatSuppression', 'The rule that was added.', { suppression })),
    errors: ['SUPPRESSION_WITHOUT_SCOPE', 'TOO_MANY_SUPPRESSIONS'],
    example: {
      request: {
        filterId: 'SQLInjection',
        host: 'shop.test',
        actor: '203.0.113.9',
        reason: 'Our own scanner',
      },
      response: { suppression: exampleSuppression },
    },
  }),

  removeThreatSuppression: operation({
    ...change,
    role: 'ADMIN',
    summary: 'Removes a rule by which events are not stored',
    description: 'Later events are stored again.',
    request: { id: required(integer(), 'Id of the rule.') },
    answer: root(model('RemovedThreatSuppression', 'Nothing to tell.', {})),
    errors: ['SUPPRESSION_NOT_FOUND'],
    example: { request: { id: 3 }, response: {} },
  }),
})
