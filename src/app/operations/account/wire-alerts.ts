import {
  type AlertEvent,
  type ChannelKind,
  channelKind,
  channelKinds,
  findChannel,
  MAILTO,
  type MessageView,
  type OpenChannel,
  type OpenTracker,
} from '../../../alerts/index.ts'
import type { ResponseOf, WebhookType } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import { maskText } from '../../../testing/index.ts'
import type { App, Caller } from '../../handler.ts'

type Webhook = ResponseOf<'fetchCustomWebhooks'>['customWebhooks'][number]
type Option = Webhook['selectedWebhookOptions'][number]

const OPTIONS: Readonly<Record<AlertEvent, Option>> = {
  RUN_FINISHED: 'TESTING_RUN_RESULTS',
  NEW_ISSUES: 'NEW_ISSUES',
  NEW_THREATS: 'NEW_THREATS',
  ACTOR_STATUS: 'ACTOR_STATUS',
}

/** What a channel is notified of, as the interface names it. */
export function readEvents(options: readonly Option[]): AlertEvent[] {
  return (Object.keys(OPTIONS) as AlertEvent[]).filter((event) => options.includes(OPTIONS[event]))
}

/** The kind of channel that the interface means. */
export function readKind(type: WebhookType): ChannelKind {
  return channelKinds.find((kind) => kind.wireName === type)!
}

/** The channels that a caller may know: all, or for those restricted to some collections their own. */
export function ownChannels<Channel extends { readonly userLogin: string }>(
  channels: readonly Channel[],
  caller: Caller,
): Channel[] {
  return channels.filter(({ userLogin }) => caller.collectionIds === null || userLogin === caller.login)
}

/** A channel on the wire, masked. */
export function wireWebhook(channel: OpenChannel): Webhook {
  return {
    id: channel.id,
    webhookName: channel.name,
    webhookType: channelKind(channel.kind).wireName,
    url: maskUrl(channel.url),
    headerNames: Object.keys(channel.headers),
    isSigned: channel.secret !== '',
    selectedWebhookOptions: channel.events.map((event) => OPTIONS[event]),
    leastSeverity: channel.leastSeverity,
    createTime: channel.createdAt,
    userEmail: channel.userLogin,
    lastDelivered: channel.deliveredAt,
    problem: channel.problem,
  }
}

/** The path of a webhook is its secret; an address of mail is none. */
export function maskUrl(url: string): string {
  if (url.startsWith(MAILTO)) return url
  const { origin, pathname } = new URL(url)
  return `${origin}/${maskText(pathname.slice(1))}`
}

/** A channel. @throws Failure WEBHOOK_NOT_FOUND */
export async function requireChannel({ store, sealer }: App, id: number): Promise<OpenChannel> {
  const channel = await findChannel(store, sealer, id)
  if (channel === undefined) throw new Failure('WEBHOOK_NOT_FOUND', {})
  return channel
}

export function wireDelivery(message: MessageView): ResponseOf<'fetchDeliveries'>['deliveries'][number] {
  return {
    messageId: message.messageId,
    kind: message.kind,
    event: message.event,
    webhookId: message.channelId,
    webhookName: message.channelName,
    state: message.state,
    attempts: message.attempts,
    nextAttempt: message.nextAt,
    problem: message.problem,
    createTime: message.createdAt,
    endTime: message.endedAt,
  }
}

/** A tracker on the wire, without its token. */
export function wireTracker(tracker: OpenTracker): ResponseOf<'fetchIntegration'>['integrations'][number] {
  return {
    trackerType: tracker.kind,
    baseUrl: tracker.baseUrl,
    userEmail: tracker.login,
    updatedBy: tracker.updatedBy,
    updatedTs: tracker.updatedAt,
  }
}
