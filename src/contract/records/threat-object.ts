import { document, integer, list, mapOf, model, oneOf, text } from '../schema.ts'
import { enforcementGaps } from '../vocabulary.ts'
import { filled, filledEach, wideRecord } from '../wide-record.ts'
import { categoryCount, maliciousEvent, maliciousPayload, threatActor, threatApi } from './malicious-event.ts'

const historicSuccess = oneOf(['SUCCESS'], { description: 'Historic; always SUCCESS.' })

/** What a list is sorted by: name of a field to 1 (ascending) or -1. */
export const sortMap = mapOf(integer(), {
  description: 'Name of a field to 1 (ascending) or -1 (descending).',
})

/** Of an answer about statuses: who of the blocked ones gateways let through, and why. */
export const unenforcedActors = filled(
  list(
    model('UnenforcedActor', 'An actor that was blocked and that no gateway refuses.', {
      actor: text(),
      reason: oneOf(enforcementGaps, {
        description:
          'NO_ADDRESS: the actor is not an IP address, and gateways block only addresses. RANGE: the list has single addresses only. TRUSTED_PROXY: blocking it would block everyone behind it. TIME_IS_OVER: expiresAt is past.',
      }),
      explanation: text({ description: 'The reason in a sentence.' }),
    }),
    {
      description:
        'Who is in no form of the block list that gateways take; empty when the status is not blocked.',
    },
  ),
  null,
)

/** The threat result object (THR). */
export const threatObject = wideRecord(
  'ThreatObject',
  'Shared answer of the operations about threat actors. splunkUrl and splunkToken are never filled.',
  {
    ...filledEach(['country', 'splunkUrl', 'splunkToken'], text(), null),
    ...filledEach(['startTs', 'skip'], integer(), 0),
    endTs: filled(
      integer({ description: 'End of the window; the time of the answer when none was asked for.' }),
      0,
    ),
    total: filled(integer({ description: 'Actors that fit, over all pages.' }), 0),
    sort: filled(sortMap, null),
    ...filledEach(
      ['eventType', 'actor', 'filterId', 'refId', 'actorIp', 'status', 'actorId', 'latestAttack'],
      text(),
      null,
    ),
    actors: filled(list(threatActor), null),
    actorsCountPerCounty: filled(historicSuccess, 'SUCCESS'),
    actorsCountPerCountry: filled(text(), null),
    maliciousPayloadsResponses: filled(list(maliciousPayload), null),
  },
  ['startTs', 'endTs', 'skip', 'sort', 'eventType', 'actor', 'filterId', 'refId', 'actorIp', 'status'],
)

export const eventObject = wideRecord(
  'EventObject',
  'Shared answer of the operations about malicious events.',
  {
    ...filledEach(['severity', 'urls', 'subCategory', 'types'], list(text()), null),
    total: filled(integer({ description: 'Events that fit, over all pages.' }), 0),
    sampleData: filled(document(), null),
    maliciousEvents: filled(list(maliciousEvent), null),
    limit: filled(integer(), 50),
    skip: filled(integer(), 0),
    sort: filled(sortMap, null),
    ...filledEach(['startTimestamp', 'endTimestamp'], integer(), 0),
  },
  ['severity', 'urls', 'subCategory', 'types', 'limit', 'skip', 'sort', 'startTimestamp', 'endTimestamp'],
)

export const threatApiObject = wideRecord(
  'ThreatApiObject',
  'Answer of the operation about endpoints under attack.',
  {
    total: filled(integer({ description: 'Endpoints that fit, over all pages.' }), 0),
    apis: filled(list(threatApi), null),
    ...filledEach(['threatActivityTimeline', 'dailyThreatActorsCount'], historicSuccess, 'SUCCESS'),
    actorsCounts: filled(text(), null),
    categoryCounts: filled(list(categoryCount), null),
    ...filledEach(['startTs', 'endTs', 'skip'], integer(), 0),
    sort: filled(sortMap, null),
  },
  ['startTs', 'endTs', 'skip', 'sort'],
)
