import type { Handlers } from '../../handler.ts'
import { addApiToken } from './addApiToken.ts'
import { addCustomWebhook } from './addCustomWebhook.ts'
import { beginSecondFactor } from './beginSecondFactor.ts'
import { bulkCreateJiraTickets } from './bulkCreateJiraTickets.ts'
import { checkWebhook } from './checkWebhook.ts'
import { createJiraIssue } from './createJiraIssue.ts'
import { deleteApiToken } from './deleteApiToken.ts'
import { deleteCustomWebhook } from './deleteCustomWebhook.ts'
import { deleteTicketTracker } from './deleteTicketTracker.ts'
import { disableSecondFactor } from './disableSecondFactor.ts'
import { enableSecondFactor } from './enableSecondFactor.ts'
import { fetchApiTokens } from './fetchApiTokens.ts'
import { fetchAuditLog } from './fetchAuditLog.ts'
import { fetchCustomWebhooks } from './fetchCustomWebhooks.ts'
import { fetchDeliveries } from './fetchDeliveries.ts'
import { fetchIntegration } from './fetchIntegration.ts'
import { fetchOwnUser } from './fetchOwnUser.ts'
import { fetchSecondFactor } from './fetchSecondFactor.ts'
import { fetchSystemStatus } from './fetchSystemStatus.ts'
import { getTeamData } from './getTeamData.ts'
import { inviteUsers } from './inviteUsers.ts'
import { logout } from './logout.ts'
import { removeUser } from './removeUser.ts'
import { resetSecondFactor } from './resetSecondFactor.ts'
import { saveTicketTracker } from './saveTicketTracker.ts'
import { sendTestAlert } from './sendTestAlert.ts'
import { updateCustomWebhook } from './updateCustomWebhook.ts'
import { updatePassword } from './updatePassword.ts'
import { updateUserCollections } from './updateUserCollections.ts'
import { updateUserRole } from './updateUserRole.ts'

/** Users, roles, keys and sessions. */
export const accountHandlers = {
  resetSecondFactor,
  fetchSecondFactor,
  enableSecondFactor,
  disableSecondFactor,
  beginSecondFactor,
  addApiToken,
  addCustomWebhook,
  bulkCreateJiraTickets,
  checkWebhook,
  createJiraIssue,
  deleteApiToken,
  deleteCustomWebhook,
  deleteTicketTracker,
  fetchApiTokens,
  fetchAuditLog,
  fetchCustomWebhooks,
  fetchDeliveries,
  fetchIntegration,
  fetchOwnUser,
  fetchSystemStatus,
  getTeamData,
  inviteUsers,
  logout,
  removeUser,
  saveTicketTracker,
  sendTestAlert,
  updateCustomWebhook,
  updatePassword,
  updateUserCollections,
  updateUserRole,
} satisfies Handlers
