import { deleteChannel } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'

/** Deletes a channel of alerts. */
export const deleteCustomWebhook: Handler<'deleteCustomWebhook'> = async (input, { app }) => ({
  isDeleted: await deleteChannel(app.store, input.id),
})
