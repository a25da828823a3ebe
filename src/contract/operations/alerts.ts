import { group, operation, root } from '../operation.ts'
import { customWebhook, delivery, ticketIntegration } from '../records/alerts.ts'
import { sentIssueId } from '../records/issue.ts'
import { optional, required } from '../request-field.ts'
import { count, flag, integer, list, mapOf, model, nullable, oneOf, text } from '../schema.ts'
import { severities, trackerTypes, webhookOptions, webhookTypes } from '../vocabulary.ts'
import { exampleIssueId } from './issue-examples.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const read = { ...shared, role: 'MEMBER', access: 'read', idempotent: true } as const
const change = { ...shared, role: 'MEMBER', access: 'write' } as const

const webhookId = required(integer(), 'The webhook.')
const options = (given: { default: never[] } | { default: null }) =>
  optional(list(oneOf(webhookOptions)), 'What it is notified of, whatever a run asks for.', given)
const project = required(
  text({ maxLength: 300 }),
  'owner/repository of GitHub, or the key of a Jira project.',
)
const issueType = optional(
  text({ maxLength: 100 }),
  'Type of a Jira issue (Task), or a label of GitHub (bug); empty for these.',
  { default: '' },
)

const exampleWebhook = {
  id: 1769854500,
  webhookName: 'security',
  webhookType: 'DEFAULT',
  url: 'https://hooks.example/aler***',
  headerNames: ['x-team'],
  isSigned: true,
  selectedWebhookOptions: ['NEW_ISSUES'],
  leastSeverity: 'HIGH',
  createTime: 1769854500,
  userEmail: 'ada@example.org',
  lastDelivered: 0,
  problem: null,
}

