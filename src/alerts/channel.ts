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

/** One field of the form that sets up a channel. */
interface ChannelField {
  readonly name: keyof ChannelSecrets
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
}

/** A request that delivers a message. */
export interface ChannelRequest {
  /** Name, value, name, value …, without host and length. */
  readonly headers: readonly string[]
  readonly body: string
}

/** One kind of channel; each has a separate file in `channels/`. */
export interface ChannelKind {
  readonly kind: 'SLACK' | 'TEAMS' | 'WEBHOOK' | 'MAIL'
  /** As the interface calls it. */
  readonly wireName: 'SLACK' | 'MICROSOFT_TEAMS' | 'DEFAULT' | 'MAIL'
  readonly label: string
  readonly fields: readonly ChannelField[]
  /** A message as this channel takes it. */
  compose(alert: Alert, secrets: ChannelSecrets): ChannelRequest
}

/** The field that every channel has. */
export const urlField: ChannelField = {
  name: 'url',
  label: 'URL',
  hint: 'Address that messages are posted to. Its path is a credential and is shown masked.',
  isRequired: true,
}

/** Headers of a JSON body. */
export const jsonHeaders = ['content-type', 'application/json; charset=utf-8', 'user-agent', 'Vigil'] as const
