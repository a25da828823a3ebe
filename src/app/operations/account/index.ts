import type { Handlers } from '../../handler.ts'
import { addApiToken } from './addApiToken.ts'
import { beginSecondFactor } from './beginSecondFactor.ts'
import { deleteApiToken } from './deleteApiToken.ts'
import { disableSecondFactor } from './disableSecondFactor.ts'
import { enableSecondFactor } from './enableSecondFactor.ts'
import { fetchApiTokens } from './fetchApiTokens.ts'
import { fetchAuditLog } from './fetchAuditLog.ts'
import { fetchOwnUser } from './fetchOwnUser.ts'
import { fetchSecondFactor } from './fetchSecondFactor.ts'
import { fetchSystemStatus } from './fetchSystemStatus.ts'
import { getAllUsersCollections } from './getAllUsersCollections.ts'
import { getTeamData } from './getTeamData.ts'
import { inviteUsers } from './inviteUsers.ts'
import { logout } from './logout.ts'
import { removeUser } from './removeUser.ts'
import { resetSecondFactor } from './resetSecondFactor.ts'
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
  deleteApiToken,
  fetchApiTokens,
  fetchAuditLog,
  fetchOwnUser,
  fetchSystemStatus,
  getAllUsersCollections,
  getTeamData,
  inviteUsers,
  logout,
  removeUser,
  updatePassword,
  updateUserCollections,
  updateUserRole,
} satisfies Handlers
