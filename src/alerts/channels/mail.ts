import { type Alert, linesOf, titleOf } from '../alert.ts'
import type { ChannelKind } from '../channel.ts'

/** What stands before the address in the URL of a channel of mail. */
export const MAILTO = 'mailto:'

/** Mail to one address, a mailing list as a rule, through the server of VIGIL_SMTP_URL. */
export const mail: ChannelKind = {
  kind: 'MAIL',
  wireName: 'MAIL',
  compose(alert: Alert) {
    const text = `${linesOf(alert.facts).join('\n')}\n\n${alert.link}\n`
    // The subject of the message, and an id that stays over every attempt.
    return { headers: ['subject', titleOf(alert.facts), 'x-vigil-message', alert.id], body: text }
  },
}