/** Alerts and tickets, by their wire names. */
export const alertOperations = group('account', {
  addCustomWebhook: operation({
    ...change,
    summary: 'Adds a channel of alerts',
    description:
      'A generic webhook, Slack, Microsoft Teams, or mail to one address through the server of VIGIL_SMTP_URL. URL, headers and signing key are sealed at rest and never shown again in full. The URL must be https unless its host is named in the setting VIGIL_ALLOWED_ALERT_TARGETS; private addresses are refused at delivery unless that setting allows them. With a signing key messages of a generic webhook carry webhook-id, webhook-timestamp and webhook-signature (v1, HMAC-SHA-256 of "<id>.<timestamp>.<body>" in base64).',
    request: {
      webhookType: required(oneOf(webhookTypes), 'Kind of the channel.', { default: 'DEFAULT' }),
      url: required(
        text({ maxLength: 2000 }),
        'Address that messages are posted to; of MAIL the e-mail address.',
      ),
      webhookName: optional(text({ maxLength: 100 }), 'Name; empty for the host.', { default: '' }),
      headers: optional(
        mapOf(text({ maxLength: 2000 })),
        'Further request headers of a generic webhook, at most 20.',
        { default: {} },
      ),
      signingKey: optional(
        text({ maxLength: 500 }),
        'Key of signatures of a generic webhook; empty for none.',
        {
          default: '',
        },
      ),
      selectedWebhookOptions: options({ default: [] }),
      leastSeverity: optional(oneOf(severities), 'New issues below it are not told.', { default: 'LOW' }),
    },
    answer: root(model('AddedWebhook', 'The new channel.', { customWebhook })),
    errors: ['WEBHOOK_URL_INVALID', 'WEBHOOK_EXISTS', 'WEBHOOK_HEADERS_INVALID', 'ALERT_MAIL_OFF'],
    idempotent: false,
    example: {
      request: {
        webhookType: 'DEFAULT',
        url: 'https://hooks.example/alerts',
        webhookName: 'security',
        headers: { 'x-team': 'shop' },
        signingKey: 'example-signing-key',
        selectedWebhookOptions: ['NEW_ISSUES'],
        leastSeverity: 'HIGH',
      },
      response: { customWebhook: exampleWebhook },
    },
  }),

  updateCustomWebhook: operation({
    ...change,
    summary: 'Changes what a channel of alerts is called and told of',
    description: 'What is not sent stays as it is.',
    request: {
      id: webhookId,
      webhookName: optional(text({ maxLength: 100 }), 'Name.', { default: null }),
      selectedWebhookOptions: options({ default: null }),
      leastSeverity: optional(oneOf(severities), 'New issues below it are not told.', { default: null }),
    },
    answer: root(model('ChangedWebhook', 'The channel afterwards.', { customWebhook })),
    errors: ['WEBHOOK_NOT_FOUND'],
    idempotent: true,
    example: {
      request: { id: 1769854500, selectedWebhookOptions: ['NEW_ISSUES'] },
      response: { customWebhook: exampleWebhook },
    },
  }),

  deleteCustomWebhook: operation({
    ...change,
    summary: 'Deletes a channel of alerts, and the messages that wait for it',
    description: 'isDeleted tells whether there was one of this id, of any type.',
    request: { id: webhookId },
    answer: root(model('DeletedWebhook', 'What became of it.', { isDeleted: flag() })),
    errors: [],
    idempotent: true,
    example: { request: { id: 1769854500 }, response: { isDeleted: true } },
  }),

  fetchCustomWebhooks: operation({
    ...read,
    summary: 'Lists the channels of alerts of every type',
    description: 'The oldest first, with what is secret of them masked and whether messages arrive.',
    request: {},
    answer: root(model('CustomWebhooks', 'All channels.', { customWebhooks: list(customWebhook) })),
    errors: [],
    example: { request: {}, response: { customWebhooks: [exampleWebhook] } },
  }),

  checkWebhook: operation({
    ...read,
    role: 'GUEST',
    summary: 'Tells whether there is a channel of a type',
    description:
      'With webhookOption, counts only channels that are notified of it; for callers restricted to some collections, only their own.',
    request: {
      webhookType: required(oneOf(webhookTypes), 'Type.'),
      webhookOption: optional(oneOf(webhookOptions), 'What it is notified of.', { default: null }),
    },
    answer: root(model('WebhookPresence', 'Whether there is one.', { webhookPresent: flag() })),
    errors: [],
    example: { request: { webhookType: 'MICROSOFT_TEAMS' }, response: { webhookPresent: false } },
  }),

  sendTestAlert: operation({
    ...change,
    summary: 'Sends a test message to a channel and waits for the answer',
    description:
      'One attempt, at most 15 seconds. If it fails, the status is still 200 and problem has the reason.',
    request: { id: webhookId },
    answer: root(
      model('TestAlertOutcome', 'What became of the message.', {
        isDelivered: flag(),
        statusCode: nullable(integer({ description: 'Of the answer; null when none came.' })),
        problem: nullable(text()),
      }),
    ),
    errors: ['WEBHOOK_NOT_FOUND'],
    idempotent: false,
    example: {
      request: { id: 1769854500 },
      response: { isDelivered: true, statusCode: 200, problem: null },
    },
  }),

  fetchDeliveries: operation({
    ...read,
    summary: 'Lists the newest messages to other systems',
    description:
      'The newest first, at most 500. Messages are tried for about twelve hours with growing pauses; those that ended are kept for 30 days.',
    request: { limit: optional(integer(), 'How many; 100 unless given.', { default: 100 }) },
    answer: root(model('Deliveries', 'Messages.', { deliveries: list(delivery) })),
    errors: [],
    example: {
      request: {},
      response: {
        deliveries: [
          {
            messageId: '697e01aaaabbccddeeff0009',
            kind: 'ALERT',
            event: 'RUN_FINISHED',
            webhookId: 1769854500,
            webhookName: 'security',
            state: 'DONE',
            attempts: 1,
            nextAttempt: 1769854500,
            problem: null,
            createTime: 1769854500,
            endTime: 1769854501,
          },
        ],
      },
    },
  }),

  saveTicketTracker: operation({
    ...change,
    role: 'ADMIN',
    summary: 'Sets up where tickets are made',
    description:
      'One tracker of each type; saving again replaces it. The token is sealed at rest and never shown. The URL is the address of the REST interface: https://api.github.com (a GitHub Enterprise server: https://<host>/api/v3), https://<site>.atlassian.net, or the address of a Jira server. It must be https unless its host is named in VIGIL_ALLOWED_ALERT_TARGETS.',
    request: {
      trackerType: required(oneOf(trackerTypes), 'Type.'),
      baseUrl: required(text({ maxLength: 500 }), 'Address of the REST interface.'),
      userEmail: optional(text({ maxLength: 300 }), 'Login of a Jira account in the cloud.', { default: '' }),
      apiToken: required(text({ maxLength: 2000 }), 'Token.'),
    },
    answer: root(model('SavedTracker', 'The tracker.', { integration: ticketIntegration })),
    errors: ['WEBHOOK_URL_INVALID', 'TRACKER_TOKEN_EMPTY'],
    idempotent: true,
    example: {
      request: {
        trackerType: 'JIRA',
        baseUrl: 'https://team.atlassian.net',
        userEmail: 'ada@example.org',
        apiToken: 'example-token',
      },
      response: {
        integration: {
          trackerType: 'JIRA',
          baseUrl: 'https://team.atlassian.net',
          userEmail: 'ada@example.org',
          updatedBy: 'ada@example.org',
          updatedTs: 1769854500,
        },
      },
    },
  }),

  deleteTicketTracker: operation({
    ...change,
    role: 'ADMIN',
    summary: 'Forgets a tracker',
    description: 'Tickets that exist stay linked. isDeleted tells whether it was set up.',
    request: { trackerType: required(oneOf(trackerTypes), 'Type.') },
    answer: root(model('DeletedTracker', 'What became of it.', { isDeleted: flag() })),
    errors: [],
    idempotent: true,
    example: { request: { trackerType: 'JIRA' }, response: { isDeleted: true } },
  }),

  fetchIntegration: operation({
    ...read,
    summary: 'Lists the trackers that are set up',
    description: 'Without their tokens.',
    request: {},
    answer: root(model('Integrations', 'Trackers.', { integrations: list(ticketIntegration) })),
    errors: [],
    example: { request: {}, response: { integrations: [] } },
  }),

  createJiraIssue: operation({
    ...change,
    summary: 'Makes a ticket of an issue',
    description:
      'In Jira, or in GitHub when the project has a slash. The ticket is ordered and made within seconds; its link then stands with the issue. An issue that has a ticket gets no other: its link is answered.',
    request: { issueId: required(sentIssueId, 'The issue.'), projId: project, issueType },
    answer: root(
      model('OrderedTicket', 'What became of the order.', {
        isOrdered: flag({ description: 'False when it has a ticket, or one is under way.' }),
        ticketUrl: nullable(text({ description: 'Of the ticket it has already.' })),
      }),
    ),
    errors: ['ISSUE_NOT_FOUND', 'TICKET_PROJECT_INVALID', 'TRACKER_MISSING'],
    idempotent: true,
    example: {
      request: { issueId: exampleIssueId, projId: 'SEC', issueType: 'Bug' },
      response: { isOrdered: true, ticketUrl: null },
    },
  }),

  bulkCreateJiraTickets: operation({
    ...change,
    summary: 'Makes tickets of issues',
    description:
      'As createJiraIssue for each; issues that do not exist or are not visible to the caller are passed over.',
    request: {
      issueIdArray: required(list(sentIssueId, { maxItems: 500 }), 'The issues.'),
      projId: project,
      issueType,
    },
    answer: root(
      model('OrderedTickets', 'What became of the orders.', {
        ordered: count('Tickets ordered now.'),
        existing: count('Issues that have a ticket, or one under way.'),
        unknown: count('Issues that were not found.'),
      }),
    ),
    errors: ['TICKET_PROJECT_INVALID', 'TRACKER_MISSING'],
    idempotent: true,
    example: {
      request: { issueIdArray: [exampleIssueId], projId: 'acme/shop', issueType: 'bug' },
      response: { ordered: 1, existing: 0, unknown: 0 },
    },
  }),
})
