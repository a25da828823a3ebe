import type { Handlers } from '../../handler.ts'
import { addCustomWebhook } from './addCustomWebhook.ts'
import { bulkCreateJiraTickets } from './bulkCreateJiraTickets.ts'
import { checkWebhook } from './checkWebhook.ts'
import { createJiraIssue } from './createJiraIssue.ts'
import { deleteCustomWebhook } from './deleteCustomWebhook.ts'
import { deleteTicketTracker } from './deleteTicketTracker.ts'
import { fetchCustomWebhooks } from './fetchCustomWebhooks.ts'
import { fetchDeliveries } from './fetchDeliveries.ts'
import { fetchIntegration } from './fetchIntegration.ts'
import { saveTicketTracker } from './saveTicketTracker.ts'
import { sendTestAlert } from './sendTestAlert.ts'
import { updateCustomWebhook } from './updateCustomWebhook.ts'

/** Channels of alerts, trackers and tickets. */
export const alertHandlers = {
  addCustomWebhook,
  bulkCreateJiraTickets,
  checkWebhook,
  createJiraIssue,
  deleteCustomWebhook,
  deleteTicketTracker,
  fetchCustomWebhooks,
  fetchDeliveries,
  fetchIntegration,
  saveTicketTracker,
  sendTestAlert,
  updateCustomWebhook,
} satisfies Handlers
