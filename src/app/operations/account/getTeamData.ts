import { listInvitations, listUsers } from '../../../access/index.ts'
import type { User } from '../../../contract/index.ts'
import type { Caller, Handler } from '../../handler.ts'
import { wireUser } from './wire-user.ts'

/** A person without the collections that the caller was not granted. */
function limited(user: User, { collectionIds: granted }: Caller): User {
  if (granted === null || user.collectionIds === null) return user
  return { ...user, collectionIds: user.collectionIds.filter((id) => granted.includes(id)) }
}

/** The people of the installation; who was invited is for administrators. */
export const getTeamData: Handler<'getTeamData'> = async (_input, { app, caller }) => {
  const users = await listUsers(app.access)
  const invitations = caller.role === 'ADMIN' ? await listInvitations(app.access) : []
  return {
    users: users.map((user) => limited(wireUser(user), caller)),
    invitations: invitations.map((invitation) => ({
      email: invitation.login,
      role: invitation.role,
      invitedBy: invitation.invitedBy,
      createdTs: invitation.createdAt,
      expiresTs: invitation.expiresAt,
    })),
  }
}
