import { listInvitations, listUsers } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'
import { wireUser } from './wire-user.ts'

/** The people of the installation; who was invited is for administrators. */
export const getTeamData: Handler<'getTeamData'> = async (_input, { app, caller }) => {
  const users = await listUsers(app.access)
  const invitations = caller.role === 'ADMIN' ? await listInvitations(app.access) : []
  return {
    users: users.map(wireUser),
    invitations: invitations.map((invitation) => ({
      email: invitation.login,
      role: invitation.role,
      invitedBy: invitation.invitedBy,
      createdTs: invitation.createdAt,
      expiresTs: invitation.expiresAt,
    })),
  }
}
