import type { WebhookType, webhookTypeTable } from '../contract/vocabulary.ts'
import type { Alert } from './alert.ts'

/** What a channel is set up with; everything here is sealed at rest. */
export interface ChannelSecrets {
  /** Where messages are posted to; in chats its path is the credential. Of mail `mailto:` and the address. */
  readonly url: string
  /** Further request headers. */
  readonly headers: Readonly<Record<string, string>>
  /** Key of signatures; '' without. */
  readonly secret: string
}

/** A request that delivers a message. */
export interface ChannelRequest {
  /** Name, value, name, value …, without host and length. */
  readonly headers: readonly string[]
  readonly body: string
}

/** One kind of channel: a row of `webhookTypeTable` in `contract/vocabulary.ts` and a separate file in `channels/`. */
export interface ChannelKind {
  /** As it is stored. */
  readonly kind: (typeof webhookTypeTable)[WebhookType]['kind']
  /** As the interface calls it. */
  readonly wireName: WebhookType
  /** A message as this channel takes it. */
  compose(alert: Alert, secrets: ChannelSecrets): ChannelRequest
}

/** Headers of a JSON body. */
export const jsonHeaders = ['content-type', 'application/json; charset=utf-8', 'user-agent', 'Vigil'] as const
