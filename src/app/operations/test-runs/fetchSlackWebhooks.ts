import type { Handler } from '../../handler.ts'
import { listChatWebhooks, recordOf } from './chat-webhooks.ts'

/** The chat webhooks; the record describes the first one. */
export const fetchSlackWebhooks: Handler<'fetchSlackWebhooks'> = async (_input, { app, caller }) => {
  const webhooks = await listChatWebhooks(app, caller)
  const first = webhooks[0]
  const record = first
    ? recordOf(first)
    : { apiTokenId: 0, webhookName: null, webhookUrl: null, tokenUtility: null, frequencyInSeconds: 0 }
  return { ...record, apiTokenList: webhooks }
}
