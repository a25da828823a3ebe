import { inviteUsers as invite } from '../../../access/index.ts'
import { baseUrlOf } from '../../base-url.ts'
import type { Handler } from '../../handler.ts'

/** Invites people and gives the links to hand on. */
export const inviteUsers: Handler<'inviteUsers'> = async (input, { app, caller, origin }) => {
  const made = await invite(app.access, input.invitations, caller)
  const base = app.settings.baseUrl === null && origin !== null ? origin : baseUrlOf(app.settings)
  return {
    invitations: made.map((invitation) => ({
      email: invitation.login,
      role: invitation.role,
      invitationCode: invitation.code,
      link: `${base}/signup?invitationCode=${invitation.code}`,
      expiresTs: invitation.expiresAt,
    })),
  }
}
