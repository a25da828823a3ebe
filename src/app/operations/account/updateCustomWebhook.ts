import { changeChannel } from '../../../alerts/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readEvents, requireChannel, wireWebhook } from './wire-alerts.ts'

/** Changes what a channel is called and told of. */
export const updateCustomWebhook: Handler<'updateCustomWebhook'> = async (input, { app }) => {
  const options = input.selectedWebhookOptions ?? null
  const isThere = await changeChannel(app.store, input.id, {
    name: input.webhookName?.trim() || null,
    events: options === null ? null : readEvents(options),
    leastSeverity: input.leastSeverity ?? null,
  })
  if (!isThere) throw new Failure('WEBHOOK_NOT_FOUND', {})
  return { customWebhook: wireWebhook(await requireChannel(app, input.id)) }
}
