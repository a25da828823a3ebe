import { inviteUsers as invite } from '../../../access/index.ts'
import { reportError } from '../../../kit/index.ts'
import { baseUrlOf } from '../../base-url.ts'
import type { App, Handler } from '../../handler.ts'
import { type InvitationMail, invitationMail } from '../../mails.ts'

/** Invites people, mails them the links where the server sends mail, and gives the links to hand on. */
export const inviteUsers: Handler<'inviteUsers'> = async (input, { app, caller, origin }) => {
  const made = await invite(app.access, input.invitations, caller)
  const base = app.settings.baseUrl === null && origin !== null ? origin : baseUrlOf(app.settings)
  const invitations = made.map(async (invitation) => {
    const link = `${base}/signup?invitationCode=${invitation.code}`
    const hours = app.settings.invitationHours
    return {
      email: invitation.login,
      role: invitation.role,
      invitationCode: invitation.code,
      link,
      expiresTs: invitation.expiresAt,
      isMailed: await isMailed(app, { email: invitation.login, invitedBy: caller.login, link, hours }),
    }
  })
  return { invitations: await Promise.all(invitations) }
}

/** The invitation stands although its mail cannot be sent: the link is in the answer. */
async function isMailed({ mailer, log }: App, invitation: InvitationMail): Promise<boolean> {
  if (mailer === null) return false
  try {
    await mailer.send(invitationMail(invitation))
    return true
  } catch (error) {
    log.warn('part.failed', { part: 'mail', error: reportError(error) })
    return false
  }
}
