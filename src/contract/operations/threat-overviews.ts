import { group, operation, root } from '../operation.ts'
import { optional, required } from '../request-field.ts'
import { epochSeconds, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { threatBuckets } from '../vocabulary.ts'

const read = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  errors: [],
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const

/** Views of threats that pages show, by their wire names. */
export const threatOverviewOperations = group('threat', {
  fetchThreatTimeline: operation({
    ...read,
    summary: 'Counts malicious events over time by severity',
    description:
      'The window is widened to whole buckets in UTC; weeks begin on Monday. A bucket that is too short for the events is replaced by the next longer one. Buckets without events are absent, the others ascend.',
    request: {
      startTs: optional(epochSeconds(), 'Start of the window, included; 0 or less for no bound.', {
        default: 0,
      }),
      endTs: optional(epochSeconds(), 'End of the window, included; 0 or less for now.', { default: 0 }),
      bucket: optional(
        oneOf(threatBuckets),
        'Length of a bucket; without it, by the time between the first and the last event.',
      ),
      latestAttack: optional(list(text()), 'Ids of filters.'),
      subCategory: optional(list(text()), 'Subcategories.'),
      severity: optional(list(text()), 'Severities.'),
      hosts: optional(list(text()), 'Hosts.'),
      actors: optional(list(text()), 'Actors or source addresses.'),
    },
    answer: root(
      model('ThreatTimeline', 'Numbers of events over time.', {
        bucket: oneOf(threatBuckets, { description: 'Length of the buckets.' }),
        buckets: list(
          model('ThreatTimelineBucket', 'Numbers of events of one bucket by severity.', {
            start: epochSeconds('Start of the bucket.'),
            critical: integer(),
            high: integer(),
            medium: integer(),
            low: integer(),
            other: integer({ description: 'Events without one of these severities.' }),
          }),
        ),
      }),
    ),
    example: {
      request: { startTs: 1769800000, endTs: 1769860000, bucket: 'HOUR' },
      response: {
        bucket: 'HOUR',
        buckets: [{ start: 1769799600, critical: 0, high: 2, medium: 3, low: 0, other: 0 }],
      },
    },
  }),

  fetchThreatActorOverview: operation({
    ...read,
    summary: 'Shows what an actor did, and whether a block holds',
    description:
      'Endpoints with the most events first, at most 100; sessions of the newest 5000 events, the newest first, at most 50: a pause of half an hour ends one. block is null unless the actor is blocked; also for callers restricted to some collections without an event of the actor in these. blockListReads says when clients last fetched the block list with an API key, and is empty for callers restricted to some collections.',
    request: { actor: required(text(), 'The actor; not empty.') },
    answer: root(
      model('ThreatActorOverview', 'What an actor did.', {
        events: integer({ description: 'Events that are stored.' }),
        endpoints: list(
          model('ThreatActorEndpoint', 'An endpoint that an actor attacked.', {
            method: text(),
            host: text(),
            path: text(),
            apiCollectionId: integer(),
            events: integer(),
            filterIds: list(text()),
            firstSeen: epochSeconds(),
            lastSeen: epochSeconds(),
          }),
        ),
        sessions: list(
          model('ThreatActorSession', 'Events that follow each other without a long pause.', {
            startedAt: epochSeconds(),
            endedAt: epochSeconds(),
            events: integer(),
            endpoints: integer(),
            worstSeverity: text(),
            filterIds: list(text()),
          }),
        ),
        block: nullable(
          model('ThreatActorBlock', 'What came since an actor was blocked.', {
            since: epochSeconds(),
            until: epochSeconds('0: permanently.'),
            events: integer({ description: 'Events since then.' }),
            lastEventAt: epochSeconds('0: none since then.'),
          }),
        ),
        blockListReads: list(
          model('BlockListRead', 'When a form of the block list was fetched last.', {
            format: text(),
            fetchedAt: epochSeconds(),
          }),
        ),
      }),
    ),
    example: {
      request: { actor: '203.0.113.9' },
      response: {
        events: 3,
        endpoints: [
          {
            method: 'GET',
            host: 'shop.test',
            path: '/rest/products/search',
            apiCollectionId: 1679459648,
            events: 3,
            filterIds: ['SQLInjection'],
            firstSeen: 1769854000,
            lastSeen: 1769854500,
          },
        ],
        sessions: [
          {
            startedAt: 1769854000,
            endedAt: 1769854500,
            events: 3,
            endpoints: 1,
            worstSeverity: 'MEDIUM',
            filterIds: ['SQLInjection'],
          },
        ],
        block: { since: 1769854600, until: 0, events: 0, lastEventAt: 0 },
        blockListReads: [{ format: 'nginx', fetchedAt: 1769859990 }],
      },
    },
  }),
})
