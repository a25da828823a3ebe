import type { Handlers } from '../../handler.ts'
import { addApiToken } from './addApiToken.ts'
import { deleteApiToken } from './deleteApiToken.ts'
import { fetchApiTokens } from './fetchApiTokens.ts'
import { fetchAuditLog } from './fetchAuditLog.ts'
import { fetchOwnUser } from './fetchOwnUser.ts'
import { getAllUsersCollections } from './getAllUsersCollections.ts'
import { getTeamData } from './getTeamData.ts'
import { inviteUsers } from './inviteUsers.ts'
import { logout } from './logout.ts'
import { removeUser } from './removeUser.ts'
import { updatePassword } from './updatePassword.ts'
import { updateUserCollections } from './updateUserCollections.ts'
import { updateUserRole } from './updateUserRole.ts'

/** Users, roles, keys and sessions. */
export const accountHandlers = {
  addApiToken,
  deleteApiToken,
  fetchApiTokens,
  fetchAuditLog,
  fetchOwnUser,
  getAllUsersCollections,
  getTeamData,
  inviteUsers,
  logout,
  removeUser,
  updatePassword,
  updateUserCollections,
  updateUserRole,
} satisfies Handlers
