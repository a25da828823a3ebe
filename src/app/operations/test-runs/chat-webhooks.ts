import { addChannel, listChannels } from '../../../alerts/index.ts'
import type { ApiToken } from '../../../contract/index.ts'
import type { App, Caller } from '../../handler.ts'
import { organisationId } from '../../organisation.ts'
import { maskUrl, ownChannels } from '../account/wire-alerts.ts'

const DAY_SECONDS = 86_400

/** The chat webhooks that the caller may know, on the wire, the oldest first; URLs are masked. */
export async function listChatWebhooks({ store, sealer }: App, caller: Caller): Promise<ApiToken[]> {
  const channels = ownChannels(await listChannels(store, sealer, 'SLACK'), caller)
  return channels.map((channel) => ({
    id: channel.id,
    accountId: organisationId,
    name: channel.name,
    key: maskUrl(channel.url),
    timestamp: channel.createdAt,
    username: channel.userLogin,
    utility: 'SLACK',
    lastUsedTs: 0,
    expiresTs: 0,
  }))
}

/** The fields of the record that describe one webhook. */
export function recordOf(webhook: ApiToken): {
  apiTokenId: number
  webhookName: string
  webhookUrl: string
  tokenUtility: string
  frequencyInSeconds: number
} {
  return {
    apiTokenId: webhook.id,
    webhookName: webhook.name,
    webhookUrl: webhook.key,
    tokenUtility: 'SLACK',
    frequencyInSeconds: DAY_SECONDS,
  }
}

/** Adds a chat webhook, told of the runs that ask for it; @returns its id, or null when the URL is there already. */
export function addChatWebhook(
  { store, sealer }: App,
  webhook: { url: string; name: string; login: string },
): Promise<number | null> {
  return addChannel(store, sealer, {
    kind: 'SLACK',
    name: webhook.name,
    url: webhook.url,
    headers: {},
    secret: '',
    userLogin: webhook.login,
    events: [],
    leastSeverity: 'LOW',
  })
}
