import { listChannels } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { ownChannels, readEvents, readKind } from './wire-alerts.ts'

/** Whether there is a channel of a type that is notified of something: of the caller's own, for restricted callers. */
export const checkWebhook: Handler<'checkWebhook'> = async (input, { app, caller }) => {
  const { kind } = readKind(input.webhookType)
  const channels = ownChannels(await listChannels(app.store, app.sealer, kind), caller)
  const option = input.webhookOption ?? null
  const wanted = option === null ? [] : readEvents([option])
  return { webhookPresent: channels.some(({ events }) => wanted.every((event) => events.includes(event))) }
}
