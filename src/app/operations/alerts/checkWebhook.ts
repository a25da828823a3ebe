import { listChannels } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { readEvents, readKind } from './wire-alerts.ts'

/** Whether there is a channel of a type that is told of something. */
export const checkWebhook: Handler<'checkWebhook'> = async (input, { app }) => {
  const channels = await listChannels(app.store, app.sealer, readKind(input.webhookType).kind)
  const option = input.webhookOption ?? null
  const wanted = option === null ? [] : readEvents([option])
  return { webhookPresent: channels.some(({ events }) => wanted.every((event) => events.includes(event))) }
}
