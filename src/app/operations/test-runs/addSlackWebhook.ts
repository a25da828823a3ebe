import { checkAlertUrl } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { addChatWebhook, listChatWebhooks, recordOf } from './chat-webhooks.ts'

/** Adds a chat webhook; problems with the URL are returned in `error`. */
export const addSlackWebhook: Handler<'addSlackWebhook'> = async (input, { app, caller }) => {
  const refuse = async (error: string) => ({ error, apiTokenList: await listChatWebhooks(app, caller) })
  const url = URL.parse(input.webhookUrl.trim())
  const refused = checkAlertUrl(input.webhookUrl, app.settings.allowedAlertTargets)
  if (url === null || refused !== null || url.pathname === '/') {
    return refuse('Please enter a valid Slack url')
  }
  const name = input.webhookName.trim() || url.host
  const id = await addChatWebhook(app, { url: url.href, name, login: caller.login })
  if (id === null) return refuse('This webhook url already exists')
  const webhooks = await listChatWebhooks(app, caller)
  return { ...recordOf(webhooks.find((one) => one.id === id)!), error: null, apiTokenList: webhooks }
}
