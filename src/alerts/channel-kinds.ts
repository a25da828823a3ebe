import type { ChannelKind } from './channel.ts'
import { mail } from './channels/mail.ts'
import { slack } from './channels/slack.ts'
import { teams } from './channels/teams.ts'
import { webhook } from './channels/webhook.ts'

/** Every kind of channel. */
export const channelKinds: readonly ChannelKind[] = [slack, teams, webhook, mail]

/** The kind of a channel that is stored. */
export function channelKind(kind: ChannelKind['kind']): ChannelKind {
  return channelKinds.find((one) => one.kind === kind)!
}
