import type { Mail } from '../alerts/index.ts'
import { baseUrlOf } from './base-url.ts'
import type { App } from './handler.ts'

/** A person who is invited: the link carries the code. */
export interface InvitationMail {
  readonly email: string
  readonly invitedBy: string
  readonly link: string
  /** Hours in which the invitation works. */
  readonly hours: number
}

export function invitationMail({ email, invitedBy, link, hours }: InvitationMail): Mail {
  return {
    to: email,
    subject: 'Your invitation to Vigil',
    text: `${invitedBy} invited you to Vigil, which keeps the inventory of our APIs and tests their security.

Create your account within ${hours} hours, with this e-mail address:

${link}

If you did not expect this, ignore this message.
`,
  }
}

/** The mail with which a person chooses a new password. */
export function resetMail(app: Pick<App, 'settings'>, email: string, code: string): Mail {
  return {
    to: email,
    subject: 'Choose a new password for Vigil',
    text: `Somebody, hopefully you, asked for a new password for your Vigil account ${email}.

Choose it within one hour:

${baseUrlOf(app.settings)}/reset-password?code=${code}

Afterwards you are signed out everywhere. If you did not ask for this, ignore this message: your password stays as it is.
`,
  }
}
