import { count, epochSeconds, flag, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { messageStates, severities, trackerTypes, webhookOptions, webhookTypes } from '../vocabulary.ts'

export const customWebhook = model('CustomWebhook', 'A channel of alerts.', {
  id: integer(),
  webhookName: text(),
  webhookType: oneOf(webhookTypes, { description: 'DEFAULT is the generic webhook.' }),
  url: text({ description: 'Masked: origin and the first characters of the path.' }),
  headerNames: list(text(), { description: 'Names of its further request headers.' }),
  isSigned: flag({ description: 'Messages carry a signature.' }),
  selectedWebhookOptions: list(oneOf(webhookOptions), {
    description: 'What it is notified of, whatever a run asks for.',
  }),
  leastSeverity: oneOf(severities, { description: 'New issues and malicious events below it are not told.' }),
  createTime: epochSeconds(),
  userEmail: text({ description: 'Who made it.' }),
  lastDelivered: epochSeconds('When a message was delivered last; 0 before.'),
  problem: nullable(text({ description: 'Why the newest message was not delivered; null when it was.' })),
})

export const delivery = model('Delivery', 'A message to another system.', {
  messageId: text({ description: 'Told to the receiver, the same over all attempts.' }),
  kind: oneOf(['ALERT', 'TICKET']),
  event: text({ description: 'RUN_FINISHED, NEW_ISSUES, NEW_THREATS, ACTOR_STATUS, TEST or TICKET.' }),
  webhookId: nullable(integer()),
  webhookName: nullable(text()),
  state: oneOf(messageStates, {
    description: 'GATHERING: new issues of a run, or new malicious events, are collected into one message.',
  }),
  attempts: count('Attempts so far.'),
  nextAttempt: epochSeconds('When it is tried next; of no meaning once it ended.'),
  problem: nullable(text()),
  createTime: epochSeconds(),
  endTime: epochSeconds('0 before its end.'),
})

export const ticketIntegration = model('TicketIntegration', 'A tracker; its token is never shown.', {
  trackerType: oneOf(trackerTypes),
  baseUrl: text(),
  userEmail: text({ description: 'Login of a Jira account in the cloud; empty where the token signs in.' }),
  updatedBy: text(),
  updatedTs: epochSeconds(),
})
