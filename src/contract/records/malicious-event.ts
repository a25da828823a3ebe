import type { Static } from 'typebox'
import { document, epochSeconds, flag, integer, list, model, oneOf, text } from '../schema.ts'
import { detectorTypes, eventLabels, eventStatuses, eventTypes } from '../vocabulary.ts'

export const maliciousEvent = model('MaliciousEvent', 'A message that a filter found suspicious.', {
  id: text({ description: 'UUID.' }),
  refId: text({ description: 'UUID that the messages of one aggregated event share.' }),
  actor: text({ description: 'Who sent it: an address, or the value of a header.' }),
  ip: text({ description: 'Source address.' }),
  country: text({ description: 'Two letters; empty when unknown.' }),
  filterId: text({ description: 'The filter that matched.' }),
  category: text({ description: 'Name of its category at that time.' }),
  subCategory: text(),
  type: text({ description: `${detectorTypes.join(' or ')}: the kind of detector.` }),
  eventType: oneOf(eventTypes, { description: 'AGGREGATED when a rule of counts fired.' }),
  method: text(),
  url: text({ description: 'As observed, not the template.' }),
  apiCollectionId: integer({ description: '0 when the collection is not known.' }),
  timestamp: epochSeconds('Time of the message.'),
  payload: document({ description: 'Request and response in the text format of protocol buffers.' }),
  metadata: document({
    description:
      'Facts of the finding in the same format; its reason says truncated where parts of the message, beyond a limit, were not looked at.',
  }),
  severity: text({ description: 'CRITICAL, HIGH, MEDIUM or LOW; empty when the detector named none.' }),
  status: oneOf(eventStatuses),
  host: text(),
  successfulExploit: flag({ description: 'The response shows that it worked.' }),
  label: oneOf(eventLabels),
  destCountry: text({ description: 'Two letters; empty when unknown.' }),
  jiraTicketUrl: text({ description: 'Empty without a ticket.' }),
})

export const threatActor = model('ThreatActor', 'Somebody who sent suspicious messages.', {
  id: text({ description: 'Address or other identity.' }),
  latestAttack: text({ description: 'Filter of the newest event.' }),
  country: text({ description: 'Two letters; empty when unknown.' }),
  latestApiEndpoint: text(),
  latestApiIp: text(),
  latestApiMethod: text(),
  discoveredAt: epochSeconds('First event.'),
  activity: list(
    model('ActorActivity', 'One event of an actor.', {
      severity: text(),
      subCategory: text({ description: 'The filter, whatever the name says.' }),
      method: text(),
      detectedAt: epochSeconds(),
      url: text(),
    }),
    { description: 'Newest first, at most 40.' },
  ),
  latestApiHost: text(),
  status: text({ description: 'active, blocked, mitigated, ignored or another word that was set.' }),
  lastSeen: epochSeconds('Last event.'),
})

/** An endpoint under attack. */
export const threatApi = model('ThreatApi', 'An endpoint that suspicious messages were sent to.', {
  api: text({ description: 'Path.' }),
  method: text(),
  requestsCount: integer({ description: 'Events.' }),
  actorsCount: integer({ description: 'Distinct actors.' }),
  discoveredAt: epochSeconds('First event.'),
  host: text(),
})

export const categoryCount = model('CategoryCount', 'A number of events of one kind.', {
  category: text(),
  subCategory: text(),
  count: integer(),
})

export const maliciousPayload = model('MaliciousPayload', 'One whole message behind an event.', {
  orig: document({ description: 'Sample message as JSON text.' }),
  metadata: document({
    description:
      'Facts of the finding as JSON text; `truncated` is true where parts of the message, beyond a limit, were not looked at.',
  }),
  ts: epochSeconds('Time of the message.'),
})

export type MaliciousEvent = Static<typeof maliciousEvent>
export type ThreatActor = Static<typeof threatActor>
